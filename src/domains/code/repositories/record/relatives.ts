/** Repositories of one fork network. */
import { lookUpAccount } from '#domains/people/users'
import type { Context } from '#platform/context'
import type { Db } from '#platform/db'
import { notFound } from '#platform/problem'
import { type CanRead, openToRead } from '../access/open-repository.ts'

/** Given an owner, their repository in the same fork network; given `owner/name`, that repository. */
export async function openRelative(
  ctx: Context,
  code: CanRead<'code'>,
  owner: string,
): Promise<CanRead<'code'>> {
  const [login = '', repo] = owner.split('/', 2)
  if (repo !== undefined) return openToRead(ctx, { owner: login, repo }, 'code')
  const account = await lookUpAccount(ctx, login)
  if (account.id === code.owner_id) return code
  const name = await findRelativeName(ctx.db, account.id, code.family_id ?? code.id)
  if (name === undefined) throw notFound('fork', owner)
  return openToRead(ctx, { owner: login, repo: name }, 'code')
}

/** The name of an owner's repository in a fork network; the oldest if there are several. */
async function findRelativeName(db: Db, ownerId: number, familyId: number): Promise<string | undefined> {
  const found = await db
    .selectFrom('repository')
    .select('name')
    .where('owner_id', '=', ownerId)
    .where((eb) => eb.or([eb('family_id', '=', familyId), eb('id', '=', familyId)]))
    .orderBy('id')
    .executeTakeFirst()
  return found?.name
}
