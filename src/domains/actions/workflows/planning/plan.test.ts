/** Plans of workflows, step by step, through the worker thread. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of workflows are written like that
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse, stringify } from 'yaml'
import { planFirst, planNext } from '../ask.ts'
import type { JobState, PlannedJob, Status } from './types.ts'

const ASKER = { storageId: 1 }
const CONTEXTS = {
  github: { ref: 'refs/heads/main', event_name: 'push', event: { number: 7 } },
  vars: { COLOUR: 'blue' },
  inputs: {},
}
type Facts = Record<string, unknown>
const job = (facts: Facts = {}) => ({ 'runs-on': 'linux', steps: [{ run: 'true' }], ...facts })

async function first(jobs: Facts, more: Facts = {}, files: Record<string, string> = {}) {
  const text = stringify({ name: 'ci', on: 'push', jobs, ...more })
  const answer = await planFirst(ASKER, { text, files, contexts: CONTEXTS, onlyReads: false })
  assert.ok('said' in answer, JSON.stringify(answer))
  return { text, ...answer.said }
}

/** Simulates a run by applying the planner's changes to its jobs. */
class Paper {
  readonly jobs: JobState[] = []
  readonly planned = new Map<number, PlannedJob>()
  private readonly text: string

  private constructor(text: string, planned: readonly PlannedJob[]) {
    this.text = text
    this.add(planned)
  }

  static async start(jobs: Facts, more: Facts = {}, files: Record<string, string> = {}): Promise<Paper> {
    const plan = await first(jobs, more, files)
    return new Paper(plan.text, plan.jobs)
  }

  private add(planned: readonly PlannedJob[]): void {
    for (const it of planned) {
      const id = this.jobs.length + 1
      this.planned.set(id, it)
      this.jobs.push({ ...it, id, is_ready: it.payload !== null, outputs: {} })
    }
  }

  /** Ends the jobs of these names, then plans until nothing changes. */
  async end(results: Record<string, Status>, outputs: Record<string, string> = {}): Promise<this> {
    for (const [name, status] of Object.entries(results)) {
      const at = this.jobs.findIndex((it) => it.name === name)
      assert.ok(this.jobs[at]?.is_ready, `${name} is ready`)
      this.jobs[at] = { ...(this.jobs[at] as JobState), status, outputs }
    }
    for (let rounds = 0; rounds < 10; rounds++) if (!(await this.goOn())) return this
    return assert.fail('it never ends')
  }

  private async goOn(): Promise<boolean> {
    const answer = await planNext(ASKER, {
      text: this.text,
      contexts: CONTEXTS,
      onlyReads: false,
      jobs: this.jobs,
    })
    assert.ok('said' in answer, JSON.stringify(answer))
    const { changes, added } = answer.said
    for (const change of changes) {
      const before = this.jobs[change.id - 1] as JobState
      if ('becomes' in change) {
        const { becomes } = change
        this.planned.set(change.id, becomes)
        this.jobs[change.id - 1] = { ...before, ...becomes, is_ready: becomes.payload !== null }
      } else if ('begins' in change)
        this.jobs[change.id - 1] = { ...before, status: 'running', plan: change.begins }
      else this.jobs[change.id - 1] = { ...before, status: change.ends, outputs: change.outputs ?? {} }
    }
    this.add(added)
    return changes.length + added.length > 0
  }

  get told(): Record<string, string> {
    return Object.fromEntries(
      this.jobs.map((it) => [it.name, it.status === 'blocked' && it.is_ready ? 'ready' : it.status]),
    )
  }

  // biome-ignore lint/suspicious/noExplicitAny: a test asserts what it reads
  payloadOf(name: string): any {
    const at = this.jobs.findIndex((it) => it.name === name)
    return parse(this.planned.get(at + 1)?.payload ?? '')
  }
}

test('jobs without needs are ready, alone in their payload, and matrices are expanded', async () => {
  const plan = await first({
    a: job({ env: { A: '${{ matrix.x }}' }, strategy: { matrix: { x: [2, 1], y: ['b'] } } }),
    b: job({ needs: 'a', 'timeout-minutes': 5 }),
  })
  assert.deepEqual(
    plan.jobs.map(({ name, needs, payload }) => [name, needs, payload !== null]),
    [
      ['a (1, b)', [], true],
      ['a (2, b)', [], true],
      ['b', ['a'], false],
    ],
  )
  const payload = parse(plan.jobs[0]?.payload ?? '')
  assert.deepEqual(payload, {
    name: 'ci',
    on: 'push',
    jobs: {
      a: {
        name: 'a (1, b)',
        'runs-on': ['linux'],
        steps: [{ run: 'true' }],
        env: { A: '${{ matrix.x }}' },
        strategy: { matrix: { x: [1], y: ['b'] } },
      },
    },
  })
})

const MATRICES: readonly [matrix: unknown, names: string[]][] = [
  [{ a: [1, 2], exclude: [{ a: 1 }] }, ['m (2)']],
  [{ a: [1, 2], include: [{ a: 1, b: 'x' }] }, ['m (1, x)', 'm (2)']],
  [{ a: [1], include: [{ b: 'x' }] }, ['m (1, x)']],
  [{ a: [1], include: [{ a: 3 }] }, ['m (1)', 'm (3)']],
  [{ include: [{ a: 1 }, { a: 2 }] }, ['m (1)', 'm (2)']],
  ['${{ fromJSON(\'{"a":[5]}\') }}', ['m (5)']],
  [{ a: "${{ fromJSON('[1,2]') }}" }, ['m (1)', 'm (2)']],
]
for (const [matrix, names] of MATRICES)
  test(`the matrix ${JSON.stringify(matrix)} makes ${names.join(' and ')}`, async () => {
    const { jobs } = await first({ m: job({ strategy: { matrix } }) })
    assert.deepEqual(
      jobs.map(({ name }) => name),
      names,
    )
  })

test('names, labels, concurrency groups and timeouts are evaluated', async () => {
  const plan = await first(
    {
      a: job({
        name: 'build on ${{ matrix.os }}',
        'runs-on': ['${{ matrix.os }}', 'x64'],
        concurrency: { group: 'g-${{ vars.COLOUR }}', 'cancel-in-progress': true },
        'continue-on-error': "${{ matrix.os == 'b' }}",
        strategy: { matrix: { os: ['a', 'b'] }, 'max-parallel': 1, 'fail-fast': false },
      }),
    },
    { concurrency: '${{ github.ref }}', 'run-name': 'number ${{ github.event.number }}' },
  )
  assert.deepEqual(plan.concurrency, { group: 'refs/heads/main', cancels_others: false })
  assert.equal(plan.title, 'number 7')
  assert.deepEqual(
    plan.jobs.map(({ name, runs_on, concurrency_group, continues_on_error, plan }) => [
      name,
      runs_on,
      concurrency_group,
      continues_on_error,
      plan.max_parallel,
      plan.fails_fast,
      plan.cancels_others,
    ]),
    [
      ['build on a', ['a', 'x64'], 'g-blue', false, 1, false, true],
      ['build on b', ['b', 'x64'], 'g-blue', true, 1, false, true],
    ],
  )
})

const PERMISSIONS: readonly [ofWorkflow: unknown, ofJob: unknown, code: string, issues: string][] = [
  [undefined, undefined, 'write', 'write'],
  ['read-all', undefined, 'read', 'read'],
  [{ contents: 'read' }, undefined, 'read', 'none'],
  [{ contents: 'read' }, { issues: 'write' }, 'none', 'write'],
  [{}, undefined, 'none', 'none'],
]
for (const [ofWorkflow, ofJob, code, issues] of PERMISSIONS)
  test(`permissions ${JSON.stringify(ofWorkflow)} of the workflow and ${JSON.stringify(ofJob)} of the job`, async () => {
    const { jobs } = await first(
      { a: job(ofJob === undefined ? {} : { permissions: ofJob }) },
      ofWorkflow === undefined ? {} : { permissions: ofWorkflow },
    )
    const { permissions } = jobs[0] ?? {}
    assert.deepEqual([(permissions as Facts).code, (permissions as Facts).issues], [code, issues])
  })

test('runs from a fork have read permissions only', async () => {
  const text = stringify({ on: 'push', jobs: { a: job({ permissions: 'write-all' }) } })
  const answer = await planFirst(ASKER, { text, files: {}, contexts: CONTEXTS, onlyReads: true })
  assert.ok('said' in answer)
  assert.deepEqual(new Set(Object.values(answer.said.jobs[0]?.permissions ?? {})), new Set(['read']))
})

/** What becomes of a job, by the result of the job it needs. */
const CONDITIONS: readonly [
  condition: unknown,
  ...becomes: [success: string, failure: string, cancelled: string],
][] = [
  [undefined, 'ready', 'skipped', 'skipped'],
  ['success()', 'ready', 'skipped', 'skipped'],
  ['always()', 'ready', 'ready', 'ready'],
  ['${{ always() }}', 'ready', 'ready', 'ready'],
  ['failure()', 'skipped', 'ready', 'skipped'],
  ['cancelled()', 'skipped', 'skipped', 'ready'],
  ['!cancelled()', 'ready', 'ready', 'skipped'],
  ["needs.a.result == 'failure'", 'skipped', 'skipped', 'skipped'],
  ["always() && needs.a.result == 'failure'", 'skipped', 'ready', 'skipped'],
  ["github.ref == 'refs/heads/main'", 'ready', 'skipped', 'skipped'],
  ["github.ref == 'refs/heads/other'", 'skipped', 'skipped', 'skipped'],
  ["needs.a.outputs.word == 'yes'", 'ready', 'skipped', 'skipped'],
  ["vars.COLOUR == 'blue'", 'ready', 'skipped', 'skipped'],
  [false, 'skipped', 'skipped', 'skipped'],
  [true, 'ready', 'skipped', 'skipped'],
  ["contains('always()', 'a')", 'ready', 'skipped', 'skipped'],
  ['nonsense(', 'failure', 'skipped', 'skipped'],
]
for (const [condition, ...becomes] of CONDITIONS)
  test(`a job with the condition ${condition} after success, failure and cancellation`, async () => {
    const jobs = { a: job(), b: job({ needs: 'a', ...(condition === undefined ? {} : { if: condition }) }) }
    const said: (string | undefined)[] = []
    for (const status of ['success', 'failure', 'cancelled'] as const)
      said.push((await (await Paper.start(jobs)).end({ a: status }, { word: 'yes' })).told.b)
    assert.deepEqual(said, becomes)
  })

test('a skipped job skips the jobs that need it in the same plan, except with always()', async () => {
  const paper = await Paper.start({
    a: job(),
    b: job({ needs: 'a' }),
    c: job({ needs: 'b' }),
    d: job({ needs: ['b', 'c'], if: 'always()' }),
  })
  await paper.end({ a: 'failure' })
  assert.deepEqual(paper.told, { a: 'failure', b: 'skipped', c: 'skipped', d: 'ready' })
})

test('a matrix from outputs of another job is expanded when that job is done', async () => {
  const matrix = '${{ fromJSON(needs.a.outputs.all) }}'
  const paper = await Paper.start({
    a: job(),
    b: job({ needs: 'a', strategy: { matrix } }),
    c: job({ needs: 'b' }),
  })
  assert.deepEqual(paper.told, { a: 'ready', b: 'blocked', c: 'blocked' })
  await paper.end({ a: 'success' }, { all: '{"x":["one","two","three"]}' })
  assert.deepEqual(paper.told, {
    a: 'success',
    'b (one)': 'ready',
    'b (three)': 'ready',
    'b (two)': 'ready',
    c: 'blocked',
  })
  await paper.end({ 'b (one)': 'success', 'b (two)': 'success' })
  assert.equal(paper.told.c, 'blocked')
  await paper.end({ 'b (three)': 'failure' })
  assert.equal(paper.told.c, 'skipped')
})

const CALLED = `
on:
  workflow_call:
    inputs:
      colour: { type: string, required: true }
      loud: { type: boolean, default: false }
    secrets:
      key: { required: true }
    outputs:
      word: { value: "\${{ jobs.inner.outputs.word }}" }
jobs:
  inner:
    runs-on: "\${{ inputs.colour }}"
    steps:
      - run: echo "\${{ inputs.colour }} \${{ inputs.loud }} \${{ secrets.key }} \${{ secrets.other }} \${{ github.ref }}"
        if: inputs.loud
  last:
    needs: inner
    runs-on: linux
    steps: [{ run: 'true' }]
`

test('a job that calls a workflow runs its jobs with its inputs and returns its outputs', async () => {
  const paper = await Paper.start(
    {
      call: {
        uses: './.gitea/workflows/called.yml',
        with: { colour: '${{ vars.COLOUR }}' },
        secrets: { key: '${{ secrets.DEPLOY }}' },
      },
      after: job({ needs: 'call', if: "needs.call.outputs.word == 'done'" }),
    },
    {},
    { '.gitea/workflows/called.yml': CALLED },
  )
  assert.deepEqual(paper.told, { call: 'blocked', after: 'blocked' })
  await paper.end({})
  assert.deepEqual(paper.told, {
    call: 'running',
    after: 'blocked',
    'call / inner': 'ready',
    'call / last': 'blocked',
  })
  const { steps, 'runs-on': labels } = paper.payloadOf('call / inner').jobs.inner
  assert.deepEqual(labels, ['blue'])
  assert.equal(
    steps[0].run,
    "echo \"${{ 'blue' }} ${{ false }} ${{ secrets.DEPLOY }} ${{ '' }} ${{ github.ref }}\"",
  )
  assert.equal(steps[0].if, 'false')
  await paper.end({ 'call / inner': 'success' }, { word: 'done' })
  await paper.end({ 'call / last': 'success' })
  assert.deepEqual(paper.told, {
    call: 'success',
    after: 'ready',
    'call / inner': 'success',
    'call / last': 'success',
  })
})
