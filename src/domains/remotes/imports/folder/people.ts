/** Whom the people of an export are here. */
import { type Export, PEOPLE } from '#domains/remotes/exports'
import type { Context } from '#platform/context'
import { type Matching, matchByLogin, matchNamed, type People } from '../records/match-people.ts'

export async function matchPeople(ctx: Context, from: Export, matching: Matching): Promise<People> {
  const people = await matchNamed(ctx, matching)
  if (matching.isByLogin) await matchByLogin(ctx, people, loginsOf(from))
  return people
}

async function* loginsOf(from: Export): AsyncGenerator<string> {
  for await (const person of from.lines(PEOPLE)) {
    const { login } = (person ?? {}) as { readonly login?: unknown }
    if (typeof login === 'string' && login.length <= 255) yield login
  }
}
