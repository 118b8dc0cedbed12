/** Scopes of hooks. The site has two kinds: system hooks, and default hooks, which are copied into new repositories. */
import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '#domains/code/scopes'
import type { ScopeName } from '../tables.ts'

/** `site` restricts the kinds of the site's hooks. */
export type HookScope = Scope & { readonly site?: readonly ScopeName[] }

const SITE: readonly ScopeName[] = ['system', 'default']

/** Compat: an unknown type means system hooks. */
export function narrow(scope: Scope, type: string | undefined): HookScope {
  return { ...scope, site: type === 'all' ? SITE : [type === 'default' ? 'default' : 'system'] }
}

/** The condition has the form of the partial indexes. */
export function isIn({ kind, repository_id, owner_id, site = SITE }: HookScope): RawBuilder<boolean> {
  if (kind === 'repository') return sql`webhook.repository_id = ${repository_id}`
  if (kind === 'account') return sql`webhook.owner_id = ${owner_id}`
  return sql`(webhook.repository_id is null and webhook.owner_id is null
    and webhook.scope = any(${site}))`
}
