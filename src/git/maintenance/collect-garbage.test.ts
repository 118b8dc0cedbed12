/** Collection: what refs reach stays, what they do not reach has its time, and what is missed comes back. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startForge } from '#testing'
import { collectGarbage } from './collect-garbage.ts'
import { compact } from './compact.ts'
import { letGarbageGo } from './let-go.ts'
import { listPacks } from './pack-rows.ts'
import { sweepPacks } from './sweep.ts'
import { DAY_MS, type Growing, grow, HOUR_MS, isStored } from './testing.ts'
import { verifyStorage } from './verify.ts'

const forge = await startForge()
after(() => forge[Symbol.asyncDispose]())

test('garbage is kept apart for its time, and then goes', { timeout: 120_000 }, async () => {
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
  assert.ok(await repo.has(lost), 'its time does not begin anew, but is not over')
  assert.deepEqual(await kinds(repo), ['garbage', 'gc'])

  forge.advance(DAY_MS)
  assert.equal(await collectGarbage(forge.ctx, repo.id), 'done')
  assert.deepEqual(await kinds(repo), ['gc'])
  assert.equal(await repo.has(lost), false)
  assert.equal(await letGarbageGo(forge.ctx, repo.id), 'nothing', 'whoever reads it has a day to finish')
  forge.advance(DAY_MS + 1)
  await sweepPacks(forge.ctx)
  assert.ok(await isStored(forge.ctx, garbage.digest), 'age alone is not enough')
  assert.equal(await letGarbageGo(forge.ctx, repo.id), 'done')
  await sweepPacks(forge.ctx)
  assert.equal(await isStored(forge.ctx, garbage.digest), false)
  assert.deepEqual((await verifyStorage(forge.ctx, repo.id)).findings, [])
  assert.ok(await repo.has(kept))
})

test('garbage that is reached again is not garbage', async () => {
  await using repo = await grow(forge.ctx)
  await repo.push()
  const back = await repo.push('side')
  await repo.drop('side')
  await collectGarbage(forge.ctx, repo.id)
  await repo.move('side', repo.zero, back)
  forge.advance(7 * DAY_MS)
  await collectGarbage(forge.ctx, repo.id)
  assert.deepEqual(await kinds(repo), ['gc'])
  assert.ok(await repo.has(back))
  assert.deepEqual((await verifyStorage(forge.ctx, repo.id)).findings, [])
})

test('a push in flight while garbage goes gets back what it built on', async () => {
  await using repo = await grow(forge.ctx)
  await repo.push()
  const base = await repo.push('side')
  await repo.drop('side')
  await collectGarbage(forge.ctx, repo.id)
  forge.advance(7 * DAY_MS)
  // Its objects were found complete before the collection, and its refs move after it.
  const late = await repo.commit(base)
  const pack = await repo.pack([late, `^${base}`])
  await collectGarbage(forge.ctx, repo.id)
  await repo.move('late', repo.zero, late, [pack])

  forge.advance(DAY_MS + HOUR_MS)
  await sweepPacks(forge.ctx)
  assert.equal(await letGarbageGo(forge.ctx, repo.id), 'raced')
  assert.deepEqual((await verifyStorage(forge.ctx, repo.id)).findings, [])
  assert.equal(await collectGarbage(forge.ctx, repo.id), 'done')
  forge.advance(DAY_MS + HOUR_MS)
  assert.equal(await letGarbageGo(forge.ctx, repo.id), 'done')
  await sweepPacks(forge.ctx)
  assert.deepEqual((await verifyStorage(forge.ctx, repo.id)).findings, [])
  assert.ok(await repo.has(base))
})

test('a push during a collection stays, with all it needs', async () => {
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

test('a collection and a compaction at once do not undo each other', async () => {
  await using repo = await grow(forge.ctx)
  for (let i = 0; i < 9; i++) await repo.push()
  const outcomes = await Promise.all([collectGarbage(forge.ctx, repo.id), compact(forge.ctx, repo.id)])
  assert.ok(outcomes.includes('done'), outcomes.join())
  assert.equal((await listPacks(forge.db, repo.id)).length, 1)
  assert.deepEqual((await verifyStorage(forge.ctx, repo.id)).findings, [])
})

test('what was pushed and deleted before any collection has its whole time as garbage', async () => {
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
  // Compaction does not mix it with what is needed.
  for (let i = 0; i < 9; i++) await repo.push()
  await compact(forge.ctx, repo.id)
  assert.deepEqual((await kinds(repo)).filter((kind) => kind === 'garbage').length, 1)
})

test('a repository without refs keeps its objects as garbage; an empty one has nothing to collect', async () => {
  await using repo = await grow(forge.ctx)
  assert.equal(await collectGarbage(forge.ctx, repo.id), 'nothing')
  const oid = await repo.push()
  await repo.drop('main')
  assert.equal(await collectGarbage(forge.ctx, repo.id), 'done')
  assert.deepEqual(await kinds(repo), ['garbage'])
  assert.ok(await repo.has(oid))
})

test('annotated tags and what they stand for are reached', async () => {
  await using repo = await grow(forge.ctx)
  const { tag, oid } = await pushTag(repo)
  await collectGarbage(forge.ctx, repo.id)
  assert.deepEqual(await kinds(repo), ['gc'])
  assert.ok((await repo.has(tag)) && (await repo.has(oid)))
  assert.deepEqual((await verifyStorage(forge.ctx, repo.id)).findings, [])
})

test('repositories with longer ids are cared for alike', async () => {
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

async function pushTag(repo: Growing): Promise<{ tag: string; oid: string }> {
  const oid = await repo.commit(undefined)
  await repo.tree.git('tag', '--annotate', '--message', 'first', 'v1', oid)
  const tag = await repo.tree.git('rev-parse', 'v1')
  await repo.move('gone', repo.zero, oid, [await repo.pack([tag])])
  const row = { repository_id: repo.id, name: 'refs/tags/v1', oid: tag, peeled_oid: oid, generation: 2 }
  await forge.db.insertInto('git_ref').values(row).execute()
  await repo.drop('gone')
  return { tag, oid }
}

async function kinds(repo: Growing): Promise<string[]> {
  return (await listPacks(repo.ctx.db, repo.id)).map(({ kind }) => kind).sort()
}
