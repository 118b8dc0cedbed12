/**
 * Updates refs: a batch of compare-and-swap updates in one transaction.
 *
 * The `git_storage` row is locked first, so batches of one repository are serialized, and two batches that change
 * different refs never fail each other.
 */
import { sql } from 'kysely'
import type { TxContext } from '#platform/context'
import { customPlanFor } from '#platform/db'
import { notFound } from '#platform/problem'
import { zeroOid } from '../storage/storage.ts'
import type { Storage, StorageId } from '../tables.ts'
import { isRefName } from './names.ts'
import { countRefs, findRefs } from './read.ts'

export interface RefUpdate {
  readonly name: string
  /** All zeros: must not exist yet. */
  readonly old: string
  /** All zeros: delete. */
  readonly new: string
  readonly peeled: string | null
}

/** `refusal` is undefined when the update was done. */
export interface RefResult {
  readonly update: RefUpdate
  readonly refusal: string | undefined
}

export interface RefChange {
  readonly updates: readonly RefUpdate[]
  /** All of them or none. */
  readonly isAtomic: boolean
}

/**
 * Locks the repository for the rest of the transaction. `for no key update`, so that transactions that only insert
 * foreign keys to it do not wait: they may hold what this transaction locks next.
 */
export async function lockStorage(ctx: TxContext, storageId: StorageId): Promise<Storage> {
  const storage = await ctx.db
    .selectFrom('git_storage')
    .selectAll()
    .where('id', '=', storageId)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (storage === undefined) throw notFound('git storage', storageId)
  return storage
}

/**
 * The caller holds the lock. Returns a result for each update; when anything changed, the caller increments the
 * generation. `known`: current targets of the refs, read by the caller under the lock.
 */
export async function updateRefs(
  ctx: TxContext,
  storage: Storage,
  change: RefChange,
  known?: ReadonlyMap<string, string>,
): Promise<RefResult[]> {
  const zero = zeroOid(storage.object_format)
  const names = change.updates.map(({ name }) => name)
  const current = known ?? (await findOids(ctx, storage.id, names))
  const refusals = await judge(ctx, storage, change.updates, current)
  const isRefused = change.updates.some(({ name }) => refusals.has(name))
  const done = change.isAtomic && isRefused ? [] : change.updates.filter(({ name }) => !refusals.has(name))
  if (done.length > 0) await apply(ctx, storage, done, zero)
  return change.updates.map((update) => ({
    update,
    refusal: refusals.get(update.name) ?? (change.isAtomic && isRefused ? 'atomic push failed' : undefined),
  }))
}

async function judge(
  ctx: TxContext,
  storage: Storage,
  updates: readonly RefUpdate[],
  current: ReadonlyMap<string, string>,
): Promise<Map<string, string>> {
  const zero = zeroOid(storage.object_format)
  const refusals = new Map<string, string>()
  const seen = new Set<string>()
  for (const { name, old } of updates) {
    if (!isRefName(name)) refusals.set(name, 'not a valid ref name')
    else if (seen.has(name)) refusals.set(name, 'multiple updates for ref not allowed')
    else if ((current.get(name) ?? zero) !== old)
      refusals.set(name, 'ref was updated concurrently: fetch first')
    seen.add(name)
  }
  const created = updates.filter((it) => it.old === zero && it.new !== zero && !refusals.has(it.name))
  for (const name of await findInTheWay(
    ctx,
    storage.id,
    created.map((it) => it.name),
  ))
    refusals.set(name, 'cannot lock ref: conflicts with an existing ref')
  const added = created.filter(({ name }) => !refusals.has(name))
  const gone = updates.filter((it) => it.new === zero && it.old !== zero && !refusals.has(it.name))
  for (const { name } of await findTooMany(ctx, storage.id, added, gone.length))
    refusals.set(name, 'too many refs in the repository')
  return refusals
}

/** Refs are advertised to every client, so their number is limited. */
async function findTooMany(
  ctx: TxContext,
  storageId: StorageId,
  added: readonly RefUpdate[],
  gone: number,
): Promise<readonly RefUpdate[]> {
  if (added.length === 0) return []
  const room = ctx.config['git.refs_max'] + gone - (await countRefs(ctx.db, storageId))
  return added.slice(Math.max(0, room))
}

/** By name. The caller holds the lock. */
export async function findOids(
  ctx: TxContext,
  storageId: StorageId,
  names: string[],
): Promise<Map<string, string>> {
  const refs = await findRefs(ctx.db, storageId, names)
  return new Map([...refs.values()].map(({ name, oid }) => [name, oid]))
}

/** `a` and `a/b` cannot both be refs: git stores them as files. */
async function findInTheWay(ctx: TxContext, storageId: StorageId, names: string[]): Promise<string[]> {
  if (names.length === 0) return []
  const batch = new Set(names)
  const own = names.filter((name) => parentsOf(name).some((parent) => batch.has(parent)))
  const parents = names.flatMap((name) => parentsOf(name).map((parent) => ({ name, parent })))
  const { rows } = await sql<{ name: string }>`
    select asked.name from unnest(${names}::text[]) as asked(name)
    where exists (select 1 from git_ref where storage_id = ${storageId}
      and git_ref.name >= asked.name || '/' and git_ref.name < asked.name || '0')
    union
    select asked.name
    from unnest(${parents.map((it) => it.name)}::text[], ${parents.map((it) => it.parent)}::text[]) as asked(name, parent)
    join git_ref on git_ref.storage_id = ${storageId} and git_ref.name = asked.parent
    ${customPlanFor(names)}`.execute(ctx.db)
  return [...own, ...rows.map(({ name }) => name)]
}

function parentsOf(name: string): string[] {
  const parts = name.split('/')
  return parts.slice(3).map((_, i) => parts.slice(0, i + 3).join('/'))
}

async function apply(
  ctx: TxContext,
  storage: Storage,
  updates: readonly RefUpdate[],
  zero: string,
): Promise<void> {
  const generation = storage.generation + 1
  const gone = updates.filter((it) => it.new === zero).map(({ name }) => name)
  const set = updates.filter((it) => it.new !== zero)
  if (gone.length > 0)
    await ctx.db
      .deleteFrom('git_ref')
      .where('storage_id', '=', storage.id)
      .where('name', '=', sql<string>`any(${gone}::text[])`)
      .modifyEnd(customPlanFor(gone))
      .execute()
  if (set.length > 0)
    await sql`insert into git_ref (storage_id, name, oid, peeled_oid, generation)
      select ${storage.id}, name, oid, peeled, ${generation}
      from unnest(${set.map((it) => it.name)}::text[], ${set.map((it) => it.new)}::text[],
        ${set.map((it) => it.peeled)}::text[]) as changed(name, oid, peeled)
      on conflict (storage_id, name) do update
        set oid = excluded.oid, peeled_oid = excluded.peeled_oid, generation = excluded.generation`.execute(
      ctx.db,
    )
}
