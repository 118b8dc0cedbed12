/** What owners store according to the rows that name the bytes, and how the counters differ from it. */
import { sql } from 'kysely'
import { USAGE_COUNTERS, type UsageCounter } from '#domains/code/repositories'
import { USAGE_KINDS, type UsageKind } from '#domains/people/quotas'
import type { Db } from '#platform/db'

interface StoredBytes {
  readonly owner_id: number
  /** Null for packages, which belong to their owner alone. */
  readonly repository_id: number | null
  readonly counter: UsageCounter | 'packages'
  readonly bytes: number
}

const KINDS: Record<UsageCounter | 'packages', UsageKind> = { ...USAGE_COUNTERS, packages: 'packages' }

/** Every repository of the owners has a row of each counter. */
export async function readStored(db: Db, ownerIds: readonly number[]): Promise<StoredBytes[]> {
  const { rows } = await sql<StoredBytes>`with owned as (
      select id, owner_id, storage_id, wiki_storage_id from repository where owner_id = any(${[...ownerIds]}::bigint[])),
    packs (storage_id, bytes) as (
      select named.storage_id, sum(git_pack.bytes) from git_storage_pack as named
      join git_pack on git_pack.id = named.pack_id
      where named.retired_at is null and (named.storage_id in (select storage_id from owned)
        or named.storage_id in (select wiki_storage_id from owned)) group by named.storage_id),
    files (repository_id, bytes) as (
      select release.repository_id, attachment.bytes from release
      join attachment on attachment.release_id = release.id where release.repository_id in (select id from owned)
      union all
      select issue.repository_id, attachment.bytes from issue
      join attachment on attachment.issue_id = issue.id where issue.repository_id in (select id from owned)
      union all
      select issue.repository_id, attachment.bytes from issue
      join issue_comment on issue_comment.issue_id = issue.id
      join attachment on attachment.comment_id = issue_comment.id where issue.repository_id in (select id from owned))
    select owned.owner_id, owned.id as repository_id, counted.counter, coalesce(counted.bytes, 0)::bigint as bytes
    from owned cross join lateral (values
      ('bytes', (select packs.bytes from packs where packs.storage_id = owned.storage_id)),
      ('wiki_bytes', (select packs.bytes from packs where packs.storage_id = owned.wiki_storage_id)),
      ('artifact_bytes', (select sum(bytes) from action_artifact where repository_id = owned.id)),
      ('log_bytes', (select sum(counted_log_bytes) from action_task where repository_id = owned.id)),
      ('attachment_bytes', (select sum(bytes) from files where files.repository_id = owned.id)),
      ('lfs_bytes', (select sum(lfs_object.bytes) from lfs_link join lfs_object on lfs_object.id = lfs_link.object_id
        where lfs_link.storage_id = owned.storage_id))
    ) as counted (counter, bytes)
    union all
    select content.owner_id, null, 'packages', sum(content.bytes)::bigint from (
      select distinct package_version.owner_id, package_blob.id, package_blob.bytes
      from package_version join package_file on package_file.version_id = package_version.id
      join package_blob on package_blob.id = package_file.blob_id
      where package_version.owner_id = any(${[...ownerIds]}::bigint[])) as content
    group by content.owner_id`.execute(db)
  return rows
}

/** By owner and kind; kinds of which nothing is stored are absent. */
export function sumByKind(stored: readonly StoredBytes[]): Map<number, Map<UsageKind, number>> {
  const sums = new Map<number, Map<UsageKind, number>>()
  for (const { owner_id, counter, bytes } of stored) {
    const kinds = sums.get(owner_id) ?? new Map<UsageKind, number>()
    sums.set(owner_id, kinds.set(KINDS[counter], (kinds.get(KINDS[counter]) ?? 0) + bytes))
  }
  return sums
}

export interface Difference {
  readonly owner: string
  readonly ownerId: number
  readonly kind: UsageKind
  readonly counted: number
  readonly stored: number
}

/** One statement for what is counted and one for what is stored: bytes that come between them look like a difference. */
export async function findDifferences(db: Db, ownerIds: readonly number[]): Promise<Difference[]> {
  const { rows: counted } = await sql<{ id: number; login: string; kind: UsageKind; bytes: number }>`
    select account.id, account.login, kind.name as kind, coalesce(account_usage.bytes, 0) as bytes
    from account cross join unnest(${[...USAGE_KINDS]}::text[]) as kind (name)
    left join account_usage on account_usage.account_id = account.id and account_usage.kind = kind.name
    where account.id = any(${[...ownerIds]}::bigint[]) order by account.id`.execute(db)
  const sums = sumByKind(await readStored(db, ownerIds))
  return counted
    .map(({ id, login, kind, bytes }) => ({
      owner: login,
      ownerId: id,
      kind,
      counted: bytes,
      stored: sums.get(id)?.get(kind) ?? 0,
    }))
    .filter((it) => it.counted !== it.stored)
}
