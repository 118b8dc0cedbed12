/** The cache follows PostgreSQL, even when a failover loses commits. */

import assert from 'node:assert/strict'
import { readdir, symlink } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { after, test } from 'node:test'
import type { KyselyPlugin } from 'kysely'
import type { Context } from '#platform/context'
import { type Forge, startForge } from '#testing'
import { gitText } from '../command/run.ts'
import { listPacks } from '../maintenance/packs/pack-rows.ts'
import { replacePacks } from '../maintenance/packs/replace-packs.ts'
import { sweepPacks } from '../maintenance/sweep/sweep.ts'
import { DAY_MS, grow } from '../maintenance/testing.ts'
import { verifyStorage } from '../maintenance/verify.ts'
import { advertiseOnce } from '../protocol/advertisement-cache.ts'
import { standOn } from '../refs/basis.ts'
import { getStorage } from '../storage/storage.ts'
import type { StorageId } from '../tables.ts'
import { GitCache } from './cache.ts'

const forge = await startForge()
after(() => forge[Symbol.asyncDispose]())

test('a cache that has seen a push lost in a failover returns to the older state, then follows a new push', async () => {
  await using repo = await grow(forge.ctx)
  const one = await repo.push()
  const saved = await save(forge, repo.id)
  const two = await repo.push()
  assert.equal(await repo.git('rev-parse', 'main'), two)

  await failover(forge, repo.id, saved)
  assert.equal(await repo.git('rev-parse', 'main'), one)
  assert.equal(await repo.has(two), false)

  // This push gets the generation number of the lost one.
  const three = await repo.commit(one)
  await repo.move('main', one, three, [await repo.pack([three, `^${one}`])])
  assert.equal(await repo.git('rev-parse', 'main'), three)
  assert.ok(await repo.has(three))
})

test('a push built on commits that a failover lost meanwhile is refused', async () => {
  await using repo = await grow(forge.ctx)
  await repo.push()
  const saved = await save(forge, repo.id)
  const two = await repo.push()
  await using lease = await forge.ctx.cache.lease(forge.ctx, repo.id)
  const late = await repo.commit(two)
  const packs = [await repo.pack([late, `^${two}`])]
  const basis = await standOn(lease, [late], packs)
  await failover(forge, repo.id, saved)
  await assert.rejects(repo.move('late', repo.zero, late, packs, basis), { kind: 'unavailable' })
  assert.deepEqual((await verifyStorage(forge.ctx, repo.id)).findings, [])
})

test('a basis includes stamps that appeared after its lease was taken', async () => {
  await using repo = await grow(forge.ctx)
  await repo.push()
  await using lease = await forge.ctx.cache.lease(forge.ctx, repo.id)
  const saved = await save(forge, repo.id)
  const two = await repo.push()
  assert.ok(await repo.has(two), 'the copy on disk has moved on, under the lease')
  const late = await repo.commit(two)
  const packs = [await repo.pack([late, `^${two}`])]
  const basis = await standOn(lease, [late], packs)
  await failover(forge, repo.id, saved)
  await assert.rejects(repo.move('late', repo.zero, late, packs, basis), { kind: 'unavailable' })
})

test('a tip whose pack is missing from the disk is refused as a basis', async () => {
  await using repo = await grow(forge.ctx)
  const tip = await repo.push()
  await using lease = await forge.ctx.cache.lease(forge.ctx, repo.id)
  assert.ok((await standOn(lease, [tip], [])).stamps.size > 0)
  const late = await repo.commit(tip)
  await assert.rejects(standOn(lease, [tip, late], []), { kind: 'unavailable' })
})

test('a pack that is swept between listing and download is looked up in a new list', async () => {
  await using repo = await grow(forge.ctx)
  const oid = await repo.push()
  const { cache, store } = forge.ctx
  const [pack] = await listPacks(forge.db, repo.id)
  await cache.pool.sweep()
  let isSwept = false
  const read: typeof store.read = async (...args) => {
    if (!isSwept) {
      isSwept = true
      const add = [await repo.pack([oid])]
      await replacePacks(forge.ctx, repo.id, { add, replace: [pack?.id ?? ''] })
      forge.advance(DAY_MS + 1)
      await sweepPacks(forge.ctx)
      await cache.pool.heal([])
    }
    return store.read(...args)
  }
  await using lease = await cache.lease({ ...forge.ctx, store: { ...store, read } }, repo.id)
  assert.ok(isSwept)
  assert.ok((await standOn(lease, [oid], [])).stamps.size > 0)
})

test('the cache folder may be a path relative to the working directory', async () => {
  await using repo = await grow(forge.ctx)
  const oid = await repo.push()
  const { ctx } = forge
  const folder = relative(process.cwd(), join(ctx.cache.scratch, 'nearby'))
  const cache = new GitCache({ folder, bytesMax: 1e9, answersBytesMax: 1e9 })
  await cache.open()
  await using lease = await cache.lease(ctx, repo.id)
  const command = { name: 'rev-parse', words: ['main'] }
  assert.equal((await gitText(ctx, command, { path: lease.path })).trim().split('\n').at(-1), oid)
})

test('a copy read while a push commits is not labelled with the generation before the push', async (t) => {
  // One push makes the reader retry; five pushes exceed its retries.
  for (const pushes of [1, 5])
    await t.test(`${pushes} pushes`, async () => {
      await using repo = await grow(forge.ctx)
      let before = await repo.push()
      let tip = before
      let saved = await save(forge, repo.id)
      const cache = await openCache(`between-${pushes}`)
      let looks = 0
      const ctx = whenStampsAreRead(cache, async () => {
        // The first read only finds that there is no copy yet.
        if (looks++ === 0 || looks > pushes + 1) return
        saved = await save(forge, repo.id)
        before = tip
        tip = await repo.push()
      })
      {
        await using _ = await cache.lease(ctx, repo.id)
      }
      await failover(forge, repo.id, saved)
      await using lease = await cache.lease({ ...forge.ctx, cache }, repo.id)
      const command = { name: 'rev-parse', words: ['main'] }
      const main = await gitText({ ...forge.ctx, cache }, command, { path: lease.path })
      assert.equal(main.trim().split('\n').at(-1), before)
      const late = await repo.commit(before)
      const packs = [await repo.pack([late, `^${before}`])]
      await repo.move('late', repo.zero, late, packs, await standOn(lease, [late], packs))
    })
})

test('a ref advertisement cached while a push commits is not served after a failover loses that push', async () => {
  await using repo = await grow(forge.ctx)
  await repo.push()
  const saved = await save(forge, repo.id)
  const storage = await getStorage(forge.db, repo.id)
  const tell = async (answer: string, meanwhile: () => Promise<unknown>) => {
    const pieces = advertiseOnce(forge.ctx, storage, 'refs', async function* () {
      await meanwhile()
      yield Buffer.alloc(8_192, answer)
    })
    return Buffer.concat(await Array.fromAsync(pieces))
      .subarray(0, 3)
      .toString()
  }
  assert.equal(await tell('two', () => repo.push()), 'two')
  await failover(forge, repo.id, saved)
  assert.equal(await tell('one', async () => undefined), 'one')
  assert.equal(await tell('new', async () => undefined), 'one', 'nothing has moved since')
})

async function openCache(name: string): Promise<GitCache> {
  const folder = join(forge.ctx.cache.scratch, name)
  const cache = new GitCache({ folder, bytesMax: 1e9, answersBytesMax: 1e9 })
  await cache.open()
  return cache
}

/** The forge's context with another cache; `act` runs after each read of the row that holds the stamp. */
function whenStampsAreRead(cache: GitCache, act: () => Promise<unknown>): Context {
  const looks = new WeakSet<object>()
  const plugin: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      if (JSON.stringify(node).includes('"name":"git_storage"')) looks.add(queryId)
      return node
    },
    async transformResult({ result, queryId }) {
      if (looks.has(queryId)) await act()
      return result
    },
  }
  return { ...forge.ctx, cache, db: forge.ctx.db.withPlugin(plugin) }
}

test('a download that fails on a full disk leaves no partial file, and idle copies are evicted to make room', async () => {
  await using idle = await grow(forge.ctx)
  await using repo = await grow(forge.ctx)
  await idle.push()
  await repo.push()
  const cache = await openCache('full')
  const ctx = { ...forge.ctx, cache }
  {
    await using _ = await cache.lease(ctx, idle.id)
  }
  const [old] = await listPacks(forge.db, idle.id)
  const [pack] = await listPacks(forge.db, repo.id)
  const packs = join(forge.ctx.cache.scratch, 'full/packs')
  // Every write to /dev/full fails with ENOSPC.
  const part = join(packs, `${pack?.digest}.pack.${process.pid}.part`)
  await symlink('/dev/full', part)
  await using lease = await cache.lease(ctx, repo.id)
  assert.ok(lease.bytes > 0)
  const names = await readdir(packs)
  assert.ok(names.includes(`${pack?.digest}.pack`) && !names.includes(`${old?.digest}.pack`), names.join())
  assert.deepEqual(
    names.filter((name) => name.endsWith('.part')),
    [],
  )
  assert.equal(await cache.room.refusal(), undefined)
})

test('a disk that stays full is reported as unavailable, and the next request retries', async (t) => {
  await using repo = await grow(forge.ctx)
  await repo.push()
  const cache = await openCache('fuller')
  const ctx = { ...forge.ctx, cache }
  t.mock.method(cache.pool, 'provide', async () => {
    throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
  })
  await assert.rejects(cache.lease(ctx, repo.id), { kind: 'unavailable', message: 'cache disk is full' })
  assert.equal(await cache.room.refusal(), undefined, 'there is room again')
  t.mock.restoreAll()
  await using lease = await cache.lease(ctx, repo.id)
  assert.ok(lease.bytes > 0)
})

type Saved = Awaited<ReturnType<typeof save>>

/** All rows that a push writes. */
async function save({ db }: Forge, id: StorageId) {
  return {
    storage: await db.selectFrom('git_storage').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    refs: await db.selectFrom('git_ref').selectAll().where('storage_id', '=', id).execute(),
    packs: await db.selectFrom('git_storage_pack').selectAll().where('storage_id', '=', id).execute(),
    generations: await db.selectFrom('git_generation').select('stamp').where('storage_id', '=', id).execute(),
  }
}

/** Restores the saved rows, as if everything committed since had never been. */
async function failover(
  { db }: Forge,
  id: StorageId,
  { storage, refs, packs, generations }: Saved,
): Promise<void> {
  const { generation, stamp, released_generation } = storage
  const row = { generation, stamp, released_generation }
  await db.updateTable('git_storage').set(row).where('id', '=', id).execute()
  for (const table of ['git_ref', 'git_storage_pack'] as const)
    await db.deleteFrom(table).where('storage_id', '=', id).execute()
  const lost = db.deleteFrom('git_generation').where('storage_id', '=', id)
  await lost
    .where(
      'stamp',
      'not in',
      generations.map((it) => it.stamp),
    )
    .execute()
  await db.insertInto('git_ref').values(refs).execute()
  await db.insertInto('git_storage_pack').values(packs).execute()
}
