/** Patches: those that apply become a commit, others change nothing. */

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startForge } from '#testing'
import type { StorageId } from '../tables.ts'
import { gitInStorage, loadWorkTree, makeStorage, makeWorkTree, NO_POLICY } from '../testing.ts'
import { applyPatch, type PatchOrder } from './apply-patch.ts'

const forge = await startForge()
const { ctx } = forge
after(() => forge[Symbol.asyncDispose]())

const somebody = {
  name: 'Ada',
  email: 'ada@example.test',
  at: new Date('2020-01-01T10:00:00Z'),
  offsetMinutes: 0,
}
const MAIN = 'refs/heads/main'

async function load(): Promise<{ id: StorageId; start: string }> {
  await using tree = await makeWorkTree()
  await tree.write('small', 'small\n')
  const start = await tree.commit('first')
  const id = await makeStorage(ctx)
  await loadWorkTree(ctx, id, tree.folder)
  return { id, start }
}

const order = (patch: string, newBranch?: string): PatchOrder => ({
  target: { branch: MAIN, ...(newBranch === undefined ? {} : { newBranch }) },
  patch,
  message: 'Patch',
  author: somebody,
  committer: somebody,
})
const change = (path: string, from: string, to: string) =>
  `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-${from}\n+${to}\n`
const addition = (path: string) =>
  `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+new\n`

test('a patch that applies becomes a commit', async () => {
  const { id, start } = await load()
  const patch = change('small', 'small', 'patched') + addition('dir/new')
  const landed = await applyPatch(ctx, id, order(patch), NO_POLICY)
  assert.deepEqual([landed.ref, landed.before], [MAIN, start])
  assert.equal(await gitInStorage(ctx, id, 'show', `${landed.oid}:small`), 'patched')
  assert.equal(await gitInStorage(ctx, id, 'show', `${landed.oid}:dir/new`), 'new')
  assert.equal(await gitInStorage(ctx, id, 'rev-parse', `${landed.oid}^`), start)
})

test('a patch can be applied to a new branch', async () => {
  const { id, start } = await load()
  const landed = await applyPatch(ctx, id, order(addition('new'), 'refs/heads/side'), NO_POLICY)
  assert.deepEqual([landed.ref, landed.before], ['refs/heads/side', null])
  assert.equal(await gitInStorage(ctx, id, 'rev-parse', MAIN), start)
})

for (const { what, patch } of [
  { what: 'that climbs on another system', patch: addition('..\\..\\evil.bat') },
  { what: 'for other content', patch: change('small', 'other', 'patched') },
  { what: 'for a missing file', patch: change('missing', 'other', 'patched') },
  { what: 'that is none', patch: 'nonsense' },
  { what: 'that leaves the repository', patch: addition('../outside') },
  { what: 'for git’s own folder', patch: addition('.git/config') },
  { what: 'for git’s own folder by another name', patch: addition('git~1/config') },
  { what: 'for an absolute path', patch: addition('/etc/passwd') },
])
  test(`a patch ${what} changes nothing`, async () => {
    const { id, start } = await load()
    await assert.rejects(applyPatch(ctx, id, order(patch), NO_POLICY), { kind: 'invalid' })
    assert.equal(await gitInStorage(ctx, id, 'rev-parse', MAIN), start)
    assert.equal(await gitInStorage(ctx, id, 'ls-tree', '--name-only', MAIN), 'small')
  })
