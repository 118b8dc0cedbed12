/** Running git while cache files are deleted or corrupted, with hostile refs, and with aborted requests. */
import assert from 'node:assert/strict'
import { open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { startForge } from '#testing'
import { gitText } from '../command/run.ts'
import { gitInStorage, loadWorkTree, makeStorage, makeWorkTree } from '../testing.ts'
import { countCommits, listCommits } from './history/log.ts'
import { resolveRevision } from './history/resolve.ts'
import { findBlob, openBlob } from './objects/blob.ts'
import { findCommit, readCommits } from './objects/commit.ts'
import { findEntry, listTree } from './objects/tree.ts'
import { withRepository } from './with-repository.ts'

const forge = await startForge()
const { ctx } = forge
after(() => forge[Symbol.asyncDispose]())

const PAGE = { skip: 0, limit: 10, withStats: true, withFiles: true }

async function makeRepository() {
  await using tree = await makeWorkTree()
  // Incompressible bytes, so that the pack is large enough to be damaged.
  const noise = Buffer.from(Array.from({ length: 50_000 }, (_, i) => (i * 2_654_435_761) >>> 24))
  await tree.write('noise', noise)
  await tree.write('file', 'one\n')
  const one = await tree.commit('one')
  await tree.write('file', 'two\n')
  const head = await tree.commit('two')
  const id = await makeStorage(ctx)
  await loadWorkTree(ctx, id, tree.folder)
  const blob = await tree.git('rev-parse', 'HEAD:noise')
  await using lease = await ctx.cache.lease(ctx, id)
  return { id, one, head, blob, path: lease.path }
}

test('a repository deleted from the cache is rebuilt during a request', async () => {
  const { id, one, head, blob, path } = await makeRepository()
  await rm(path, { recursive: true })
  assert.equal((await listCommits(ctx, id, { start: head }, PAGE)).length, 2)
  await rm(path, { recursive: true })
  assert.equal((await findCommit(ctx, id, one))?.oid, one)
  await rm(path, { recursive: true })
  assert.equal((await findBlob(ctx, id, blob, 100))?.size, 50_000)
})

test('a query is repeated when packs were missing during it, even if they are back afterwards', async () => {
  const { id, one, path } = await makeRepository()
  const folder = join(path, 'objects/pack')
  let asked = 0
  const found = await withRepository(ctx, id, async (copy, storage) => {
    if (asked++ === 0) for (const name of await readdir(folder)) await rm(join(folder, name))
    const [commit] = await readCommits(ctx, copy, storage, [one])
    await using _ = await ctx.cache.lease(ctx, id)
    return commit
  })
  assert.equal(found?.oid, one)
  assert.equal(asked, 2)
})

test('packs deleted from the cache are restored, and "not found" is not returned meanwhile', async () => {
  const { id, one, head, path } = await makeRepository()
  const lose = async () => {
    const folder = join(path, 'objects/pack')
    for (const name of await readdir(folder)) await rm(join(folder, name))
  }
  await lose()
  assert.equal((await findCommit(ctx, id, one))?.oid, one)
  await lose()
  assert.equal((await resolveRevision(ctx, id, head))?.oid, head)
  await lose()
  assert.equal(await countCommits(ctx, id, { start: head }), 2)
  await lose()
  assert.equal((await listTree(ctx, id, head, { path: '', isRecursive: true, skip: 0, limit: 9 }))?.total, 2)
  assert.equal(await findCommit(ctx, id, '1'.repeat(40)), undefined)
})

test('a corrupt pack is downloaded again', async () => {
  const { id, blob, path } = await makeRepository()
  const folder = join(path, 'objects/pack')
  const name = (await readdir(folder)).find((it) => it.endsWith('.pack')) ?? assert.fail()
  const handle = await open(join(folder, name), 'r+')
  await handle.write(Buffer.alloc(20_000, 0xff), 0, 20_000, 10_000)
  await handle.close()
  await assert.rejects(gitInStorage(ctx, id, 'cat-file', 'blob', blob), 'the damage is real')
  assert.equal((await findBlob(ctx, id, blob, 50_000))?.isWhole, true)
  await gitInStorage(ctx, id, 'fsck', '--full')
})

test('a stream over a corrupt pack fails, and the next one is complete', async () => {
  await using tree = await makeWorkTree()
  const noise = Buffer.from(Array.from({ length: 600_000 }, (_, i) => (i * 2_654_435_761) >>> 24))
  await tree.write('noise', noise)
  await tree.commit('noise')
  const blob = await tree.git('rev-parse', 'HEAD:noise')
  const id = await makeStorage(ctx)
  await loadWorkTree(ctx, id, tree.folder)
  const read = async () => {
    const found = await openBlob(ctx, id, blob)
    return Buffer.concat(await Array.fromAsync(found?.stream ?? assert.fail()))
  }
  assert.ok((await read()).equals(noise))
  await using lease = await ctx.cache.lease(ctx, id)
  const folder = join(lease.path, 'objects/pack')
  const name = (await readdir(folder)).find((it) => it.endsWith('.pack')) ?? assert.fail()
  const handle = await open(join(folder, name), 'r+')
  await handle.write(Buffer.alloc(2_000, 0xff), 0, 2_000, 5_000)
  await handle.close()
  await assert.rejects(read(), { kind: 'unavailable' })
  assert.ok((await read()).equals(noise))
})

test('an immutable answer is repeated without git and without queries', async () => {
  const { id, head, path } = await makeRepository()
  const first = await listCommits(ctx, id, { start: head }, PAGE)
  await rm(path, { recursive: true })
  const again = async () => assert.deepEqual(await listCommits(ctx, id, { start: head }, PAGE), first)
  assert.equal(await forge.countQueries(again), 0)
  assert.equal((await listCommits(ctx, id, { start: head }, { ...PAGE, skip: 1 })).length, 1)
})

test('the cache of one repository does not answer for another', async () => {
  const { one, head } = await makeRepository()
  const other = await makeStorage(ctx)
  assert.equal(await findCommit(ctx, other, one), undefined)
  await assert.rejects(listCommits(ctx, other, { start: head }, PAGE), { kind: 'not_found' })
})

test('refs/replace does not change what is shown', async () => {
  await using tree = await makeWorkTree()
  await tree.write('file', 'honest')
  const head = await tree.commit('honest')
  await tree.write('file', 'forged')
  const forged = await tree.commit('forged')
  await tree.git('reset', '--quiet', '--hard', head)
  await tree.git('update-ref', `refs/replace/${head}`, forged)
  const id = await makeStorage(ctx)
  await loadWorkTree(ctx, id, tree.folder)
  assert.match(await gitInStorage(ctx, id, 'log', '-1', '--format=%s', head), /honest/)
  assert.equal((await findCommit(ctx, id, head))?.message, 'honest\n')
  assert.equal((await listCommits(ctx, id, { start: head }, PAGE)).length, 1)
  assert.equal((await findEntry(ctx, id, head, 'file'))?.size, 6)
})

test('git is not run for an aborted request', async () => {
  const { id, head } = await makeRepository()
  const leaving = new AbortController()
  const gone = { ...ctx, signal: leaving.signal }
  const slow = withRepository(gone, id, (path) =>
    gitText(gone, { name: 'cat-file', flags: ['--batch'] }, { path, input: never() }),
  )
  leaving.abort(new Error('gone'))
  await assert.rejects(slow, /gone/)
  await assert.rejects(listCommits(gone, id, { start: head }, PAGE), /gone/)
})

test('a timeout of git is reported as unavailable', async () => {
  const { id } = await makeRepository()
  const command = { name: 'cat-file', flags: ['--batch' as const] }
  const slow = withRepository(ctx, id, (path) =>
    gitText(ctx, command, { path, input: never(), timeoutMs: 50 }),
  )
  await assert.rejects(slow, { kind: 'unavailable' })
})

function never(): Readable {
  return new Readable({ read: () => undefined })
}
