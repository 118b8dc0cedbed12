/** Questions about cancelling a run without its runner, and about running again. */
import type { Audit } from '../kit/audit.ts'
import type { Json } from '../kit/client.ts'
import { fits } from '../kit/fits.ts'
import type { Stage } from '../kit/stage.ts'
import { allOf, each, equals, hasErrorShape, hasStatus, holds } from '../kit/verdicts.ts'
import { askAboutRuns } from './runs.ts'
import { CANCEL, prepareWorkflows, type Workflows } from './workflows.ts'

export async function askAboutActions(audit: Audit, stage: Stage): Promise<void> {
  const flows = await prepareWorkflows(audit, stage)
  const first = await askAboutRuns(audit, stage, flows)
  await askAboutCancelling(audit, stage, flows, first)
  await askAboutRefusals(audit, stage, flows, first)
  await askAboutAttempts(audit, stage, flows, first)
  await audit.request('DELETE', `/admin/actions/runners/${flows.runner.id}`)
}

async function askAboutCancelling(audit: Audit, stage: Stage, flows: Workflows, first: Json): Promise<void> {
  const { demand, request } = audit
  const { alice } = stage
  const { place, runner, list, cancel, pushAndTake } = flows
  const path = (id: number) => `/repos/${place}/actions/runs/${id}`
  const jobsOf = async (id: number): Promise<Json[]> =>
    (await request('GET', `${path(id)}/jobs`, { as: alice })).json.jobs
  const endsOf = async (id: number) => (await jobsOf(id)).map((it) => [it.status, it.conclusion])
  const CANCELLED = [['completed', 'cancelled']]
  await pushAndTake('x2.txt')
  const [stubborn] = await list('?status=in_progress')
  await demand(
    CANCEL,
    'A run whose runner ignores an ordinary cancel goes on until it is cancelled by force.',
    async () => {
      await request('POST', `${path(stubborn.id)}/cancel`, { as: alice })
      const { json: between } = await request('GET', path(stubborn.id), { as: alice })
      const answer = await cancel(stubborn.id)
      return allOf(
        equals(between.status, 'in_progress'),
        hasStatus(answer, 200),
        fits('WorkflowRun', answer.json),
        equals(await endsOf(stubborn.id), CANCELLED),
      )
    },
  )
  const task = await pushAndTake('x3.txt')
  const [run] = await list('?status=in_progress')
  await demand(CANCEL, 'The answer is the run, and its jobs are cancelled at once.', async () => {
    const answer = await cancel(run.id)
    return allOf(
      hasStatus(answer, 200),
      fits('WorkflowRun', answer.json),
      equals(answer.json.id, run.id),
      equals(await endsOf(run.id), CANCELLED),
    )
  })
  await demand(CANCEL, 'Later reports of the runner are discarded.', async () => {
    const rows = [{ time: '2026-01-02T03:04:05Z', content: 'late line' }]
    await runner.call('UpdateLog', { taskId: task.id, index: '0', rows, noMore: true })
    await runner.call('UpdateTask', { state: { id: task.id, result: 'RESULT_SUCCESS' } })
    return equals(await endsOf(run.id), CANCELLED)
  })
  await demand(CANCEL, 'Later lines of the log are discarded.', async () => {
    const [job] = await jobsOf(run.id)
    const { text } = await request('GET', `/repos/${place}/actions/jobs/${job.id}/logs`, { as: alice })
    return holds(!text.includes('late line'), 'the log has the late line')
  })
  await demand(CANCEL, 'A run that has ended is a conflict.', () =>
    each([run.id, first.id], async (id) => {
      const answer = await cancel(id)
      return allOf(hasStatus(answer, 409), hasErrorShape(answer))
    }),
  )
  await demand(CANCEL, 'A run that no runner has taken is cancelled.', async () => {
    const [queued] = await list('?status=queued')
    return hasStatus(await cancel(queued?.id), 200)
  })
}

async function askAboutRefusals(
  { demand }: Audit,
  stage: Stage,
  { cancel }: Workflows,
  first: Json,
): Promise<void> {
  const { alice, bob } = stage
  await demand(CANCEL, 'Unknown runs, runs of another repository and other words are not found.', () =>
    each(
      [
        [99_999_999, {}],
        [first.id as number, { at: `${alice}/open` }],
        ['abc', {}],
        ['-1', {}],
        ['9223372036854775808', {}],
      ] as const,
      async ([id, asking]) => {
        const answer = await cancel(id, asking)
        return allOf(hasStatus(answer, 400, 404), hasErrorShape(answer))
      },
    ),
  )
  await demand(CANCEL, 'A run that is no number is not found.', async () =>
    hasStatus(await cancel('abc'), 404),
  )
  await demand(CANCEL, 'A reader is forbidden.', async () => {
    const answer = await cancel(first.id, { as: bob })
    return allOf(hasStatus(answer, 403), hasErrorShape(answer))
  })
  await demand(CANCEL, 'A caller without credentials is unauthorized.', async () => {
    const answer = await cancel(first.id, { as: null })
    return allOf(hasStatus(answer, 401), hasErrorShape(answer))
  })
}

async function askAboutAttempts(
  { demand, request }: Audit,
  stage: Stage,
  flows: Workflows,
  first: Json,
): Promise<void> {
  const { alice } = stage
  const path = `/repos/${flows.place}/actions/runs/${first.id}`
  await demand(
    'WorkflowRun',
    'A run that runs again has a second attempt and leads to the first.',
    async () => {
      const again = await request('POST', `${path}/rerun`, { as: alice })
      const { json: run } = await request('GET', path, { as: alice })
      const { pathname } = new URL(run.previous_attempt_url)
      const before = await request('GET', pathname, { as: alice, root: true })
      return allOf(
        hasStatus(again, 200, 201),
        equals([run.run_attempt, before.json?.run_attempt], [2, 1]),
        hasStatus(before, 200),
      )
    },
  )
}
