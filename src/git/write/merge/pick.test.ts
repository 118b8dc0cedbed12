/** Cherry-picks and reverts of single commits; creating and deleting refs. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startForge } from '#testing'
import { resolveRevision } from '../../read/history/resolve.ts'
import { findCommit } from '../../read/objects/commit.ts'
import type { Person } from '../../read/objects/person.ts'
import { findTag } from '../../read/objects/tag.ts'
import { findRef } from '../../refs/read.ts'
import { gitInStorage, loadWorkTree, makeStorage, makeWorkTree, NO_POLICY } from '../../testing.ts'
import { createRef, createTag } from '../create-ref.ts'
import { deleteRef } from '../delete-ref.ts'
import { cherryPick } from './cherry-pick.ts'
import { revert } from './revert.ts'

const forge = await startForge()
const { ctx } = forge
after(() => forge[Symbol.asyncDispose]())

const ann: Person = { name: 'Ann', email: 'ann@x', at: new Date(1_760_000_000_000), offsetMinutes: 120 }
const bob: Person = { name: 'Bob', email: 'bob@x', at: new Date(1_760_000_100_000), offsetMinutes: 0 }
const target = { branch: 'refs/heads/main' }
const LINES = '1\n2\n3\n4\n5\n6\n7\n8\n9\n'

for (const format of ['sha1', 'sha256'] as const)
  test(`a commit is cherry-picked from another branch and reverted, with ids of ${format}`, async () => {
    await using tree = await makeWorkTree(format)
    await tree.write('file', LINES)
    await tree.commit('base')
    await tree.git('switch', '--quiet', '--create', 'side')
    await tree.write('unwanted', 'x')
    await tree.commit('unwanted')
    await tree.write('file', LINES.replace('5', 'five'))
    const wanted = await tree.commit('wanted\n\nbody')
    await tree.git('switch', '--quiet', 'main')
    await tree.write('file', LINES.replace('9', 'nine'))
    const main = await tree.commit('main')
    const id = await makeStorage(ctx, format)
    await loadWorkTree(ctx, id, tree.folder)
    const picked = await cherryPick(ctx, id, { target, commit: wanted, committer: bob }, NO_POLICY)
    const commit = await findCommit(ctx, id, picked.oid)
    assert.deepEqual([commit?.parents, commit?.message, commit?.committer], [[main], 'wanted\n\nbody\n', bob])
    assert.equal(commit?.author.name, 'Ada')
    const files = await gitInStorage(ctx, id, 'ls-tree', '-r', '--name-only', picked.oid)
    assert.equal(files, 'file')
    const content = await gitInStorage(ctx, id, 'show', `${picked.oid}:file`)
    assert.equal(content, LINES.replace('5', 'five').replace('9', 'nine').trimEnd())
    const order = { target, commit: picked.oid, author: ann, committer: bob }
    const reverted = await revert(ctx, id, order, NO_POLICY)
    const back = await findCommit(ctx, id, reverted.oid)
    assert.equal(back?.tree, (await findCommit(ctx, id, main))?.tree)
    assert.deepEqual([back?.parents, back?.author], [[picked.oid], ann])
    assert.equal(back?.message, `Revert "wanted"\n\nThis reverts commit ${picked.oid}.\n`)
    await gitInStorage(ctx, id, 'fsck', '--strict', '--full')
    await assert.rejects(revert(ctx, id, order, NO_POLICY), {
      kind: 'conflict',
      message: /nothing to commit/,
    })
  })

test('a cherry-pick may go to a new branch, with its own message', async () => {
  await using tree = await makeWorkTree()
  const first = await tree.commit('first')
  await tree.write('file', 'x')
  const second = await tree.commit('second')
  const id = await makeStorage(ctx)
  await loadWorkTree(ctx, id, tree.folder)
  await createRef(ctx, id, { ref: 'refs/heads/old', target: first }, NO_POLICY)
  const order = {
    target: { branch: 'refs/heads/old', newBranch: 'refs/heads/new' },
    commit: second,
    committer: bob,
    message: 'my words',
  }
  const landed = await cherryPick(ctx, id, order, NO_POLICY)
  assert.deepEqual([landed.ref, landed.before], ['refs/heads/new', null])
  assert.equal((await findCommit(ctx, id, landed.oid))?.message, 'my words\n')
  assert.equal((await findRef(ctx.db, id, 'refs/heads/old'))?.oid, first)
})

test('a root commit can be cherry-picked and reverted', async () => {
  await using tree = await makeWorkTree()
  await tree.write('a', 'x')
  const root = await tree.commit('root')
  await tree.write('b', 'x')
  await tree.commit('more')
  await tree.git('switch', '--quiet', '--orphan', 'other')
  await tree.write('c', 'x')
  await tree.commit('other')
  const id = await makeStorage(ctx)
  await loadWorkTree(ctx, id, tree.folder)
  const back = await revert(ctx, id, { target, commit: root, author: ann, committer: bob }, NO_POLICY)
  assert.equal(await gitInStorage(ctx, id, 'ls-tree', '--name-only', back.oid), 'b')
  const other = { branch: 'refs/heads/other' }
  const picked = await cherryPick(ctx, id, { target: other, commit: root, committer: bob }, NO_POLICY)
  assert.equal(await gitInStorage(ctx, id, 'ls-tree', '--name-only', picked.oid), 'a\nc')
})

test('a merge is cherry-picked only with a mainline parent', async () => {
  await using tree = await makeWorkTree()
  await tree.write('base', 'x')
  const base = await tree.commit('base')
  await tree.git('switch', '--quiet', '--create', 'side')
  await tree.write('side', 'x')
  await tree.commit('side')
  await tree.git('switch', '--quiet', 'main')
  await tree.write('main', 'x')
  await tree.commit('main')
  await tree.git('merge', '--quiet', '--no-edit', 'side')
  const merged = await tree.git('rev-parse', 'HEAD')
  await tree.git('branch', 'old', base)
  const id = await makeStorage(ctx)
  await loadWorkTree(ctx, id, tree.folder)
  const order = { target: { branch: 'refs/heads/old' }, commit: merged, committer: bob }
  await assert.rejects(cherryPick(ctx, id, order, NO_POLICY), { kind: 'invalid' })
  await assert.rejects(cherryPick(ctx, id, { ...order, mainline: 3 }, NO_POLICY), { kind: 'invalid' })
  const picked = await cherryPick(ctx, id, { ...order, mainline: 1 }, NO_POLICY)
  assert.equal(await gitInStorage(ctx, id, 'ls-tree', '--name-only', picked.oid), 'base\nside')
  const back = { target, commit: merged, author: ann, committer: bob, mainline: 2 }
  const reverted = await revert(ctx, id, back, NO_POLICY)
  assert.equal(await gitInStorage(ctx, id, 'ls-tree', '--name-only', reverted.oid), 'base\nside')
})

test('a conflicting cherry-pick names the files', async () => {
  await using tree = await makeWorkTree()
  await tree.write('file', 'base\n')
  await tree.commit('base')
  await tree.write('file', 'one\n')
  const one = await tree.commit('one')
  await tree.write('file', 'two\n')
  await tree.commit('two')
  const id = await makeStorage(ctx)
  await loadWorkTree(ctx, id, tree.folder)
  const order = { target, commit: one, author: ann, committer: bob }
  await assert.rejects(revert(ctx, id, order, NO_POLICY), {
    kind: 'conflict',
    details: { paths: ['file'] },
  })
  const missing = { ...order, commit: '1'.repeat(40) }
  await assert.rejects(revert(ctx, id, missing, NO_POLICY), { kind: 'not_found' })
})

for (const format of ['sha1', 'sha256'] as const)
  test(`refs and tags are created and deleted, with ids of ${format}`, async () => {
    await using tree = await makeWorkTree(format)
    await tree.write('file', 'x')
    const head = await tree.commit('one')
    const file = await tree.git('rev-parse', 'HEAD:file')
    const id = await makeStorage(ctx, format)
    await loadWorkTree(ctx, id, tree.folder)
    const create = (ref: string, oid = head) => createRef(ctx, id, { ref, target: oid }, NO_POLICY)
    assert.deepEqual(await create('refs/heads/new'), { ref: 'refs/heads/new', before: null, oid: head })
    await create('refs/tags/light')
    const tag = { ref: 'refs/tags/v1', target: head, message: 'version one', tagger: ann }
    const made = await createTag(ctx, id, tag, NO_POLICY)
    const found = await findTag(ctx, id, made.oid)
    assert.deepEqual([found?.name, found?.message, found?.tagger], ['v1', 'version one\n', ann])
    assert.equal((await findRef(ctx.db, id, 'refs/tags/v1'))?.peeled_oid, head)
    assert.equal((await resolveRevision(ctx, id, 'v1'))?.oid, head)
    await create('refs/tags/again', made.oid)
    assert.equal((await findRef(ctx.db, id, 'refs/tags/again'))?.peeled_oid, head)
    await create('refs/tags/of-a-file', file)
    await gitInStorage(ctx, id, 'fsck', '--strict', '--full')
    await assert.rejects(create('refs/heads/new'), { kind: 'conflict' })
    await assert.rejects(create('refs/heads/new/below'), { kind: 'conflict' })
    await assert.rejects(create('refs/heads/file', file), { kind: 'invalid' })
    await assert.rejects(create('refs/heads/tag', made.oid), { kind: 'invalid' })
    await assert.rejects(create('refs/heads/nowhere', '1'.repeat(head.length)), { kind: 'not_found' })
    for (const name of ['main', 'refs/heads/a..b', 'refs/heads/x.lock', 'refs/heads/', 'HEAD'])
      await assert.rejects(create(name), { kind: 'invalid' }, name)
    await assert.rejects(createTag(ctx, id, { ...tag, ref: 'refs/heads/v2' }, NO_POLICY), {
      kind: 'invalid',
    })
    await assert.rejects(createTag(ctx, id, tag, NO_POLICY), { kind: 'conflict' })
    const remove = (ref: string, expected?: string) =>
      deleteRef(ctx, id, { ref, ...(expected === undefined ? {} : { expected }) }, NO_POLICY)
    await assert.rejects(remove('refs/heads/new', file), { kind: 'conflict' })
    assert.equal(await remove('refs/heads/new', head), head)
    assert.equal(await remove('refs/tags/v1'), made.oid)
    await assert.rejects(remove('refs/tags/v1'), { kind: 'not_found' })
    assert.equal(await findRef(ctx.db, id, 'refs/heads/new'), undefined)
  })
