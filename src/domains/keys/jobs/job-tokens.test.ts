/** Tokens of jobs: one repository, no more than their permissions, and nothing once the task has ended. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { transact } from '#platform/context'
import { type Forge, GitClient, startForge } from '#testing'
import { issueJobToken, type JobGrant, revokeJobTokens } from './job-tokens.ts'

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
/** A task that runs, as far as its token needs one. */
async function token(permissions: JobGrant['permissions']): Promise<{ token: string; taskId: number }> {
  const repository = sql.lit(ids.site ?? 0)
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
  const grant = { task_id: taskId, repository_id: ids.site ?? 0, permissions }
  return { token: await transact(forge.ctx, (ctx) => issueJobToken(ctx, grant)), taskId }
}

const call = (
  token: string,
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
) => forge.call(null, method, path, body, { authorization: `token ${token}` })

test('a job reads and writes what it was granted in its own repository, as gitea-actions', async () => {
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

test('a job pushes to its own repository and to no other, and to none when it has ended', async () => {
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

test('a job publishes packages for the owner of its repository, if it was granted that, and for nobody else', async () => {
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
