/** Looks for lost bytes: takes some rows of each kind and asks the store for the objects that they name. */
import { type RawBuilder, sql } from 'kysely'
import { attachmentKey } from '#domains/code/attachments'
import { lfsKey } from '#domains/code/lfs'
import { nameStorage } from '#domains/code/repositories'
import { packageKey } from '#domains/packages/packages'
import { pictureKey } from '#domains/people/users'
import { packKey, SIDECARS, type StorageId } from '#git'
import type { Config } from '#platform/config'
import { type Db, openDb } from '#platform/db'
import type { ObjectStore } from '#platform/object-store'
import { withDatabase, withStore } from '../with-world.ts'

/** Of each kind. Enough to notice the loss of a folder, a disk or a bucket; not that of a single file among millions. */
const SAMPLE = 100
const ASKED_AT_ONCE = 8
const NAMED_MAX = 3

interface Named {
  readonly key: string
  /** For operators. */
  readonly owner: string
}

type Sample = (db: Db) => Promise<Named[]>

/** From a random place on: the order of an index, which needs no scan of the table. */
const SAMPLES: readonly Sample[] = [
  samplePacks,
  samplePackages,
  sampleAttachments,
  sampleLfs,
  sampleArtifacts,
  sampleLogs,
  sampleAvatars,
]

export function lookAtFiles(config: Config): Promise<string> {
  return withStore(config, (store) =>
    withDatabase(config, async (pool) => {
      const db = openDb(pool)
      let count = 0
      const lost: Named[] = []
      for (const sample of SAMPLES) {
        const named = await sample(db)
        count += named.length
        lost.push(...(await findLost(store, named)))
      }
      if (lost.length === 0)
        return `${count} stored objects of packs, packages, attachments, Git LFS, artifacts, logs and avatars exist`
      const shown = lost.slice(0, NAMED_MAX).map(({ owner, key }) => `${owner} (${key})`)
      throw new Error(
        `${lost.length} of ${count} objects are missing from the store: ${shown.join(', ')}; restore them from a backup`,
      )
    }),
  )
}

async function findLost(store: ObjectStore, named: readonly Named[]): Promise<Named[]> {
  const lost: Named[] = []
  for (let i = 0; i < named.length; i += ASKED_AT_ONCE) {
    const some = named.slice(i, i + ASKED_AT_ONCE)
    const stats = await Promise.all(some.map(({ key }) => store.stat(key)))
    lost.push(...some.filter((_, n) => stats[n] === undefined))
  }
  return lost
}

async function samplePacks(db: Db): Promise<Named[]> {
  const from = (part: RawBuilder<unknown>) =>
    sql<{ id: string; digest: string; storage_id: StorageId }>`
      select pack.id, pack.digest, (select min(storage_id) from git_storage_pack as used
        where used.pack_id = pack.id and retired_at is null) as storage_id
      from git_pack as pack where exists (select from git_storage_pack as used
        where used.pack_id = pack.id and retired_at is null) and ${part} order by pack.id limit ${SAMPLE}`
  const start = sql`gen_random_uuid()`
  const { rows } = await from(sql`pack.id >= (select ${start})`).execute(db)
  const first = rows.length < SAMPLE ? (await from(sql`true`).execute(db)).rows : []
  const packs = [...new Map([...rows, ...first].map((row) => [row.id, row])).values()].slice(0, SAMPLE)
  const named = packs.map(async (pack) => {
    const storage = (await nameStorage(db, pack.storage_id)) ?? `storage ${pack.storage_id}`
    // Without its index no pack can be read.
    return SIDECARS.map((part) => ({ key: packKey(pack, part), owner: `${part} of ${storage}` }))
  })
  return (await Promise.all(named)).flat()
}

async function samplePackages(db: Db): Promise<Named[]> {
  const { rows } = await sql<{ key: string; owner: string | null }>`
    select blob.key, (select account.login || '/' || package.type || '/' || package.name || ' ' || package_file.name
      from package_file join package_version on package_version.id = package_file.version_id
      join package on package.id = package_version.package_id join account on account.id = package.owner_id
      where package_file.blob_id = blob.id limit 1) as owner
    from (${someOf('package_blob', 'id', 'id, key')}) as blob`.execute(db)
  return rows.map(({ key, owner }) => ({
    key: packageKey(key),
    owner: `package ${owner ?? 'without files'}`,
  }))
}

async function sampleAttachments(db: Db): Promise<Named[]> {
  const { rows } = await sql<{ uuid: string; name: string; repository: string | null }>`
    select file.uuid, file.name, (select account.login || '/' || repository.name
      from repository join account on account.id = repository.owner_id
      where repository.id = coalesce((select repository_id from release where release.id = file.release_id),
        (select repository_id from issue where issue.id = coalesce(file.issue_id,
          (select issue_comment.issue_id from issue_comment where issue_comment.id = file.comment_id))))) as repository
    from (${someOf('attachment', 'id', 'id, uuid, name, release_id, issue_id, comment_id')}) as file
    where coalesce(file.release_id, file.issue_id, file.comment_id) is not null`.execute(db)
  return rows.map(({ uuid, name, repository }) => ({
    key: attachmentKey(uuid),
    owner: `attachment ${name} of ${repository ?? 'nothing yet'}`,
  }))
}

async function sampleLfs(db: Db): Promise<Named[]> {
  const { rows } = await sql<{ key: string; oid: string; repository: string | null }>`
    select object.key, object.oid, (select account.login || '/' || repository.name
      from lfs_link join repository on repository.storage_id = lfs_link.storage_id
      join account on account.id = repository.owner_id where lfs_link.object_id = object.id limit 1) as repository
    from (${someOf('lfs_object', 'id', 'id, oid, key')}) as object`.execute(db)
  return rows.map(({ key, oid, repository }) => ({
    key: lfsKey(key),
    owner: `Git LFS object ${oid} of ${repository ?? 'no repository'}`,
  }))
}

async function sampleArtifacts(db: Db): Promise<Named[]> {
  const { rows } = await sql<{ key: string; name: string; repository: string }>`
    select part.object_key as key, artifact.name, account.login || '/' || repository.name as repository
    from (${someOf('action_artifact', 'id', 'id, name, repository_id')}) as artifact
    join action_artifact_part as part on part.artifact_id = artifact.id
    join repository on repository.id = artifact.repository_id join account on account.id = repository.owner_id
    limit ${SAMPLE}`.execute(db)
  return rows.map(({ key, name, repository }) => ({ key, owner: `artifact ${name} of ${repository}` }))
}

async function sampleLogs(db: Db): Promise<Named[]> {
  const { rows } = await sql<{
    key: string
    task_id: number
  }>`select object_key as key, task_id from action_log_piece
    where task_id is not null order by created_at desc limit ${SAMPLE}`.execute(db)
  return rows.map(({ key, task_id }) => ({ key, owner: `log of task ${task_id}` }))
}

/** Keys are random, and so are those that follow a random one. */
async function sampleAvatars(db: Db): Promise<Named[]> {
  const { rows } = await sql<{ key: string; owner: string }>`
    select avatar_key as key, login as owner from (${avatarsOf('account', 'avatar_key', 'login')}) as account
    union all
    select avatar, login || '/' || name
    from (${avatarsOf('repository', 'avatar', 'owner_id, name')}) as repository
    join account on account.id = owner_id`.execute(db)
  return rows.map(({ key, owner }) => ({ key: pictureKey(key), owner: `avatar of ${owner}` }))
}

function avatarsOf(table: string, key: string, columns: string): RawBuilder<unknown> {
  const [of, by, all] = [sql.table(table), sql.ref(key), sql.raw(`${key}, ${columns}`)]
  const limit = SAMPLE / 4
  return sql`(select ${all} from ${of} where ${by} <> '' and ${by} >= (select gen_random_uuid()::text)
      order by ${by} limit ${limit})
    union (select ${all} from ${of} where ${by} <> '' order by ${by} limit ${limit})`
}

/** Rows from a random id on, and from the first id on if these are few. */
function someOf(table: string, id: string, columns: string): RawBuilder<unknown> {
  const [of, by, all] = [sql.table(table), sql.ref(id), sql.raw(columns)]
  return sql`(select ${all} from ${of} where ${by} >= (select floor(random() * max(${by})) from ${of})
      order by ${by} limit ${SAMPLE / 2})
    union (select ${all} from ${of} order by ${by} limit ${SAMPLE / 2})`
}
