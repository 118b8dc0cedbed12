/** Pages of runs and logs. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openRuns } from '#domains/actions/runs'
import { startForge } from '#testing'
import { addRun, SimulatedRunner } from '#testing/slices/runners'
import { openJobLog } from '../../../domains/actions/runs/logs/job-log.ts'

const forge = await startForge()
after(() => forge[Symbol.asyncDispose]())
await forge.person('ann')
await forge.person('eve')
const { body: repo } = await forge.call('ann', 'POST', '/user/repos', { name: 'bell', auto_init: true })
await forge.call('ann', 'POST', '/user/repos', { name: 'vault', private: true, auto_init: true })
const ann = await forge.browserOf('ann')
const eve = await forge.browserOf('eve')

async function runner(): Promise<SimulatedRunner> {
  const { body } = await forge.call('ann', 'POST', '/repos/ann/bell/actions/runners/registration-token')
  return SimulatedRunner.register(forge.base, body.token)
}

test('a log is followed while it is written, and read as a whole when it is done', async () => {
  await addRun(forge.ctx, repo.id)
  const hearth = await runner()
  const task = await hearth.fetch()
  assert.ok(task)
  await hearth.log(task.id, 0, ['set up', '\u001b[31mred\u001b[0m <b>bold</b>'])
  await hearth.report(task.id, {
    steps: [{ id: '0', startedAt: '2026-01-01T00:00:00Z', logIndex: '1', logLength: '1' }],
  })
  const { body } = await forge.call('ann', 'GET', '/repos/ann/bell/actions/jobs')
  const [{ id, run_id }] = body.jobs
  const address = `/ann/bell/actions/runs/${run_id}/jobs/${id}`
  const running = await ann.get(address)
  assert.match(running.text, /data-next="2"/)
  assert.match(running.text, /<b class="ansi-red">red<\/b> &lt;b&gt;bold&lt;\/b&gt;/)
  await hearth.log(task.id, 2, ['##[error]it broke'], true)
  const followed = await ann.get(`/ann/bell/actions/jobs/${id}/lines?from=2`)
  assert.deepEqual(
    JSON.parse(followed.text).lines.map(({ number, section }: { number: number; section: string }) => [
      number,
      section,
    ]),
    [[2, 'step-after']],
  )
  await hearth.finish(task.id, 'RESULT_FAILURE')
  const done = await ann.get(address)
  assert.doesNotMatch(done.text, /data-next/)
  assert.match(done.text, /class="log-error">it broke/)
  const raw = await ann.get(`/ann/bell/actions/jobs/${id}/log`)
  assert.match(raw.text, /set up\n.*red/)
})

test('a run says which labels no online runner has, until one with them connects', async () => {
  const run = await addRun(forge.ctx, repo.id, [{ runs_on: ['GPU', 'linux'] }, { runs_on: ['linux'] }])
  const address = `/ann/bell/actions/runs/${run.id}`
  const missing = /No online runner has all of the labels GPU, linux\./
  const connect = (it: SimulatedRunner, labels: string[]) => it.call('Declare', { version: 'v1.0.8', labels })
  await connect(await runner(), ['linux'])
  const { text } = await eve.get(address)
  assert.match(text, missing)
  assert.doesNotMatch(text, /has the label linux/)
  const { body } = await forge.call('ann', 'POST', '/repos/ann/vault/actions/runners/registration-token')
  await connect(await SimulatedRunner.register(forge.base, body.token), ['gpu', 'linux'])
  assert.match((await eve.get(address)).text, missing, 'the runner of another repository')
  await connect(await runner(), ['gpu', 'linux'])
  assert.doesNotMatch((await eve.get(address)).text, missing)
  await forge.call('ann', 'POST', `/repos/ann/bell/actions/runs/${run.id}/cancel`)
})

test('a line written while a log is read is returned by the next read, and every line has a step', async () => {
  const run = await addRun(forge.ctx, repo.id)
  const hearth = await runner()
  const task = await hearth.untilTask()
  const { body } = await forge.call('ann', 'GET', `/repos/ann/bell/actions/runs/${run.id}/jobs`)
  const [{ id }] = body.jobs
  const runs = await openRuns({ ctx: forge.ctx, params: { owner: 'ann', repo: 'bell' } })
  const read = async (from: number, write = async () => {}) => {
    const log = await openJobLog(forge.ctx, runs, id)
    await write()
    return Array.fromAsync(log.read(from, 100), ({ text }) => text)
  }
  const write = async () => void (await hearth.log(task.id, 0, ['one', 'two', 'three', 'four']))
  assert.deepEqual(await read(0, write), [])
  assert.deepEqual(await read(1), ['two', 'three', 'four'])
  await hearth.report(task.id, {
    steps: [
      { id: '0', startedAt: '2026-01-01T00:00:00Z', logIndex: '0', logLength: '1' },
      { id: '1', startedAt: '2026-01-01T00:00:00Z', logIndex: '2', logLength: '1' },
    ],
  })
  const followed = await ann.get(`/ann/bell/actions/jobs/${id}/lines`)
  assert.deepEqual(
    JSON.parse(followed.text).lines.map(({ section }: { section: string }) => section),
    ['step-0', 'step-0', 'step-1', 'step-after'],
  )
  await hearth.finish(task.id)
})

test('each line of a log is on its page once, whatever steps the runner reports', async () => {
  const run = await addRun(forge.ctx, repo.id)
  const hearth = await runner()
  const task = await hearth.untilTask()
  const { body } = await forge.call('ann', 'GET', `/repos/ann/bell/actions/runs/${run.id}/jobs`)
  const lines = Array.from({ length: 6 }, (_, i) => `line ${i}`)
  await hearth.log(task.id, 0, lines)
  const report = (said: readonly (readonly [from: number, length: number])[]) =>
    hearth.report(task.id, {
      steps: said.map(([from, length], i) => ({
        id: String(i),
        result: 'RESULT_FAILURE',
        startedAt: '2026-01-01T00:00:00Z',
        logIndex: String(from),
        logLength: String(length),
      })),
    })
  for (const said of [
    [
      [0, 6],
      [0, 6],
    ],
    [
      [6, 1],
      [0, 1],
    ],
    [
      [3, 2],
      [1, 4],
    ],
    [
      [2, 1000],
      [1000, 1],
    ],
  ] as const) {
    await report(said)
    const { text } = await ann.get(`/ann/bell/actions/runs/${run.id}/jobs/${body.jobs[0].id}`)
    assert.deepEqual(text.match(/line \d(?=\n)/g), lines, JSON.stringify(said))
  }
  await hearth.finish(task.id)
})

test('a run is cancelled, rerun and deleted by its forms', async () => {
  const run = await addRun(forge.ctx, repo.id)
  const address = `/ann/bell/actions/runs/${run.id}`
  const state = async () => (await forge.call('ann', 'GET', `/repos/ann/bell/actions/runs/${run.id}`)).body
  assert.equal((await eve.submit(address, 'cancel', {})).status, 422)
  assert.equal((await ann.submit(address, 'cancel', {})).status, 303)
  assert.equal((await state()).conclusion, 'cancelled')
  assert.equal((await ann.submit(address, 'rerun', {})).headers.get('location'), address)
  assert.equal((await state()).run_attempt, 2)
  await ann.submit(address, 'cancel', {})
  assert.equal((await ann.submit(address, 'delete', {})).headers.get('location'), '/ann/bell/actions')
  assert.equal((await ann.get(address)).status, 404)
})

test('private runs are 404 for others, and anonymous users are redirected to sign in', async () => {
  for (const path of ['/ann/vault/actions', '/ann/vault/actions/runs/1', '/ann/vault/actions/jobs/1/lines'])
    assert.equal((await eve.get(path)).status, 404, path)
  const stranger = await forge.browser().get('/ann/bell/actions')
  assert.equal(stranger.headers.get('location'), '/user/login?redirect_to=%2Fann%2Fbell%2Factions')
})

test('a list of many runs takes the same number of queries as one of few', async () => {
  const once = () => forge.countQueries(() => ann.get('/ann/bell/actions'))
  // Background work may add queries.
  const cost = async () => Math.min(await once(), await once(), await once())
  const few = await cost()
  for (let i = 0; i < 5; i++) await addRun(forge.ctx, repo.id)
  assert.equal(await cost(), few)
})

test('runs are named by their workflows', async () => {
  const { body: made } = await forge.call('ann', 'POST', '/user/repos', { name: 'named', auto_init: true })
  await addRun(forge.ctx, made.id)
  const { body } = await forge.call('ann', 'GET', '/repos/ann/named/actions/runs')
  const [{ id: run, path }] = body.workflow_runs
  const file = path.split('@')[0].split('/').at(-1)
  const list = async () =>
    /<span title="[^"]+">([^<]+)<\/span> ·/.exec((await ann.get('/ann/named/actions')).text)?.[1]
  assert.equal(await list(), file)
  const workflow = 'name: Ring the bell\non: push\njobs: { a: { runs-on: x, steps: [{ run: "true" }] } }\n'
  const content = Buffer.from(workflow).toString('base64')
  await forge.call('ann', 'POST', `/repos/ann/named/contents/.gitea/workflows/${file}`, { content })
  assert.equal(await list(), 'Ring the bell')
  assert.match((await ann.get(`/ann/named/actions/runs/${run}`)).text, />Ring the bell</)
})
