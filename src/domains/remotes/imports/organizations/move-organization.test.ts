/** `bloomery move-in github` and `gitlab`: every repository of an organization, started once, private ones private. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { type Forge, GitClient, startForge } from '#testing'
import { runCommand } from '#testing/run-command'
import { ApiSource } from '#testing/slices/api-source'

let forge: Forge
let hub: ApiSource
let lab: ApiSource
let folder: string
before(async () => {
  forge = await startForge({ config: { 'log.level': 'silent', 'outbound.allow_private': true } })
  for (const name of ['ann', 'bob', 'eve', 'guest']) await forge.person(name)
  await forge.call('ann', 'POST', '/user/repos', { name: 'site' })
  await forge.call('bob', 'POST', '/orgs', { username: 'acme' })
  await using client = await GitClient.open(forge, 'ann', 'ann/site')
  await client.commit('a.txt', 'a')
  await client.ok('push', '--quiet', 'origin', 'main')
  hub = await ApiSource.open(forge.base, '/api/v3')
  lab = await ApiSource.open(forge.base, '/api/v4')
  folder = await mkdtemp(join(tmpdir(), 'bloomery-tokens-'))
  await writeFile(join(folder, 'tokens'), `${forge.tokenOf('ann')}\nsecond\n`)
})
after(async () => {
  for (const source of [hub, lab]) await source[Symbol.asyncDispose]()
  await forge[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

const NAMES = Array.from({ length: 60 }, (_, i) => `r${i}`)
beforeEach(() => {
  const repositories = NAMES.map((name, i) => ({
    name,
    full_name: `acme/${name}`,
    clone_url: `${hub.url}/acme/${name}.git`,
    private: i % 2 === 0,
    description: null,
    fork: false,
  }))
  const lists = ['labels', 'milestones', 'issues', 'issues/comments', 'pulls', 'pulls/comments', 'releases']
  const empty = NAMES.flatMap((name) => lists.map((list) => [`/repos/acme/${name}/${list}`, []]))
  hub.reset({ '/orgs/acme/repos': repositories, ...Object.fromEntries(empty) })
  hub.gitPaths = Object.fromEntries(NAMES.toReversed().map((name) => [`/acme/${name}.git`, '/ann/site.git']))
})

async function move(service: 'github' | 'gitlab', ...words: string[]) {
  const source = service === 'github' ? ['--api', `${hub.url}/api/v3`] : ['--api', `${lab.url}/api/v4`]
  const tokens = ['--token-file', join(folder, 'tokens')]
  const { code, stdout, stderr } = await runCommand(
    forge.world,
    ['move-in', service, ...tokens, ...source, ...words],
    { 'outbound.allow_private': 'true' },
  )
  const lines = stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
  return { code, stderr, repositories: lines.slice(0, -1), report: lines.at(-1) }
}
const TO_ACME = ['--organization', 'acme', '--into', 'acme', '--by', 'bob']
const countImports = async () => (await forge.db.selectFrom('import').select('id').execute()).length

test('a dry run lists all pages of repositories and starts nothing', async () => {
  const { code, repositories, report, stderr } = await move('github', ...TO_ACME, '--dry-run')
  assert.equal(code, 0, stderr)
  assert.deepEqual(report, { github: 'acme', into: 'acme', missing: 60 })
  assert.deepEqual(repositories[1], { repository: 'acme/r1', name: 'r1', private: false, state: 'missing' })
  assert.equal(await countImports(), 0)
})

test('each repository is started once, and what is there or waits is left alone', async () => {
  hub.records['/orgs/acme/repos'] = (hub.records['/orgs/acme/repos'] as object[]).slice(0, 3)
  hub.interrupt = (asked) =>
    asked.startsWith('/repos/acme/r1/') ? { status: 429, headers: { 'retry-after': '900' } } : undefined
  assert.deepEqual((await move('github', ...TO_ACME)).report, { github: 'acme', into: 'acme', started: 3 })
  await forge.runJobs()
  const again = await move('github', ...TO_ACME)
  assert.deepEqual(
    again.repositories.map(({ name, state }) => [name, state]),
    [
      ['r0', 'there'],
      ['r1', 'waiting'],
      ['r2', 'there'],
    ],
  )
  assert.ok(again.repositories[1].resumes_at)
  assert.equal(await countImports(), 3)
  hub.interrupt = () => undefined
  await forge.makeJobsDue()
  await forge.runJobs()
  for (const [name, isPrivate] of [
    ['r0', true],
    ['r1', false],
  ] as const) {
    const { status, body } = await forge.call('bob', 'GET', `/repos/acme/${name}`)
    assert.deepEqual([status, body.private], [200, isPrivate], name)
  }
  assert.ok(hub.secrets.includes('Bearer second'), 'the second token has its turns')
})

test('only an owner of the organization imports into it, and a limit says when to go on', async () => {
  const stranger = await move('github', '--organization', 'acme', '--into', 'acme', '--by', 'eve')
  assert.notEqual(stranger.code, 0)
  assert.match(stranger.stderr, /not owner of organization/)
  hub.interrupt = () => ({ status: 403, headers: { 'x-ratelimit-remaining': '0', 'retry-after': '77' } })
  const limited = await move('github', ...TO_ACME)
  assert.notEqual(limited.code, 0)
  assert.match(limited.stderr, /run the command again in 7\d seconds/)
  assert.equal(await countImports(), 3)
})

test('people are who the operator says they are, and those of the same login on demand', async () => {
  const [repository] = hub.records['/orgs/acme/repos'] as [object]
  const github = (id: number, login: string) => ({ id, login, type: 'User' })
  const issue = (number: number, login: string) => ({
    number,
    title: `Issue ${number}`,
    // A text names nobody.
    body: JSON.stringify({ login: 'eve' }),
    state: 'open',
    user: github(number, login),
    assignees: [github(1, 'Octocat')],
    labels: [],
  })
  for (const name of ['none', 'matched']) {
    hub.gitPaths[`/acme/${name}.git`] = '/ann/site.git'
    const lists = ['labels', 'milestones', 'issues/comments', 'pulls', 'pulls/comments', 'releases']
    for (const list of lists) hub.records[`/repos/acme/${name}/${list}`] = []
    hub.records[`/repos/acme/${name}/issues`] = [issue(1, 'octocat'), issue(2, 'Bob'), issue(3, 'stranger')]
  }
  const importAs = async (name: string, ...words: string[]) => {
    hub.records['/orgs/acme/repos'] = [{ ...repository, name, clone_url: `${hub.url}/acme/${name}.git` }]
    const { code, stderr } = await move('github', ...TO_ACME, ...words)
    assert.equal(code, 0, stderr)
    await forge.runJobs()
    const { status, body } = await forge.call('bob', 'GET', `/repos/acme/${name}/issues`)
    assert.equal(status, 200)
    return (body as { user: { login: string }; original_author: string; assignees: { login: string }[] }[])
      .map((it) => [it.user.login, it.original_author, ...it.assignees.map(({ login }) => login)].join(' '))
      .toSorted()
  }
  assert.deepEqual(await importAs('none'), ['Ghost Bob', 'Ghost octocat', 'Ghost stranger'])
  assert.deepEqual(await importAs('matched', '--as', 'octocat=ann', '--people', 'by-login'), [
    'Ghost stranger ann',
    'ann  ann',
    'bob  ann',
  ])
  const unknown = await move('github', ...TO_ACME, '--as', 'octocat=nobody')
  assert.notEqual(unknown.code, 0)
  assert.match(unknown.stderr, /user nobody does not exist/)
})

/** The report of an import that has ended. */
async function importOne(service: 'github' | 'gitlab', name: string, ...words: string[]) {
  const started = await move(service, ...words)
  assert.equal(started.code, 0, started.stderr)
  await forge.runJobs()
  const { repositories } = await move(service, ...words)
  const { state, left_out } = repositories[0]
  assert.equal(state, 'there')
  const get = async (path: string) => (await forge.call('bob', 'GET', `/repos/acme/${name}${path}`)).body
  const collaborators: Record<string, string> = {}
  for (const { login } of await get('/collaborators'))
    collaborators[login] = (await get(`/collaborators/${login}/permission`)).permission
  return { left_out, collaborators, rules: await get('/branch_protections') }
}

test('collaborators who are here keep their level, protections hold, and what is lacking is told', async () => {
  const [repository] = hub.records['/orgs/acme/repos'] as [object]
  hub.records['/orgs/acme/repos'] = [{ ...repository, name: 'ruled', clone_url: `${hub.url}/acme/ruled.git` }]
  hub.gitPaths['/acme/ruled.git'] = '/ann/site.git'
  const at = '/repos/acme/ruled'
  const lists = ['labels', 'milestones', 'issues', 'issues/comments', 'pulls', 'pulls/comments', 'releases']
  for (const list of lists) hub.records[`${at}/${list}`] = []
  const may = (id: number, login: string, ...permissions: string[]) => ({
    id,
    login,
    permissions: Object.fromEntries(permissions.map((it) => [it, true])),
  })
  hub.records[`${at}/collaborators`] = [
    may(1, 'octocat', 'admin', 'push', 'pull'),
    may(2, 'eve', 'push', 'pull'),
    may(3, 'stranger', 'push', 'pull'),
  ]
  hub.records[`${at}/branches`] = [{ name: 'main' }, { name: 'by-ruleset' }]
  hub.records[`${at}/branches/main/protection`] = {
    required_status_checks: { strict: true, contexts: ['ci/test'] },
    required_pull_request_reviews: { required_approving_review_count: 2, dismiss_stale_reviews: true },
    restrictions: { users: [{ login: 'eve' }, { login: 'stranger' }], teams: [], apps: [] },
    enforce_admins: { enabled: true },
    required_linear_history: { enabled: true },
  }
  const { left_out, collaborators, rules } = await importOne(
    'github',
    'ruled',
    ...TO_ACME,
    ...['--as', 'octocat=ann', '--people', 'by-login'],
  )
  assert.deepEqual(collaborators, { ann: 'admin', eve: 'write' })
  assert.deepEqual(left_out, {
    collaborators: ['stranger'],
    protections: ['main: required_linear_history', 'by-ruleset'],
  })
  const [rule] = rules
  assert.deepEqual(
    [rules.length, rule.rule_name, rule.enable_push, rule.required_approvals, rule.dismiss_stale_approvals],
    [1, 'main', false, 2, true],
  )
  assert.deepEqual(
    [rule.status_check_contexts, rule.block_on_outdated_branch, rule.block_admin_merge_override],
    [['ci/test'], true, true],
  )
  assert.deepEqual([rule.enable_merge_whitelist, rule.merge_whitelist_usernames], [true, ['eve']])
})

test('protected branches of GitLab become rules, and its guests do not collaborate', async () => {
  const at = '/projects/tools%2Fguarded'
  const lists = ['labels', 'milestones', 'issues', 'merge_requests', 'releases']
  const member = (id: number, username: string, access_level: number, more: object = {}) => ({
    id,
    username,
    access_level,
    state: 'active',
    expires_at: null,
    ...more,
  })
  const level = (access_level: number | null, more: object = {}) => ({ access_level, ...more })
  lab.reset({
    ...Object.fromEntries(lists.map((list) => [`${at}/${list}`, []])),
    '/groups/tools/projects': [
      {
        id: 1,
        path_with_namespace: 'tools/guarded',
        http_url_to_repo: `${lab.url}/tools/guarded.git`,
        visibility: 'private',
        description: null,
      },
    ],
    [`${at}/members`]: [member(1, 'ann', 40), member(2, 'eve', 30), member(3, 'guest', 10)],
    [`${at}/protected_branches`]: [
      {
        name: 'main',
        push_access_levels: [level(40)],
        merge_access_levels: [level(30)],
        allow_force_push: false,
      },
      {
        name: 'release/*',
        push_access_levels: [level(0)],
        merge_access_levels: [level(null, { user_id: 2 })],
        allow_force_push: true,
      },
    ],
  })
  lab.gitPaths = { '/tools/guarded.git': '/ann/site.git' }
  const words = ['--group', 'tools', '--into', 'acme', '--by', 'bob']
  const { left_out, collaborators, rules } = await importOne(
    'gitlab',
    'guarded',
    ...words,
    ...['--people', 'by-login'],
  )
  assert.deepEqual(left_out, { collaborators: ['guest'], protections: [] })
  assert.deepEqual(collaborators, { ann: 'admin', eve: 'write' })
  const pick = (it: Record<string, unknown>) => [
    it.rule_name,
    it.enable_push_whitelist ? it.push_whitelist_usernames : 'all',
    it.enable_merge_whitelist ? it.merge_whitelist_usernames : 'all',
  ]
  assert.deepEqual(rules.map(pick), [
    ['main', ['ann'], 'all'],
    ['release/**', [], ['eve']],
  ])
})

test('a group of GitLab comes with its subgroups, and what is not public is private', async () => {
  const project = (path: string, visibility: string) => ({
    id: 1,
    path_with_namespace: `Tools/${path}`,
    http_url_to_repo: `${lab.url}/tools/${path}.git`,
    visibility,
    description: 'A tool',
  })
  lab.reset({
    '/groups/tools/projects': [
      project('site', 'public'),
      project('a/site', 'internal'),
      project('b/site', 'private'),
      project('b/-', 'private'),
    ],
  })
  const { code, stderr, repositories } = await move(
    'gitlab',
    '--group',
    '/tools/',
    '--into',
    'bob',
    '--dry-run',
  )
  assert.equal(code, 0, stderr)
  assert.deepEqual(
    repositories.map(({ name, private: isPrivate, state }) => [name, isPrivate, state]),
    [
      ['site', false, 'missing'],
      ['a-site', true, 'missing'],
      ['b-site', true, 'missing'],
      ['b--', true, 'missing'],
    ],
  )
})
