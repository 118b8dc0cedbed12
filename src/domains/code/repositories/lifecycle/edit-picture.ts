/** The avatar of a repository. */
import { sql } from 'kysely'
import { dropPicture, keepPicture, storePicture } from '#domains/people/users'
import { type Context, transact } from '#platform/context'
import type { Db } from '#platform/db'
import type { Administered } from '../access/open-repository.ts'
import { lockRepository, updateRepository } from '../record/store.ts'

/** Replaces the avatar; null removes it. */
export async function setPicture(ctx: Context, { id }: Administered, text: string | null): Promise<void> {
  const avatar = text === null ? '' : await storePicture(ctx, text)
  await transact(ctx, async (ctx) => {
    const before = await lockRepository(ctx.db, id)
    await updateRepository(ctx.db, id, { avatar, updated_at: ctx.now() })
    await keepPicture(ctx, avatar)
    await dropPicture(ctx, before.avatar)
  })
}

export async function findPictureOwner(db: Db, key: string): Promise<string | undefined> {
  const found = await selectByPicture(db, key).executeTakeFirst()
  return found && `avatar of ${found.login}/${found.name}`
}

/** The avatar of a quarantined repository is not shown. The last condition lets PostgreSQL use the partial index. */
export function selectByPicture(db: Db, key: string) {
  return db
    .selectFrom('repository')
    .innerJoin('account', 'account.id', 'repository.owner_id')
    .select(['account.login', 'repository.name'])
    .where('repository.is_quarantined', '=', false)
    .where('repository.avatar', '=', key)
    .where('repository.avatar', '<>', sql.lit(''))
}
