/** Workflows that are dispatched, disabled and enabled by users, or started by a schedule. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Forge, startForge } from '#testing'
import { commit, listRuns, makeRepository } from '#testing/slices/triggers'

let forge: Forge
before(async () => {
  forge = await startForge()
  for (const name of ['ann', 'bob']) await forge.person(name)
})
after(() => forge[Symbol.asyncDispose]())

const MANUAL = `name: by hand
on:
  workflow_dispatch:
    inputs:
      word: { type: string, default: none }
      loud: { type: boolean, default: true }
      count: { type: number, default: 3 }
      size: { type: choice, options: [small, large], default: small }
      must: { required: true }
jobs:
  j:
    runs-on: linux
    name: says \${{ inputs.word }}
    steps: [{ run: 'true' }]
`
const JOBS = "jobs:\n  j: { runs-on: linux, steps: [{ run: 'true' }] }\n"

test('a workflow is dispatched with its declared inputs only, and not while it is disabled', async () => {
  const root = await makeRepository(forge, 'ann', 'manual', { '.gitea/workflows/manual.yml': MANUAL })
  const at = `${root}/actions/workflows/manual.yml`
  const start = (inputs: object, as = 'ann') =>
    forge.call(as, 'POST', `${at}/dispatches?return_run_details=true`, { ref: 'main', inputs })
  const wrong: object[] = [
    {},
    { must: 'x', loud: 'perhaps' },
    { must: 'x', count: 'many' },
    { must: 'x', size: 'huge' },
  ]
  for (const inputs of wrong) assert.equal((await start(inputs)).status, 422, JSON.stringify(inputs))
  assert.equal((await start({ must: 'x' }, 'bob')).status, 403)
  const { status, body } = await start({ must: 'x', word: 'pear', loud: 'false', unknown: 'y' })
  assert.equal(status, 200)
  const run = await forge.db
    .selectFrom('action_run')
    .innerJoin('action_job', 'action_job.run_id', 'action_run.id')
    .select(['inputs', 'event', 'name', 'action_run.status'])
    .where('action_run.id', '=', body.workflow_run_id)
    .executeTakeFirstOrThrow()
  assert.deepEqual(run, {
    inputs: { word: 'pear', loud: false, count: 3, size: 'small', must: 'x' },
    event: 'workflow_dispatch',
    name: 'says pear',
    status: 'waiting',
  })
  assert.equal((await forge.call('ann', 'PUT', `${at}/disable`)).status, 204)
  assert.equal((await start({ must: 'x' })).status, 403)
  assert.equal((await forge.call('ann', 'PUT', `${at}/enable`)).status, 204)
  assert.equal((await start({ must: 'x' })).status, 200)
})

test('a list of workflows takes the same number of queries for 1 file and for 20', async () => {
  const files = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, i) => [`.gitea/workflows/w${i}.yml`, `on: push\n${JOBS}`]),
    )
  const costs: number[] = []
  for (const count of [1, 20]) {
    const root = await makeRepository(forge, 'ann', `list${count}`, files(count))
    const queries = await forge.countQueries(async () => {
      const { body } = await forge.call('ann', 'GET', `${root}/actions/workflows`)
      assert.equal(body.total_count, count)
    })
    costs.push(queries)
  }
  assert.equal(costs[0], costs[1])
})

test('a schedule of the default branch starts one run for each task run in which it is due', async () => {
  const HOURLY = `on: { schedule: [{ cron: '0 * * * *' }] }\n${JOBS}`
  const root = await makeRepository(forge, 'ann', 'clock', { '.gitea/workflows/hourly.yml': HOURLY })
  const tick = async () => {
    await forge.runTask('start_schedule_tasks')
    await forge.runJobs()
    return (await listRuns(forge, root)).map(({ event, file }) => `${event} ${file}`)
  }
  assert.deepEqual(await tick(), [])
  forge.advance(3_600_000)
  assert.deepEqual(await tick(), ['schedule hourly.yml'])
  assert.deepEqual(await tick(), ['schedule hourly.yml'])
  forge.advance(3 * 3_600_000)
  assert.deepEqual(await tick(), ['schedule hourly.yml', 'schedule hourly.yml'])
  // A workflow file that was deleted is not started.
  const { body } = await forge.call('ann', 'GET', `${root}/contents/.gitea/workflows/hourly.yml`)
  const gone = { operation: 'delete', path: '.gitea/workflows/hourly.yml', sha: body.sha }
  await forge.call('ann', 'POST', `${root}/contents`, { branch: 'main', message: 'no more', files: [gone] })
  await forge.runJobs()
  forge.advance(3_600_000)
  assert.equal((await tick()).length, 2)
  await commit(forge, 'ann', root, { 'a.md': 'a' })
})
