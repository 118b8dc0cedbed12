/**
 * Inconsistent states that must never be left in PostgreSQL and the store, whatever failed: rows, counters and bytes that
 * disagree.
 */
import { readdir, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '#platform/db'

const SHOWN_MAX = 10
const SETTLED_MS_MAX = 20_000
const JOBS_MS_MAX = 60_000
const LOOK_MS = 100

/** Waits until transactions of killed nodes have ended either way. */
export async function untilSettled(db: Db): Promise<void> {
  for (const end = performance.now() + SETTLED_MS_MAX; performance.now() < end; await sleep(LOOK_MS)) {
    const { rows } = await sql`select 1 from pg_stat_activity where datname = current_database()
      and pid <> pg_backend_pid() and backend_type = 'client backend' and state <> 'idle'
      and xact_start < now() - interval '50 milliseconds'`.execute(db)
    if (rows.length === 0) return
  }
  throw new Error('a transaction never ended')
}

/** Failing jobs, after those of dead nodes were taken over: none may be left. */
export async function findFailingJobs(db: Db): Promise<string[]> {
  for (const end = performance.now() + JOBS_MS_MAX; ; await sleep(LOOK_MS)) {
    const { rows } = await sql<{ job: string; isFailed: boolean }>`
      select format('job %s of %s, tried %s times: %s', id, kind, attempts, error) as job,
        error is not null as "isFailed"
      from job where run_at <= now() or error is not null`.execute(db)
    const failed = rows.filter(({ isFailed }) => isFailed)
    if (rows.length === 0 || performance.now() > end) return rows.map(({ job }) => job).slice(0, SHOWN_MAX)
    // A failed job waits for its next attempt, which is made due.
    if (failed.length > 0)
      await sql`update job set run_at = now()
        where error is not null and held_at is null and run_at > now()`.execute(db)
  }
}

/** Counters that differ from the rows they count. */
export async function findMiscounts(db: Db): Promise<string[]> {
  const { rows } = await sql<{ fault: string }>`
    select format('%s counts %s repositories of %s', login, repositories, found) as fault
      from account join account_count on account_count.account_id = account.id,
      lateral (select count(*) as found from repository where owner_id = account.id) as own
      where repositories <> found
    union all
    select format('%s counts %s branches of %s', name, branches, found)
      from repository join repository_count on repository_id = repository.id,
      lateral (select count(*) as found from git_ref where storage_id = repository.storage_id
        and git_ref.name like 'refs/heads/%') as own where branches <> found
    union all
    select format('%s counts %s forks of %s', name, forks, found)
      from repository join repository_count on repository_id = repository.id,
      lateral (select count(*) as found from repository as fork where fork.parent_id = repository.id) as own
      where forks <> found
    union all
    select format('%s counts %s open issues of %s', name, open_issues, found)
      from repository join repository_count on repository_count.repository_id = repository.id,
      lateral (select count(*) as found from issue where issue.repository_id = repository.id
        and not is_closed and not is_pull) as own where open_issues <> found`.execute(db)
  return rows.map(({ fault }) => fault)
}

/** Rows that reference a deleted repository, except audit records, which stay, and storages without a repository. */
export async function findStrays(db: Db): Promise<string[]> {
  const { rows: columns } = await sql<{
    table: string
  }>`select table_name as table from information_schema.columns
    where table_schema = 'public' and column_name = 'repository_id' and table_name <> 'audit_record'`.execute(
    db,
  )
  const strays: string[] = []
  for (const { table } of columns) {
    const { rows } = await sql<{
      id: number
    }>`select distinct repository_id as id from ${sql.table(table)} as own
      where repository_id is not null
        and not exists (select 1 from repository where id = own.repository_id) limit ${SHOWN_MAX}`.execute(db)
    strays.push(...rows.map(({ id }) => `${table} names repository ${id}, which is gone`))
  }
  const { rows: storages } = await sql<{ id: number }>`select id from git_storage as storage
    where deleted_at is null and is_adopted and not exists (
      select 1 from repository where storage.id in (storage_id, wiki_storage_id))`.execute(db)
  return [...strays, ...storages.map(({ id }) => `storage ${id} belongs to no repository`)]
}

/** Objects in the store without a row, which would never be deleted. `folder` is that of the S3 server. */
export async function findOrphanedObjects(db: Db, folder: string): Promise<string[]> {
  const keys = await listObjects(folder)
  const { rows } = await sql<{ key: string }>`select key from unnest(${keys}::text[]) as stored (key)
    where not exists (select 1 from discarded_object where discarded_object.key = stored.key)
      and not exists (select 1 from package_blob where stored.key like '%/' || package_blob.key)
      and not exists (select 1 from package_object where stored.key like '%/' || package_object.key)
      and not exists (select 1 from attachment where stored.key like '%/' || attachment.uuid)
      and not exists (select 1 from git_pack where stored.key like '%.' || git_pack.id || '.%')
      and not exists (select 1 from git_pack_doomed where stored.key like '%.' || git_pack_doomed.id || '.%')
    limit ${SHOWN_MAX}`.execute(db)
  return rows.map(({ key }) => `no row knows the object ${key}`)
}

/** Makes objects so old that no upload of them can be running. */
export async function ageObjects(folder: string): Promise<void> {
  const then = new Date('2020-01-01')
  for (const key of await listObjects(folder))
    await utimes(join(folder, BUCKET, key), then, then).catch(() => {})
}

const BUCKET = 'bloomery'
const KNOWN = /^(?:git\/packs|packages|attachments)\//

/** Keys of packs, packages and attachments, in the folder of the S3 server. */
export async function listObjects(folder: string): Promise<string[]> {
  const root = join(folder, BUCKET)
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const files = entries.filter((it) => it.isFile()).map((it) => join(it.parentPath, it.name))
  return files.map((file) => file.slice(root.length + 1)).filter((key) => KNOWN.test(key))
}
