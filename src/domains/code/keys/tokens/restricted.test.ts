/** Restricted access tokens over REST and git: what each limit stops, and the tokens that tokens make. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { setPassword } from '#domains/people/users'
import { type Forge, GitClient, type Reply, startForge } from '#testing'

const CONTRACT = new URL('../../../../../contract/openapi.json', import.meta.url)
const PASSWORD = 'a long password'
const basic = (login: string, password = PASSWORD) => ({
  authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`,
})

let forge: Forge
const ids: Record<string, number> = {}
before(async () => {
  forge = await startForge({ config: { 'log.level': 'silent' } })
  for (const login of ['ann', 'bob', 'root'])
    await setPassword(forge.ctx, await forge.person(login, { is_admin: login === 'root' }), PASSWORD)
  ids.guild = (await forge.call('bob', 'POST', '/orgs', { username: 'guild' })).body.id
  ids.ann = (await forge.call('ann', 'GET', '/user')).body.id
  for (const [as, owner, repo] of [
    ['ann', 'ann', 'site'],
    ['ann', 'ann', 'vault'],
    ['bob', 'guild', 'lab'],
  ] as const) {
    const facts = { name: repo, private: true, auto_init: true, default_branch: 'main' }
    const made = await forge.call(as, 'POST', owner === as ? '/user/repos' : `/orgs/${owner}/repos`, facts)
    ids[`${owner}/${repo}`] = made.body.id
  }
  await forge.call('ann', 'POST', '/repos/ann/site/issues', { title: 'mine' })
  await forge.call('ann', 'POST', '/repos/ann/vault/issues', { title: 'elsewhere' })
})
after(() => forge[Symbol.asyncDispose]())

type Method = Parameters<Forge['call']>[1]
const by = (token: string, method: Method, path: string, body?: unknown, headers = {}) =>
  forge.call(null, method, path, body, { authorization: `token ${token}`, ...headers })

let made = 0
function create(limits: object, login = 'ann', scopes = ['all']): Promise<Reply> {
  return forge.call(
    null,
    'POST',
    `/users/${login}/tokens`,
    { name: `t${++made}`, scopes, ...limits },
    basic(login),
  )
}

async function tokenOf(limits: object, login = 'ann', scopes = ['all']): Promise<string> {
  const { status, body } = await create(limits, login, scopes)
  assert.equal(status, 201, JSON.stringify(body))
  return body.sha1
}

test('a token shows its limits, and one without limits has the fields of the reference alone', async () => {
  const narrow = await create({
    repository_ids: [ids['ann/site']],
    units_map: { 'repo.code': 'write', 'repo.issues': 'read' },
    refs: ['bot/*', 'refs/tags/v*'],
    addresses: ['127.0.0.0/8', '::1'],
    expires_at: '2100-01-01T00:00:00Z',
  })
  assert.equal(narrow.status, 201)
  const restriction = {
    places: [{ repository_ids: [ids['ann/site']], owner_ids: [] }],
    units_map: { 'repo.code': 'write', 'repo.issues': 'read' },
    refs: [['refs/heads/bot/*', 'refs/tags/v*']],
    addresses: [['127.0.0.0/8', '::1/128']],
  }
  assert.deepEqual(narrow.body.restriction, restriction)
  assert.equal(narrow.body.expires_at, '2100-01-01T00:00:00Z')
  const listed = await forge.call(null, 'GET', '/users/ann/tokens', undefined, basic('ann'))
  assert.deepEqual(listed.body[0].restriction, restriction)
  assert.deepEqual((await by(narrow.body.sha1, 'GET', '/token')).body.restriction, restriction)
  const plain = await create({})
  assert.deepEqual(Object.keys(plain.body).sort(), [
    'created_at',
    'id',
    'last_used_at',
    'name',
    'scopes',
    'sha1',
    'token_last_eight',
  ])
})

for (const [name, limits] of [
  ['a repository that does not exist', () => ({ repository_ids: [9_999_999] })],
  ["another user's private repository", () => ({ repository_ids: [ids['guild/lab']] })],
  ['an owner that is neither the user nor an organization of the user', () => ({ owner_ids: [ids.guild] })],
  ['an unknown unit', () => ({ units_map: { 'repo.gold': 'read' } })],
  ['no unit', () => ({ units_map: {} })],
  ['the level admin', () => ({ units_map: { 'repo.code': 'admin' } })],
  ['an invalid pattern', () => ({ refs: ['[a'] })],
  ['a pattern with a space', () => ({ refs: ['a b'] })],
  ['an invalid network', () => ({ addresses: ['10.0.0.0/33'] })],
  ['an end in the past', () => ({ expires_at: '2001-01-01T00:00:00Z' })],
  ['an end that is no time', () => ({ expires_at: 'tomorrow' })],
  ['101 repositories', () => ({ repository_ids: Array.from({ length: 101 }, () => ids['ann/site']) })],
] as const)
  test(`a token cannot be limited to ${name}`, async () => assert.equal((await create(limits())).status, 422))

for (const [method, path, body] of [
  ['POST', '/user/keys', { title: 'x', key: 'x' }],
  ['POST', '/users/ann/tokens', { name: 'wider', scopes: ['all'] }],
  ['PATCH', '/user/settings', { full_name: 'x' }],
  ['POST', '/user/repos', { name: 'new' }],
  ['POST', '/repos/ann/site/keys', { title: 'x', key: 'x' }],
  ['POST', '/repos/ann/site/forks', {}],
  ['PATCH', '/repos/ann/site', { private: false }],
  ['PUT', '/repos/ann/site/collaborators/bob', { permission: 'admin' }],
  ['POST', '/repos/ann/site/hooks', { type: 'gitea', config: {} }],
  ['DELETE', '/repos/ann/site', undefined],
  ['POST', '/user/applications/oauth2', { name: 'x', redirect_uris: ['https://x.test'] }],
] as const)
  test(`a token limited to a repository gets 403 for ${method} ${path}, also in HTTP Basic`, async () => {
    const token = await tokenOf({ repository_ids: [ids['ann/site']] })
    assert.equal((await by(token, method, path, body)).status, 403)
    assert.equal((await forge.call(null, method, path, body, basic('ann', token))).status, 403)
  })

test("an administrator's restricted token reaches neither administration nor sudo", async () => {
  const token = await tokenOf({ owner_ids: [(await forge.call('root', 'GET', '/user')).body.id] }, 'root')
  assert.equal((await by(token, 'GET', '/admin/users')).status, 403)
  assert.equal((await by(token, 'GET', '/user', undefined, { sudo: 'ann' })).status, 403)
  assert.equal((await by(token, 'GET', '/repos/ann/site')).status, 404)
  const ending = await tokenOf({ expires_at: '2100-01-01' }, 'root')
  assert.equal((await by(ending, 'GET', '/admin/users')).status, 200)
  assert.equal((await by(ending, 'GET', '/user', undefined, { sudo: 'ann' })).status, 403)
  assert.equal((await by(ending, 'POST', '/user/keys', { title: 'x', key: 'x' })).status, 403)
})

test('a token is refused from any address but its own, at every request', async () => {
  const elsewhere = await tokenOf({ addresses: ['192.0.2.0/24'] })
  const refused = await by(elsewhere, 'GET', '/repos/ann/site')
  assert.equal(refused.status, 403)
  assert.match(refused.body.message, /may not be used from this address/)
  const here = await tokenOf({ addresses: ['127.0.0.1', '::1'] })
  assert.equal((await by(here, 'GET', '/repos/ann/site')).status, 200)
})

/** The address of a repository with a token, for git. */
const remote = (token: string, path: string) => `${forge.base.replace('://', `://x:${token}@`)}/${path}.git`

test('a token pushes the refs that it names, and no other by any way', async () => {
  const token = await tokenOf({ repository_ids: [ids['ann/site']], refs: ['bot/*', 'refs/tags/v*'] })
  await using client = await GitClient.open(forge, 'ann', 'ann/site')
  await client.ok('pull', '--quiet', 'origin', 'main')
  const base = await client.remoteRef('refs/heads/main')
  await client.commit('a.txt', 'a')
  const push = (...specs: string[]) => client.run('push', '--porcelain', remote(token, 'ann/site'), ...specs)
  assert.equal((await push('HEAD:refs/heads/bot/a', 'HEAD:refs/tags/v1')).code, 0)
  for (const spec of [
    'HEAD:main',
    'HEAD:bot/a/b',
    'HEAD:other',
    'HEAD:refs/tags/x',
    'HEAD:refs/for/main/t',
    ':main',
  ]) {
    const { code, output } = await push(spec)
    assert.notEqual(code, 0, spec)
    assert.match(output, /token may not update this ref|refusing to delete/, spec)
  }
  const file = { content: 'YQ==', message: 'm' }
  assert.equal(
    (await by(token, 'POST', '/repos/ann/site/contents/b.txt', { ...file, branch: 'main' })).status,
    403,
  )
  assert.equal(
    (await by(token, 'POST', '/repos/ann/site/contents/b.txt', { ...file, branch: 'bot/a' })).status,
    201,
  )
  const branch = { new_branch_name: 'wild', old_branch_name: 'main' }
  assert.equal((await by(token, 'POST', '/repos/ann/site/branches', branch)).status, 403)
  const pull = await by(token, 'POST', '/repos/ann/site/pulls', { title: 'p', head: 'bot/a', base: 'main' })
  assert.equal(pull.status, 201)
  for (const body of [{ Do: 'merge' }, { Do: 'merge', merge_when_checks_succeed: true }]) {
    const merged = await by(token, 'POST', `/repos/ann/site/pulls/${pull.body.number}/merge`, body)
    assert.ok(merged.status === 405 || merged.status === 403, `${merged.status}`)
  }
  const queued = await by(token, 'POST', `/repos/ann/site/pulls/${pull.body.number}/queue`, {})
  assert.ok(queued.status >= 400, `${queued.status}`)
  const wiki = { title: 'Home', content_base64: 'YQ==' }
  assert.equal((await by(token, 'POST', '/repos/ann/site/wiki/new', wiki)).status, 403)
  await forge.runJobs()
  assert.equal(await client.remoteRef('refs/heads/main'), base)
})

test('a token that reads code fetches it and pushes nothing', async () => {
  const token = await tokenOf({ repository_ids: [ids['ann/site']], units_map: { 'repo.code': 'read' } })
  await using client = await GitClient.open(forge, 'ann', 'ann/site')
  await client.ok('fetch', '--quiet', remote(token, 'ann/site'), 'main')
  await client.ok('checkout', '--quiet', '-B', 'mine', 'FETCH_HEAD')
  await client.commit('c.txt', 'c')
  for (const spec of ['HEAD:main', 'HEAD:new', 'HEAD:refs/for/main/x'])
    assert.notEqual((await client.run('push', remote(token, 'ann/site'), spec)).code, 0, spec)
  assert.notEqual((await client.run('fetch', remote(token, 'ann/vault'))).code, 0)
  assert.notEqual((await client.run('fetch', remote(token, 'ann/site.wiki'))).code, 0)
})

test('commits that a restricted token pushes close no issue of another repository', async () => {
  const close = async (token: string, file: string) => {
    await using client = await GitClient.open(forge, 'ann', 'ann/site')
    await client.ok('pull', '--quiet', 'origin', 'main')
    await client.commit(file, 'x')
    await client.ok('commit', '--quiet', '--amend', '--message', `${file}: closes ann/vault#1`)
    await client.ok('push', '--quiet', remote(token, 'ann/site'), 'HEAD:main')
    await forge.runJobs()
    const timeline = await forge.call('ann', 'GET', '/repos/ann/vault/issues/1/timeline')
    return {
      state: (await forge.call('ann', 'GET', '/repos/ann/vault/issues/1')).body.state,
      entries: timeline.body.length,
    }
  }
  const narrow = await close(await tokenOf({ repository_ids: [ids['ann/site']] }), 'd.txt')
  assert.deepEqual(narrow, { state: 'open', entries: 0 })
  assert.equal((await close(forge.tokenOf('ann'), 'e.txt')).entries > 0, true)
})

test('a pull request that a restricted token merges closes no issue of another repository, and waits for nothing', async () => {
  const token = await tokenOf({ repository_ids: [ids['ann/site']] })
  await using client = await GitClient.open(forge, 'ann', 'ann/site')
  await client.ok('pull', '--quiet', 'origin', 'main')
  await client.commit('f.txt', 'f')
  await client.ok('commit', '--quiet', '--amend', '--message', 'f: closes ann/vault#2')
  await client.ok('push', '--quiet', remote(token, 'ann/site'), 'HEAD:refs/heads/closing')
  const { number } = (await forge.call('ann', 'POST', '/repos/ann/vault/issues', { title: 'stays' })).body
  assert.equal(number, 2)
  const root = '/repos/ann/site/pulls'
  const body = { title: 'p', body: 'closes ann/vault#2', head: 'closing', base: 'main' }
  const pull = await by(token, 'POST', root, body)
  assert.equal(pull.status, 201)
  await forge.runJobs()
  const merge = `${root}/${pull.body.number}/merge`
  const waiting = await by(token, 'POST', merge, { Do: 'merge', merge_when_checks_succeed: true })
  assert.ok(waiting.status >= 400, `${waiting.status}`)
  assert.equal((await by(token, 'POST', merge, { Do: 'merge' })).status, 200)
  await forge.runJobs()
  assert.equal((await forge.call('ann', 'GET', '/repos/ann/vault/issues/2')).body.state, 'open')
})

test('commits that a restricted token pushed close an issue of another repository if the merger may, and not else', async () => {
  const token = await tokenOf({ repository_ids: [ids['ann/site']] })
  await forge.person('merger')
  const added = await forge.call('ann', 'PUT', '/repos/ann/site/collaborators/merger', {
    permission: 'write',
  })
  assert.equal(added.status, 204)
  const stateAfterMerge = async (merger: string) => {
    const { number } = (await forge.call('ann', 'POST', '/repos/ann/vault/issues', { title: 'named' })).body
    const branch = `by-${merger}`
    await using client = await GitClient.open(forge, 'ann', 'ann/site')
    await client.ok('pull', '--quiet', 'origin', 'main')
    await client.commit(`${branch}.txt`, 'x')
    await client.ok('commit', '--quiet', '--amend', '--message', `closes ann/vault#${number}`)
    await client.ok('push', '--quiet', remote(token, 'ann/site'), `HEAD:refs/heads/${branch}`)
    const root = '/repos/ann/site/pulls'
    const pull = await by(token, 'POST', root, { title: 'p', head: branch, base: 'main' })
    await forge.runJobs()
    const merged = { Do: 'squash', MergeTitleField: 'squashed', MergeMessageField: 'without keywords' }
    const { status } = await forge.call(merger, 'POST', `${root}/${pull.body.number}/merge`, merged)
    assert.equal(status, 200)
    await forge.runJobs()
    return (await forge.call('ann', 'GET', `/repos/ann/vault/issues/${number}`)).body.state
  }
  assert.equal(await stateAfterMerge('merger'), 'open')
  assert.equal(await stateAfterMerge('ann'), 'closed')
})

test("every writing operation of a repository is refused for its owner's token that only reads", async (t) => {
  const names = ['code', 'issues', 'pulls', 'releases', 'wiki', 'projects', 'packages', 'actions']
  const units_map = Object.fromEntries(names.map((unit) => [`repo.${unit}`, 'read']))
  const token = await tokenOf({ repository_ids: [ids['ann/site']], units_map })
  const { paths } = JSON.parse(await readFile(CONTRACT, 'utf8'))
  const values: Record<string, string> = { owner: 'ann', repo: 'site', branch: 'main', user: 'ann' }
  const comment = await forge.call('ann', 'POST', '/repos/ann/site/issues/1/comments', { body: 'mine' })
  const before = await digest()
  let asked = 0
  for (const [path, operations] of Object.entries(paths as Record<string, object>))
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const) {
      if (!path.startsWith('/repos/{owner}/{repo}') || !(method.toLowerCase() in operations)) continue
      const id = path.includes('comments/{id}') ? String(comment.body.id) : '1'
      const filled = path.replace(/\{([^}]+)\}/g, (_, name: string) => values[name] ?? id)
      const given = {
        title: 'x',
        name: 'x',
        body: 'x',
        content: 'YQ==',
        message: 'm',
        event: 'COMMENT',
        state: 'closed',
      }
      const { status } = await by(token, method, filled, method === 'DELETE' ? undefined : given)
      asked++
      // The only writing method that reads: several files at once.
      const isRead = path.endsWith('/file-contents')
      assert.ok(status >= 400 || isRead, `${method} ${filled} answered ${status}`)
    }
  assert.ok(asked > 150)
  assert.equal(await digest(), before, 'rows changed')
  t.diagnostic(`${asked} operations`)
})

async function digest(): Promise<string> {
  const tables = [
    'repository',
    'issue',
    'issue_comment',
    'label',
    'milestone',
    'release',
    'watch',
    'git_storage',
  ]
  const parts = tables.map(
    (name) => sql`select coalesce(md5(string_agg(row::text, '|' order by row::text)), '') as digest
      from ${sql.table(name)} as row`,
  )
  const { rows } = await sql<{ digest: string }>`${sql.join(parts, sql` union all `)}`.execute(forge.db)
  return rows.map((row) => row.digest).join()
}

test('a token reaches an organization of its user until the user leaves it, and no longer', async () => {
  await forge.call('bob', 'POST', '/orgs/guild/teams', {
    name: 'all',
    permission: 'write',
    includes_all_repositories: true,
    units_map: { 'repo.code': 'write', 'repo.issues': 'write' },
  })
  const teams = (await forge.call('bob', 'GET', '/orgs/guild/teams')).body
  const team = teams.find((it: { name: string }) => it.name === 'all')
  assert.equal((await forge.call('bob', 'PUT', `/teams/${team.id}/members/ann`)).status, 204)
  const token = await tokenOf({ owner_ids: [ids.guild] })
  assert.equal((await by(token, 'GET', '/repos/guild/lab')).status, 200)
  assert.equal((await by(token, 'POST', '/repos/guild/lab/issues', { title: 'x' })).status, 201)
  const search = async () =>
    (await by(token, 'GET', '/repos/search')).body.data.map((it: { full_name: string }) => it.full_name)
  assert.deepEqual(await search(), ['guild/lab'])
  await forge.call('bob', 'DELETE', `/teams/${team.id}/members/ann`)
  assert.equal((await by(token, 'GET', '/repos/guild/lab')).status, 404)
  assert.equal((await by(token, 'POST', '/repos/guild/lab/issues', { title: 'x' })).status, 404)
  assert.deepEqual(await search(), [])
})

test('lists and totals count what a token names', async () => {
  const token = await tokenOf({ repository_ids: [ids['ann/site']] })
  const totals = async (token: string) =>
    Promise.all(
      ['/repos/search', '/user/repos', '/repos/issues/search?state=all', '/users/ann/repos'].map(
        async (path) => {
          const { headers, body } = await by(token, 'GET', path)
          return [headers.get('x-total-count'), (body.data ?? body).length]
        },
      ),
    )
  const issues = (await by(token, 'GET', '/repos/ann/site/issues?state=all&type=all')).body.length
  const one = ['1', 1]
  assert.deepEqual(await totals(token), [one, one, [String(issues), issues], one])
  const wiki = await tokenOf({ repository_ids: [ids['ann/site']], units_map: { 'repo.wiki': 'read' } })
  assert.deepEqual(await totals(wiki), [one, one, ['0', 0], one])
  const [all] = await totals(forge.tokenOf('ann'))
  assert.notDeepEqual(all, one)
})

test('a token follows its repository by id: a new repository of the old name is another', async () => {
  const old = await forge.call('ann', 'POST', '/user/repos', { name: 'moving', private: true })
  const token = await tokenOf({ repository_ids: [old.body.id] })
  await forge.call('ann', 'PATCH', '/repos/ann/moving', { name: 'moved' })
  await forge.call('ann', 'POST', '/user/repos', { name: 'moving', private: true })
  assert.equal((await by(token, 'GET', '/repos/ann/moving')).status, 404)
  assert.equal((await by(token, 'GET', '/repos/ann/moved')).status, 200)
})

const narrow = (token: string, body: object) =>
  by(token, 'POST', '/token/narrowed', { seconds: 600, ...body })

test('a token makes a smaller one of itself, which ends when it is revoked', async () => {
  const parent = await create({ repository_ids: [ids['ann/site'], ids['ann/vault']], refs: ['bot/**'] })
  const child = await narrow(parent.body.sha1, {
    repository_ids: [ids['ann/site']],
    refs: ['bot/x/*'],
    scopes: ['read:repository'],
  })
  assert.equal(child.status, 201)
  const { sha1 } = child.body
  assert.equal((await by(sha1, 'GET', '/repos/ann/site')).status, 200)
  assert.equal((await by(sha1, 'GET', '/repos/ann/vault')).status, 404)
  assert.equal((await by(sha1, 'POST', '/repos/ann/site/issues', { title: 'x' })).status, 403)
  assert.equal((await narrow(sha1, {})).status, 403, 'a made token makes none')
  const listed = await forge.call(null, 'GET', '/users/ann/tokens?limit=100', undefined, basic('ann'))
  assert.equal(
    listed.body.some((it: { id: number }) => it.id === child.body.id),
    false,
  )
  assert.equal(
    (await forge.call(null, 'DELETE', `/users/ann/tokens/${parent.body.id}`, undefined, basic('ann'))).status,
    204,
  )
  assert.equal((await by(sha1, 'GET', '/repos/ann/site')).status, 401)
})

for (const [name, body] of [
  ['another repository', () => ({ repository_ids: [ids['ann/vault']] })],
  ['an owner', () => ({ owner_ids: [ids.ann] })],
  ['a higher level', () => ({ units_map: { 'repo.code': 'write' } })],
  ['another unit', () => ({ units_map: { 'repo.wiki': 'read' } })],
  ['a wider pattern', () => ({ refs: ['**'] })],
  ['another ref', () => ({ refs: ['main'] })],
  ['a wider network', () => ({ addresses: ['0.0.0.0/0'] })],
  ['another address', () => ({ addresses: ['192.0.2.1'] })],
  ['another scope', () => ({ scopes: ['write:admin'] })],
] as const)
  test(`a token cannot make one with ${name}`, async () => {
    const limits = {
      repository_ids: [ids['ann/site']],
      units_map: { 'repo.code': 'read' },
      refs: ['bot/*'],
      addresses: ['127.0.0.0/8', '::1'],
    }
    const token = await tokenOf(limits, 'ann', ['write:repository'])
    const { status } = await narrow(token, body())
    assert.ok(status === 403 || status === 422, `${status}`)
    assert.equal((await narrow(token, {})).status, 201)
  })

test('a token has at most twenty tokens of its own, and none that outlives it', async () => {
  const soon = new Date(forge.ctx.now().getTime() + 300_000)
  const token = await tokenOf({ repository_ids: [ids['ann/site']], expires_at: soon.toISOString() })
  const made = await Promise.all(Array.from({ length: 25 }, () => narrow(token, { seconds: 3600 })))
  const statuses = made.map(({ status }) => status).sort()
  assert.deepEqual(statuses, [...Array(20).fill(201), ...Array(5).fill(429)])
  const child = made.find(({ status }) => status === 201)?.body
  assert.equal(child.expires_at, `${soon.toISOString().slice(0, 19)}Z`)
  forge.advance(301_000)
  assert.equal((await by(child.sha1, 'GET', '/repos/ann/site')).status, 401)
  assert.equal((await by(token, 'GET', '/repos/ann/site')).status, 401)
})
