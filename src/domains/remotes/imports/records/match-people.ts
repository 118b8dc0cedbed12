/** Whom the people of a source are here. A login elsewhere may be another person, so nobody is matched unasked. */
import { findAccountsByLogin, keyOf } from '#domains/people/users'
import type { Context } from '#platform/context'
import { OperatorError } from '#platform/operator-error'

export interface Matching {
  /** Everybody whose login is taken here is taken for the same person. */
  readonly isByLogin: boolean
  /** Logins here by login of the source. */
  readonly renamed: ReadonlyMap<string, string>
}

export interface Matched {
  readonly id: number
  readonly login: string
}

/** By lower-case login of the source. */
export type People = ReadonlyMap<string, Matched>

const AT_ONCE = 500

export async function matchNamed(
  ctx: Context,
  { renamed }: Pick<Matching, 'renamed'>,
): Promise<Map<string, Matched>> {
  const wanted = new Map([...renamed].map(([old, now]) => [old.toLowerCase(), now]))
  const people = await findAll(ctx, wanted)
  const missing = [...wanted].find(([old]) => !people.has(old))
  if (missing !== undefined) throw new OperatorError(`user ${missing[1]} does not exist`)
  return people
}

/** Adds those of the same login who are not matched yet. */
export async function matchByLogin(
  ctx: Context,
  people: Map<string, Matched>,
  logins: AsyncIterable<string> | Iterable<string>,
): Promise<void> {
  for await (const batch of inBatches(logins)) {
    const others = batch.filter((it) => !people.has(it.toLowerCase()))
    for (const [key, it] of await findAll(ctx, new Map(others.map((it) => [it.toLowerCase(), it]))))
      people.set(key, it)
  }
}

async function findAll(ctx: Context, wanted: ReadonlyMap<string, string>): Promise<Map<string, Matched>> {
  const found = await findAccountsByLogin(ctx.db, [...wanted.values()])
  return new Map(
    [...wanted].flatMap(([key, login]) => {
      const account = found.get(keyOf(login))
      return account?.kind === 'user' ? [[key, { id: account.id, login: account.login }] as const] : []
    }),
  )
}

async function* inBatches(logins: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string[]> {
  let batch: string[] = []
  for await (const login of logins) {
    batch.push(login)
    if (batch.length < AT_ONCE) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
