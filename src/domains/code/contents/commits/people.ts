/** Resolves the email addresses in commits to accounts. */
import { type Account, keyOf } from '#domains/people/users'
import type { Context } from '#platform/context'
import { BY_EMAIL, selectByIdOrName } from './store.ts'

/** By email address; undefined when no account has it. */
export type People = (email: string) => Account | undefined

/** Confirmed addresses and no-reply addresses: one query for each kind, whatever the number. */
export async function findPeople(ctx: Context, emails: readonly string[]): Promise<People> {
  const keys = [...new Set(emails.map(keyOf))].filter((it) => it !== '')
  const ending = `@${ctx.site.noreplyDomain}`
  const known = await findByEmail(
    ctx,
    keys.filter((it) => !it.endsWith(ending)),
  )
  const hidden = await findHidden(
    ctx,
    keys.filter((it) => it.endsWith(ending)),
  )
  const people = new Map([...known, ...hidden])
  return (email) => people.get(keyOf(email))
}

async function findByEmail(ctx: Context, keys: readonly string[]): Promise<[string, Account][]> {
  if (keys.length === 0) return []
  const rows = await BY_EMAIL.rows(ctx.db, { keys })
  return rows.map(({ email_key, ...account }) => [email_key, account])
}

/** `id+login@…`, where the id counts; or the older form with the login alone. */
async function findHidden(ctx: Context, keys: readonly string[]): Promise<[string, Account][]> {
  const parts = keys.map((key) => {
    const [, id, name] = /^(?:(\d{1,15})\+)?([^@]*)@/.exec(key) ?? []
    return { key, id: id === undefined ? undefined : Number(id), name: name ?? '' }
  })
  if (parts.length === 0) return []
  const ids = parts.flatMap(({ id }) => (id === undefined ? [] : [id]))
  const names = parts.flatMap(({ id, name }) => (id === undefined ? [name] : []))
  const accounts = await selectByIdOrName(ctx.db, ids, names).execute()
  return parts.flatMap(({ key, id, name }) => {
    const account = accounts.find((it) => (id === undefined ? it.login_key === name : it.id === id))
    return account === undefined ? [] : [[key, account] as [string, Account]]
  })
}
