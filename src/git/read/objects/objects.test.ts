/** Many objects in one process, some of them missing. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startForge } from '#testing'
import { loadWorkTree, makeStorage, makeWorkTree } from '../../testing.ts'
import { withRepository } from '../with-repository.ts'
import { readHeaders, readObjects } from './objects.ts'

const forge = await startForge()
const { ctx } = forge
after(() => forge[Symbol.asyncDispose]())

test('results follow the order of names, whatever the names look like', async () => {
  await using tree = await makeWorkTree()
  await tree.write('new\n\nline/a b', 'here')
  await tree.write('large', 'x'.repeat(100_000))
  const head = await tree.commit('one')
  const id = await makeStorage(ctx)
  await loadWorkTree(ctx, id, tree.folder)
  const names = [
    `${head}:no\nsuch\n\nfile`,
    `${head}:new\n\nline/a b`,
    `${head}:${head} blob 5`,
    `${head}:large`,
    head,
  ]
  const headers = await withRepository(ctx, id, (path) => readHeaders(ctx, path, names))
  assert.deepEqual(
    headers.map((it) => it && [it.type, it.size]),
    [undefined, ['blob', 4], undefined, ['blob', 100_000], ['commit', headers[4]?.size]],
  )
  const objects = await withRepository(ctx, id, (path) => readObjects(ctx, path, names, 10))
  assert.deepEqual(
    objects.map((it) => it?.data.toString().slice(0, 5)),
    [undefined, 'here', undefined, 'xxxxx', 'tree '],
  )
  assert.deepEqual([objects[3]?.data.length, objects[3]?.size], [10, 100_000])
})
