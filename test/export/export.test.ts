/** `bloomery export`: everything of a repository in a folder, and nothing that is secret. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { routes } from '#cli'
import { actorOf, findAccount } from '#domains/people/users'
import { exportRepositories, type Operations } from '#domains/remotes/exports'
import { InProcessApi } from '#http'
import { must } from '#platform/must'
import { type Forge, startForge } from '#testing'
import { runCommand } from '#testing/run-command'
import { AT, type Grown, grow, ok } from './grow-repository.ts'

const run = promisify(execFile)

let folder: string
let forge: Forge
let grown: Grown
let site: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bloomery-export-'))
  forge = await startForge()
  grown = await grow(forge)
  site = join(folder, 'site')
  const { code, stderr } = await runCommand(forge.world, ['export', 'ann/site', site], {
    'http.url': forge.world.site.url,
  })
  assert.equal(code, 0, stderr)
})
after(async () => {
  await forge?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const read = (path: string) => readFile(join(site, path), 'utf8')
const inSite = (path: string) => join(site, 'repositories/site', path)
async function lines(kind: string) {
  const text = await readFile(inSite(`${kind}.jsonl`), 'utf8')
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
}

test('the manifest names every file with its size and digest', async () => {
  const manifest = JSON.parse(await read('export.json'))
  const { format, owner, repositories, url } = manifest
  assert.deepEqual([format, owner, repositories, url], [1, 'ann', ['site'], forge.world.site.url])
  const list = await read('files.jsonl')
  assert.equal(manifest.files.sha256, createHash('sha256').update(list).digest('hex'))
  const files = list
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.equal(files.length, manifest.files.count)
  for (const { file, bytes, sha256 } of files) {
    const content = await readFile(join(site, file))
    assert.deepEqual([content.length, createHash('sha256').update(content).digest('hex')], [bytes, sha256])
  }
  const there = await readdir(site, { recursive: true, withFileTypes: true })
  const names = there.filter((it) => it.isFile()).map((it) => join(it.parentPath, it.name))
  const listed = ['export.json', 'files.jsonl', ...files.map(({ file }) => file)].map((it) => join(site, it))
  assert.deepEqual(names.sort(), listed.sort())
  assert.equal((await stat(site)).mode & 0o077, 0, 'only its owner reads it')
})

test('records are the answers of the REST API', async () => {
  for (const [kind, path] of [
    ['labels', '/labels'],
    ['milestones', '/milestones?state=all'],
    ['issues', '/issues?state=all'],
    ['comments', '/issues/comments'],
    ['releases', '/releases'],
    ['branch_protections', '/branch_protections'],
    ['tag_protections', '/tag_protections'],
  ] as const) {
    const { body } = await forge.call('ann', 'GET', `${AT}${path}`)
    assert.ok(body.length > 0, kind)
    const exported = await lines(kind)
    const known = exported.map(({ reactions: _, original_author: __, ...record }) => withoutPeople(record))
    const answered = body.map(({ original_author: _, ...record }: { original_author?: string }) =>
      withoutPeople(record),
    )
    assert.deepEqual(known, answered, kind)
  }
  const [repository] = (await readFile(inSite('repository.json'), 'utf8')).split('\n')
  const { body } = await forge.call('ann', 'GET', AT)
  assert.deepEqual(withoutPeople(JSON.parse(repository ?? '')), withoutPeople(body))
})

test('pull requests say who merged them', async () => {
  const { body } = await forge.call('ann', 'GET', `${AT}/pulls?state=all&sort=oldest`)
  const merger = (it: { merged_by: { login: string } | null }) => it.merged_by?.login ?? null
  const exported = await lines('pulls')
  assert.deepEqual(exported.map(merger), [null, 'ann', null])
  const without = (it: object) => withoutPeople({ ...it, merged_by: null })
  assert.deepEqual(exported.map(without), body.map(without))
})

test('collaborators have their permission', async () => {
  const [bob, ...others] = await lines('collaborators')
  assert.deepEqual([bob.login, bob.permission, others], ['bob', 'write', []])
})

test('reviews have their remarks, except those that are not submitted', async () => {
  const [open, merged] = await lines('reviews')
  assert.deepEqual(
    [open.number, open.reviews.map((it: { body: string }) => it.body), open.reviews[0].lines[0].body],
    [4, ['not yet'], 'why?'],
  )
  assert.deepEqual(merged.reviews[0].state, 'APPROVED')
})

test('the bundles have branches, tags and the heads of pull requests, and git clones them', async () => {
  const { body } = await forge.call('ann', 'GET', `${AT}/git/refs`)
  const refs = body.map((it: { ref: string; object: { sha: string } }) => `${it.object.sha} ${it.ref}`)
  const { stdout } = await run('git', ['bundle', 'list-heads', inSite('code.bundle')])
  const listed = stdout
    .trimEnd()
    .split('\n')
    .filter((line) => !line.endsWith(' HEAD'))
  const wanted = refs.filter((it: string) => !/refs\/pull\/\d+\/(?!head$)/.test(it))
  assert.deepEqual(listed.sort(), wanted.sort())
  const clone = join(folder, 'clone')
  await run('git', ['clone', '--quiet', inSite('code.bundle'), clone])
  assert.equal(await readFile(join(clone, 'code.txt'), 'utf8'), 'one\ntwo\nthree\n')
  await run('git', ['clone', '--quiet', inSite('wiki.bundle'), join(folder, 'wiki')])
  assert.equal(await readFile(join(folder, 'wiki/Home.md'), 'utf8'), 'welcome')
})

test('attachments, release files and Git LFS objects come with their bytes', async () => {
  const records = [...(await lines('issues')), ...(await lines('comments')), ...(await lines('releases'))]
  const contents: Record<string, string> = {}
  for (const { assets = [] } of records)
    for (const { uuid, name } of assets) contents[name] = await readFile(inSite(`files/${uuid}`), 'utf8')
  assert.deepEqual(contents, {
    'issue.txt': 'of an issue',
    'comment.txt': 'of a comment',
    'program.bin': 'of a release',
  })
  assert.deepEqual(await readFile(inSite(`lfs/${grown.lfs.oid}`)), grown.lfs.bytes)
})

test('people are named by login, id and full name; addresses, secrets and drafts do not leave', async () => {
  const people = (await read('people.jsonl'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.deepEqual(people.map(({ login, full_name }) => [login, full_name]).sort(), [
    ['ann', 'ann Example'],
    ['bob', 'bob Example'],
  ])
  const all = await readdir(site, { recursive: true, withFileTypes: true })
  const texts = all.filter(({ name }) => /\.jsonl?$/.test(name))
  assert.ok(texts.length > 10)
  for (const { parentPath, name } of texts) {
    const text = await readFile(join(parentPath, name), 'utf8')
    assert.doesNotMatch(text, /hush-hush|hook\.example|not submitted|a draft of bob|@example\.test/, name)
    assert.equal(text.includes(forge.tokenOf('ann')), false)
  }
})

test('all repositories of an owner go into one folder, also those without commits', async () => {
  assert.equal((await forge.call('ann', 'POST', '/user/repos', { name: 'empty' })).status, 201)
  const to = join(folder, 'all')
  const { code, stdout } = await runCommand(forge.world, ['export', 'ann', to])
  assert.deepEqual([code, stdout], [0, '{"repository":"empty"}\n{"repository":"site"}\n'])
  const manifest = JSON.parse(await readFile(join(to, 'export.json'), 'utf8'))
  assert.deepEqual(manifest.repositories, ['empty', 'site'])
  assert.equal((await readdir(join(to, 'repositories/empty'))).includes('code.bundle'), false)
})

test('the number of statements for a page of records does not grow with its records', async () => {
  const owner = must(await findAccount(forge.db, 'ann'), 'ann')
  const actor = { ...actorOf(owner, { publicOnly: false, via: 'process', tokenId: null }), isAdmin: true }
  const ctx = { ...forge.ctx, actor }
  const api = new InProcessApi({ routes, internalOperations: [] }).as(ctx, { does: [] }) as Operations
  const count = (to: string) => {
    const order = { owner, name: 'empty', folder: join(folder, to), api, tell: assert.fail }
    return forge.countQueries(() => exportRepositories(ctx, order))
  }
  const open = async (n: number) => {
    const at = '/repos/ann/empty/issues'
    const { body } = await forge.call('bob', 'POST', at, { title: `${n}`, body: 'text' })
    const { body: said } = await forge.call('ann', 'POST', `${at}/${body.number}/comments`, { body: 'said' })
    for (const place of [`${at}/${body.number}`, `${at}/comments/${said.id}`])
      await ok(forge, 'ann', 'POST', `${place}/reactions`, { content: 'eyes' })
    await ok(forge, 'ann', 'POST', `${at}/${body.number}/times`, { time: n })
    const first = { owner: 'ann', repo: 'empty', index: 1 }
    if (n > 1) await ok(forge, 'ann', 'POST', `${at}/${body.number}/dependencies`, first)
  }
  assert.equal((await forge.call('ann', 'PATCH', '/repos/ann/empty', { private: false })).status, 200)
  await open(1)
  const one = await count('one')
  for (let n = 2; n <= 20; n++) await open(n)
  assert.equal(await count('twenty'), one)
  const text = await readFile(join(folder, 'twenty/repositories/empty/comments.jsonl'), 'utf8')
  assert.equal(text.trimEnd().split('\n').length, 20)
  assert.equal(JSON.parse(text.split('\n')[0] ?? '').reactions[0].content, 'eyes')
  const times = await readFile(join(folder, 'twenty/repositories/empty/times.jsonl'), 'utf8')
  assert.equal(times.trimEnd().split('\n').length, 20)
})

test('mistakes are one line', async () => {
  const full = join(folder, 'full')
  await mkdir(full)
  await writeFile(join(full, 'mine.txt'), 'mine')
  for (const [words, line] of [
    [['export', 'nobody', join(folder, 'x')], /^error: user nobody does not exist$/],
    [['export', 'ann/nothing', join(folder, 'x')], /^error: repository ann\/nothing does not exist$/],
    [['export', 'ann/site', full], /^error: the folder .*full is not empty; name a new one$/],
    [
      ['export', 'ann/site', join(full, 'mine.txt')],
      /^error: cannot use the folder .* \(EEXIST\); name a new one$/,
    ],
  ] as const) {
    const { code, stderr } = await runCommand(forge.world, words)
    assert.equal(code, 1)
    assert.match(stderr.trimEnd(), line)
  }
})

/** What only administrators or the viewer see of people depends on who asks. */
function withoutPeople(record: unknown): unknown {
  return JSON.parse(JSON.stringify(record), (_key, value) =>
    value !== null && typeof value === 'object' && 'login_name' in value ? value.login : value,
  )
}
