/** Whom the people of a remote source are here, as the operator said when the import was started. */
import { findAccountsById } from '#domains/people/users'
import type { Context } from '#platform/context'
import { type Matched, matchByLogin, type People } from '../records/match-people.ts'
import { readLogins } from '../records/store.ts'
import type { ImportRow } from '../tables.ts'

/** Once all records are gathered. `collaborators`: their logins. */
export async function findPeopleOf(
  ctx: Context,
  { id, options }: ImportRow,
  collaborators: readonly string[],
): Promise<People> {
  const people = new Map<string, Matched>()
  if (options.people === undefined) return people
  const { as, isByLogin } = options.people
  const accounts = await findAccountsById(
    ctx.db,
    as.map(([, id]) => id),
  )
  for (const [login, id] of as) {
    const account = accounts.get(id)
    // Deleted since.
    if (account !== undefined) people.set(login, { id, login: account.login })
  }
  if (isByLogin) {
    await matchByLogin(ctx, people, readLogins(ctx.db, id))
    await matchByLogin(ctx, people, collaborators)
  }
  return people
}
