/** Forks: they copy rows, not bytes, take little time for any size, and are independent afterwards. */

import assert from 'node:assert/strict'
import { availableParallelism, loadavg } from 'node:os'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { transact } from '#platform/context'
import { insertMany, startForge } from '#testing'
import { collectGarbage } from '../maintenance/packs/collect-garbage.ts'
import { listPacks } from '../maintenance/packs/pack-rows.ts'
import { grow } from '../maintenance/testing.ts'
import { verifyStorage } from '../maintenance/verify.ts'
import { listRefs } from '../refs/read.ts'
import type { StorageId } from '../tables.ts'
import { forkStorage } from './fork.ts'
import { getStorage } from './storage.ts'

const forge = await startForge()
after(() => forge[Symbol.asyncDispose]())

const REFS = 10_000
const PACKS = 50
const FORKS_MAX = 60
const FORK_MS_MAX = 100

test('a fork has the branches, tags and packs of its parent, and no bytes of its own', async () => {
  await using repo = await grow(forge.ctx)
  const oid = await repo.push()
  const first = await listPacks(forge.db, repo.id)
  await repo.push('side')
  await repo.drop('side')
  const side = (await listPacks(forge.db, repo.id)).find(({ id }) => id !== first[0]?.id)
  await repo.retire(side?.id ?? '')
  await repo.push()
  await forge.db
    .insertInto('git_ref')
    .values(
      ['refs/tags/v1', 'refs/pull/1/head', 'refs/heads', 'refs/heads0'].map((name) => ({
        storage_id: repo.id,
        name,
        oid,
        peeled_oid: null,
        generation: 1,
      })),
    )
    .execute()
  const objects = await Array.fromAsync(forge.ctx.store.list('git/'))
  const fork = await transact(forge.ctx, (ctx) => forkStorage(ctx, repo.id))
  assert.deepEqual(
    (await listRefs(forge.db, fork)).map(({ name }) => name),
    ['refs/heads/main', 'refs/tags/v1'],
  )
  const packs = await listPacks(forge.db, repo.id)
  assert.equal(packs.length, 2, 'what is retired is not shared')
  assert.deepEqual(await listPacks(forge.db, fork), packs)
  assert.equal((await Array.fromAsync(forge.ctx.store.list('git/'))).length, objects.length)
  assert.equal((await getStorage(forge.db, fork)).head, 'refs/heads/main')
  assert.deepEqual((await verifyStorage(forge.ctx, fork)).findings, [])
})

test('parent and fork are independent', async () => {
  await using repo = await grow(forge.ctx)
  const oid = await repo.push()
  const fork = await transact(forge.ctx, (ctx) => forkStorage(ctx, repo.id))
  await repo.push()
  await repo.drop('main')
  await collectGarbage(forge.ctx, repo.id)
  assert.deepEqual(
    (await listRefs(forge.db, fork)).map((ref) => ref.oid),
    [oid],
  )
  assert.deepEqual(
    (await listPacks(forge.db, fork)).map(({ kind }) => kind),
    ['receive'],
  )
  assert.deepEqual((await verifyStorage(forge.ctx, fork)).findings, [])
})

test('a missing storage cannot be forked', async () => {
  await assert.rejects(
    transact(forge.ctx, (ctx) => forkStorage(ctx, 999_999 as StorageId)),
    { kind: 'not_found' },
  )
})

test(`a fork of ${REFS} refs and ${PACKS} packs takes less than ${FORK_MS_MAX} ms`, {
  timeout: 120_000,
}, async () => {
  await using repo = await grow(forge.ctx)
  const oid = await repo.push()
  await insertMany(
    forge.db,
    sql`insert into git_ref (storage_id, name, oid, generation)
    select ${repo.id}, 'refs/heads/topic/' || n, ${oid}, 1 from generate_series(1, ${REFS}) n`,
  )
  await insertMany(
    forge.db,
    sql`with made as (
      insert into git_pack (id, digest, bytes, index_bytes, object_count, kind, created_at)
      select gen_random_uuid(), 'pack-' || n, 1, 1, 1, 'receive', now() from generate_series(1, ${PACKS}) n
      returning id)
    insert into git_storage_pack (storage_id, pack_id, added_generation)
    select ${repo.id}, id, 1 from made`,
  )
  await sql`analyze git_ref, git_storage_pack`.execute(forge.db)
  // The best of a few runs, with more time when the machine is loaded.
  const allowed = FORK_MS_MAX * Math.max(1, (loadavg()[0] ?? 0) / availableParallelism())
  let best = Number.POSITIVE_INFINITY
  for (let i = 0; i < FORKS_MAX && best >= allowed; i++) {
    const startedAt = performance.now()
    const fork = await transact(forge.ctx, (ctx) => forkStorage(ctx, repo.id))
    best = Math.min(best, performance.now() - startedAt)
    assert.equal((await listRefs(forge.db, fork)).length, REFS + 1)
  }
  assert.ok(best < allowed, `${best.toFixed(0)} ms`)
})
