/** The last commit of every entry of a folder, equal to `git log` for each entry alone. */

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startForge } from '#testing'
import type { StorageId } from '../../tables.ts'
import { loadWorkTree, makeStorage, makeWorkTree, type WorkTree } from '../../testing.ts'
import { findLastCommits } from './last-commit.ts'

const forge = await startForge()
const { ctx } = forge
after(() => forge[Symbol.asyncDispose]())

/** Compares the result for a folder with one `git log` for each entry. */
async function assertAsGit(tree: WorkTree, id: StorageId, head: string, folder: string): Promise<void> {
  const found = await findLastCommits(ctx, id, head, folder)
  const names = (await tree.git('ls-tree', '-z', '--name-only', `${head}:${folder}`))
    .split('\0')
    .filter(Boolean)
  assert.ok(names.length > 0)
  assert.equal(found?.isComplete, true)
  assert.deepEqual([...(found?.commits.keys() ?? [])].sort(), names.sort())
  for (const name of names) {
    const path = folder === '' ? name : `${folder}/${name}`
    const oid = await tree.git('--literal-pathspecs', 'log', '-1', '--format=%H', head, '--', path)
    assert.equal(found?.commits.get(name), oid, path)
  }
}

for (const format of ['sha1', 'sha256'] as const)
  test(`files and folders in a straight history, with ids of ${format}`, async () => {
    await using tree = await makeWorkTree(format)
    for (const name of ['a', 'docs/x', 'docs/deep/y', 'new\nline', '-dash', ':colon', 'f'.repeat(40)])
      await tree.write(name, 'x')
    await tree.commit('all')
    await tree.write('docs/deep/y', 'y')
    await tree.commit('deep')
    await tree.write('a', 'changed')
    await tree.commit('changed')
    await tree.write('a', 'x')
    await tree.git('rm', '--quiet', 'docs/x')
    const head = await tree.commit('back, and one gone')
    const id = await makeStorage(ctx, format)
    await loadWorkTree(ctx, id, tree.folder)
    await assertAsGit(tree, id, head, '')
    await assertAsGit(tree, id, head, 'docs')
    await assertAsGit(tree, id, head, 'docs/deep')
    assert.equal(await findLastCommits(ctx, id, head, 'nothing'), undefined)
    assert.equal(await findLastCommits(ctx, id, head, 'a'), undefined)
  })

test('a change discarded by a merge is not reported as the last one', async () => {
  await using tree = await makeWorkTree()
  await tree.write('kept', 'one\n')
  await tree.write('joined', '1\n2\n3\n4\n5\n6\n7\n8\n')
  await tree.write('folder/a', 'x')
  await tree.commit('base')
  await tree.git('switch', '--quiet', '--create', 'side')
  await tree.write('joined', '1\n2\n3\n4\n5\n6\n7\neight\n')
  await tree.write('only-side', 'x')
  await tree.commit('side')
  await tree.write('kept', 'thrown away\n')
  await tree.commit('side, thrown away')
  await tree.git('switch', '--quiet', 'main')
  await tree.write('joined', 'one\n2\n3\n4\n5\n6\n7\n8\n')
  await tree.write('folder/b', 'x')
  await tree.commit('main')
  await tree.git('merge', '--quiet', '--no-commit', '--no-ff', 'side')
  await tree.write('kept', 'one\n')
  const head = await tree.commit('merge')
  const id = await makeStorage(ctx)
  await loadWorkTree(ctx, id, tree.folder)
  await assertAsGit(tree, id, head, '')
  await assertAsGit(tree, id, head, 'folder')
})
