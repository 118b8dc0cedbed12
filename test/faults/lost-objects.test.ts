/** Bytes that are missing from the object store although a row names them: a 5xx that says so, an error in the log, a count. */
import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, mock, test } from 'node:test'
import { symbols } from 'pino'
import type { Account } from '#domains/people/users'
import type { StorageId } from '#git'
import { type Forge, GitClient } from '#testing'
import { send } from '#testing/slices/packages'
import { makeRun, newJob, takeJob } from '#testing/slices/runs'
import { run, SshForge } from '#testing/ssh'

const PIXEL = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'
const WORDS = /stored object is missing/

let ssh: SshForge
let forge: Forge
let ann: Account
let repositoryId: number
const lines: Record<string, string>[] = []

before(async () => {
  ssh = await SshForge.open()
  forge = ssh.forge
  const { [symbols.streamSym]: stream } = forge.world.log as unknown as {
    [symbols.streamSym]: { write(line: string): void }
  }
  mock.method(stream, 'write', (line: string) => void lines.push(JSON.parse(line)))
  ann = await forge.person('ann')
  const key = await ssh.makeKey('ann')
  assert.equal((await forge.call('ann', 'POST', '/user/keys', { title: 'ann', key })).status, 201)
  const { body } = await forge.call('ann', 'POST', '/user/repos', { name: 'site', auto_init: true })
  repositoryId = body.id
})
after(() => ssh[Symbol.asyncDispose]())

/** Deletes everything below a prefix of the store, and the node's copies of it. */
async function lose(prefix: string): Promise<void> {
  await rm(join(forge.world.config['store.folder'], prefix), { recursive: true, force: true })
  await rm(forge.world.config['git.cache_folder'], { recursive: true, force: true })
  lines.length = 0
}

const countLost = async () =>
  Number(/^bloomery_lost_objects_total(?:\{.*\})? (\d+)/m.exec(await forge.world.telemetry.scrape())?.[1])

/** One line at `error` for each loss, which names the object and what it belongs to; nothing calls it not found. */
function assertLogged(key: RegExp, owner: RegExp): void {
  const errors = lines.filter(({ level }) => level === 'error')
  assert.ok(errors.length > 0)
  for (const line of errors) {
    assert.equal(line.msg, 'stored object is missing')
    assert.match(line['object.key'] ?? '', key)
    assert.match(line['object.owner'] ?? '', owner)
  }
}

test('a lost pack is a 5xx with words to REST and git, a line of words over SSH, and a count', async () => {
  const before = await countLost()
  const storage = await forge.db
    .selectFrom('repository')
    .select('storage_id')
    .where('id', '=', repositoryId)
    .executeTakeFirstOrThrow()
  await lose('git/packs')
  const rest = await forge.call('ann', 'GET', '/repos/ann/site/contents/README.md?ref=main')
  assert.equal(rest.status, 500)
  assert.match(rest.body.message, WORDS)
  const git = await run('git', ['clone', `${forge.base}/ann/site.git`, join(ssh.work, 'http')])
  assert.match(git.stderr, /HTTP 500/)
  const session = await ssh.git(
    'ann',
    ['clone', ssh.urlOf('ann', 'site'), join(ssh.work, 'ssh-clone')],
    ssh.work,
  )
  assert.notEqual(session.code, 0)
  assert.match(session.stderr, WORDS)
  assertLogged(/^git\/packs\//, new RegExp(`^ann/site \\(storage ${storage.storage_id}\\)$`))
  assert.ok((await countLost()) >= before + 3)
})

test('a pack that was replaced meanwhile is not lost', async () => {
  await forge.call('ann', 'POST', '/user/repos', { name: 'moving' })
  await using git = await GitClient.open(forge, 'ann', 'ann/moving')
  await git.commit('file', 'content')
  await git.ok('push', 'origin', 'main')
  const row = await forge.db
    .selectFrom('repository')
    .innerJoin('git_storage_pack', 'git_storage_pack.storage_id', 'repository.storage_id')
    .innerJoin('git_pack', 'git_pack.id', 'pack_id')
    .selectAll('git_pack')
    .select('git_storage_pack.storage_id')
    .where('name', '=', 'moving')
    .executeTakeFirstOrThrow()
  const before = await countLost()
  await lose('git/packs')
  await forge.db
    .updateTable('git_storage_pack')
    .set({ retired_at: forge.ctx.now(), retired_generation: 2 })
    .where('storage_id', '=', row.storage_id as StorageId)
    .execute()
  const { cache } = forge.world
  await cache.pool.makeFolder()
  await assert.rejects(cache.pool.provide(forge.ctx, row, ssh.work), { kind: 'not_found' })
  assert.deepEqual([await countLost(), lines.filter(({ level }) => level === 'error')], [before, []])
})

test('a lost package file is a 5xx with words', async () => {
  const path = '/api/packages/ann/generic/tool/1.0/tool.bin'
  assert.equal((await send(forge, 'ann', 'PUT', path, { body: 'bytes' })).status, 201)
  await lose('packages')
  const got = await send(forge, 'ann', 'GET', path)
  assert.equal(got.status, 500)
  assert.match(got.bytes.toString(), WORDS)
  assert.equal((await send(forge, 'ann', 'HEAD', path)).status, 500)
  assertLogged(/^packages\//, /^package ann\/generic\/tool 1\.0 tool\.bin$/)
  assert.equal(lines.filter(({ level }) => level === 'error').length, 2)
})

test('a lost avatar of an account or a repository is a 5xx with words, also for a copy of it', async () => {
  const facts = { image: PIXEL }
  const pathsOf = async (...records: string[]) => {
    const got = await Promise.all(records.map((path) => forge.call('ann', 'GET', path)))
    return got.map(({ body }) => body.avatar_url.replace('http://forge.test', '/'))
  }
  const records = ['/users/ann', '/repos/ann/site']
  assert.equal((await forge.call('ann', 'POST', '/user/avatar', facts)).status, 204)
  assert.equal((await forge.call('ann', 'POST', '/repos/ann/site/avatar', facts)).status, 204)
  const paths = await pathsOf(...records)
  for (const path of paths) assert.equal((await forge.call(null, 'GET', path)).status, 200)
  const before = await countLost()
  await lose('pictures')
  for (const [path, owner] of [
    [paths[0], /^avatar of ann$/],
    [paths[1], /^avatar of ann\/site$/],
  ] as const) {
    lines.length = 0
    const reply = await forge.call(null, 'GET', path)
    assert.equal(reply.status, 500)
    assert.match(reply.body.message, WORDS)
    assertLogged(/^pictures\//, owner)
  }
  await forge.call('ann', 'PATCH', '/repos/ann/site', { template: true })
  const copy = { owner: 'ann', name: 'copy', avatar: true, topics: true }
  assert.equal((await forge.call('ann', 'POST', '/repos/ann/site/generate', copy)).status, 500)
  assert.equal(await countLost(), before + 3)
  await forge.call('ann', 'DELETE', '/user/avatar')
  assert.equal((await forge.call(null, 'GET', paths[0])).status, 404, 'no row names it any more')
})

test('a lost attachment is a 5xx with words, and an attachment that never was stays 404', async () => {
  const { body: release } = await forge.call('ann', 'POST', '/repos/ann/site/releases', {
    tag_name: 'v1',
    draft: true,
  })
  const path = `/api/v1/repos/ann/site/releases/${release.id}/assets?name=tool.bin`
  const headers = { 'content-type': 'application/octet-stream' }
  const made = await send(forge, 'ann', 'POST', path, { body: 'bytes', headers })
  assert.equal(made.status, 201, made.bytes.toString())
  await lose('attachments')
  const reply = await forge.call('ann', 'GET', `//attachments/${made.json.uuid}`)
  assert.equal(reply.status, 500)
  assert.match(reply.body.message, WORDS)
  assertLogged(/^attachments\//, /^attachment tool\.bin of release \d+$/)
  const none = made.json.uuid.replace(/^./, (it: string) => (it === '0' ? '1' : '0'))
  assert.equal((await forge.call('ann', 'GET', `//attachments/${none}`)).status, 404)
})

test('lost artifacts and logs are a 5xx with words, also inside an archive that is made while it is sent', async () => {
  const { id: runId } = await makeRun(forge.ctx, repositoryId, ann.id, [newJob('build')])
  const job = await forge.db
    .selectFrom('action_job')
    .select('id')
    .where('run_id', '=', runId)
    .executeTakeFirstOrThrow()
  const taskId = await takeJob(forge.ctx, job.id)
  const now = forge.ctx.now()
  const facts = { repository_id: repositoryId, run_id: runId, is_complete: true, bytes: 5 }
  const times = { created_at: now, updated_at: now, expires_at: new Date(now.getTime() + 1e9) }
  const artifacts: number[] = []
  for (const protocol of ['v3', 'v4'] as const) {
    const { id } = await forge.db
      .insertInto('action_artifact')
      .values({ ...facts, ...times, name: protocol, protocol })
      .returning('id')
      .executeTakeFirstOrThrow()
    const part = { object_key: `artifacts/${protocol}`, artifact_id: id, path: 'file', position: 0, bytes: 5 }
    await forge.db
      .insertInto('action_artifact_part')
      .values({ ...part, created_at: now })
      .execute()
    artifacts.push(id)
  }
  lines.length = 0
  for (const id of artifacts) {
    const { headers } = await forge.call('ann', 'GET', `/repos/ann/site/actions/artifacts/${id}/zip`)
    const address = (headers.get('location') ?? '').replace('http://forge.test', forge.base)
    const answer = await fetch(address)
    assert.equal(answer.status, 500)
    assert.match(await answer.text(), WORDS)
  }
  assertLogged(/^artifacts\/v[34]$/, /^artifact v[34] of run \d+ of ann\/site$/)
  await forge.db
    .insertInto('action_log_piece')
    .values({
      object_key: 'action-logs/1',
      task_id: taskId,
      first_line: 0,
      lines: 1,
      bytes: 5,
      created_at: now,
    })
    .execute()
  lines.length = 0
  for (const path of [`jobs/${job.id}/logs`, `runs/${runId}/logs`]) {
    const reply = await forge.call('ann', 'GET', `/repos/ann/site/actions/${path}`)
    assert.equal(reply.status, 500)
    assert.match(reply.body.message, WORDS)
  }
  assertLogged(/^action-logs\/1$/, /^log of job \d+ of ann\/site$/)
})
