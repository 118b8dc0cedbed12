/** The jobs of a run on its page: needs and waiting times. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startForge } from '#testing'
import { addRun, SimulatedRunner } from '#testing/slices/runners'
import { listRuns, makeRepository } from '#testing/slices/triggers'

const forge = await startForge()
after(() => forge[Symbol.asyncDispose]())
await forge.person('ann')
const { body: repo } = await forge.call('ann', 'POST', '/user/repos', { name: 'bell', auto_init: true })
const ann = await forge.browserOf('ann')

type Jobs = NonNullable<Parameters<typeof addRun>[2]>
const SECOND_MS = 1_000

async function show(jobs: Jobs): Promise<string> {
  const { id } = await addRun(forge.ctx, repo.id, jobs)
  return boxOf(await ann.get(`/ann/bell/actions/runs/${id}`))
}

function job(key: string, needs: readonly string[] = [], name = key): Jobs[number] {
  const held = { status: 'blocked', queued_at: null } as const
  return { key, name, needs: [...needs], ...(needs.length > 0 && held) }
}

function boxOf({ status, text }: { status: number; text: string }): string {
  assert.equal(status, 200)
  return /<h2>Jobs<\/h2>.*?<\/section>/s.exec(text)?.[0] ?? ''
}

/** The cards of each column: needs, then state and name of each job. */
function columnsOf(box: string): string[][] {
  const [, ...columns] = box.split('<li><ul class="rows">')
  return columns.map((column) => column.split('<li class="job-card">').slice(1).map(wordsOf))
}

function rowsOf(box: string): string[] {
  return box
    .split(/<li class="row[ \w]*">/)
    .slice(1)
    .map(wordsOf)
}

function wordsOf(text: string): string {
  return text
    .replace(/<svg[^>]*aria-label="([^"]*)".*?<\/svg>/gs, ' $1: ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/ (?:waited|ran)(?: \d+ [hms])+/g, '')
    .trim()
}

test('jobs are to the right of what they need, a matrix is one card, and needs are named', async () => {
  const box = await show([
    job('publish', ['test', 'lint']),
    job('build', [], 'Build it'),
    job('test', ['build'], 'test (old)'),
    job('test', ['build'], 'test (new)'),
    job('lint'),
  ])
  assert.deepEqual(columnsOf(box), [
    ['queued: Build it', 'queued: lint'],
    ['needs Build it waiting: test (old) waiting: test (new)'],
    ['needs test, lint waiting: publish'],
  ])
})

test('jobs without needs are a list', async () => {
  const box = await show([job('one'), job('two')])
  assert.deepEqual(rowsOf(box), ['queued: one', 'queued: two'])
  assert.deepEqual(columnsOf(box), [])
})

test('jobs with cyclic needs are placed last, and unknown needs are ignored', async () => {
  const loop = [job('a', ['b']), job('b', ['a']), job('self', ['self'])]
  assert.deepEqual(columnsOf(await show([...loop, job('free', ['gone', 'constructor'])])), [
    ['needs gone, constructor waiting: free'],
    ['needs b waiting: a', 'needs a waiting: b', 'needs self waiting: self'],
  ])
  assert.deepEqual(rowsOf(await show(loop)), [
    'waiting: a needs b',
    'waiting: b needs a',
    'waiting: self needs self',
  ])
})

test('the time a job waited for a runner is shown separately from its run time', async () => {
  const { body } = await forge.call('ann', 'POST', '/repos/ann/bell/actions/runners/registration-token')
  const hearth = await SimulatedRunner.register(forge.base, body.token, { name: 'hearth', labels: ['slow'] })
  const [minuteAgo, hourAgo] = [60, 3_600].map((s) => new Date(forge.ctx.now().getTime() - s * SECOND_MS))
  const { id } = await addRun(forge.ctx, repo.id, [
    { ...job('early'), runs_on: ['slow'], queued_at: hourAgo ?? null },
    { ...job('late'), runs_on: ['nobody'], queued_at: minuteAgo ?? null },
    { ...job('next', ['early']), runs_on: ['slow'] },
  ])
  const task = await hearth.untilTask()
  await hearth.finish(task.id)
  const [early = '', late = '', next = ''] = rowsAsWritten(await ann.get(`/ann/bell/actions/runs/${id}`))
  assert.match(early, /hearth · waited 1 h 0 m<.*ran \d+ s</s)
  assert.match(late, /waited 1 m \d+ s</)
  assert.doesNotMatch(late, /ran /)
  assert.doesNotMatch(next, /waited|ran /)
})

function rowsAsWritten(answer: { status: number; text: string }): string[] {
  return boxOf(answer).split('<li class="row').slice(1)
}

test('jobs of a called workflow are listed below the calling job, in execution order', async () => {
  const steps = "runs-on: linux, steps: [{ run: 'true' }]"
  const root = await makeRepository(forge, 'ann', 'anvil', {
    '.gitea/workflows/check.yml': `on: push\njobs:\n  all: { uses: ./.gitea/workflows/called.yml }\n  tell: { needs: all, ${steps} }\n`,
    '.gitea/workflows/called.yml': `on: workflow_call\njobs:\n  late: { needs: soon, ${steps} }\n  soon: { ${steps} }\n`,
  })
  await forge.runJobs()
  const [run] = await listRuns(forge, root)
  const box = boxOf(await ann.get(`/ann/anvil/actions/runs/${run?.id}`))
  assert.deepEqual(columnsOf(box), [
    ['running: all queued: all / soon waiting: all / late needs all / soon'],
    ['needs all waiting: tell'],
  ])
})

test('the page of a run takes the same number of queries for many jobs as for one', async () => {
  const costOf = async (jobs: Jobs) => {
    const { id } = await addRun(forge.ctx, repo.id, jobs)
    const once = () => forge.countQueries(() => ann.get(`/ann/bell/actions/runs/${id}`))
    // Background work may add queries.
    return Math.min(await once(), await once(), await once())
  }
  const many = Array.from({ length: 20 }, (_, i) => job(`job-${i}`, i > 0 ? [`job-${i - 1}`] : []))
  assert.equal(await costOf(many), await costOf([job('one')]))
})
