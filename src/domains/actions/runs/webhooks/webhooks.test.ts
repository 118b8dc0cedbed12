/** Webhooks of runs and jobs, and downloads of logs. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { type Forge, startForge } from '#testing'
import { endJob, makeRun, newJob, takeJob } from '#testing/slices/runs'
import { Receiver } from '#testing/slices/webhooks'

const run = promisify(execFile)

let forge: Forge
let receiver: Receiver
let guild: number
let annId: number
before(async () => {
  receiver = await Receiver.open()
  forge = await startForge({
    config: { 'outbound.allow_private': true },
  })
  annId = (await forge.person('ann')).id
  await forge.call('ann', 'POST', '/orgs', { username: 'guild' })
  guild = (await forge.call('ann', 'POST', '/orgs/guild/repos', { name: 'anvil' })).body.id
  await forge.call('ann', 'POST', '/repos/guild/anvil/hooks', {
    type: 'gitea',
    active: true,
    events: ['workflow_run', 'workflow_job'],
    config: { url: receiver.url, content_type: 'json' },
  })
})
after(async () => {
  await forge[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
})

test('webhooks are sent runs and jobs as they were at the time of the event', async () => {
  const { id } = await makeRun(forge.ctx, guild, annId, [newJob('build')])
  const { jobs } = (await forge.call('ann', 'GET', `/repos/guild/anvil/actions/runs/${id}/jobs`)).body
  await takeJob(forge.ctx, jobs[0].id)
  await endJob(forge.ctx, jobs[0].id, 'failure')
  await forge.runJobs()
  const told = receiver.received.map(({ headers, body }) => ({
    type: String(headers['x-gitea-event-type']),
    body: JSON.parse(body),
  }))
  const lines = told.map(({ type, body }) => {
    const { status, conclusion = '-' } = body.workflow_run ?? body.workflow_job
    return `${type} ${body.action} ${status} ${conclusion}`
  })
  assert.deepEqual(lines.toSorted(), [
    'workflow_job completed completed failure',
    'workflow_job in_progress in_progress -',
    'workflow_job queued queued -',
    'workflow_run completed completed failure',
    'workflow_run in_progress in_progress -',
    'workflow_run requested queued -',
  ])
  for (const { body } of told) {
    assert.deepEqual(
      [body.organization.login, body.repository.full_name, body.sender.login],
      ['guild', 'guild/anvil', 'ann'],
    )
  }
  const [first] = told.filter(({ type }) => type === 'workflow_run')
  assert.deepEqual([first?.body.workflow.name, first?.body.workflow.id], ['check', 'check.yml'])
})

test('the log of a job is text, and the logs of a run are an archive that Python can unpack', async () => {
  const { id } = await makeRun(forge.ctx, guild, annId, [newJob('build'), newJob('../evil'), newJob('never')])
  const path = '/repos/guild/anvil/actions'
  const { jobs } = (await forge.call('ann', 'GET', `${path}/runs/${id}/jobs`)).body
  const texts = ['2026-01-02T03:04:05.0000000Z first\n', '2026-01-02T03:04:06.0000000Z zwölf\n']
  for (const [i, text] of texts.entries()) await logOf(await takeJob(forge.ctx, jobs[i].id), text)
  const log = await forge.call('ann', 'GET', `${path}/jobs/${jobs[1].id}/logs`)
  assert.deepEqual([log.status, log.body], [200, texts[1]])
  assert.match(log.headers.get('content-type') ?? '', /^text\/plain/)
  assert.equal((await forge.call('ann', 'GET', `${path}/jobs/${jobs[2].id}/logs`)).status, 404)
  assert.equal((await forge.call('ann', 'GET', `${path}/jobs/987654/logs`)).status, 404)
  assert.equal((await forge.call('ann', 'GET', `${path}/runs/987654/logs`)).status, 404)

  const response = await fetch(`${forge.base}/api/v1${path}/runs/${id}/logs`, {
    headers: { authorization: `token ${forge.tokenOf('ann')}` },
  })
  assert.equal(response.headers.get('content-type'), 'application/zip')
  const folder = await mkdtemp(join(tmpdir(), 'bloomery-zip-'))
  try {
    await writeFile(join(folder, 'logs.zip'), Buffer.from(await response.arrayBuffer()))
    const script = `import zipfile, json
z = zipfile.ZipFile('logs.zip')
assert z.testzip() is None
print(json.dumps({i.filename: z.read(i).decode() for i in z.infolist()}))`
    const { stdout } = await run('python3', ['-c', script], { cwd: folder })
    assert.deepEqual(JSON.parse(stdout), {
      [`build-${jobs[0].id}.log`]: texts[0],
      [`__evil-${jobs[1].id}.log`]: texts[1],
    })
  } finally {
    await rm(folder, { recursive: true })
  }
})

async function logOf(taskId: number, text: string): Promise<void> {
  const bytes = Buffer.from(text)
  const object_key = `logs/test-${taskId}`
  await forge.world.store.create(object_key, bytes, { bytes: bytes.length })
  await forge.db
    .insertInto('action_log_piece')
    .values({ task_id: taskId, lines: 1, bytes: bytes.length, object_key, created_at: forge.ctx.now() })
    .execute()
}
