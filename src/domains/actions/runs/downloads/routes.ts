/** Logs over REST: of a job as text, of a run as a zip archive. */
import { Readable } from 'node:stream'
import { notFound } from '#platform/problem'
import { Bytes, fileHeaders, type Route, routesOf } from '#platform/rest'
import { getJob } from '../lists/job-routes.ts'
import { openLog } from '../logs/read-log.ts'
import { getRun, openRuns } from '../open.ts'
import { JobPath, RunPath } from '../schemas.ts'
import { zip } from './zip.ts'

const inRepo = routesOf({ tag: 'repository', scopes: ['repository'] })

export const logRoutes: readonly Route[] = [
  inRepo({
    method: 'GET',
    path: '/repos/:owner/:repo/actions/jobs/:job_id/logs',
    operationId: 'downloadActionsRunJobLogs',
    summary: 'Download the log of a workflow job',
    params: JobPath,
    answers: { 200: Bytes },
    open: openRuns,
    handle: async ({ ctx, params, opened }) => {
      const job = await getJob(ctx, opened, params.job_id)
      if (job.task_id === null) throw notFound('log of job', job.id)
      return {
        status: 200 as const,
        body: await openLog(ctx, job.task_id),
        headers: fileHeaders(`${job.name}-${job.id}.log`, 'text/plain; charset=utf-8', 'attachment'),
      }
    },
  }),
  inRepo({
    method: 'GET',
    path: '/repos/:owner/:repo/actions/runs/:run/logs',
    operationId: 'getWorkflowRunLogs',
    summary: 'Download the logs of a workflow run as an archive',
    params: RunPath,
    answers: { 200: Bytes },
    open: openRuns,
    handle: async ({ ctx, params, opened }) => {
      const run = await getRun(ctx, opened, params.run)
      const jobs = await ctx.db
        .selectFrom('action_job')
        .select(['id', 'name', 'task_id'])
        .where('run_id', '=', run.id)
        .where('attempt', '=', run.attempt)
        .where('task_id', 'is not', null)
        .orderBy('id')
        .execute()
      const entries = jobs.map(({ id, name, task_id }) => ({
        name: `${cleanName(name)}-${id}.log`,
        open: () => openLog(ctx, task_id ?? 0),
      }))
      return {
        status: 200 as const,
        body: Readable.from(zip(entries)),
        headers: fileHeaders(`run-${run.id}-logs.zip`, 'application/zip', 'attachment'),
      }
    },
  }),
]

/** A name that is a single file name on every platform. */
function cleanName(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N} ()._,-]/gu, '_').replace(/^\.+/, '_')
}
