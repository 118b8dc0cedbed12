/** Job tokens: limited to one repository, to their permissions, and to the lifetime of the task. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { findAccount } from '#domains/people/users'
import { transact } from '#platform/context'
import { must } from '#platform/must'
import { type Forge, GitClient, startForge } from '#testing'
import { issueJobToken, type JobGrant, revokeJobTokens } from './job-tokens.ts'

/** The contract of all served operations, written by `npm run contract`. */
const CONTRACT = new URL('../../../../../contract/openapi.json', import.meta.url)

let forge: Forge
const ids: Record<string, number> = {}
before(async () => {
  forge = await startForge({ config: { 'log.level': 'silent' } })
  await forge.person('ann')
  for (const [name, isPrivate] of [
    ['site', true],
    ['other', false],
    ['vault', true],
  ] as const) {
    const { body } = await forge.call('ann', 'POST', '/user/repos', {
      name,
      private: isPrivate,
      auto_init: true,
    })
    ids[name] = body.id
  }
})
after(() => forge[Symbol.asyncDispose]())

let tasks = 0
/** Inserts a running task with the columns that its token needs. */
async function token(
  permissions: JobGrant['permissions'],
  repositoryId = ids.site ?? 0,
): Promise<{ token: string; taskId: number }> {
  const repository = sql.lit(repositoryId)
  const { rows } = await sql<{ id: number }>`
    with run as (insert into action_run (repository_id, number, title, workflow_file, workflow_path, workflow, event,
        payload, ref, head_sha, status, created_at, updated_at)
      values (${repository}, ${sql.lit(++tasks)}, '', '', '', '', 'push', '{}', '', '', 'running', now(), now())
      returning id),
    job as (insert into action_job (run_id, attempt, repository_id, key, name, status, created_at, updated_at)
      select id, 1, ${repository}, '', '', 'running', now(), now() from run returning id)
    insert into action_task (job_id, repository_id, runner_name, status, heard_at, started_at)
    select id, ${repository}, '', 'running', now(), now() from job returning id`.execute(forge.db)
  const taskId = rows[0]?.id ?? 0
  const grant = { task_id: taskId, repository_id: repositoryId, permissions }
  return { token: await transact(forge.ctx, (ctx) => issueJobToken(ctx, grant)), taskId }
}

const call = (
  token: string,
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
) => forge.call(null, method, path, body, { authorization: `token ${token}` })

test('a job reads and writes within its permissions in its own repository, as gitea-actions', async () => {
  const { token: bearer } = await token({ code: 'read', issues: 'write' })
  assert.equal((await call(bearer, 'GET', '/repos/ann/site/branches')).status, 200)
  const { status, body } = await call(bearer, 'POST', '/repos/ann/site/issues', { title: 'found by a job' })
  assert.equal(status, 201)
  assert.equal(body.user.login, 'gitea-actions')
  const file = { content: 'YQ==', message: 'by a job' }
  assert.equal((await call(bearer, 'POST', '/repos/ann/site/contents/a.txt', file)).status, 403)
  assert.equal((await call(bearer, 'GET', '/repos/ann/site/releases')).status, 403)
})

const ELSEWHERE = [
  ['GET', '/repos/ann/other', 404],
  ['GET', '/repos/ann/vault', 404],
  ['POST', '/repos/ann/other/issues', 404],
  ['POST', '/repos/ann/site/forks', 403],
  ['DELETE', '/repos/ann/site', 403],
  ['PATCH', '/repos/ann/site', 403],
  ['PUT', '/repos/ann/site/actions/secrets/KEY', 403],
  ['POST', '/repos/ann/site/keys', 403],
  ['PUT', '/repos/ann/site/collaborators/ann', 403],
  ['POST', '/user/repos', 403],
  ['POST', '/user/keys', 403],
  ['POST', '/users/gitea-actions/tokens', 403],
  ['POST', '/orgs', 403],
  ['PUT', '/user/starred/ann/site', 403],
  ['GET', '/admin/users', 403],
] as const
for (const [method, path, status] of ELSEWHERE)
  test(`a job with every permission gets ${status} for ${method} ${path}`, async () => {
    const { token: bearer } = await token({
      code: 'write',
      issues: 'write',
      actions: 'write',
      packages: 'write',
    })
    const given = { title: 'x', name: 'x', username: 'x', data: 'x', key: 'x', scopes: ['all'] }
    const reply = await call(bearer, method, path, method === 'GET' ? undefined : given)
    assert.equal(reply.status, status, JSON.stringify(reply.body))
  })

test('a job can push to its own repository only, and not after it has ended', async () => {
  const { token: bearer, taskId } = await token({ code: 'write' })
  await using client = await GitClient.open(forge, 'ann', 'ann/site')
  const at = (path: string) => `${forge.base.replace('://', `://x:${bearer}@`)}/${path}.git`
  await client.commit('a.txt', 'a')
  assert.equal((await client.run('push', at('ann/site'), 'main:by-job')).code, 0)
  assert.notEqual((await client.run('push', at('ann/other'), 'main:by-job')).code, 0)
  assert.notEqual((await client.run('fetch', at('ann/vault'))).code, 0)
  await transact(forge.ctx, (ctx) => revokeJobTokens(ctx, [taskId]))
  assert.notEqual((await client.run('push', at('ann/site'), 'main:later')).code, 0)
  assert.equal((await call(bearer, 'GET', '/repos/ann/site')).status, 401)
  assert.equal((await call(bearer, 'GET', '/user')).status, 401)
})

const READS = {
  code: 'read',
  issues: 'read',
  pulls: 'read',
  releases: 'read',
  wiki: 'read',
  projects: 'read',
  packages: 'read',
  actions: 'read',
} as const

test('a read-only job cannot write, even where users with read access may comment and open issues', async () => {
  const root = '/repos/ann/site'
  const file = { content: 'YQ==', message: 'm', branch: 'main', new_branch: 'topic' }
  assert.equal((await forge.call('ann', 'POST', `${root}/contents/topic.txt`, file)).status, 201)
  assert.equal((await forge.call('ann', 'POST', `${root}/issues`, { title: 'one' })).status, 201)
  const pull = { title: 'two', head: 'topic', base: 'main' }
  const { number } = (await forge.call('ann', 'POST', `${root}/pulls`, pull)).body
  const comment = (await forge.call('ann', 'POST', `${root}/issues/${number}/comments`, { body: 'x' })).body
  const { token: bearer } = await token(READS)
  for (const [path, body] of [
    ['issues', { title: 'x' }],
    [`issues/${number}/comments`, { body: 'x' }],
    [`issues/${number}/reactions`, { content: '+1' }],
    [`issues/comments/${comment.id}/reactions`, { content: '+1' }],
    [`pulls/${number}/reviews`, { event: 'COMMENT', body: 'x' }],
    [`pulls/${number}/reviews`, { event: 'APPROVED', body: 'x' }],
    ['pulls', { ...pull, base: 'topic', head: 'main' }],
    ['forks', {}],
  ] as const)
    assert.equal((await call(bearer, 'POST', `${root}/${path}`, body)).status, 403, `${path}`)
  await using client = await GitClient.open(forge, 'ann', 'ann/site')
  await client.ok('fetch', '--quiet', 'origin')
  await client.ok('checkout', '--quiet', '-B', 'mine', 'origin/main')
  await client.commit('b.txt', 'b')
  const at = `${forge.base.replace('://', `://x:${bearer}@`)}/ann/site.git`
  assert.notEqual((await client.run('push', at, 'HEAD:refs/for/main/by-job')).code, 0)
})

test('a job with write access to pull requests can comment on one but not approve or reject it', async () => {
  const { number } = (await forge.call('ann', 'GET', '/repos/ann/site/pulls')).body[0]
  const { token: bearer } = await token({ code: 'read', pulls: 'write' })
  const review = (event: string) =>
    call(bearer, 'POST', `/repos/ann/site/pulls/${number}/reviews`, { event, body: 'x' })
  assert.equal((await review('COMMENT')).status, 200)
  assert.equal((await review('APPROVED')).status, 403)
  assert.equal((await review('REQUEST_CHANGES')).status, 403)
})

test('every writing operation of a repository is refused for a read-only job', async (t) => {
  const { token: bearer } = await token(READS)
  const { paths } = JSON.parse(await readFile(CONTRACT, 'utf8'))
  const values: Record<string, string> = { owner: 'ann', repo: 'site', branch: 'main', user: 'ann' }
  const asked: string[] = []
  for (const [path, operations] of Object.entries(paths as Record<string, object>))
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const) {
      if (!path.startsWith('/repos/{owner}/{repo}') || !(method.toLowerCase() in operations)) continue
      const filled = path.replace(/\{([^}]+)\}/g, (_, name: string) => values[name] ?? '1')
      const given = { title: 'x', name: 'x', body: 'x', content: 'YQ==', message: 'm', event: 'COMMENT' }
      const { status } = await call(bearer, method, filled, method === 'DELETE' ? undefined : given)
      asked.push(`${method} ${path}`)
      assert.ok(status >= 400, `${method} ${filled} answered ${status}`)
    }
  assert.ok(asked.length > 150, 'the document lists what can be written')
  t.diagnostic(`${asked.length} operations`)
})

test('a job with write access to packages publishes for the owner of its repository only', async () => {
  await forge.person('bob')
  const put = async (bearer: string, path: string) => {
    const headers = { authorization: `token ${bearer}`, 'content-type': 'application/octet-stream' }
    const url = `${forge.base}/api/packages/${path}/generic/tool/1/tool.bin`
    return (await fetch(url, { method: 'PUT', headers, body: 'bytes' })).status
  }
  const [writer, reader] = [
    await token({ packages: 'write' }),
    await token({ packages: 'read', code: 'write' }),
  ]
  assert.equal(await put(reader.token, 'ann'), 401)
  assert.equal(await put(writer.token, 'bob'), 401)
  assert.equal(await put(writer.token, 'ann'), 201)
  await transact(forge.ctx, (ctx) => revokeJobTokens(ctx, [writer.taskId]))
  assert.equal(await put(writer.token, 'ann'), 401)
})

test('a job can write only those packages of an organization that are linked to its repository', async () => {
  for (const login of ['olga', 'wes']) await forge.person(login)
  await forge.call('olga', 'POST', '/orgs', { username: 'guild', visibility: 'private' })
  const made = { name: 'forge', auto_init: true, private: true }
  const { body } = await forge.call('olga', 'POST', '/orgs/guild/repos', made)
  const { token: bearer } = await token({ packages: 'write' }, body.id)
  const send = async (authorization: string, method: string, name: string, version: string) => {
    const url = `${forge.base}/api/packages/guild/generic/${name}/${version}/a.bin`
    const headers = { authorization, 'content-type': 'application/octet-stream' }
    return (await fetch(url, { method, headers, ...(method === 'PUT' && { body: version }) })).status
  }
  const olga = `token ${forge.tokenOf('olga')}`
  const job = `token ${bearer}`
  assert.equal(await send(olga, 'PUT', 'genuine', '1'), 201)
  assert.equal(await send(job, 'GET', 'genuine', '1'), 404)
  assert.equal(await send(job, 'PUT', 'genuine', '2'), 403)
  assert.equal(await send(job, 'DELETE', 'genuine', '1'), 404)
  assert.equal(await send(olga, 'GET', 'genuine', '1'), 200)
  // A package that a job publishes is linked to its repository, so the job can publish more versions.
  assert.equal(await send(job, 'PUT', 'own', '1'), 201)
  assert.equal(await send(job, 'PUT', 'own', '2'), 201)
  const shown = await forge.call('olga', 'GET', '/packages/guild/generic/own/1')
  assert.equal(shown.body.repository.full_name, 'guild/forge')
  const listed = await call(bearer, 'GET', '/packages/guild')
  assert.deepEqual(
    listed.body.map((it: { name: string; version: string }) => `${it.name} ${it.version}`),
    ['own 2', 'own 1'],
  )
  assert.equal(await send(job, 'DELETE', 'own', '1'), 204)
  // Unlinking the package removes the job's access.
  assert.equal((await forge.call('olga', 'POST', '/packages/guild/generic/own/-/unlink')).status, 204)
  assert.equal(await send(job, 'PUT', 'own', '3'), 403)
})

test('the image catalog shows a job public images and those linked to its repository', async () => {
  await forge.person('lim', { visibility: 'limited' })
  await forge.person('shy', { visibility: 'private' })
  const { body: site } = await forge.call('ann', 'GET', '/repos/ann/site')
  const image = async (owner: string, name: string, repository_id: number | null) => {
    const { id: owner_id } = must(await findAccount(forge.db, owner), owner)
    const facts = { type: 'container' as const, name, name_key: name, created_at: forge.ctx.now() }
    await forge.db
      .insertInto('package')
      .values({ owner_id, repository_id, ...facts })
      .execute()
  }
  await image('ann', 'open', null)
  await image('lim', 'limited', null)
  await image('shy', 'linked', site.id)
  await image('shy', 'other', null)
  const names = async (permissions: JobGrant['permissions']) =>
    (await call((await token(permissions)).token, 'GET', '//v2/_catalog')).body.repositories
  assert.deepEqual(await names({ packages: 'read' }), ['ann/open', 'shy/linked'])
  assert.deepEqual(await names({ code: 'read' }), ['ann/open'])
})
