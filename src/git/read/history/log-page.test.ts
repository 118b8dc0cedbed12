/**
 * A page of history in one process: commits byte for byte, whatever their content, and totals without counting where
 * possible.
 */
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { startForge } from '#testing'
import { collectGarbage } from '../../maintenance/packs/collect-garbage.ts'
import type { ObjectFormat, StorageId } from '../../tables.ts'
import { loadWorkTree, makeStorage, makeWorkTree, type WorkTree } from '../../testing.ts'
import { findCommit } from '../objects/commit.ts'
import { countDistance } from './compare.ts'
import { countCommits, type LogPage, listCommits, listHistory } from './log.ts'
import { readLog } from './log-output.ts'

const forge = await startForge()
const { ctx } = forge
after(() => forge[Symbol.asyncDispose]())

const ALL: LogPage = { skip: 0, limit: 50, withStats: true, withFiles: true }
const PLAIN: LogPage = { skip: 0, limit: 50, withStats: false, withFiles: false }

async function load(tree: WorkTree, format: ObjectFormat = 'sha1'): Promise<StorageId> {
  const id = await makeStorage(ctx, format)
  await loadWorkTree(ctx, id, tree.folder)
  return id
}

/** Runs `work` and returns the names of the git commands it ran. */
async function watch<T>(work: () => Promise<T>): Promise<{ answer: T; names: string[] }> {
  const { answer, started } = await forge.watchGit(work)
  const nameOf = (words: readonly string[]) =>
    words.slice(1).find((it) => /^[a-z-]+$/.test(it) && it !== '-c')
  return { answer, names: started.map(({ words }) => nameOf(words) ?? '') }
}

/** Writes a commit object with the given message and header on top of HEAD. */
async function commitRaw(tree: WorkTree, message: string | Uint8Array, header = ''): Promise<string> {
  const head = await tree.git('rev-parse', 'HEAD')
  const top = (await tree.git('cat-file', 'commit', head)).split('\n\n')[0] ?? ''
  const lines = top.split('\n').filter((line) => !line.startsWith('parent '))
  const object = `${[lines[0], `parent ${head}`, ...lines.slice(1)].join('\n')}\n${header}\n`
  const bytes = Buffer.concat([Buffer.from(object), Buffer.from(message)])
  const oid = await tree.feed(bytes, 'hash-object', '-t', 'commit', '-w', '--stdin', '--literally')
  await tree.git('update-ref', 'refs/heads/main', oid)
  return oid
}

for (const format of ['sha1', 'sha256'] as const)
  test(`messages are returned as they were written, with ids of ${format}`, async () => {
    await using tree = await makeWorkTree(format)
    const oids = [await tree.commit('first')]
    const usual = ['title\n', 'title\n\nbody\n', 'no line feed at the end', '    indented\n', '']
    for (const message of usual) oids.push(await commitRaw(tree, message))
    const id = await load(tree, format)
    const start = oids.at(-1) ?? ''
    const { answer, names } = await watch(() => listCommits(ctx, id, { start }, PLAIN))
    assert.deepEqual(answer.map((it) => it.message).reverse(), ['first\n', ...usual])
    assert.deepEqual(names, ['log'], 'one process tells it all')
  })

const STRANGE = [
  '\n\nlines in front\n',
  'lines behind\n\n\n',
  'blanks   \n   \nin lines\n',
  Buffer.from([0xff, 0xfe, 0x0a]),
  'commit '.repeat(300_000),
]
for (const message of STRANGE)
  test(`an unusual message costs one more process: ${JSON.stringify(message.slice(0, 20))}`, async () => {
    await using tree = await makeWorkTree()
    await tree.write('file', 'x')
    await tree.commit('first')
    await tree.write('other', 'x')
    await tree.git('add', '--all')
    const signature = 'gpgsig -----BEGIN PGP SIGNATURE-----\n \n AAAA\n -----END PGP SIGNATURE-----\n'
    const start = await commitRaw(tree, message, signature)
    const id = await load(tree)
    const { answer, names } = await watch(() => listCommits(ctx, id, { start }, ALL))
    assert.equal(names.at(-1), 'cat-file')
    assert.ok(names.length <= 3)
    const [strange, first] = answer
    assert.ok(strange && first)
    const { stats: _, files: __, isFilesTruncated: ___, ...record } = strange
    assert.deepEqual(record, await findCommit(ctx, id, start))
    assert.equal(strange.isWhole, message.length < 1_000_000)
    assert.deepEqual(first.stats, { additions: 1, deletions: 0, files: 1 })
  })

test('a renamed file is one change without changed lines', async () => {
  await using tree = await makeWorkTree()
  await tree.write('old', 'one\ntwo\nthree\n')
  await tree.commit('first')
  await tree.git('mv', 'old', 'new')
  const start = await tree.commit('second')
  const id = await load(tree)
  const [moved] = await listCommits(ctx, id, { start }, ALL)
  assert.deepEqual(moved?.stats, { additions: 0, deletions: 0, files: 1 })
  assert.deepEqual(
    moved?.files?.map((it) => [it.status, it.oldPath, it.path]),
    [['renamed', 'old', 'new']],
  )
})

test('with paths, only merges that change them are listed, with all their changed files', async () => {
  await using tree = await makeWorkTree()
  await tree.write('dir/a', 'a\n')
  await tree.commit('first')
  await tree.git('checkout', '--quiet', '-b', 'side')
  await tree.write('dir/a', 'side\n')
  await tree.commit('side')
  await tree.git('checkout', '--quiet', 'main')
  await tree.write('else', 'b\n')
  await tree.commit('main')
  await tree.git('merge', '--quiet', '--no-ff', '--message', 'merge', 'side')
  await tree.write('dir/a', 'both\n')
  await tree.git('add', '--all')
  await tree.git('commit', '--quiet', '--amend', '--no-edit')
  await tree.git('checkout', '--quiet', '-b', 'other', 'main~1')
  await tree.write('third', 'c\n')
  await tree.commit('other')
  await tree.git('checkout', '--quiet', 'main')
  await tree.git('merge', '--quiet', '--no-ff', '--message', 'no matter', 'other')
  const start = await tree.git('rev-parse', 'HEAD')
  const id = await load(tree)
  const history = { start, paths: ['dir'] }
  const found = await listCommits(ctx, id, history, ALL)
  assert.deepEqual(
    found.map((it) => it.message.trim()),
    ['merge', 'side', 'first'],
  )
  assert.equal(await countCommits(ctx, id, history), 3)
  assert.deepEqual(
    found[0]?.files?.map((it) => [it.path, it.status]),
    [['dir/a', 'modified']],
  )
  assert.deepEqual(found[0]?.stats, { additions: 1, deletions: 1, files: 1 })
})

test('the total is derived without counting where possible', async () => {
  await using tree = await makeWorkTree()
  const oids: string[] = []
  for (let i = 0; i < 6; i++) oids.push(await tree.commit(`number ${i}`))
  const id = await load(tree)
  const at = (i: number) => ({ start: oids[i] ?? '' })
  const ask = async (i: number, skip: number, limit: number) => {
    const { answer, names } = await watch(() => listHistory(ctx, id, at(i), { ...PLAIN, skip, limit }))
    return [answer.total, names]
  }
  assert.deepEqual(await ask(2, 0, 2), [3, ['log', 'rev-list']], 'a full page at first sight')
  assert.deepEqual(await ask(2, 2, 2), [3, ['log']])
  assert.deepEqual(await ask(4, 0, 3), [5, ['log']], 'two more upon what was counted')
  assert.deepEqual(await ask(4, 3, 3), [5, ['log']])
  assert.deepEqual(await ask(5, 4, 4), [6, ['log']], 'the end is in sight')
  assert.deepEqual(await ask(5, 0, 2), [6, ['log']])
  assert.deepEqual(await ask(5, 0, 2), [6, []])
  assert.deepEqual(await ask(5, 40, 2), [6, ['log']], 'behind the end')
})

test('a cached count is not used for another history', async () => {
  await using tree = await makeWorkTree()
  const root = await tree.commit('root')
  await tree.git('checkout', '--quiet', '-b', 'side')
  for (let i = 0; i < 3; i++) await tree.commit(`side ${i}`)
  await tree.git('checkout', '--quiet', 'main')
  await tree.commit('main')
  await tree.git('merge', '--quiet', '--no-ff', '--message', 'merge', 'side')
  const start = await tree.git('rev-parse', 'HEAD')
  const id = await load(tree)
  assert.equal((await listHistory(ctx, id, { start: root }, PLAIN)).total, 1)
  assert.equal((await listHistory(ctx, id, { start }, { ...PLAIN, limit: 2 })).total, 6)
  const side = await tree.git('rev-parse', 'side')
  const since = { start: side, not: [root] }
  assert.equal((await listHistory(ctx, id, since, { ...PLAIN, limit: 2 })).total, 3)
})

test('commits of a collected repository are counted by its bitmap; filtered histories are walked', async () => {
  await using tree = await makeWorkTree()
  const oids: string[] = []
  for (let i = 0; i < 6; i++) {
    await tree.write(`file-${i % 2}`, `${i}`)
    oids.push(await tree.commit(`number ${i}`))
  }
  const id = await load(tree)
  await collectGarbage(ctx, id)
  const [first = '', , third = ''] = oids
  const start = oids.at(-1) ?? ''
  const { answer, names } = await watch(() => countCommits(ctx, id, { start }))
  assert.deepEqual([answer, names], [6, ['rev-list']])
  assert.equal(await countCommits(ctx, id, { start: third }), 3)
  assert.equal(await countCommits(ctx, id, { start, not: [third] }), 3)
  assert.equal(await countCommits(ctx, id, { start, paths: ['file-1'] }), 3)
  const born = (await findCommit(ctx, id, first))?.committer.at.getTime() ?? 0
  assert.equal(await countCommits(ctx, id, { start, until: new Date(born - 1000) }), 0)
})

test('the number of files kept for a page is bounded, and all are still counted', async () => {
  const commit = (digit: string, files: number) =>
    `${digit.repeat(40)}\0${Array.from({ length: files }, (_, i) => `1\t0\tf${i}\0:100644 100644 ${'1'.repeat(40)} ${'2'.repeat(40)} M\0f${i}\0`).join('')}`
  const output = Readable.from([Buffer.from(commit('a', 5) + commit('b', 5) + commit('c', 5))])
  const walked = await readLog(output, 'sha1', { filesMax: 4, pageFilesMax: 6 })
  assert.deepEqual(
    walked.map(({ changes }) => [changes.files.size, changes.isTruncated, changes.stats.files]),
    [
      [4, true, 5],
      [2, true, 5],
      [0, true, 5],
    ],
  )
})

test('a listed history answers shorter pages and its distance from its start without git', async () => {
  await using tree = await makeWorkTree()
  const [first, second, third] = [await tree.commit('1'), await tree.commit('2'), await tree.commit('3')]
  await tree.git('checkout', '--quiet', '-b', 'side', first)
  const side = await tree.commit('side')
  await tree.git('checkout', '--quiet', 'main')
  const id = await load(tree)
  const since = (base: string, limit: number) =>
    watch(async () => {
      const commits = await listCommits(ctx, id, { start: third, not: [base] }, { ...PLAIN, limit })
      return commits.map(({ oid }) => oid)
    })
  assert.deepEqual(await since(first, 1), { answer: [third], names: ['log'] })
  assert.deepEqual(await since(first, 50), { answer: [third, second], names: ['log'] }, 'a longer page')
  assert.deepEqual(await since(first, 1), { answer: [third], names: [] })
  assert.deepEqual(await since(first, 500), { answer: [third, second], names: [] }, 'there are no more')
  const grown = await watch(() => countDistance(ctx, id, first, third))
  assert.deepEqual(grown, { answer: { ahead: 2, behind: 0 }, names: [] })
  assert.deepEqual(await since(side, 50), { answer: [third, second], names: ['log'] })
  const parted = await watch(() => countDistance(ctx, id, side, third))
  assert.deepEqual(parted, { answer: { ahead: 2, behind: 1 }, names: ['rev-list'] })
})
