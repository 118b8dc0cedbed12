/** The history of a repository: pages, filters, counts, signatures, and unusual file names. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startForge } from '#testing'
import type { ObjectFormat, StorageId } from '../../tables.ts'
import { loadWorkTree, makeStorage, makeWorkTree, type WorkTree } from '../../testing.ts'
import { findCommit, findCommits } from '../objects/commit.ts'
import { localTime } from '../objects/person.ts'
import type { History } from './history.ts'
import { countCommits, type LogPage, listCommits } from './log.ts'

const forge = await startForge()
const { ctx } = forge
after(() => forge[Symbol.asyncDispose]())

const ALL: LogPage = { skip: 0, limit: 50, withStats: true, withFiles: true }
const HOSTILE = [
  'new\nline',
  '"quoted"',
  'tab\there',
  '-dash',
  ':colon',
  ':(top)x',
  'ünï☃',
  '\\back',
  'a '.repeat(50),
]

async function load(tree: WorkTree, format: ObjectFormat = 'sha1'): Promise<StorageId> {
  const id = await makeStorage(ctx, format)
  await loadWorkTree(ctx, id, tree.folder)
  return id
}

for (const format of ['sha1', 'sha256'] as const)
  test(`a page lists commits with stats and files, with ids of ${format}`, async () => {
    await using tree = await makeWorkTree(format)
    await tree.write('kept', 'one\ntwo\n')
    await tree.write('gone', 'x\n')
    const first = await tree.commit('first')
    await tree.write('kept', 'one\n2\nthree\n')
    await tree.write('picture', Buffer.from([0, 1, 2, 0]))
    await tree.git('rm', '--quiet', 'gone')
    const second = await tree.commit('second\n\nwith a body')
    const id = await load(tree, format)
    const [newest, oldest, ...others] = await listCommits(ctx, id, { start: second }, ALL)
    assert.ok(newest && oldest)
    assert.deepEqual(others, [])
    assert.equal(newest.oid, second)
    assert.deepEqual(newest.parents, [first])
    assert.equal(newest.message, 'second\n\nwith a body\n')
    assert.deepEqual(newest.stats, { additions: 2, deletions: 2, files: 3 })
    assert.deepEqual(
      newest.files?.map((it) => [it.path, it.status, it.additions, it.deletions, it.isBinary]),
      [
        ['gone', 'deleted', 0, 1, false],
        ['kept', 'modified', 2, 1, false],
        ['picture', 'added', 0, 0, true],
      ],
    )
    assert.deepEqual([oldest.oid, oldest.parents, oldest.stats?.additions], [first, [], 3])
    assert.deepEqual([oldest.author.name, oldest.committer.email], ['Ada', 'cora@example.test'])
    assert.match(localTime(oldest.author), /^2025-06-15T\d\d:\d\d:\d\d\+02:00$/)
    assert.equal(newest.tree, await tree.git('rev-parse', `${second}^{tree}`))
  })

test('pages follow each other, and the count covers all of them', async () => {
  await using tree = await makeWorkTree()
  const oids: string[] = []
  for (let i = 0; i < 7; i++) oids.unshift(await tree.commit(`number ${i}`))
  const id = await load(tree)
  const start = oids[0] ?? ''
  const plain = { withStats: false, withFiles: false }
  const pages = await Promise.all(
    [0, 3, 6, 9].map((skip) => listCommits(ctx, id, { start }, { skip, limit: 3, ...plain })),
  )
  assert.deepEqual(
    pages.flat().map((it) => it.oid),
    oids,
  )
  assert.deepEqual(
    pages.map((it) => it.length),
    [3, 3, 1, 0],
  )
  assert.equal(pages[0]?.[0]?.stats, null)
  assert.equal(pages[0]?.[0]?.files, null)
  assert.equal(await countCommits(ctx, id, { start }), 7)
})

test('history can be limited by path, time and commits reachable from another commit', async () => {
  await using tree = await makeWorkTree()
  await tree.write('docs/guide', 'one\n')
  const one = await tree.commit('one')
  await tree.write('code', 'two\n')
  const two = await tree.commit('two')
  await tree.write('docs/guide', 'three\n')
  await tree.write('code', 'three\n')
  const three = await tree.commit('three')
  const id = await load(tree)
  const ask = async (history: Omit<History, 'start'>) => {
    const found = await listCommits(ctx, id, { start: three, ...history }, ALL)
    assert.equal(await countCommits(ctx, id, { start: three, ...history }), found.length)
    return found.map((it) => it.oid)
  }
  const at = (await findCommit(ctx, id, two))?.committer.at
  assert.ok(at)
  assert.deepEqual(await ask({ paths: ['docs'] }), [three, one])
  assert.deepEqual(await ask({ paths: ['code'] }), [three, two])
  assert.deepEqual(await ask({ paths: ['docs', 'code'] }), [three, two, one])
  assert.deepEqual(await ask({ paths: ['do*'] }), [], 'a path is a name, not a pattern')
  assert.deepEqual(await ask({ since: at }), [three, two])
  assert.deepEqual(await ask({ until: at }), [two, one])
  assert.deepEqual(await ask({ since: at, until: at, paths: ['code'] }), [two])
  assert.deepEqual(await ask({ not: [one] }), [three, two])
  assert.deepEqual(await ask({ not: [three] }), [])
  const [newest] = await listCommits(ctx, id, { start: three, paths: ['docs'] }, ALL)
  assert.deepEqual(
    newest?.files?.map((it) => it.path),
    ['code', 'docs/guide'],
    'all it changes is shown',
  )
})

for (const path of [
  '',
  '/etc/passwd',
  '../outside',
  'a/../b',
  'a//b',
  'a/',
  '.',
  'nul\0byte',
  'x'.repeat(5_000),
])
  test(`a path that cannot exist has no commits: ${JSON.stringify(path.slice(0, 20))}`, async () => {
    await using tree = await makeWorkTree()
    const start = await tree.commit('one')
    const id = await load(tree)
    assert.deepEqual(await listCommits(ctx, id, { start, paths: [path] }, ALL), [])
    assert.equal(await countCommits(ctx, id, { start, paths: [path] }), 0)
  })

test('files with hostile names are listed unchanged', async () => {
  await using tree = await makeWorkTree()
  const names = [
    ...HOSTILE,
    ':100644 100644 aaaa bbbb M',
    '1\t2\tname',
    'f'.repeat(40),
    'deep/'.repeat(20) + 'x'.repeat(250),
  ]
  for (const name of names) await tree.write(name, 'line\n')
  const start = await tree.commit('hostile')
  const id = await load(tree)
  const [commit] = await listCommits(ctx, id, { start }, ALL)
  assert.deepEqual(commit?.files?.map((it) => it.path).sort(), [...names].sort())
  assert.ok(commit?.files?.every((it) => it.additions === 1))
  assert.deepEqual(commit?.stats, { additions: names.length, deletions: 0, files: names.length })
  for (const path of names) assert.equal(await countCommits(ctx, id, { start, paths: [path] }), 1, path)
})

test('the changes of a merge are those against its first parent', async () => {
  await using tree = await makeWorkTree()
  await tree.write('base', 'x\n')
  await tree.commit('base')
  await tree.git('switch', '--quiet', '--create', 'side')
  await tree.write('side', 'x\n')
  const side = await tree.commit('side')
  await tree.git('switch', '--quiet', 'main')
  await tree.write('main', 'x\n')
  const main = await tree.commit('main')
  await tree.git('merge', '--quiet', '--no-edit', 'side')
  const merged = await tree.git('rev-parse', 'HEAD')
  const [commit] = await listCommits(ctx, await load(tree), { start: merged }, ALL)
  assert.deepEqual(commit?.parents, [main, side])
  assert.deepEqual(
    commit?.files?.map((it) => it.path),
    ['side'],
  )
})

test('the file list of a very large commit is truncated, and its counts are complete', async () => {
  await using tree = await makeWorkTree()
  const blob = await tree.feed('line\n', 'hash-object', '-w', '--stdin')
  const lines = Array.from({ length: 3_100 }, (_, i) => `100644 blob ${blob}\tfile-${i}\n`)
  const root = await tree.feed(lines.join(''), 'mktree')
  const start = await tree.git('commit-tree', '-m', 'many', root)
  await tree.git('update-ref', 'refs/heads/main', start)
  const [commit] = await listCommits(ctx, await load(tree), { start }, ALL)
  assert.equal(commit?.files?.length, 3_000)
  assert.equal(commit?.isFilesTruncated, true)
  assert.deepEqual(commit?.stats, { additions: 3_100, deletions: 0, files: 3_100 })
})

/** Writes a malformed commit that no regular client would send. */
async function writeRaw(tree: WorkTree, lines: readonly (string | Buffer)[]): Promise<string> {
  const body = Buffer.concat(lines.map((it) => (typeof it === 'string' ? Buffer.from(it) : it)))
  await tree.write('raw', body)
  const oid = await tree.git('hash-object', '-t', 'commit', '-w', '--literally', 'raw')
  await tree.git('update-ref', `refs/heads/raw-${oid.slice(0, 8)}`, oid)
  return oid
}

for (const { format, own, other } of [
  { format: 'sha1', own: 'gpgsig', other: 'gpgsig-sha256' },
  { format: 'sha256', own: 'gpgsig-sha256', other: 'gpgsig' },
] as const)
  test(`a signature is returned with exactly the signed bytes, with ids of ${format}`, async () => {
    await using tree = await makeWorkTree(format)
    await tree.commit('one')
    const head = `tree ${await tree.git('rev-parse', 'HEAD^{tree}')}\nauthor A <a@b> 1750000000 +0530\n`
    const committer = 'committer C <c@d> 1750000001 -0330\n'
    const signature = '-----BEGIN SSH SIGNATURE-----\nabc\n\ndef\n-----END SSH SIGNATURE-----\n'
    const header = (name: string) => `${name} ${signature.trimEnd().replaceAll('\n', '\n ')}\n`
    const strange = 'x-extra one\n two\n'
    const body = '\nsubject  \n  body \n\n'
    const oid = await writeRaw(tree, [head, committer, header(other), header(own), strange, body])
    const id = await load(tree, format)
    const commit = await findCommit(ctx, id, oid)
    assert.equal(commit?.signature?.text, signature)
    assert.equal(commit?.signature?.payload.toString(), `${head}${committer}${strange}${body}`)
    assert.equal(commit?.message, 'subject  \n  body \n\n')
    assert.deepEqual([commit?.author.offsetMinutes, commit?.committer.offsetMinutes], [330, -210])
  })

test('a message in another encoding is decoded', async () => {
  await using tree = await makeWorkTree()
  await tree.commit('one')
  const text = 'author Jos\xe9 <j@x> 1750000000 +0000\ncommitter C <c@x> 1750000000 +0000\n'
  const lines = [`tree ${await tree.git('rev-parse', 'HEAD^{tree}')}\n`, Buffer.from(text, 'latin1')]
  const oid = await writeRaw(tree, [...lines, 'encoding ISO-8859-1\n\n', Buffer.from('caf\xe9\n', 'latin1')])
  const unknown = await writeRaw(tree, [...lines, 'encoding no-such\n\n', 'plain\n'])
  const found = await findCommits(ctx, await load(tree), [oid, unknown, '0'.repeat(40)])
  assert.deepEqual([found.get(oid)?.author.name, found.get(oid)?.message], ['José', 'café\n'])
  assert.equal(found.get(unknown)?.message, 'plain\n')
  assert.equal(found.size, 2)
})

test('a malformed commit does not prevent others from being listed', async () => {
  await using tree = await makeWorkTree()
  const parent = await tree.commit('one')
  const head = [`tree ${await tree.git('rev-parse', 'HEAD^{tree}')}\nparent ${parent}\n`]
  const nobody = await writeRaw(tree, [
    ...head,
    'author nobody\ncommitter <> 99999999999999999999 +9999\n\nmessage\n',
  ])
  const person = 'A <a@b> 1750000000 +0000'
  const giant = await writeRaw(tree, [
    ...head,
    `author ${person}\ncommitter ${person}\n\n${'long '.repeat(200_000)}`,
  ])
  const id = await load(tree)
  const [first, second] = await listCommits(ctx, id, { start: nobody }, ALL)
  assert.deepEqual([first?.author.name, first?.author.email, second?.oid], ['nobody', '', parent])
  assert.equal(localTime(first?.committer ?? assert.fail()).slice(0, 4), '9999')
  const commit = await findCommit(ctx, id, giant)
  assert.deepEqual([commit?.isWhole, commit?.message.startsWith('long ')], [false, true])
  assert.ok((commit?.message.length ?? 0) < 300_000)
})
