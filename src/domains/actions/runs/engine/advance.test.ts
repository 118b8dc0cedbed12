/** How runs advance, from pushes over HTTP and reports of runners. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of workflows are written like that
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Forge, startForge } from '#testing'
import { commit, listJobs, listRuns, makeRepository, report, reportOnly } from '#testing/slices/triggers'
import { advanceRun } from './advance.ts'

let forge: Forge
before(async () => {
  forge = await startForge()
  await forge.person('ann')
})
after(() => forge[Symbol.asyncDispose]())

const STEPS = "runs-on: linux, steps: [{ run: 'true' }]"
let repositories = 0

/** A repository with this workflow, and the run that its first push started. */
async function runOf(jobs: string, head = '', files: Record<string, string> = {}) {
  const root = await makeRepository(forge, 'ann', `anvil${++repositories}`, {
    '.gitea/workflows/ci.yml': `on: push\n${head}\njobs:\n${jobs}`,
    ...files,
  })
  const [run] = await listRuns(forge, root)
  assert.ok(run)
  return { root, id: run.id }
}
const statuses = async (root: string) => (await listRuns(forge, root)).map(({ status }) => status)

test('a failed job skips the jobs that need it, except with always()', async () => {
  const { root, id } = await runOf(`
  fails: { ${STEPS} }
  never: { needs: fails, ${STEPS} }
  cleanup: { needs: fails, if: always(), ${STEPS} }
`)
  await report(forge, id, 'fails', 'failure')
  assert.deepEqual(await listJobs(forge, id), ['fails: failure', 'never: skipped', 'cleanup: waiting'])
  await report(forge, id, 'cleanup', 'success')
  assert.deepEqual(await statuses(root), ['failure'])
})

test('a job that needs several others is planned exactly once when their reports are concurrent', async () => {
  const many = Array.from({ length: 6 }, (_, i) => `  a${i}: { ${STEPS} }`).join('\n')
  const needs = Array.from({ length: 6 }, (_, i) => `a${i}`).join(', ')
  const { id } = await runOf(
    `${many}\n  last: { needs: [${needs}], strategy: { matrix: "\${{ fromJSON(needs.a0.outputs.m) }}" }, ${STEPS} }\n`,
  )
  await Promise.all(
    Array.from({ length: 6 }, (_, i) => reportOnly(forge, id, `a${i}`, 'success', { m: '{"x":[1,2,3]}' })),
  )
  // All of them plan from the same jobs; the first to write wins.
  await Promise.all(Array.from({ length: 8 }, () => advanceRun(forge.ctx, id)))
  const last = (await listJobs(forge, id)).filter((it) => it.startsWith('last'))
  assert.deepEqual(last.sort(), ['last (1): waiting', 'last (2): waiting', 'last (3): waiting'])
})

test('a matrix does not exceed max-parallel', async () => {
  const { id } = await runOf(
    `  m: { strategy: { max-parallel: 2, matrix: { x: [1, 2, 3, 4] } }, ${STEPS} }\n`,
  )
  const waiting = async () => (await listJobs(forge, id)).filter((it) => it.endsWith('waiting')).length
  assert.equal(await waiting(), 2)
  await report(forge, id, 'm (1)', 'success')
  assert.equal(await waiting(), 2)
  await report(forge, id, 'm (2)', 'success')
  await report(forge, id, 'm (3)', 'success')
  assert.deepEqual(await listJobs(forge, id), [
    'm (1): success',
    'm (2): success',
    'm (3): success',
    'm (4): waiting',
  ])
})

test('a failure in a matrix cancels its other jobs, unless fail-fast is false', async () => {
  const jobs = (more: string) => `  m: { strategy: { ${more} matrix: { x: [1, 2] } }, ${STEPS} }\n`
  const fast = await runOf(jobs(''))
  await report(forge, fast.id, 'm (1)', 'failure')
  assert.deepEqual(await listJobs(forge, fast.id), ['m (1): failure', 'm (2): cancelled'])
  const slow = await runOf(jobs('fail-fast: false,'))
  await report(forge, slow.id, 'm (1)', 'failure')
  assert.deepEqual(await listJobs(forge, slow.id), ['m (1): failure', 'm (2): waiting'])
})

test('in a concurrency group one run is active, the newest waits, and those between are cancelled', async () => {
  const { root, id } = await runOf(`  j: { ${STEPS} }\n`, 'concurrency: "${{ github.ref }}"')
  for (const name of ['a', 'b']) await commit(forge, 'ann', root, { [name]: name })
  assert.deepEqual(await statuses(root), ['waiting', 'cancelled', 'blocked'])
  await report(forge, id, 'j', 'success')
  assert.deepEqual(await statuses(root), ['success', 'cancelled', 'waiting'])
})

test('cancel-in-progress cancels the active run of the group', async () => {
  const { root } = await runOf(`  j: { ${STEPS} }\n`, 'concurrency: { group: one, cancel-in-progress: true }')
  await commit(forge, 'ann', root, { a: 'a' })
  assert.deepEqual(await statuses(root), ['cancelled', 'waiting'])
})

test('a group name that contains github.run_id is different in every run', async () => {
  const { root } = await runOf(`  j: { ${STEPS} }\n`, 'concurrency: "g-${{ github.run_id }}"')
  await commit(forge, 'ann', root, { a: 'a' })
  assert.deepEqual(await statuses(root), ['waiting', 'waiting'])
})

test('jobs of one concurrency group run one after the other, also across runs', async () => {
  const { root, id } = await runOf(`
  a: { concurrency: deploy, ${STEPS} }
  b: { ${STEPS} }
`)
  await commit(forge, 'ann', root, { a: 'a' })
  const second = (await listRuns(forge, root)).at(-1)
  assert.ok(second)
  assert.deepEqual(await listJobs(forge, second.id), ['a: blocked', 'b: waiting'])
  await report(forge, id, 'a', 'success')
  assert.deepEqual(await listJobs(forge, second.id), ['a: waiting', 'b: waiting'])
})

test('a job that calls a workflow runs its jobs, and ends with their result', async () => {
  const called = `on: { workflow_call: { inputs: { word: { type: string } } } }
jobs:
  inner: { runs-on: linux, name: "says \${{ inputs.word }}", steps: [{ run: 'true' }] }
`
  const { root, id } = await runOf(
    `
  call: { uses: ./.gitea/workflows/called.yml, with: { word: pear } }
  after: { needs: call, ${STEPS} }
`,
    '',
    { '.gitea/workflows/called.yml': called },
  )
  assert.deepEqual(await listJobs(forge, id), [
    'call: running',
    'after: blocked',
    'call / says pear: waiting',
  ])
  await report(forge, id, 'call / says pear', 'success')
  assert.deepEqual(await listJobs(forge, id), [
    'call: success',
    'after: waiting',
    'call / says pear: success',
  ])
  await report(forge, id, 'after', 'success')
  assert.deepEqual(await statuses(root), ['success'])
})

test('a run whose advance job was lost is advanced by the cron task', async () => {
  const { id } = await runOf(`  a: { ${STEPS} }\n  b: { needs: a, ${STEPS} }\n`)
  await reportOnly(forge, id, 'a', 'success')
  // Simulates the loss of the queued job.
  await forge.pool.query('delete from job where key = $1', [`advance_run:${id}`])
  forge.advance(3_600_000)
  await forge.runTask('advance_action_runs')
  await forge.runJobs()
  assert.deepEqual(await listJobs(forge, id), ['a: success', 'b: waiting'])
})
