/** Cancel, approve, rerun and delete over REST. */
import { must } from '#platform/must'
import { created, noContent, ok, type Route, routesOf } from '#platform/rest'
import { approveRun } from '../approve/approve-run.ts'
import { cancelRun } from '../cancel/cancel-run.ts'
import { showJobs } from '../lists/show-jobs.ts'
import { showRun } from '../lists/show-runs.ts'
import { openRunsToWrite } from '../open.ts'
import { deleteRun } from '../remove/delete-run.ts'
import { rerun } from '../rerun/rerun.ts'
import { JobOfRunPath, RunPath } from '../schemas.ts'
import { WorkflowJob } from '../wire/job.ts'
import { WorkflowRun } from '../wire/run.ts'

const inRepo = routesOf({ tag: 'repository', scopes: ['repository'] })
const RUN = '/repos/:owner/:repo/actions/runs/:run'

export const actRoutes: readonly Route[] = [
  inRepo({
    method: 'POST',
    path: `${RUN}/cancel`,
    operationId: 'cancelWorkflowRun',
    summary: 'Cancel a workflow run',
    params: RunPath,
    answers: { 200: WorkflowRun },
    open: openRunsToWrite,
    handle: async ({ ctx, params, opened }) =>
      ok(await showRun(ctx, await cancelRun(ctx, opened, params.run))),
  }),
  inRepo({
    method: 'POST',
    path: `${RUN}/force-cancel`,
    operationId: 'forceCancelWorkflowRun',
    summary: 'Cancel a workflow run at once, whatever its runners say',
    params: RunPath,
    answers: { 200: WorkflowRun },
    open: openRunsToWrite,
    handle: async ({ ctx, params, opened }) =>
      ok(await showRun(ctx, await cancelRun(ctx, opened, params.run, { isForced: true }))),
  }),
  inRepo({
    method: 'POST',
    path: `${RUN}/approve`,
    operationId: 'approveWorkflowRun',
    summary: 'Approve a workflow run',
    params: RunPath,
    answers: { 200: WorkflowRun },
    open: openRunsToWrite,
    handle: async ({ ctx, params, opened }) =>
      ok(await showRun(ctx, await approveRun(ctx, opened, params.run))),
  }),
  inRepo({
    method: 'POST',
    path: `${RUN}/rerun`,
    operationId: 'rerunWorkflowRun',
    summary: 'Run a workflow run again',
    params: RunPath,
    answers: { 201: WorkflowRun },
    open: openRunsToWrite,
    handle: async ({ ctx, params, opened }) => {
      const { run } = await rerun(ctx, opened, params.run, { kind: 'all' })
      return created(await showRun(ctx, run))
    },
  }),
  inRepo({
    method: 'POST',
    path: `${RUN}/rerun-failed-jobs`,
    operationId: 'rerunFailedWorkflowRun',
    summary: 'Run the failed jobs of a workflow run again',
    params: RunPath,
    answers: { 201: null },
    open: openRunsToWrite,
    handle: async ({ ctx, params, opened }) => {
      await rerun(ctx, opened, params.run, { kind: 'failed' })
      return created(undefined)
    },
  }),
  inRepo({
    method: 'POST',
    path: `${RUN}/jobs/:job_id/rerun`,
    operationId: 'rerunWorkflowJob',
    summary: 'Run a job of a workflow run again',
    params: JobOfRunPath,
    answers: { 201: WorkflowJob },
    open: openRunsToWrite,
    handle: async ({ ctx, params, opened }) => {
      const { jobId } = await rerun(ctx, opened, params.run, { kind: 'job', id: params.job_id })
      const [job] = await showJobs(ctx, [must(jobId, 'the job was copied')])
      return created(must(job, 'a job is read with its run'))
    },
  }),
  inRepo({
    method: 'DELETE',
    path: RUN,
    operationId: 'deleteActionRun',
    summary: 'Delete a workflow run',
    params: RunPath,
    answers: { 204: null },
    open: openRunsToWrite,
    handle: async ({ ctx, params, opened }) => {
      await deleteRun(ctx, opened, params.run)
      return noContent()
    },
  }),
]
