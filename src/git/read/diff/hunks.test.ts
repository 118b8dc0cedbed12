/** The hunks of one file as git computes them, for every kind of change, and their use for mapping lines. */
import assert from 'node:assert/strict'
import { symlink, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { startForge } from '#testing'
import type { ObjectFormat, StorageId } from '../../tables.ts'
import { loadWorkTree, makeStorage, makeWorkTree, type WorkTree } from '../../testing.ts'
import { diffHunks } from './hunks.ts'
import { type Hunk, mapLine } from './map-line.ts'

const forge = await startForge()
const { ctx } = forge
after(() => forge[Symbol.asyncDispose]())

async function load(tree: WorkTree, format: ObjectFormat = 'sha1'): Promise<StorageId> {
  const id = await makeStorage(ctx, format)
  await loadWorkTree(ctx, id, tree.folder)
  return id
}

const LINES = Array.from({ length: 20 }, (_, i) => `line ${i + 1}`)
const textOf = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('')

for (const format of ['sha1', 'sha256'] as const)
  test(`a renamed file is one file under either of its names, with ids of ${format}`, async () => {
    await using tree = await makeWorkTree(format)
    await tree.write('old "name"', textOf(LINES))
    await tree.write('same', 'same\n')
    const from = await tree.commit('one')
    await tree.git('mv', 'old "name"', 'new\tname')
    await tree.write('new\tname', textOf(['first', ...LINES.slice(0, 9), 'TEN', ...LINES.slice(10)]))
    const to = await tree.commit('two')
    const id = await load(tree, format)
    const found = await diffHunks(ctx, id, { from, to }, 'new\tname')
    assert.deepEqual([found.status, found.path, found.oldPath], ['renamed', 'new\tname', 'old "name"'])
    assert.deepEqual(found.hunks, [
      {
        oldStart: 1,
        oldCount: 3,
        newStart: 1,
        newCount: 4,
        lines: ['+first', ' line 1', ' line 2', ' line 3'],
      },
      {
        oldStart: 7,
        oldCount: 7,
        newStart: 8,
        newCount: 7,
        lines: [' line 7', ' line 8', ' line 9', '-line 10', '+TEN', ' line 11', ' line 12', ' line 13'],
      },
    ])
    assert.deepEqual(await diffHunks(ctx, id, { from, to }, 'old "name"'), found)
    assert.deepEqual(
      [9, 10, 11, 20].map((line) => mapLine(found.hunks, line)),
      [10, undefined, 12, 21],
    )
    assert.deepEqual(await diffHunks(ctx, id, { from, to }, 'same'), {
      path: 'same',
      oldPath: null,
      status: 'unchanged',
      hunks: [],
    })
  })

test('an added or deleted file is one hunk, with or without a final line feed', async () => {
  await using tree = await makeWorkTree()
  await tree.write('gone', 'a\n\\ No newline at end of file\nc')
  await tree.write('folder', 'file\n')
  const from = await tree.commit('one')
  await tree.git('rm', '--quiet', 'gone', 'folder')
  await tree.write('folder/inside', 'other\n')
  await tree.write('come', 'x\n\n')
  await tree.write('empty', '')
  const to = await tree.commit('two')
  const id = await load(tree)
  const ask = (path: string) => diffHunks(ctx, id, { from, to }, path)
  const gone = await ask('gone')
  assert.equal(gone.status, 'deleted')
  assert.deepEqual(gone.hunks, [
    {
      oldStart: 1,
      oldCount: 3,
      newStart: 0,
      newCount: 0,
      lines: ['-a', '-\\ No newline at end of file', '-c', '\\ No newline at end of file'],
    },
  ])
  assert.deepEqual(
    [1, 2, 3].map((line) => mapLine(gone.hunks, line)),
    [undefined, undefined, undefined],
  )
  assert.deepEqual(
    (await ask('folder')).hunks?.map(({ lines }) => lines),
    [['-file']],
  )
  assert.deepEqual((await ask('come')).hunks, [
    { oldStart: 0, oldCount: 0, newStart: 1, newCount: 2, lines: ['+x', '+'] },
  ])
  assert.deepEqual((await ask('empty')).hunks, [])
  const first = await diffHunks(ctx, id, { from: null, to: from }, 'folder')
  assert.deepEqual([first.status, first.hunks?.[0]?.lines], ['added', ['+file']])
})

test('files without comparable lines have no hunks, and too large diffs are refused', async () => {
  await using tree = await makeWorkTree()
  await tree.write('image', Buffer.from([0, 1, 0]))
  await tree.write('link', 'target')
  await tree.write('long', 'a\n'.repeat(400_000))
  await tree.commit('zero')
  await tree.git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},module`)
  await tree.git('commit', '--quiet', '--message', 'one')
  const from = await tree.git('rev-parse', 'HEAD')
  await tree.write('image', Buffer.from([0, 2, 0]))
  await tree.write('long', 'b\n'.repeat(400_000))
  await unlink(join(tree.folder, 'link'))
  await symlink('elsewhere', join(tree.folder, 'link'))
  await tree.git('add', 'image', 'link', 'long')
  await tree.git('update-index', '--cacheinfo', `160000,${'2'.repeat(40)},module`)
  await tree.git('commit', '--quiet', '--message', 'two')
  const to = await tree.git('rev-parse', 'HEAD')
  const id = await load(tree)
  const ask = (path: string) => diffHunks(ctx, id, { from, to }, path)
  assert.equal((await ask('image')).hunks, null)
  assert.equal((await ask('module')).hunks, null)
  assert.equal(mapLine((await ask('link')).hunks, 1), undefined)
  await assert.rejects(ask('long'), { kind: 'too_large' })
})

/** Keeps the line feed: a line that lost it has changed. */
const linesOf = (text: string) => text.match(/[^\n]*\n|[^\n]+$/g) ?? []

function assertFollowed(old: string, current: string, hunks: readonly Hunk[] | null): void {
  const lines = linesOf(current)
  const found = linesOf(old).map((text, i) => ({ text, place: mapLine(hunks, i + 1) }))
  for (const { text, place } of found) if (place !== undefined) assert.equal(lines[place - 1], text)
  const taken = hunks?.flatMap((hunk) => hunk.lines).filter((line) => line.startsWith('-'))
  assert.equal(found.filter(({ place }) => place === undefined).length, taken?.length)
}

test('a mapped line has the same text on both sides of any diff', async () => {
  const line = fc.constantFrom('a', 'b', 'c', '', '@@ -1 +1 @@', '--- a/x', '\\ No', 'ä\r')
  const text = fc
    .tuple(fc.array(line, { maxLength: 30 }), fc.boolean())
    .map(([lines, isOpen]) => (isOpen ? lines.join('\n') : textOf(lines)))
  const pairs = fc.array(fc.tuple(text, text), { minLength: 20, maxLength: 20 })
  await fc.assert(
    fc.asyncProperty(pairs, async (pairs) => {
      await using tree = await makeWorkTree()
      for (const [i, [old]] of pairs.entries()) await tree.write(`file-${i}`, old)
      const from = await tree.commit('one')
      for (const [i, [, current]] of pairs.entries()) await tree.write(`file-${i}`, current)
      const to = await tree.commit('two')
      const id = await load(tree)
      for (const [i, [old, current]] of pairs.entries())
        assertFollowed(old, current, (await diffHunks(ctx, id, { from, to }, `file-${i}`)).hunks)
    }),
    { numRuns: 5 },
  )
})
