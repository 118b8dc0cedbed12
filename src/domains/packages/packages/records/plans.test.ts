/** Lists of packages use indexes, however many versions there are. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { assertIndexed, type Forge, insertMany, startForge } from '#testing'
import type { ReadablePackages } from '../access/open-packages.ts'
import { listReferrers, selectTags } from '../types/container/store.ts'
import { selectListed, selectShownOf } from './store.ts'

let forge: Forge
let ownerId: number
let packageId: number
before(async () => {
  forge = await startForge()
  for (let i = 0; i < 20; i++) ({ id: ownerId } = await forge.person(`owner${i}`))
  const now = forge.ctx.now()
  await insertMany(
    forge.db,
    sql`insert into package (owner_id, type, name, name_key, created_at)
    select account.id, 'generic', 'n' || i, 'n' || i, ${now} from account, generate_series(1, 50) i
    where account.kind = 'user'`,
  )
  await insertMany(
    forge.db,
    sql`insert into package_version (package_id, owner_id, version, version_key, metadata, created_at)
    select id, owner_id, 'v' || i, 'v' || i, '{}', ${now} from package, generate_series(1, 100) i`,
  )
  await insertMany(
    forge.db,
    sql`with made as (insert into package_blob (key, bytes, md5, sha1, sha256, sha512, created_at)
      select gen_random_uuid(), 1, '', '', i::text, i::text, ${now} from generate_series(1, 20000) i returning id)
    insert into package_file (version_id, blob_id, name, name_key, created_at)
      select version.id, made.id, 'a', 'a', ${now} from made join package_version version on version.id = made.id`,
  )
  await sql`analyze package, package_version, package_blob, package_file`.execute(forge.db)
  const found = await forge.db
    .selectFrom('package')
    .select('id')
    .where('owner_id', '=', ownerId)
    .limit(1)
    .executeTakeFirstOrThrow()
  packageId = found.id
})
after(() => forge[Symbol.asyncDispose]())

test('lists of an owner, of a package, of all packages and of tags use indexes', async () => {
  const { db } = forge
  const packages = { id: ownerId, readsLinkedTo: null } as ReadablePackages
  const page = { limit: 30, offset: 0 }
  const first = <Q extends { limit(n: number): Q; offset(n: number): Q }>(query: Q) =>
    query.limit(page.limit).offset(page.offset)
  for (const query of [
    first(selectListed(db, { packages })),
    first(selectListed(db, { packages, type: 'generic' })),
    first(selectListed(db, { packages, part: 'n1' })),
    first(selectListed(db, { packages: { ...packages, readsLinkedTo: [1] } })),
    first(selectListed(db, {})),
    first(selectShownOf(db, packageId)),
  ])
    await assertIndexed(db, query, 'package_version')
  await assertIndexed(db, selectTags(db, packageId, 'v5').limit(31), 'package_version')
  assert.deepEqual(await listReferrers(db, packageId, 'sha256:0', undefined), [])
})

test('blobs without references are found without scanning all blobs', async () => {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from package_version`.execute(forge.db)
  assert.equal(rows[0]?.n, 100_000)
  const unnamed = sql`select id from package_blob where created_at < ${new Date(0)}
    and not exists (select 1 from package_file where package_file.blob_id = package_blob.id) order by id limit 500`
  await assertIndexed(forge.db, unnamed, 'package_blob')
})
