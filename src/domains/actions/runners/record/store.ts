/** SQL on runners. Reads take any handle; writes take a transaction. */
import { sql } from 'kysely'
import type { Scope } from '#domains/code/scopes'
import { countRows, type Db, type Paged, type Tx, takePage } from '#platform/db'
import { must } from '#platform/must'
import type { Page } from '#platform/rest'
import type { NewRunnerRow, RunnerRow } from './tables.ts'
import { IDLE_AFTER_MS, OFFLINE_AFTER_MS } from './wire.ts'

function selectRunners(db: Db) {
  return db.selectFrom('action_runner').selectAll().where('deleted_at', 'is', null)
}

/** The site scope selects all runners, including those of owners and repositories. */
function selectOf(db: Db, { owner_id, repository_id }: Scope) {
  if (repository_id !== null) return selectRunners(db).where('repository_id', '=', repository_id)
  if (owner_id !== null) return selectRunners(db).where('owner_id', '=', owner_id)
  return selectRunners(db)
}

/** Compat: active, then idle, then offline; within each, enabled runners first. */
export function listRunners(
  db: Db,
  scope: Scope,
  isDisabled: boolean | undefined,
  page: Page,
  now: Date,
): Promise<Paged<RunnerRow>> {
  const since = (ms: number) => new Date(now.getTime() - ms)
  const some =
    isDisabled === undefined ? selectOf(db, scope) : selectOf(db, scope).where('is_disabled', '=', isDisabled)
  const rows = some
    .orderBy(
      sql`case when online_at is null or online_at <= ${since(OFFLINE_AFTER_MS)} then 2
        when active_at is null or active_at <= ${since(IDLE_AFTER_MS)} then 1 else 0 end`,
    )
    .orderBy('is_disabled')
    .orderBy('online_at', (order) => order.desc().nullsLast())
    .orderBy('id')
  return takePage(rows, page)
}

export interface RunnerStates {
  readonly busy: number
  readonly idle: number
  readonly offline: number
}

export async function countByState(db: Db, now: Date): Promise<RunnerStates> {
  const since = (ms: number) => new Date(now.getTime() - ms)
  const { rows } = await sql<RunnerStates>`
    select count(*) filter (where is_online and is_active) as busy,
      count(*) filter (where is_online and not is_active) as idle,
      count(*) filter (where not is_online) as offline
    from (select coalesce(online_at > ${since(OFFLINE_AFTER_MS)}, false) as is_online,
        coalesce(active_at > ${since(IDLE_AFTER_MS)}, false) as is_active
      from action_runner where deleted_at is null) as runner`.execute(db)
  return must(rows[0], 'an aggregate has one row')
}

/** Each different set of labels, in lower case, of enabled runners that are online and take jobs of the repository. */
export async function listServingLabels(
  db: Db,
  { id, owner_id }: { readonly id: number; readonly owner_id: number },
  now: Date,
): Promise<string[][]> {
  const rows = await selectRunners(db)
    .where('is_disabled', '=', false)
    .where('online_at', '>', new Date(now.getTime() - OFFLINE_AFTER_MS))
    .where((eb) =>
      eb.or([
        eb('repository_id', '=', id),
        eb('owner_id', '=', owner_id),
        eb.and([eb('repository_id', 'is', null), eb('owner_id', 'is', null)]),
      ]),
    )
    .clearSelect()
    .select('labels')
    .distinct()
    .execute()
  return rows.map(({ labels }) => labels.map((it) => it.toLowerCase()))
}

export function countRunners(db: Db): Promise<number> {
  return countRows(selectRunners(db))
}

export function findRunner(db: Db, id: number): Promise<RunnerRow | undefined> {
  return selectRunners(db).where('id', '=', id).executeTakeFirst()
}

/** Includes ephemeral runners that have finished: they may still send their last reports. */
export function findByUuids(db: Db, uuids: readonly string[]): Promise<RunnerRow[]> {
  return db
    .selectFrom('action_runner')
    .selectAll()
    .where('uuid', '=', sql<string>`any(${[...uuids]}::text[])`)
    .where((eb) => eb.or([eb('deleted_at', 'is', null), eb('is_ephemeral', '=', true)]))
    .execute()
}

export function insertRunner(tx: Tx, row: NewRunnerRow): Promise<RunnerRow> {
  return tx.insertInto('action_runner').values(row).returningAll().executeTakeFirstOrThrow()
}

/** Undefined if the runner was deleted. */
export function updateRunner(
  tx: Tx,
  id: number,
  set: Partial<
    Pick<RunnerRow, 'is_disabled' | 'labels' | 'version' | 'capabilities' | 'online_at' | 'deleted_at'>
  >,
  now: Date,
): Promise<RunnerRow | undefined> {
  return tx
    .updateTable('action_runner')
    .set({ ...set, updated_at: now })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

/**
 * Which of these runners may take jobs now. Rows are not locked, because heartbeats of all nodes write them: a runner
 * that is disabled concurrently counts as having taken its job before. Only rows of ephemeral runners are locked, so
 * that one node at a time gives them their single job; a row locked by another transaction is skipped until the next
 * poll.
 */
export async function listEnabled(
  tx: Tx,
  runners: readonly Pick<RunnerRow, 'id' | 'is_ephemeral'>[],
): Promise<ReadonlySet<number>> {
  const selectEnabled = (some: typeof runners) =>
    selectRunners(tx)
      .clearSelect()
      .select('id')
      .where('id', '=', sql<number>`any(${some.map(({ id }) => id)}::bigint[])`)
      .where('is_disabled', '=', false)
  const [single = [], lasting = []] = [true, false].map((is) =>
    runners.filter((it) => it.is_ephemeral === is),
  )
  const rows = lasting.length === 0 ? [] : await selectEnabled(lasting).execute()
  if (single.length > 0) rows.push(...(await selectEnabled(single).forNoKeyUpdate().skipLocked().execute()))
  return new Set(rows.map(({ id }) => id))
}

export interface Heartbeat {
  readonly id: number
  readonly online_at: Date
  readonly active_at: Date | null
}

/**
 * Updates all runners of a node in one statement. A locked row is being written by another node that the runner also
 * called, so skipping it loses nothing and no node waits.
 */
export async function updateHeartbeats(tx: Tx, heartbeats: readonly Heartbeat[]): Promise<void> {
  await sql`update action_runner set online_at = heard.online_at,
      active_at = coalesce(heard.active_at, action_runner.active_at)
    from (select action_runner.id, said.online_at, said.active_at
      from json_to_recordset(${JSON.stringify(heartbeats)}::json)
        as said (id bigint, online_at timestamptz, active_at timestamptz)
      join action_runner on action_runner.id = said.id
      for no key update of action_runner skip locked) heard
    where action_runner.id = heard.id`.execute(tx)
}

/** Deletes the ephemeral runner of a job that has ended. */
export async function deleteEphemeral(tx: Tx, jobId: number, now: Date): Promise<void> {
  await sql`update action_runner set deleted_at = ${now}, updated_at = ${now}
    from action_task where action_task.job_id = ${jobId} and action_task.runner_id = action_runner.id
      and action_runner.is_ephemeral and action_runner.deleted_at is null`.execute(tx)
}
