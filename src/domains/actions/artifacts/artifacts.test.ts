/** Artifacts: upload and download by both client protocols, and access over REST. */
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { issueJobToken, revokeJobTokens } from '#domains/code/keys'
import type { Account } from '#domains/people/users'
import { transact } from '#platform/context'
import { type Forge, startForge } from '#testing'
import { makeRun, newJob, takeJob } from '#testing/slices/runs'
import { runtimeToken } from '../runs/tasks/runtime-token.ts'

const SERVICE = '/twirp/github.actions.results.api.v1.ArtifactService'
const ARTIFACTS = '/repos/ann/anvil/actions/artifacts'

let forge: Forge
let ann: Account
let anvil: number
before(async () => {
  forge = await startForge({ config: { 'actions.artifact_bytes_max': 100_000, 'actions.artifacts_max': 20 } })
  ann = await forge.person('ann')
  for (const name of ['bob', 'eve']) await forge.person(name)
  for (const name of ['anvil', 'vault'])
    await forge.call('ann', 'POST', '/user/repos', { name, private: name === 'vault' })
  anvil = (await forge.call('ann', 'GET', '/repos/ann/anvil')).body.id
  await forge.call('ann', 'PUT', '/repos/ann/anvil/collaborators/bob', { permission: 'read' })
})
after(() => forge[Symbol.asyncDispose]())

interface Job {
  readonly runId: number
  readonly taskId: number
  readonly token: string
}

async function startJob(): Promise<Job> {
  const run = await makeRun(forge.ctx, anvil, ann.id, [newJob('build')])
  const { id } = await forge.db
    .selectFrom('action_job')
    .select('id')
    .where('run_id', '=', run.id)
    .executeTakeFirstOrThrow()
  const taskId = await takeJob(forge.ctx, id)
  const grant = { task_id: taskId, repository_id: anvil, permissions: {} }
  const token = await transact(forge.ctx, (ctx) => issueJobToken(ctx, grant))
  return {
    runId: run.id,
    taskId,
    token: runtimeToken(token, { run_id: run.id, job_id: id, task_id: taskId }),
  }
}

async function call(job: Job, name: string, fields: object, run = job.runId) {
  const response = await fetch(`${forge.base}${SERVICE}/${name}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${job.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ workflow_run_backend_id: String(run), ...fields }),
  })
  return { status: response.status, body: JSON.parse((await response.text()) || '{}') }
}

/** Replaces the forge's configured site address with the address at which the test reaches it. */
function here(address: string): string {
  return address.replace('http://forge.test', forge.base)
}

async function put(address: string, more: string, body: Buffer | string): Promise<number> {
  return (await fetch(`${here(address)}${more}`, { method: 'PUT', body: new Uint8Array(Buffer.from(body)) }))
    .status
}

async function upload(job: Job, name: string, content: Buffer) {
  const { body } = await call(job, 'CreateArtifact', { name, version: 4 })
  assert.equal(await put(body.signed_upload_url, '', content), 201)
  return call(job, 'FinalizeArtifact', { name, size: String(content.length) })
}

const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex')

test('an archive uploaded in blocks out of order is assembled as its block list states', async () => {
  const job = await startJob()
  const { status, body } = await call(job, 'CreateArtifact', { name: 'site', version: 4 })
  assert.deepEqual([status, body.ok], [200, true])
  const url = body.signed_upload_url
  const [one, two, lost] = [randomBytes(3_000), randomBytes(2_000), randomBytes(500)]
  const [first, second, third] = ['Zmlyc3Q=', 'c2Vjb25k', 'dGhpcmQ='].map(encodeURIComponent)
  assert.equal(await put(url, `&comp=block&blockid=${second}`, two), 201)
  assert.equal(await put(url, `&comp=block&blockid=${third}`, lost), 201)
  assert.equal(await put(url, `&comp=block&blockid=${first}`, randomBytes(10)), 201)
  assert.equal(await put(url, `&comp=block&blockid=${first}`, one), 201)
  const list = (...ids: string[]) =>
    `<?xml version="1.0"?><BlockList>${ids.map((id) => `<Latest>${id}</Latest>`).join('')}</BlockList>`
  assert.equal(await put(url, '&comp=blocklist', list('Zmlyc3Q=', 'bm9uZQ==')), 400)
  assert.equal(await put(url, '&comp=blocklist', list('Zmlyc3Q=', 'c2Vjb25k')), 201)
  assert.equal((await call(job, 'GetSignedArtifactURL', { name: 'site' })).status, 404)
  const content = Buffer.concat([one, two])
  const claims = { name: 'site', size: String(content.length), hash: `sha256:${sha256(content)}` }
  assert.equal((await call(job, 'FinalizeArtifact', { ...claims, size: '4999' })).status, 422)
  assert.equal(
    (await call(job, 'FinalizeArtifact', { ...claims, hash: `sha256:${sha256(one)}` })).status,
    422,
  )
  const done = await call(job, 'FinalizeArtifact', claims)
  assert.deepEqual([done.status, done.body.ok], [200, true])
  assert.equal(await put(url, `&comp=block&blockid=${third}`, lost), 409)

  const { body: listed } = await call(job, 'ListArtifacts', { name_filter: 'site' })
  assert.deepEqual(
    listed.artifacts.map((it: Record<string, string>) => [it.name, it.size, it.digest, it.database_id]),
    [['site', '5000', `sha256:${sha256(content)}`, done.body.artifact_id]],
  )
  const signed = await call(job, 'GetSignedArtifactURL', { name: 'site' })
  const download = await fetch(here(signed.body.signed_url))
  assert.equal(download.headers.get('content-type'), 'application/zip')
  assert.deepEqual(Buffer.from(await download.arrayBuffer()), content)
  assert.equal((await call(job, 'DeleteArtifact', { name: 'site' })).status, 200)
  assert.equal((await fetch(here(signed.body.signed_url))).status, 404)
})

test('completion is refused with 409 if blocks are replaced by others of the same size meanwhile', async (t) => {
  const job = await startJob()
  const { body } = await call(job, 'CreateArtifact', { name: 'swapped', version: 4 })
  const url = body.signed_upload_url
  const content = randomBytes(1_000)
  assert.equal(await put(url, '', content), 201)
  const { store } = forge.world
  const read = store.read.bind(store)
  // Replaces the blob while the digest is computed.
  t.mock.method(store, 'read', async (...args: Parameters<typeof read>) => {
    t.mock.restoreAll()
    assert.equal(await put(url, '', randomBytes(1_000)), 201)
    return read(...args)
  })
  const claims = { name: 'swapped', size: '1000', hash: `sha256:${sha256(content)}` }
  assert.equal((await call(job, 'FinalizeArtifact', claims)).status, 409)
})

test('only a running job writes artifacts, and only to its own run', async () => {
  const [job, other] = [await startJob(), await startJob()]
  const name = { name: 'secret' }
  assert.equal((await call(job, 'CreateArtifact', name, other.runId)).status, 403)
  assert.equal((await call({ ...job, token: `${job.token}x` }, 'CreateArtifact', name)).status, 401)
  assert.equal((await call({ ...job, token: forge.tokenOf('ann') }, 'CreateArtifact', name)).status, 401)
  const { body } = await call(job, 'CreateArtifact', name)
  const url = body.signed_upload_url
  assert.equal((await fetch(here(url).replace('UploadArtifact', 'DownloadArtifact'))).status, 401)
  assert.equal(await put(`${url.slice(0, -3)}AAA`, '', 'x'), 401)
  await transact(forge.ctx, (ctx) => revokeJobTokens(ctx, [job.taskId]))
  assert.equal((await call(job, 'CreateArtifact', name)).status, 401)
  forge.advance(2 * 3_600_000)
  assert.equal(await put(url, '', 'x'), 401)
})

test('names, sizes and the number of artifacts are limited', async () => {
  const job = await startJob()
  for (const name of ['', 'a/b', '..\\x', 'a:b', 'x'.repeat(300)])
    assert.equal((await call(job, 'CreateArtifact', { name })).status, 422, name)
  const { body } = await call(job, 'CreateArtifact', { name: 'large' })
  assert.equal(await put(body.signed_upload_url, '', Buffer.alloc(100_001)), 413)
  assert.equal(await put(body.signed_upload_url, '&comp=appendBlock', Buffer.alloc(60_000)), 201)
  assert.equal(await put(body.signed_upload_url, '&comp=appendBlock', Buffer.alloc(60_000)), 413)
  assert.equal(await put(body.signed_upload_url, '&comp=lease', 'x'), 400)
  for (let i = 0; i < 19; i++)
    assert.equal((await call(job, 'CreateArtifact', { name: `a${i}` })).status, 200)
  assert.equal((await call(job, 'CreateArtifact', { name: 'one too many' })).status, 413)
})

test('an artifact of the same name replaces the former one', async () => {
  const job = await startJob()
  const { body: first } = await call(job, 'CreateArtifact', { name: 'log' })
  await upload(job, 'log', Buffer.from('former'))
  forge.advance(1_000)
  await upload(job, 'log', Buffer.from('latter'))
  assert.equal(await put(first.signed_upload_url, '', 'late'), 404)
  const { body } = await call(job, 'GetSignedArtifactURL', { name: 'log' })
  assert.equal(await (await fetch(here(body.signed_url))).text(), 'latter')
})

test('users list, get, download and delete artifacts according to their access', async () => {
  const job = await startJob()
  const { body } = await upload(job, 'site', Buffer.from('all of it'))
  await call(job, 'CreateArtifact', { name: 'unfinished' })
  const path = `${ARTIFACTS}/${body.artifact_id}`
  const ofRun = `/repos/ann/anvil/actions/runs/${job.runId}/artifacts`
  const listed = await forge.call('bob', 'GET', ofRun)
  assert.deepEqual([listed.body.total_count, listed.body.artifacts[0].name], [1, 'site'])
  assert.equal((await forge.call('bob', 'GET', `${ofRun}?name=none`)).body.total_count, 0)
  assert.ok((await forge.call('bob', 'GET', `${ARTIFACTS}?name=site&limit=1`)).body.total_count >= 1)
  const one = await forge.call('bob', 'GET', path)
  assert.deepEqual(one.body, listed.body.artifacts[0])
  assert.equal(one.body.size_in_bytes, 9)
  assert.equal(one.body.workflow_run.id, job.runId)
  const zip = await forge.call('bob', 'GET', `${path}/zip`)
  assert.equal(zip.status, 302)
  const download = await fetch(here(zip.headers.get('location') ?? ''))
  assert.equal(await download.text(), 'all of it')
  for (const [as, method, address, status] of [
    [null, 'GET', path, 200],
    [null, 'GET', path.replace('anvil', 'vault'), 404],
    ['eve', 'GET', path, 200],
    ['eve', 'GET', path.replace('anvil', 'vault'), 404],
    ['ann', 'GET', path.replace('anvil', 'vault'), 404],
    ['bob', 'DELETE', path, 403],
    [null, 'DELETE', path, 401],
    ['ann', 'DELETE', path, 204],
    ['ann', 'DELETE', path, 404],
    ['bob', 'GET', path, 404],
  ] as const)
    assert.equal((await forge.call(as, method, address)).status, status, `${as} ${method} ${address}`)
})

test('v3 clients upload files one by one, in chunks', async () => {
  const job = await startJob()
  const root = `${forge.base}/api/actions_pipeline/_apis/pipelines/workflows/${job.runId}/artifacts`
  const authorization = `Bearer ${job.token}`
  const created = await fetch(`${root}?api-version=6.0-preview`, {
    method: 'POST',
    headers: { authorization },
    body: JSON.stringify({ Type: 'actions_storage', Name: 'files', RetentionDays: 5 }),
  })
  const { fileContainerResourceUrl } = (await created.json()) as { fileContainerResourceUrl: string }
  const send = async (item: string, body: string | Buffer, headers = {}) =>
    (
      await fetch(`${here(fileContainerResourceUrl)}?itemPath=${encodeURIComponent(item)}`, {
        method: 'PUT',
        headers: { authorization, ...headers },
        body: new Uint8Array(Buffer.from(body)),
      })
    ).status
  assert.equal(await send('files/a.txt', 'world', { 'content-range': 'bytes 6-10/*' }), 200)
  assert.equal(await send('files/a.txt', 'hello ', { 'content-range': 'bytes 0-5/11' }), 200)
  const packed = gzipSync('much the same, much the same')
  assert.equal(await send('files/deep\\b.txt', packed, { 'content-encoding': 'gzip' }), 200)
  for (const path of ['files/../x', '/etc/passwd', '', 'files//x'])
    assert.equal(await send(path, 'x'), 400, path)
  assert.equal(await send('files/c', 'x', { 'content-range': 'bytes x' }), 400)
  const done = await fetch(`${root}?artifactName=files`, { method: 'PATCH', headers: { authorization } })
  assert.equal(done.status, 200)

  const get = async (url: string) => (await fetch(here(url), { headers: { authorization } })).json()
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts what it reads
  const { value } = (await get(root)) as any
  assert.deepEqual([value.length, value[0].name], [1, 'files'])
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts what it reads
  const { value: files } = (await get(value[0].fileContainerResourceUrl)) as any
  assert.deepEqual(
    files.map((file: { path: string }) => file.path),
    ['files/a.txt', 'files/deep/b.txt'],
  )
  const texts = await Promise.all(
    files.map(async (file: { contentLocation: string }) =>
      (await fetch(here(file.contentLocation), { headers: { authorization } })).text(),
    ),
  )
  assert.deepEqual(texts, ['hello world', 'much the same, much the same'])
  assert.equal((await fetch(root)).status, 401)

  // REST serves the same files as one zip archive, decompressed.
  const list = await forge.call('bob', 'GET', `/repos/ann/anvil/actions/runs/${job.runId}/artifacts`)
  const zip = await forge.call('bob', 'GET', `${ARTIFACTS}/${list.body.artifacts[0].id}/zip`)
  const archive = Buffer.from(await (await fetch(here(zip.headers.get('location') ?? ''))).arrayBuffer())
  assert.ok(archive.includes('hello world') && archive.includes('much the same, much the same'))
  assert.equal(archive.readUInt32LE(0), 0x04034b50)
})

test('artifacts over the quota of the owner are refused, and deleted ones make room', async () => {
  const used = async () => {
    const { rows } = await forge.pool.query(`select bytes from account_usage where kind = 'artifacts'`)
    return Number(rows[0]?.bytes ?? 0)
  }
  const before = await used()
  const limit = (bytes: number) =>
    forge.pool.query(
      `insert into account_usage (account_id, kind, bytes_max) values ($1, 'artifacts', $2)
      on conflict (account_id, kind) do update set bytes_max = excluded.bytes_max`,
      [ann.id, bytes],
    )
  await limit(before + 1_500)
  const job = await startJob()
  await upload(job, 'first', randomBytes(1_000))
  const { body } = await call(job, 'CreateArtifact', { name: 'second', version: 4 })
  assert.equal(await put(body.signed_upload_url, '&comp=block&blockid=a', randomBytes(1_000)), 413)
  await upload(job, 'first', randomBytes(1_200))
  assert.equal(await used(), before + 1_200, 'the former archive of that name is not counted')
  assert.equal((await call(job, 'DeleteArtifact', { name: 'first' })).status, 200)
  assert.equal(await used(), before)
  await limit(-1)
})

test('expired, replaced and deleted artifacts are removed from the object store', async () => {
  const job = await startJob()
  await upload(job, 'old', Buffer.from('replaced'))
  await upload(job, 'old', Buffer.from('kept for a while'))
  const objects = async () => (await Array.fromAsync(forge.world.store.list('artifacts/'))).length
  assert.ok((await objects()) >= 2)
  await forge.db.updateTable('action_run').set({ status: 'success' }).where('id', '=', job.runId).execute()
  assert.equal((await forge.call('ann', 'DELETE', `/repos/ann/anvil/actions/runs/${job.runId}`)).status, 204)
  forge.advance(91 * 86_400_000)
  for (const task of ['cleanup_actions', 'sweep_artifacts']) await forge.runTask(task)
  await forge.deleteDiscarded()
  assert.equal(await objects(), 0)
  const { rows } = await forge.pool.query('select count(*)::int as parts from action_artifact_part')
  assert.equal(rows[0].parts, 0)
  const usage = await forge.pool.query(`select bytes from account_usage where kind = 'artifacts'`)
  assert.deepEqual(
    usage.rows.map(({ bytes }) => Number(bytes)),
    [0],
    'none is counted any more',
  )
})
