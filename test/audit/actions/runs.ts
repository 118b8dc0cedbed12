/** Questions about lists of runs and jobs. */
import { type Audit, until } from '../kit/audit.ts'
import type { Answer, Json } from '../kit/client.ts'
import { fits, fitsAll } from '../kit/fits.ts'
import type { Stage } from '../kit/stage.ts'
import { allOf, equals, hasErrorShape, hasStatus, holds, isJson } from '../kit/verdicts.ts'
import { ALL_RUNS, finishRuns, JOBS, RUNS, type Workflows, workflowText } from './workflows.ts'

const STATUSES = ['pending', 'queued', 'in_progress', 'failure', 'success', 'skipped']
/** A job without needs is skipped by the runner that evaluates its condition. */
const SKIPPED = (label: string) =>
  workflowText('b', 'workflow_dispatch', label).replace('    runs-on', '    if: false\n    runs-on')

const idsOf = (list: Json): number[] => list.map((it: Json) => it.id)

/** Returns the first run, which ends with success. */
export async function askAboutRuns(audit: Audit, stage: Stage, flows: Workflows): Promise<Json> {
  const first = await askAboutStates(audit, stage, flows)
  await askAboutWaiting(audit, flows)
  await askAboutStatuses(audit, flows)
  await askAboutJobs(audit, flows)
  await askAboutFilters(audit, stage, flows, first)
  await askAboutPullRequests(audit, stage, flows)
  await askAboutPlaces(audit, stage, flows)
  return first
}

async function askAboutStates(audit: Audit, stage: Stage, flows: Workflows): Promise<Json> {
  const { demand } = audit
  const { runs, allRuns, jobs, runner, take, list, label, place } = flows
  const { alice, addFile } = stage
  await addFile(place, '.gitea/workflows/a.yml', workflowText('a', 'push', label), alice)
  const first = await until(async () => (await list(''))[0])
  const isIn = async (status: string) => idsOf(await list(`?status=${status}`)).includes(first.id)
  await demand(
    RUNS,
    'The answer is an object whose workflow_runs have every field that is listed.',
    async () => {
      const answer = await runs()
      return allOf(hasStatus(answer, 200), isJson(answer), fitsAll('WorkflowRun', answer.json.workflow_runs))
    },
  )
  await demand(RUNS, 'head_repository of a run is a repository.', async () =>
    fits('Repository', (await list(''))[0].head_repository),
  )
  await demand(RUNS, 'The first attempt has the number 1 and no attempt before it.', async () =>
    equals([first.run_attempt, first.previous_attempt_url], [1, null]),
  )
  await demand(RUNS, 'status=queued finds a run that waits for a runner.', async () => isIn('queued'))
  for (const [operation, ask] of [
    [JOBS, jobs],
    [ALL_RUNS, allRuns],
  ] as const) {
    await demand(operation, 'The list is answered with 200.', async () => hasStatus(await ask(), 200))
    await demand(operation, 'The list is a JSON array.', async () => {
      const { json } = await ask()
      return holds(Array.isArray(json), `it is an object with ${Object.keys(json)}`)
    })
  }
  await demand(ALL_RUNS, 'The list holds runs with every field that is listed.', async () =>
    fitsAll('WorkflowRun', (await allRuns()).json),
  )
  const task = await take()
  await demand(RUNS, 'status=in_progress finds a run that a runner has taken.', async () =>
    holds(await until(() => isIn('in_progress')), 'the run is not in progress'),
  )
  await runner.finish(task.id)
  await demand(RUNS, 'status=success finds a run whose runner reported success.', async () =>
    holds(await until(() => isIn('success')), 'the run has no success'),
  )
  const second = await flows.pushAndTake('x1.txt')
  await runner.finish(second.id, 'RESULT_FAILURE')
  await demand(RUNS, 'status=failure finds a run whose runner reported a failure.', async () =>
    equals(await until(async () => (await list('?status=failure')).length), 1),
  )
  return first
}

async function askAboutWaiting(audit: Audit, flows: Workflows): Promise<void> {
  const { demand, suffix } = audit
  const { jobs, runner, take, list, label, addWorkflow, dispatch } = flows
  await addWorkflow('b.yml', SKIPPED(label))
  await dispatch('b.yml')
  await runner.finish((await take()).id, 'RESULT_SKIPPED')
  await demand(RUNS, 'status=skipped finds a run whose jobs were skipped.', async () =>
    equals(await until(async () => (await list('?status=skipped')).length), 1),
  )
  const nobody = `nobody-${suffix}`
  const one = workflowText('d', 'workflow_dispatch', nobody).replace(
    'jobs:',
    'concurrency:\n  group: g\njobs:',
  )
  const two = `  two:\n    needs: [one]\n    runs-on: ${nobody}\n    steps:\n      - run: echo\n`
  await addWorkflow('d.yml', one + two)
  for (let i = 0; i < 2; i++) await dispatch('d.yml')
  await demand(JOBS, 'status=pending finds a job that waits for another.', async () => {
    const found = await until(async () => {
      const { json } = await jobs('?status=pending&limit=50&sort=id&order=desc')
      return json.some((it: Json) => it.name === 'two')
    })
    return holds(found, 'the job is missing')
  })
  await demand(RUNS, 'status=pending finds a run that waits for its concurrency group.', async () =>
    equals(await until(async () => (await list('?status=pending')).length), 1),
  )
}

async function askAboutStatuses({ demand }: Audit, { runs, allRuns, jobs }: Workflows): Promise<void> {
  const lists: readonly (readonly [string, (query: string) => Promise<Answer>])[] = [
    [JOBS, jobs],
    [ALL_RUNS, allRuns],
    [RUNS, runs],
  ]
  for (const [operation, ask] of lists) {
    for (const status of STATUSES)
      await demand(operation, `The status ${status} is accepted.`, async () =>
        hasStatus(await ask(`?status=${status}`), 200),
      )
    await demand(operation, 'An unknown status is refused with 400.', async () => {
      const answer = await ask('?status=zzz')
      return allOf(hasStatus(answer, 400), hasErrorShape(answer))
    })
  }
  for (const [operation, ask] of lists.slice(0, 2))
    await demand(operation, 'A list without hits is empty and not 404.', async () => {
      const answer = await ask('?page=999')
      return allOf(hasStatus(answer, 200), equals(answer.json, []))
    })
}

async function askAboutJobs({ demand }: Audit, { jobs }: Workflows): Promise<void> {
  const ids = async (query: string) => idsOf((await jobs(query)).json)
  const rises = (list: readonly number[]) =>
    list.length > 1 && list.every((it, i) => i === 0 || (list[i - 1] ?? 0) < it)
  await demand(JOBS, 'Jobs are sorted by id upwards, or downwards by order=desc.', async () => {
    const up = await ids('?sort=id&order=asc&limit=50')
    const down = await ids('?sort=id&order=desc&limit=50')
    return allOf(
      holds(rises(up), `asc gives ${up}`),
      holds(rises(down.toReversed()), `desc gives ${down}`),
      holds(rises(await ids('?limit=50')), 'the default does not rise'),
    )
  })
  await demand(JOBS, 'order counts also when sort is absent.', async () => {
    const down = await ids('?order=desc&limit=50')
    return holds(rises(down.toReversed()), `order=desc gives ${down}`)
  })
  await demand(JOBS, 'Another sort and another order are refused with a listed kind.', async () => {
    const [sort, order] = [await jobs('?sort=name'), await jobs('?sort=id&order=up')]
    return allOf(
      hasStatus(sort, 400, 422),
      hasErrorShape(sort),
      hasStatus(order, 400, 422),
      hasErrorShape(order),
    )
  })
  await demand(JOBS, 'page and limit cut the list into pages.', async () => {
    const [first, ...others] = await ids('?limit=1&page=1')
    const [second] = await ids('?limit=1&page=2')
    return allOf(equals(others, []), holds(first !== second, 'both pages show the same'))
  })
}

async function askAboutFilters(audit: Audit, stage: Stage, flows: Workflows, first: Json): Promise<void> {
  const { demand } = audit
  const { alice, carol } = stage
  const { runs, allRuns, list } = flows
  await demand(ALL_RUNS, 'event, branch, actor and head_sha select runs.', async () => {
    const found = async (query: string): Promise<Json[]> => (await allRuns(query)).json
    const [pushes, branch] = [await found('?event=push&limit=50'), await found('?branch=main&limit=50')]
    const [own, commit] = [
      await found(`?actor=${alice}&limit=50`),
      await found(`?head_sha=${first.head_sha}`),
    ]
    return allOf(
      holds(pushes.length > 0 && pushes.every((it) => it.event === 'push'), 'event'),
      holds(branch.length > 0 && branch.every((it) => it.head_branch === 'main'), 'branch'),
      holds(own.length > 0 && own.every((it) => it.trigger_actor.login === alice), 'actor'),
      equals(idsOf(commit), [first.id]),
      equals([await found('?branch=no-such'), await found('?event=nope')], [[], []]),
    )
  })
  await demand(RUNS, 'event, branch, actor and head_sha select runs.', async () => {
    const dispatched = await list('?event=workflow_dispatch')
    const isEvent = dispatched.length > 0 && dispatched.every((it) => it.event === 'workflow_dispatch')
    return allOf(
      holds(isEvent, 'event'),
      holds((await list('?branch=main')).length > 0, 'branch'),
      holds((await list(`?actor=${alice}`)).length > 0, 'actor'),
      equals(idsOf(await list(`?head_sha=${first.head_sha}`)), [first.id]),
      equals([await list(`?actor=${carol}`), await list('?actor=no-such-zz')], [[], []]),
    )
  })
  await demand(RUNS, 'The list has pages and a count.', async () => {
    const [one, two] = [await runs('?limit=1&page=1'), await runs('?limit=1&page=2')]
    return allOf(
      equals(one.json.workflow_runs.length, 1),
      holds(one.json.workflow_runs[0].id !== two.json.workflow_runs[0].id, 'both pages show the same'),
      holds(Number(one.headers['x-total-count']) > 3, 'X-Total-Count is too small'),
    )
  })
}

async function askAboutPullRequests({ demand }: Audit, stage: Stage, flows: Workflows): Promise<void> {
  const { place, label, list, addWorkflow } = flows
  await demand(RUNS, 'A run of a pull request names it, unless exclude_pull_requests is set.', async () => {
    await addWorkflow('p.yml', workflowText('p', 'pull_request', label))
    await stage.openPull(place, 'feat', stage.alice)
    await finishRuns(flows, '?event=pull_request', 1)
    await finishRuns(flows, '?branch=feat&event=push', 1)
    const [run] = await list('?event=pull_request')
    const [bare] = await list('?event=pull_request&exclude_pull_requests=true')
    return allOf(
      holds(run.pull_requests.length === 1 && run.pull_requests[0].number, JSON.stringify(run.pull_requests)),
      equals(bare.pull_requests, []),
    )
  })
}

async function askAboutPlaces(
  { demand }: Audit,
  { alice, carol }: Stage,
  { runs }: Workflows,
): Promise<void> {
  await demand(
    RUNS,
    'Unknown and hidden repositories are not found, and a caller without credentials is unauthorized.',
    async () => {
      const unknown = await runs('', { at: `${alice}/nope` })
      const hidden = await runs('', { at: `${alice}/hidden`, as: carol })
      const nobody = await runs('', { as: null })
      return allOf(
        hasStatus(unknown, 404),
        hasStatus(hidden, 404),
        hasStatus(nobody, 401),
        ...[unknown, hidden, nobody].map(hasErrorShape),
      )
    },
  )
}
