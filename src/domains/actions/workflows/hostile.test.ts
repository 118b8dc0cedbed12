/** Malicious workflows are refused or fail in bounded time, and the problem names the exceeded limit. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planFirst, planNext, readWorkflow } from './ask.ts'

const ASKER = { storageId: 1 }
const CONTEXTS = { github: {}, vars: {}, inputs: {} }
const head = 'on: push\n'
const JOB = '  j: { runs-on: x, steps: [{ run: y }] }\n'
/** Includes the restart of a thread that was terminated. */
const BOUNDED = { timeout: 20_000 }

const bomb = () => {
  const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x]']
  for (let i = 1; i < 12; i++)
    lines.push(
      `a${i}: &a${i} [${Array(9)
        .fill(`*a${i - 1}`)
        .join(', ')}]`,
    )
  return `${lines.join('\n')}\n${head}jobs:\n${JOB}`
}
/** Below the limit of aliases, but each refers to a long list. */
const wide = () =>
  `x: &x [${Array(2_000).fill('a').join(', ')}]\ny: [${Array(90).fill('*x').join(', ')}]\n${head}jobs:\n${JOB}`
const cross = (sides: number, each: number) => {
  const axes = Array.from(
    { length: sides },
    (_, i) => `a${i}: [${Array.from({ length: each }, (_, n) => n).join(', ')}]`,
  )
  return `${head}jobs:\n  j: { runs-on: x, strategy: { matrix: { ${axes.join(', ')} } }, steps: [] }\n`
}
const named = (name: string) =>
  `${head}jobs:\n  j:\n    runs-on: x\n    name: ${JSON.stringify(name)}\n    steps: []\n`
/** Each level quadruples the text. */
const doubled = (depth: number): string =>
  depth === 0 ? "'xxxxxxxxxx'" : `format('{0}{0}{0}{0}', ${doubled(depth - 1)})`

const REFUSED: readonly [what: string, text: string, limit: RegExp][] = [
  ['a text of a megabyte', `${head}# ${'x'.repeat(1_000_000)}\njobs:\n${JOB}`, /"text"/],
  ['aliases of aliases', bomb(), /"aliases"/],
  ['an alias of itself', `x: &x [*x]\n${head}jobs:\n${JOB}`, /"(depth|aliases|values)"|not valid/],
  ['aliases of a long list', wide(), /"(values|aliases)"/],
  [
    'lists in lists',
    `x: ${'['.repeat(50_000)}${']'.repeat(50_000)}\n${head}jobs:\n${JOB}`,
    /"depth"|not valid YAML/,
  ],
  [
    'lists in lists, few enough to be read',
    `x: ${'['.repeat(200)}${']'.repeat(200)}\n${head}jobs:\n${JOB}`,
    /"depth"/,
  ],
  [
    'mappings in mappings',
    `${Array.from({ length: 200 }, (_, i) => `${' '.repeat(i)}a:`).join('\n')} 1\n${head}jobs:\n${JOB}`,
    /"depth"/,
  ],
  ['many values', `x: [${Array(60_000).fill('1').join(',')}]\n${head}jobs:\n${JOB}`, /"values"/],
  [
    'many jobs',
    `${head}jobs:\n${Array.from({ length: 300 }, (_, i) => `  j${i}: { runs-on: x }\n`).join('')}`,
    /"jobs"/,
  ],
  [
    'many steps',
    `${head}jobs:\n  j:\n    runs-on: x\n    steps: [${Array(1_500).fill('{ run: y }').join(', ')}]\n`,
    /"steps"/,
  ],
  [
    'many patterns',
    `on: { push: { branches: [${Array(200).fill('a').join(', ')}] } }\njobs:\n${JOB}`,
    /"patterns"/,
  ],
  ['a long pattern', `on: { push: { branches: ['${'*a'.repeat(500)}'] } }\njobs:\n${JOB}`, /"pattern"/],
  [
    'many schedules',
    `on: { schedule: [${Array(20).fill("{ cron: '* * * * *' }").join(', ')}] }\njobs:\n${JOB}`,
    /"schedules"/,
  ],
  [
    'jobs that need each other',
    `${head}jobs:\n  a: { runs-on: x, needs: b }\n  b: { runs-on: x, needs: a }\n`,
    /need each other/,
  ],
  [
    'a job that is called like a prototype',
    `${head}jobs:\n  __proto__: { runs-on: x }\n`,
    /no jobs|no name|is not there/,
  ],
]
for (const [what, text, limit] of REFUSED)
  test(`${what}: refused`, BOUNDED, async () => {
    const answer = await readWorkflow(ASKER, text)
    assert.ok('problem' in answer, JSON.stringify(answer).slice(0, 200))
    assert.match(answer.problem, limit)
  })

/** Every job of these workflows fails before a runner sees it, or the whole plan is refused. */
const FAILING: readonly [what: string, text: string, limit: RegExp][] = [
  ['10,000 jobs by a matrix', cross(4, 10), /"jobs"/],
  ['more jobs than numbers by a matrix', cross(60, 50), /"jobs"/],
  ['a long expression', named(`\${{ '${'x'.repeat(30_000)}' }}`), /"expression"/],
  ['an expression in brackets', named(`\${{ ${'('.repeat(5_000)}1${')'.repeat(5_000)} }}`), /depth/],
  ['an expression that explodes', named(`\${{ ${doubled(14)} }}`), /"result"/],
  [
    'an expression that is JSON of JSON',
    named(`\${{ ${'toJSON('.repeat(40)}'"'${')'.repeat(40)} }}`),
    /"result"/,
  ],
]
for (const [what, text, limit] of FAILING)
  test(`${what}: fails`, BOUNDED, async () => {
    const answer = await planFirst(ASKER, { text, files: {}, contexts: CONTEXTS, onlyReads: false })
    const problem = 'problem' in answer ? answer.problem : answer.said.jobs[0]?.plan.problem
    assert.match(problem ?? '', limit, JSON.stringify(answer).slice(0, 300))
  })

test('200 jobs with a large payload each exceed the limit of a plan', BOUNDED, async () => {
  const text = `${head}env: { A: ${'x'.repeat(200_000)} }\njobs:\n  j: { runs-on: x, strategy: { matrix: { a: [${Array.from({ length: 200 }, (_, i) => i).join(', ')}] } } }\n`
  const answer = await planFirst(ASKER, { text, files: {}, contexts: CONTEXTS, onlyReads: false })
  assert.match('problem' in answer ? answer.problem : '', /"payloads"/)
})

test('workflows that use each other recursively are refused', BOUNDED, async () => {
  const uses = (path: string) =>
    `on: [push, workflow_call]\njobs:\n  j: { uses: ./.gitea/workflows/${path} }\n`
  const files = { '.gitea/workflows/a.yml': uses('b.yml'), '.gitea/workflows/b.yml': uses('a.yml') }
  const answer = await planFirst(ASKER, { text: uses('a.yml'), files, contexts: CONTEXTS, onlyReads: false })
  assert.match('said' in answer ? (answer.said.jobs[0]?.plan.problem ?? '') : '', /"nesting"/)
})

test('a matrix from the output of another job is limited like any other', BOUNDED, async () => {
  const text = `${head}jobs:\n  a: { runs-on: x }\n  b:\n    needs: a\n    runs-on: x\n    strategy: { matrix: "\${{ fromJSON(needs.a.outputs.m) }}" }\n`
  const plan = await planFirst(ASKER, { text, files: {}, contexts: CONTEXTS, onlyReads: false })
  assert.ok('said' in plan)
  const m = JSON.stringify({ x: Array.from({ length: 10_000 }, (_, i) => i) })
  const jobs = plan.said.jobs.map((it, i) => ({
    ...it,
    id: i + 1,
    status: i === 0 ? ('success' as const) : ('blocked' as const),
    is_ready: i === 0,
    outputs: i === 0 ? { m } : {},
  }))
  const answer = await planNext(ASKER, { text, contexts: CONTEXTS, onlyReads: false, jobs })
  assert.ok('said' in answer)
  const [change] = answer.said.changes
  assert.ok(change !== undefined && 'ends' in change)
  assert.equal(change.ends, 'failure')
  assert.match(change.plan?.problem ?? '', /"jobs"/)
})

test('after malicious workflows the thread still reads a valid one', BOUNDED, async () => {
  const answer = await readWorkflow(ASKER, `name: fine\n${head}jobs:\n${JOB}`)
  assert.deepEqual(answer, { said: { name: 'fine', triggers: [{ event: 'push', types: null }] } })
})
