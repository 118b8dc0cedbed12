/** Diffs, ahead and behind counts, and blame. */
import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { startForge } from '#testing'
import type { ObjectFormat, StorageId } from '../../tables.ts'
import { loadWorkTree, makeStorage, makeWorkTree, type WorkTree } from '../../testing.ts'
import { listBlame } from '../history/blame.ts'
import { compare, countDistance } from '../history/compare.ts'
import { findIgnoredRevisions } from '../history/ignored-revisions.ts'
import { findMergeBase, isAncestor } from '../history/merge-base.ts'
import { diffFiles, openDiff, openPatches } from './diff.ts'

const forge = await startForge()
const { ctx } = forge
after(() => forge[Symbol.asyncDispose]())

const PAGE = { skip: 0, limit: 10, withStats: false, withFiles: false }
const PLAIN = { withBinary: false }

async function load(tree: WorkTree, format: ObjectFormat = 'sha1'): Promise<StorageId> {
  const id = await makeStorage(ctx, format)
  await loadWorkTree(ctx, id, tree.folder)
  return id
}

for (const format of ['sha1', 'sha256'] as const)
  test(`two commits are compared file by file, with ids of ${format}`, async () => {
    await using tree = await makeWorkTree(format)
    const lines = Array.from({ length: 20 }, (_, i) => `line ${i}\n`).join('')
    await tree.write('old "name"', lines)
    await tree.write('run', 'x\n')
    await tree.write('gone\nlong', 'a\nb\n')
    const one = await tree.commit('one')
    await tree.git('mv', 'old "name"', 'new\tname')
    await tree.write('new\tname', `${lines}more\n`)
    await tree.write('run', 'x\n', 0o755)
    await tree.git('rm', '--quiet', 'gone\nlong')
    await tree.write('image', Buffer.from([0, 255, 0]))
    const two = await tree.commit('two')
    const id = await load(tree, format)
    const found = await diffFiles(ctx, id, { from: one, to: two }, { withRenames: true })
    assert.deepEqual(
      found.files.map((it) => [it.path, it.oldPath, it.status, it.additions, it.deletions, it.isBinary]),
      [
        ['gone\nlong', null, 'deleted', 0, 2, false],
        ['image', null, 'added', 0, 0, true],
        ['new\tname', 'old "name"', 'renamed', 1, 0, false],
        ['run', null, 'modified', 0, 0, false],
      ],
    )
    assert.deepEqual(found.files.find((it) => it.path === 'run')?.mode, '100755')
    assert.deepEqual(found.stats, { additions: 1, deletions: 2, files: 4 })
    const apart = await diffFiles(ctx, id, { from: one, to: two }, { withRenames: false })
    assert.deepEqual(apart.stats, { additions: 21, deletions: 22, files: 5 })
    const first = await diffFiles(ctx, id, { from: null, to: one }, { withRenames: false })
    assert.deepEqual([first.stats.additions, first.files[0]?.status], [23, 'added'])
    const diff = await text(await openDiff(ctx, id, { from: one, to: two }, PLAIN))
    assert.match(diff, /^diff --git /)
    assert.match(diff, /^rename to "new\\tname"$/m)
    assert.match(diff, /^\+more$/m)
    assert.match(diff, /^Binary files \/dev\/null and b\/image differ$/m)
    assert.match(
      await text(await openDiff(ctx, id, { from: one, to: two }, { withBinary: true })),
      /GIT binary/,
    )
    assert.match(await text(await openDiff(ctx, id, { from: null, to: one }, PLAIN)), /^\+line 7$/m)
  })

test('patches can be applied by git again', async () => {
  await using tree = await makeWorkTree()
  await tree.write('file', 'one\n')
  const one = await tree.commit('one')
  await tree.write('file', 'two\n')
  await tree.commit('subject\n\nbody')
  await tree.write('image', Buffer.from([0, 1, 0]))
  const three = await tree.commit('image')
  const id = await load(tree)
  const patches = await text(await openPatches(ctx, id, { from: one, to: three }, { withBinary: true }))
  assert.equal(patches.match(/^From [0-9a-f]{40} /gm)?.length, 2)
  await tree.git('switch', '--quiet', '--create', 'again', one)
  await tree.feed(patches, 'am', '--quiet')
  assert.equal(await tree.git('rev-parse', 'again^{tree}'), await tree.git('rev-parse', `${three}^{tree}`))
  const root = await text(await openPatches(ctx, id, { from: null, to: one }, PLAIN))
  assert.match(root, /^Subject: \[PATCH\] one$/m)
})

test('a stream fails when git fails, so that a partial diff is not taken for a complete one', async () => {
  await using tree = await makeWorkTree()
  const one = await tree.commit('one')
  const id = await load(tree)
  const diff = await openDiff(ctx, id, { from: one, to: '1'.repeat(40) }, PLAIN)
  await assert.rejects(text(diff), { name: 'Problem', kind: 'not_found' })
})

test('two histories are compared', async () => {
  await using tree = await makeWorkTree()
  const base = await tree.commit('base')
  await tree.git('switch', '--quiet', '--create', 'side')
  const first = await tree.commit('side one')
  const side = await tree.commit('side two')
  await tree.git('switch', '--quiet', 'main')
  const main = await tree.commit('main one')
  await tree.git('switch', '--quiet', '--orphan', 'stranger')
  const stranger = await tree.commit('stranger')
  const id = await load(tree)
  const found = await compare(ctx, id, { base: main, head: side }, PAGE)
  assert.deepEqual([found.mergeBase, found.ahead, found.behind], [base, 2, 1])
  assert.deepEqual(
    found.commits.map((it) => it.oid),
    [side, first],
  )
  assert.deepEqual(await countDistance(ctx, id, main, main), { ahead: 0, behind: 0 })
  assert.equal(await findMergeBase(ctx, id, main, stranger), undefined)
  assert.equal((await compare(ctx, id, { base: main, head: stranger }, PAGE)).mergeBase, null)
  assert.equal(await isAncestor(ctx, id, base, side), true)
  assert.equal(await isAncestor(ctx, id, side, base), false)
  assert.equal(await isAncestor(ctx, id, main, stranger), false)
  await assert.rejects(findMergeBase(ctx, id, main, '1'.repeat(40)), { kind: 'not_found' })
})

for (const format of ['sha1', 'sha256'] as const)
  test(`blame attributes every line to the commit that wrote it, with ids of ${format}`, async () => {
    await using tree = await makeWorkTree(format)
    const name = '-odd "näme"\nhere'
    await tree.write(name, 'a\nb\nc\nd\n')
    const one = await tree.commit('filename not a name')
    await tree.write(name, 'a\nB\nc\nd\ne\n')
    const two = await tree.commit('two')
    await tree.git('mv', '--', name, 'moved')
    const three = await tree.commit('three')
    const id = await load(tree, format)
    const lines = (ranges: Awaited<ReturnType<typeof listBlame>>) =>
      ranges?.map((it) => [it.oid, it.start, it.count, it.originalStart, it.originalPath])
    const expected = [
      [one, 1, 1, 1, name],
      [two, 2, 1, 2, name],
      [one, 3, 2, 3, name],
      [two, 5, 1, 5, name],
    ]
    assert.deepEqual(lines(await listBlame(ctx, id, two, name)), expected)
    assert.deepEqual(
      lines(await listBlame(ctx, id, three, 'moved')),
      expected,
      'a file is followed when it moves',
    )
    assert.equal(await listBlame(ctx, id, three, name), undefined)
    assert.equal(await listBlame(ctx, id, three, '--help'), undefined)
  })

test('blame skips commits listed in .git-blame-ignore-revs', async () => {
  await using tree = await makeWorkTree()
  await tree.write('list', 'first\nsecond\nthird\n')
  const one = await tree.commit('one')
  await tree.write('list', '  first\n  second\n  third\n')
  const indented = await tree.commit('indented')
  const text = `# set anew\n${indented} # all of it\n${'1'.repeat(40)}\nno commit\n`
  await tree.write('.git-blame-ignore-revs', text)
  const head = await tree.commit('passed over')
  const id = await load(tree)
  const passedOver = await findIgnoredRevisions(ctx, id, head)
  assert.deepEqual(passedOver, [indented], 'what is no commit of the repository is not handed to git')
  const authors = (ranges: Awaited<ReturnType<typeof listBlame>>) => [...new Set(ranges?.map((it) => it.oid))]
  assert.deepEqual(authors(await listBlame(ctx, id, head, 'list')), [indented])
  assert.deepEqual(authors(await listBlame(ctx, id, head, 'list', passedOver)), [one])
  assert.equal(await findIgnoredRevisions(ctx, id, one), undefined)
})

test('blame of an empty file has no lines, and a file above 4 MiB is refused', async () => {
  await using tree = await makeWorkTree()
  await tree.write('empty', '')
  await tree.write('giant', Buffer.alloc(5 * 1024 * 1024, 'x\n'))
  const head = await tree.commit('both')
  const id = await load(tree)
  assert.deepEqual(await listBlame(ctx, id, head, 'empty'), [])
  await assert.rejects(listBlame(ctx, id, head, 'giant'), { kind: 'too_large' })
})
