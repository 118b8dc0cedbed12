/** Git LFS: objects once for all repositories, links and locks. The digest is verified while the bytes are stored. */
import { sql } from 'kysely'
import { lfsKey } from '#domains/code/lfs'
import { carry, Left } from '../carry/carry.ts'
import { number, text, timeOr } from '../source/fields.ts'
import { storeFile, uuidOf } from './store-file.ts'

const OID = /^[0-9a-f]{64}$/

const objects = carry({
  name: 'lfs_meta_object → lfs_object',
  from: `select min(id) as id, oid, max(size) as size, min(created_unix) as created_unix
    from lfs_meta_object group by oid`,
  needs: ['lfs_meta_object'],
  into: 'lfs_object',
  key: ['oid'],
  before: async (move, batch) => {
    for (const row of batch) {
      const oid = text(row.oid)
      if (!OID.test(oid)) continue
      const { lfs: files } = move.source.files
      const path = `${oid.slice(0, 2)}/${oid.slice(2, 4)}/${oid.slice(4)}`
      const bytes = await files.sizeOf(path)
      if (bytes === undefined || bytes !== number(row.size)) move.facts.missing.add(oid)
      else await storeFile(move, files, { path, bytes, sha256: oid }, lfsKey(uuidOf(oid)))
    }
  },
  rows: (row, { facts }) => {
    const oid = text(row.oid)
    if (!OID.test(oid)) return new Left('its id is no SHA-256')
    if (facts.missing.has(oid)) return new Left('its file is missing or has another size')
    return {
      oid,
      bytes: number(row.size),
      key: uuidOf(oid),
      created_at: timeOr(row.created_unix, null),
    }
  },
})

/** Links name storages and objects by ids of ours. */
const links = carry({
  name: 'lfs_meta_object → lfs_link',
  from: 'lfs_meta_object',
  into: 'lfs_link',
  key: ['storage_id', 'object_id'],
  isReplaced: true,
  rows: () => [],
  after: async (_, ctx, batch) => {
    const given = batch.map((row) => ({
      repository_id: number(row.repository_id),
      oid: text(row.oid),
      created_at: timeOr(row.created_unix, row.updated_unix),
    }))
    await sql`insert into lfs_link (storage_id, object_id, created_at)
      select repository.storage_id, lfs_object.id, given.created_at
      from json_to_recordset(${JSON.stringify(given)}) as given (repository_id bigint, oid text, created_at timestamptz)
      join repository on repository.id = given.repository_id join lfs_object on lfs_object.oid = given.oid
      on conflict do nothing`.execute(ctx.db)
  },
})

const locks = carry({
  from: 'lfs_lock',
  into: 'lfs_lock',
  rows: (row) => ({
    id: number(row.id),
    repository_id: number(row.repo_id),
    path: text(row.path),
    owner_id: number(row.owner_id),
    locked_at: timeOr(row.created, null),
  }),
})

export const lfs = [objects, links, locks]
