/** What `bloomery export` wrote, `bloomery import` reads into another forge: answer by answer and ref by ref. */
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type Forge, startForge } from '#testing'
import { runCommand } from '#testing/run-command'
import { get } from '#testing/slices/lfs'
import { type Grown, grow } from './grow-repository.ts'

let folder: string
let source: Forge
let forge: Forge
let grown: Grown
let site: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bloomery-round-'))
  source = await startForge()
  forge = await startForge()
  grown = await grow(source)
  site = join(folder, 'site')
  await run(source, ['export', 'ann/site', site])
  for (const name of ['ann', 'bob', 'carol']) await forge.person(name, { full_name: `${name} Example` })
  // The ids of people differ between the forges.
  await run(forge, ['import', site, '--people', 'by-login'])
  await forge.runJobs()
})
after(async () => {
  await forge?.[Symbol.asyncDispose]()
  await source?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

async function run(on: Forge, words: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runCommand(on.world, words, { 'http.url': on.world.site.url })
  assert.equal(code, 0, stderr)
  return stdout
}

/** Without what another forge gives anew, or does not get (docs/export.md). */
const ANEW =
  /^(?:id|uuid|download_count|content_version|original_url|size|official|pull_request_review_id|watchers_count)$/
function comparable(record: unknown): unknown {
  return JSON.parse(JSON.stringify(record), (key, value) => {
    if (key === 'browser_download_url') return ''
    if (ANEW.test(key)) return undefined
    if (typeof value === 'string')
      return value.replaceAll(/#(?:issuecomment|issue|pullrequestreview)-\d+/g, '#')
    return value === null || typeof value !== 'object' ? value : kept(value)
  })
}

function kept(value: Record<string, unknown>): unknown {
  if ('login_name' in value) return value.login
  // Files, protections and the repository are made when they are imported.
  if (['browser_download_url', 'name_pattern', 'rule_name', 'clone_url'].some((field) => field in value))
    return { ...value, created_at: '', updated_at: '' }
  // Ids and addresses of boards are new.
  if ('template_type' in value) return { ...value, repo_id: 0, creator_id: 0, html_url: '' }
  if ('mergeable' in value) return keptOfPull(value as unknown as Pull)
  return value
}

interface Pull {
  readonly state: string
  readonly mergeable: boolean
  readonly head: { readonly ref: string; readonly sha: string; readonly repo: unknown }
}

/** Neither requests for reviews, nor of what is closed the mergeability and the place of a branch that is gone. */
function keptOfPull(pull: Pull): unknown {
  const { head } = pull
  const place = head.ref.startsWith('refs/') ? head.sha : head
  return {
    ...pull,
    requested_reviewers: [],
    mergeable: pull.state === 'open' && pull.mergeable,
    head: place,
  }
}

const byText = (a: unknown, b: unknown) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)
async function list(from: Forge, path: string, as = 'ann') {
  const { status, body } = await from.call(as, 'GET', `/repos/ann/site${path}`)
  assert.equal(status, 200, `${path} ${JSON.stringify(body)}`)
  return body
}

for (const path of [
  '',
  '/topics',
  '/labels',
  '/milestones?state=all',
  '/issues?state=all',
  '/issues/comments',
  '/pulls?state=all',
  '/pulls/5',
  '/pulls/4/reviews',
  '/pulls/5/reviews',
  '/releases',
  '/branch_protections',
  '/tag_protections',
  '/collaborators',
  '/branches',
  '/tags',
  '/git/refs',
  '/wiki/pages',
])
  test(`GET /repos/ann/site${path} answers the same`, async () => {
    const [there, here] = await Promise.all([list(source, path), list(forge, path)])
    const sorted = (body: unknown) => {
      const it = comparable(body)
      return Array.isArray(it) ? it.sort(byText) : it
    }
    assert.deepEqual(sorted(here), sorted(there))
  })

test('remarks on lines come with their reviews', async () => {
  const remarks = async (from: Forge) => {
    const [{ id }] = await list(from, '/pulls/4/reviews')
    return comparable(await list(from, `/pulls/4/reviews/${id}/comments`))
  }
  assert.deepEqual(await remarks(forge), await remarks(source))
})

test('the bytes of attachments, release files and Git LFS objects come', async () => {
  const [issue] = (await list(forge, '/issues?state=all')).filter((it: { number: number }) => it.number === 1)
  const [release] = (await list(forge, '/releases')).filter(
    (it: { tag_name: string }) => it.tag_name === 'v1',
  )
  const comments = await list(forge, '/issues/comments')
  const [said] = comments.filter((it: { body: string }) => it.body === 'hello')
  for (const [record, text] of [
    [issue, 'of an issue'],
    [said, 'of a comment'],
    [release, 'of a release'],
  ] as const) {
    const { uuid } = record.assets[0]
    const { status, body } = await forge.call('ann', 'GET', `//attachments/${uuid}`)
    assert.deepEqual([status, body], [200, text])
  }
  assert.deepEqual((await get(forge, 'ann', 'ann/site', grown.lfs.oid)).bytes, grown.lfs.bytes)
})

test('new issues continue the numbers', async () => {
  const { body } = await forge.call('ann', 'POST', '/repos/ann/site/issues', { title: 'new' })
  const all = await list(source, '/issues?state=all')
  assert.equal(body.number, Math.max(...all.map((it: { number: number }) => it.number)) + 1)
  await forge.call('ann', 'DELETE', `/repos/ann/site/issues/${body.number}`)
})

test('an export of the imported repository has the same records', async () => {
  const again = join(folder, 'again')
  await run(forge, ['export', 'ann/site', again])
  for (const kind of KINDS) {
    const read = async (at: string) => (await linesOf(at, kind)).map(comparable).sort(byText)
    const wanted = await read(site)
    assert.ok(wanted.length > 0, kind)
    assert.deepEqual(await read(again), wanted, kind)
  }
  assert.deepEqual(await cardsOf(again), await cardsOf(site))
})

const KINDS = [
  'labels',
  'milestones',
  'issues',
  'comments',
  'pulls',
  'reviews',
  'releases',
  'times',
  'dependencies',
  'projects',
]

async function linesOf(at: string, kind: string) {
  const text = await readFile(join(at, 'repositories/site', `${kind}.jsonl`), 'utf8')
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

/** With titles in the place of ids. */
async function cardsOf(at: string) {
  const projects = await linesOf(at, 'projects')
  const cards = await linesOf(at, 'cards')
  return cards
    .map(({ project, column, number, sorting }) => {
      const { title, columns } = projects.find(({ id }) => id === project)
      const { title: place } = columns.find(({ id }: { id: number }) => id === column)
      return `${title} ${place} ${number} ${sorting}`
    })
    .sort()
}

test('reactions, pins, times, dependencies and boards are those of the source', async () => {
  const reactions = await list(forge, '/issues/1/reactions')
  assert.deepEqual(
    reactions.map((it: { user: { login: string }; content: string }) => [it.user.login, it.content]),
    [['bob', 'heart']],
  )
  const [said] = (await list(forge, '/issues/comments')).filter((it: { body: string }) => it.body === 'hello')
  assert.equal((await list(forge, `/issues/comments/${said.id}/reactions`))[0].user.login, 'ann')
  const pinned = await list(forge, '/issues/pinned')
  assert.deepEqual(
    pinned.map(({ number }: { number: number }) => number),
    [3, 1],
  )
  const times = await list(forge, '/times')
  assert.deepEqual(
    times.map((it: { issue: { number: number }; user_name: string; time: number }) => [
      it.issue.number,
      it.user_name,
      it.time,
    ]),
    [
      [1, 'bob', 90],
      [4, 'ann', 30],
    ],
  )
  const blockers = await list(forge, '/issues/1/dependencies')
  assert.deepEqual(blockers.map(({ number }: { number: number }) => number).sort(), [3, 4])
  const [past, plan] = await list(forge, '/projects?state=all')
  assert.deepEqual(
    [past.state, plan.title, plan.num_open_issues, plan.num_closed_issues],
    ['closed', 'Plan', 1, 2],
  )
  assert.deepEqual(await cardsOf(site), ['Plan Gone 3 0', 'Plan Gone 5 1', 'Plan To Do 1 0'])
  const rules = await forge.db
    .selectFrom('project_rule')
    .select('event')
    .where('project_id', '=', plan.id)
    .execute()
  assert.deepEqual(rules, [{ event: 'merged' }])
})

test('dependencies on another repository come when it is in the same export, and are counted otherwise', async () => {
  for (const name of ['one', 'two']) {
    assert.equal((await source.call('bob', 'POST', '/user/repos', { name })).status, 201)
    assert.equal((await source.call('bob', 'POST', `/repos/bob/${name}/issues`, { title: name })).status, 201)
  }
  const other = { owner: 'bob', repo: 'two', index: 1 }
  assert.equal((await source.call('bob', 'POST', '/repos/bob/one/issues/1/dependencies', other)).status, 201)
  const alone = await runCommand(source.world, ['export', 'bob/one', join(folder, 'one')])
  assert.match(alone.stderr, /^bob\/one: 1 dependencies on other repositories are left out$/m)
  await run(source, ['export', 'bob', join(folder, 'both')])
  await run(forge, ['import', join(folder, 'both'), '--into', 'carol'])
  const { body } = await forge.call('carol', 'GET', '/repos/carol/one/issues/1/dependencies')
  assert.deepEqual(
    body.map((it: { title: string; repository: { full_name: string } }) => [
      it.title,
      it.repository.full_name,
    ]),
    [['two', 'carol/two']],
  )
})

test('after an interruption the repositories that are missing are imported', async () => {
  const both = join(folder, 'both')
  assert.equal((await forge.call('carol', 'DELETE', '/repos/carol/two')).status, 204)
  const refused = await runCommand(forge.world, ['import', both, '--into', 'carol'])
  assert.match(refused.stderr, /carol\/one: .*already exists/)
  const { stdout, stderr } = await runCommand(forge.world, ['import', both, '--into', 'carol', '--missing'])
  assert.equal(stdout, '{"repository":"carol/two"}\n')
  assert.match(stderr, /^carol\/one: is there already$/m)
  assert.match(stderr, /^imported 1 repositories$/m)
})

test('people who were not matched stay as names, and others can be matched one by one', async () => {
  const { stdout, stderr } = await runCommand(forge.world, [
    'import',
    site,
    '--into',
    'carol',
    '--as',
    'bob=carol',
  ])
  assert.equal(stdout, '{"repository":"carol/site"}\n')
  // Both are of ann.
  assert.match(
    stderr,
    /^carol\/site: 1 reactions, 1 tracked times of people or issues that are not here are left out$/m,
  )
  const { body } = await forge.call('carol', 'GET', '/repos/carol/site/issues?state=all')
  const people = body.map((it: { number: number; user: { login: string }; original_author: string }) => [
    it.number,
    it.user.login,
    it.original_author,
  ])
  assert.deepEqual(people.sort(), [
    [1, 'Ghost', 'ann'],
    [3, 'carol', ''],
    [4, 'Ghost', 'ann'],
    [5, 'carol', ''],
    [6, 'Ghost', 'ann'],
  ])
  const browser = await forge.browserOf('carol')
  assert.match((await browser.get('/carol/site/releases')).text, / ann<\/span>/)
  await run(forge, ['export', 'carol/site', join(folder, 'carols')])
  const releases = await linesOf(join(folder, 'carols'), 'releases')
  assert.deepEqual(
    releases.map(({ author, original_author }) => [author.login, original_author]),
    [
      ['carol', 'ann'],
      ['carol', 'ann'],
    ],
  )
  const { body: rule } = await forge.call('carol', 'GET', '/repos/carol/site/branch_protections/release%2F*')
  assert.deepEqual([rule.enable_push_whitelist, rule.push_whitelist_usernames], [true, []])
})
