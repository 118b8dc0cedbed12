/** SQL on `webhook`. Reads take any handle; writes take a transaction. */
import { type RawBuilder, sql } from 'kysely'
import { CUSTOM_PLAN, countRows, type Db, type Paged, type Tx, takePage } from '#platform/db'
import type { Page } from '#platform/rest'
import type { HookPatch, HookRow, NewHookRow } from '../tables.ts'
import { type HookScope, isIn } from './scopes.ts'

/** Compat: in the order of creation. */
export function selectHooks(db: Db, scope: HookScope) {
  return db.selectFrom('webhook').selectAll().where(isIn(scope)).orderBy('id')
}

export function countHooks(db: Db, scope: HookScope): Promise<number> {
  return countRows(selectHooks(db, scope))
}

export function listHookRows(db: Db, scope: HookScope, page: Page): Promise<Paged<HookRow>> {
  return takePage(selectHooks(db, scope), page)
}

export function findHook(db: Db, scope: HookScope, id: number): Promise<HookRow | undefined> {
  return db.selectFrom('webhook').selectAll().where('id', '=', id).where(isIn(scope)).executeTakeFirst()
}

export function insertHook(tx: Tx, row: NewHookRow): Promise<HookRow> {
  return tx.insertInto('webhook').values(row).returningAll().executeTakeFirstOrThrow()
}

/** undefined when the hook is gone. */
export function updateHook(tx: Tx, id: number, patch: HookPatch): Promise<HookRow | undefined> {
  return tx.updateTable('webhook').set(patch).where('id', '=', id).returningAll().executeTakeFirst()
}

export async function deleteHookRow(tx: Tx, scope: HookScope, id: number): Promise<boolean> {
  const gone = await tx
    .deleteFrom('webhook')
    .where('id', '=', id)
    .where(isIn(scope))
    .returning('id')
    .executeTakeFirst()
  return gone !== undefined
}

/** Secrets are sealed for their purpose, not for their row, so a copy can be opened like the original. */
export async function copyRows(
  tx: Tx,
  which: RawBuilder<boolean>,
  to: { readonly repositoryId: number; readonly now: Date },
): Promise<void> {
  await sql`insert into webhook (scope, repository_id, type, name, url, content_type, sealed_secret,
      sealed_authorization, events, branch_filter, settings, is_active, created_at, updated_at)
    select 'repository', ${to.repositoryId}::bigint, type, name, url, content_type, sealed_secret,
      sealed_authorization, events, branch_filter, settings, is_active, ${to.now}::timestamptz,
      ${to.now}::timestamptz
    from webhook where ${which} order by id`.execute(tx)
}

/** Hooks of one repository that the other lacks: both may have copies of the same default hooks. */
export function isOnlyIn(oneId: number, otherId: number): RawBuilder<boolean> {
  return sql`webhook.repository_id = ${oneId} and not exists (
    select 1 from webhook other where other.repository_id = ${otherId} and other.url = webhook.url
      and other.sealed_secret = webhook.sealed_secret and other.events = webhook.events)`
}

export const IS_DEFAULT: RawBuilder<boolean> = sql`webhook.repository_id is null and webhook.owner_id is null and webhook.scope = 'default'`

/** A repository and its owner: events go to their hooks and to system hooks. */
export interface Source {
  readonly repository_id: number
  readonly owner_id: number
}

/** Custom plan: the number of hooks varies too much between owners for a generic plan. */
export function selectSubscribed(db: Db, { repository_id, owner_id }: Source) {
  return db
    .selectFrom('webhook')
    .select(['id', 'events', 'branch_filter'])
    .where('is_active', '=', true)
    .where(
      sql<boolean>`(webhook.repository_id = ${repository_id} or webhook.owner_id = ${owner_id}
        or (webhook.repository_id is null and webhook.owner_id is null and webhook.scope = 'system'))`,
    )
    .orderBy('id')
    .modifyEnd(CUSTOM_PLAN)
}
