/** Where hooks are kept. The site has hooks of two kinds: of the system, and those that new repositories get a copy of. */
import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '#domains/code/scopes'
import type { ScopeName } from '../tables.ts'

/** `site` narrows the hooks of the site to some kinds. */
export type HookScope = Scope & { readonly site?: readonly ScopeName[] }

const SITE: readonly ScopeName[] = ['system', 'default']

/** Compat: an unknown word means the hooks of the system. */
export function narrow(scope: Scope, type: string | undefined): HookScope {
  return { ...scope, site: type === 'all' ? SITE : [type === 'default' ? 'default' : 'system'] }
}

/** As a condition, in the words of the indexes. */
export function isIn({ kind, repository_id, owner_id, site = SITE }: HookScope): RawBuilder<boolean> {
  if (kind === 'repository') return sql`webhook.repository_id = ${repository_id}`
  if (kind === 'account') return sql`webhook.owner_id = ${owner_id}`
  return sql`(webhook.repository_id is null and webhook.owner_id is null
    and webhook.scope = any(${site}))`
}
