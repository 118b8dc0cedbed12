/** A commit count stored by one node is used by all nodes. */

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { transact } from '#platform/context'
import { assertIndexed, insertMany, startForge } from '#testing'
import { GitCache } from '../../cache/cache.ts'
import type { StorageId } from '../../tables.ts'
import { loadWorkTree, makeStorage, makeWorkTree } from '../../testing.ts'
import { ReadAnswers } from '../cached.ts'
import { countBranch, keepBranchCount } from './branch-count.ts'
import { listHistory, selectKeptCount } from './log.ts'

const forge = await startForge()
after(() => forge[Symbol.asyncDispose]())

const MAIN = 'refs/heads/main'
const PAGE = { skip: 0, limit: 2, withStats: true, withFiles: true }
let nodes = 0

/** A node with an empty cache. */
async function anotherNode() {
  const folder = join(forge.ctx.cache.scratch, `node-${nodes++}`)
  const cache = new GitCache({ folder, bytesMax: 1_000_000_000 })
  await cache.open()
  return { ...forge.ctx, cache, readAnswers: new ReadAnswers() }
}

async function count(storageId: StorageId, oid: string): Promise<number> {
  const counted = await countBranch(await anotherNode(), storageId, MAIN, oid)
  await transact(forge.ctx, (ctx) => keepBranchCount(ctx.db, storageId, counted))
  return counted.commits
}

test('the first page of a long history needs one git process on every node', async () => {
  await using tree = await makeWorkTree()
  for (let i = 0; i < 5; i++) await tree.commit(`${i}`)
  const start = await tree.git('rev-parse', 'HEAD')
  const id = await makeStorage(forge.ctx, 'sha1')
  await loadWorkTree(forge.ctx, id, tree.folder)
  assert.equal(await count(id, start), 5)
  for (let i = 0; i < 2; i++) {
    const node = await anotherNode()
    const { answer, started } = await forge.watchGit(() => listHistory(node, id, { start }, PAGE))
    assert.equal(answer.total, 5)
    assert.equal(started.length, 1)
  }
})

test('a moved branch is counted from its previous tip, or from scratch when that is gone', async () => {
  await using tree = await makeWorkTree()
  for (let i = 0; i < 5; i++) await tree.commit(`${i}`)
  const first = await tree.git('rev-parse', 'HEAD')
  await tree.git('reset', '--quiet', '--hard', 'HEAD~3')
  await tree.commit('another way')
  const second = await tree.git('rev-parse', 'HEAD')
  await tree.git('branch', 'first', first)
  const id = await makeStorage(forge.ctx, 'sha1')
  await loadWorkTree(forge.ctx, id, tree.folder)
  assert.equal(await count(id, first), 5)
  assert.equal(await count(id, second), 3)
  const gone = { name: MAIN, oid: 'a'.repeat(40), commits: 1_000 }
  await transact(forge.ctx, (ctx) => keepBranchCount(ctx.db, id, gone))
  assert.equal(await count(id, first), 5)
})

test('the query for a stored count uses an index', async () => {
  const id = await makeStorage(forge.ctx, 'sha1')
  await insertMany(
    forge.db,
    sql`insert into git_branch_count (storage_id, name, oid, commits)
    select ${id}, 'refs/heads/' || n, md5(n::text), n from generate_series(1, 100000) as n`,
  )
  await sql`analyze git_branch_count`.execute(forge.db)
  await assertIndexed(forge.db, selectKeptCount(forge.db, id, 'a'.repeat(40)), 'git_branch_count')
})
