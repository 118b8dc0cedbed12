/** Links to the issues and users named in a text, if the reader may see them. */
import { sql } from 'kysely'
import { keyOf, visibleTo } from '#domains/people/users'
import type { Context } from '#platform/context'
import type { Link, Linker, NamedInText } from '#slices'
import { pageOfIssue } from '../records/wire.ts'
import { findTargets } from './find-targets.ts'

export const linkNamed: Linker = async (ctx, { home, issues, people }) => [
  ...(await linkIssues(ctx, home, issues)),
  ...(await linkPeople(ctx, people)),
]

async function linkIssues(
  ctx: Context,
  home: NamedInText['home'],
  named: NamedInText['issues'],
): Promise<Link[]> {
  const targets = await findTargets(ctx, home, named)
  return targets.map(({ reference: { key }, issue, repo }) => {
    return { key, address: pageOfIssue(issue, repo, ctx.site), kind: 'issue' }
  })
}

async function linkPeople(ctx: Context, named: NamedInText['people']): Promise<Link[]> {
  if (named.length === 0) return []
  const found = await ctx.db
    .selectFrom('account')
    .select(['login', 'login_key'])
    .where(sql<boolean>`login_key = any(${named.map(({ login }) => keyOf(login))}::text[])`)
    .where(visibleTo(ctx.actor))
    .execute()
  const logins = new Map(found.map(({ login, login_key }) => [login_key, login]))
  return named.flatMap(({ key, login }) => {
    const known = logins.get(keyOf(login))
    return known === undefined ? [] : [{ key, address: `${ctx.site.url}/${known}`, kind: 'person' }]
  })
}
