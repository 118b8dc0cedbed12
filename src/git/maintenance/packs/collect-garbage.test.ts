/** Collection: reachable objects stay, unreachable ones expire later, and objects that a push builds on are kept. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { transact } from '#platform/context'
import { startForge } from '#testing'
import type { GitCache } from '../../cache/cache.ts'
import type { PackPool } from '../../cache/pack-pool.ts'
import { forkStorage } from '../../storage/fork.ts'
import { sweepPacks } from '../sweep/sweep.ts'
import { DAY_MS, type Growing, grow, HOUR_MS, isStored } from '../testing.ts'
import { verifyStorage } from '../verify.ts'
import { collectGarbage } from './collect-garbage.ts'
import { compact } from './compact.ts'
import { expireGarbage } from './expire-garbage.ts'
import { keepTips } from './kept-tips.ts'
import { listPacks } from './pack-rows.ts'

const forge = await startForge()
after(() => forge[Symbol.asyncDispose]())

test('unreachable objects move into a garbage pack, which is deleted a week later', {
  timeout: 120_000,
}, async () => {
  await using repo = await grow(forge.ctx)
  await repo.push()
  const kept = await repo.push()
  await repo.push('side')
  const lost = await repo.push('side')
  await repo.drop('side')

  assert.equal(await collectGarbage(forge.ctx, repo.id), 'done')
  assert.deepEqual(await kinds(repo), ['garbage', 'gc'])
  assert.ok((await repo.has(kept)) && (await repo.has(lost)))
  const garbage = (await listPacks(forge.db, repo.id)).find(({ kind }) => kind === 'garbage')
  assert.ok(garbage)

  forge.advance(6 * DAY_MS)
  await collectGarbage(forge.ctx, repo.id)
  assert.equal(
    await expireGarbage(forge.ctx, repo.id),
    'nothing',
    'its time does not begin anew, but is not over',
  )
  assert.deepEqual(await kinds(repo), ['garbage', 'gc'])

  forge.advance(DAY_MS)
  assert.equal(await expireGarbage(forge.ctx, repo.id), 'done')
  assert.deepEqual(await kinds(repo), ['gc'])
  assert.equal(await repo.has(lost), false)
  await sweepPacks(forge.ctx)
  assert.ok(await isStored(forge.ctx, garbage), 'whoever reads it has a day to finish')
  forge.advance(DAY_MS + 1)
  await sweepPacks(forge.ctx)
  assert.equal(await isStored(forge.ctx, garbage), false)
  assert.deepEqual((await verifyStorage(forge.ctx, repo.id)).findings, [])
  assert.ok(await repo.has(kept))
})

test('the tip of a deleted branch is no garbage for a week, even if it was garbage before', async () => {
  await using repo = await grow(forge.ctx)
  await repo.push()
  const lost = await repo.push('side')
  await repo.drop('side')
  await collectGarbage(forge.ctx, repo.id)
  forge.advance(7 * DAY_MS - HOUR_MS)
  // Restored from the garbage pack and deleted again, an hour before the pack expires.
  await repo.move('side', repo.zero, lost)
  await repo.move('side', lost, repo.zero)
  await transact(forge.ctx, (ctx) => keepTips(ctx, repo.id, [lost]))
  forge.advance(HOUR_MS)
  assert.equal(await expireGarbage(forge.ctx, repo.id), 'nothing', 'the tip needs it')
  await collectGarbage(forge.ctx, repo.id)
  assert.equal(await expireGarbage(forge.ctx, repo.id), 'done')
  forge.advance(6 * DAY_MS)
  await collectGarbage(forge.ctx, repo.id)
  assert.deepEqual(await kinds(repo), ['gc'])
  assert.ok(await repo.has(lost))

  forge.advance(DAY_MS)
  await collectGarbage(forge.ctx, repo.id)
  assert.deepEqual(await kinds(repo), ['garbage', 'gc'])
  const left = await forge.db
    .selectFrom('git_kept_tip')
    .selectAll()
    .where('storage_id', '=', repo.id)
    .execute()
  assert.deepEqual(left, [])
})

test('garbage that becomes reachable again is kept', async () => {
  await using repo = await grow(forge.ctx)
  await repo.push()
  const back = await repo.push('side')
  await repo.drop('side')
  await collectGarbage(forge.ctx, repo.id)
  await repo.move('side', repo.zero, back)
  forge.advance(7 * DAY_MS)
  assert.equal(await expireGarbage(forge.ctx, repo.id), 'nothing', 'somebody needs it')
  await collectGarbage(forge.ctx, repo.id)
  assert.equal(await expireGarbage(forge.ctx, repo.id), 'done')
  assert.deepEqual(await kinds(repo), ['gc'])
  assert.ok(await repo.has(back))
  assert.deepEqual((await verifyStorage(forge.ctx, repo.id)).findings, [])
})

test('a push in flight while garbage expires keeps the objects it was built on, and so does a fork', async () => {
  const { repo, base } = await withOldGarbage()
  await using _ = repo
  // Git checks connectivity before the garbage expires, and the refs move afterwards.
  const basis = await repo.basis()
  const late = await repo.commit(base)
  const pack = await repo.pack([late, `^${base}`])
  await collectGarbage(forge.ctx, repo.id)
  assert.equal(await expireGarbage(forge.ctx, repo.id), 'done')
  await repo.move('late', repo.zero, late, [pack], basis)
  assert.deepEqual((await verifyStorage(forge.ctx, repo.id)).findings, [])
  const fork = await transact(forge.ctx, (ctx) => forkStorage(ctx, repo.id))

  for (const ms of [23 * HOUR_MS, 2 * HOUR_MS, 8 * DAY_MS, 22 * DAY_MS]) {
    forge.advance(ms)
    for (const id of [repo.id, fork]) {
      await collectGarbage(forge.ctx, id)
      await expireGarbage(forge.ctx, id)
    }
    await sweepPacks(forge.ctx)
    assert.deepEqual((await verifyStorage(forge.ctx, repo.id)).findings, [])
    assert.deepEqual((await verifyStorage(forge.ctx, fork)).findings, [])
  }
  assert.ok(await repo.has(base))
})

test('garbage that a push builds on during the reachability walk does not expire', async () => {
  const { repo, base } = await withOldGarbage()
  await using _ = repo
  const late = await repo.commit(base)
  const pack = await repo.pack([late, `^${base}`])
  // The push arrives after the walk has read the refs and before it ends.
  const slow = { ...forge.ctx, cache: cacheAfter(() => repo.move('late', repo.zero, late, [pack])) }
  assert.equal(await expireGarbage(slow, repo.id), 'raced')
  assert.deepEqual((await verifyStorage(forge.ctx, repo.id)).findings, [])
})

test('a push is refused when the objects it was built on were deleted meanwhile', async () => {
  const { repo, base } = await withOldGarbage()
  await using _ = repo
  const basis = await repo.basis()
  const late = await repo.commit(base)
  await expireGarbage(forge.ctx, repo.id)
  forge.advance(DAY_MS + 1)
  await sweepPacks(forge.ctx)
  const pack = await repo.pack([late, `^${base}`])
  await assert.rejects(repo.move('late', repo.zero, late, [pack], basis), { kind: 'unavailable' })
  assert.deepEqual((await verifyStorage(forge.ctx, repo.id)).findings, [])
})

test('a ref update to an object whose history is incomplete is refused', async () => {
  await using repo = await grow(forge.ctx)
  await repo.push()
  const base = await repo.commit(undefined)
  const oid = await repo.commit(base)
  // As if its parent had expired: the pack of the dropped branch lacks it.
  await repo.move('side', repo.zero, oid, [await repo.pack([oid, `^${base}`])])
  await repo.drop('side')
  await assert.rejects(repo.move('back', repo.zero, oid), { kind: 'unavailable' })
  assert.deepEqual((await verifyStorage(forge.ctx, repo.id)).findings, [])
})

test('a push during a collection keeps all its objects', async () => {
  await using repo = await grow(forge.ctx)
  for (let i = 0; i < 5; i++) await repo.push()
  const [outcome] = await Promise.all([
    collectGarbage(forge.ctx, repo.id),
    (async () => {
      for (let i = 0; i < 5; i++) await repo.push()
    })(),
  ])
  assert.equal(outcome, 'done')
  assert.equal(await repo.git('rev-list', '--count', 'main'), '10')
  assert.deepEqual((await verifyStorage(forge.ctx, repo.id)).findings, [])
})

test('a collection and a compaction running concurrently do not undo each other', async () => {
  await using repo = await grow(forge.ctx)
  for (let i = 0; i < 9; i++) await repo.push()
  const outcomes = await Promise.all([collectGarbage(forge.ctx, repo.id), compact(forge.ctx, repo.id)])
  assert.ok(outcomes.includes('done'), outcomes.join())
  assert.equal((await listPacks(forge.db, repo.id)).length, 1)
  assert.deepEqual((await verifyStorage(forge.ctx, repo.id)).findings, [])
})

test('objects pushed and deleted before any collection get the full garbage retention', async () => {
  await using repo = await grow(forge.ctx)
  await repo.push()
  const lost = await repo.push('side')
  await repo.drop('side')
  // The pack of that push holds exactly what is garbage now, and is old.
  forge.advance(30 * DAY_MS)
  await collectGarbage(forge.ctx, repo.id)
  await collectGarbage(forge.ctx, repo.id)
  assert.deepEqual(await kinds(repo), ['garbage', 'gc'])
  assert.ok(await repo.has(lost))
  // Compaction does not join garbage with other packs.
  for (let i = 0; i < 9; i++) await repo.push()
  await compact(forge.ctx, repo.id)
  assert.deepEqual((await kinds(repo)).filter((kind) => kind === 'garbage').length, 1)
})

test('a repository without refs keeps its objects as garbage; an empty repository has nothing to collect', async () => {
  await using repo = await grow(forge.ctx)
  assert.equal(await collectGarbage(forge.ctx, repo.id), 'nothing')
  const oid = await repo.push()
  await repo.drop('main')
  assert.equal(await collectGarbage(forge.ctx, repo.id), 'done')
  assert.deepEqual(await kinds(repo), ['garbage'])
  assert.ok(await repo.has(oid))
})

test('annotated tags and the commits they point to are reachable', async () => {
  await using repo = await grow(forge.ctx)
  const { tag, oid } = await pushTag(repo)
  await collectGarbage(forge.ctx, repo.id)
  assert.deepEqual(await kinds(repo), ['gc'])
  assert.ok((await repo.has(tag)) && (await repo.has(oid)))
  assert.deepEqual((await verifyStorage(forge.ctx, repo.id)).findings, [])
})

test('SHA-256 repositories are maintained alike', async () => {
  await using repo = await grow(forge.ctx, 'sha256')
  for (let i = 0; i < 9; i++) await repo.push()
  assert.equal(await compact(forge.ctx, repo.id), 'done')
  const lost = await repo.push('side')
  await repo.drop('side')
  assert.equal(await collectGarbage(forge.ctx, repo.id), 'done')
  assert.deepEqual(await kinds(repo), ['garbage', 'gc'])
  assert.ok(await repo.has(lost))
  assert.deepEqual((await verifyStorage(forge.ctx, repo.id)).findings, [])
})

/** A repository with an expired garbage pack that holds the commit of a dropped branch. */
async function withOldGarbage(): Promise<{ repo: Growing; base: string }> {
  const repo = await grow(forge.ctx)
  await repo.push()
  const base = await repo.push('side')
  await repo.drop('side')
  await collectGarbage(forge.ctx, repo.id)
  forge.advance(7 * DAY_MS)
  return { repo, base }
}

/** The forge's cache, which runs `act` before it provides packs. */
function cacheAfter(act: () => Promise<void>): GitCache {
  const { cache } = forge.ctx
  const pool = Object.create(cache.pool) as PackPool
  let done: Promise<void> | undefined
  pool.provide = async (...args) => {
    done ??= act()
    await done
    return cache.pool.provide(...args)
  }
  return Object.create(cache, { pool: { value: pool } }) as GitCache
}

async function pushTag(repo: Growing): Promise<{ tag: string; oid: string }> {
  const oid = await repo.commit(undefined)
  await repo.tree.git('tag', '--annotate', '--message', 'first', 'v1', oid)
  const tag = await repo.tree.git('rev-parse', 'v1')
  await repo.move('gone', repo.zero, oid, [await repo.pack([tag])])
  const row = { storage_id: repo.id, name: 'refs/tags/v1', oid: tag, peeled_oid: oid, generation: 2 }
  await forge.db.insertInto('git_ref').values(row).execute()
  await repo.drop('gone')
  return { tag, oid }
}

async function kinds(repo: Growing): Promise<string[]> {
  return (await listPacks(repo.ctx.db, repo.id)).map(({ kind }) => kind).sort()
}
