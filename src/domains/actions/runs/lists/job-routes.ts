/** Jobs and tasks over REST: lists of all repositories, an owner, a repository or a run, and single ones. */
import { Type } from 'typebox'
import { RepositoryPath } from '#domains/code/repositories'
import { OrgPath, openMemberOrg } from '#domains/people/orgs'
import type { Context } from '#platform/context'
import { notFound } from '#platform/problem'
import {
  asSignedIn,
  asSiteAdmin,
  listed,
  ok,
  PageQuery,
  pageHeaders,
  pageOf,
  type Route,
  route,
  routesOf,
} from '#platform/rest'
import { getRun, openRuns, openRunsAsSignedIn, type ReadableRuns } from '../open.ts'
import type { JobRow } from '../record/tables.ts'
import { AttemptPath, JobPath, RunPath } from '../schemas.ts'
import { WorkflowJob, WorkflowJobs } from '../wire/job.ts'
import { presentTask, Tasks } from '../wire/task.ts'
import { JobsQuery } from './filter.ts'
import type { Scope } from './find.ts'
import { listTasks } from './list-tasks.ts'
import { ownedBy } from './run-routes.ts'
import { listJobs, showJobs } from './show-jobs.ts'

const inRepo = routesOf({ tag: 'repository', scopes: ['repository'] })
const answers = { 200: WorkflowJobs }

export const jobRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/admin/actions/jobs',
    operationId: 'listAdminWorkflowJobs',
    tag: 'admin',
    summary: 'List workflow jobs of all repositories',
    scopes: ['admin'],
    query: JobsQuery,
    answers: { 200: Type.Array(WorkflowJob) },
    open: asSiteAdmin,
    handle: async (visit) => {
      const { items, total } = await listJobs(visit.ctx, { kind: 'all' }, visit.query)
      return listed(visit, items, total)
    },
  }),
  route({
    method: 'GET',
    path: '/orgs/:org/actions/jobs',
    operationId: 'getOrgWorkflowJobs',
    tag: 'organization',
    summary: "List workflow jobs of an organization's repositories",
    scopes: ['organization'],
    params: OrgPath,
    query: JobsQuery,
    answers,
    open: ({ ctx, params }) => openMemberOrg(ctx, params.org),
    handle: (visit) => jobsIn(visit, ownedBy(visit.opened.id, visit.ctx.actor)),
  }),
  route({
    method: 'GET',
    path: '/user/actions/jobs',
    operationId: 'getUserWorkflowJobs',
    tag: 'user',
    summary: "List workflow jobs of the authenticated user's repositories",
    scopes: ['user'],
    query: JobsQuery,
    answers,
    open: asSignedIn,
    handle: (visit) => jobsIn(visit, ownedBy(visit.opened.id, visit.ctx.actor)),
  }),
  inRepo({
    method: 'GET',
    path: '/repos/:owner/:repo/actions/jobs',
    operationId: 'listWorkflowJobs',
    summary: "List a repository's workflow jobs",
    params: RepositoryPath,
    query: JobsQuery,
    answers,
    open: openRunsAsSignedIn,
    handle: (visit) => jobsIn(visit, { kind: 'repository', id: visit.opened.id }),
  }),
  inRepo({
    method: 'GET',
    path: '/repos/:owner/:repo/actions/jobs/:job_id',
    operationId: 'getWorkflowJob',
    summary: 'Get a workflow job',
    params: JobPath,
    answers: { 200: WorkflowJob },
    open: openRuns,
    handle: async ({ ctx, params, opened }) => {
      const { id } = await getJob(ctx, opened, params.job_id)
      const [job] = await showJobs(ctx, [id])
      if (job === undefined) throw notFound('job', id)
      return ok(job)
    },
  }),
  inRepo({
    method: 'GET',
    path: '/repos/:owner/:repo/actions/runs/:run/jobs',
    operationId: 'listWorkflowRunJobs',
    summary: 'List jobs of a workflow run',
    params: RunPath,
    query: JobsQuery,
    answers,
    open: openRuns,
    handle: async (visit) => {
      const { id, attempt } = await getRun(visit.ctx, visit.opened, visit.params.run)
      return jobsIn(visit, { kind: 'attempt', runId: id, attempt })
    },
  }),
  inRepo({
    method: 'GET',
    path: '/repos/:owner/:repo/actions/runs/:run/attempts/:attempt/jobs',
    operationId: 'listWorkflowRunAttemptJobs',
    summary: 'List jobs of an attempt of a workflow run',
    params: AttemptPath,
    query: JobsQuery,
    answers,
    open: openRuns,
    handle: async (visit) => {
      const { attempt } = visit.params
      const run = await getRun(visit.ctx, visit.opened, visit.params.run)
      if (attempt < 1 || attempt > run.attempt) throw notFound('run attempt', attempt)
      return jobsIn(visit, { kind: 'attempt', runId: run.id, attempt })
    },
  }),
  inRepo({
    method: 'GET',
    path: '/repos/:owner/:repo/actions/tasks',
    operationId: 'ListActionTasks',
    summary: "List a repository's action tasks",
    params: RepositoryPath,
    query: PageQuery,
    answers: { 200: Tasks },
    open: openRuns,
    handle: async (visit) => {
      const { ctx, query, opened } = visit
      const { items, total } = await listTasks(ctx.db, opened.id, pageOf(ctx, query))
      const tasks = items.map((task) => presentTask(task, opened, ctx.site))
      return {
        status: 200 as const,
        body: { workflow_runs: tasks, total_count: total },
        headers: pageHeaders(visit, total),
      }
    },
  }),
]

interface Visit {
  readonly ctx: Context
  readonly query: JobsQuery
  readonly address: { readonly path: string; readonly query: URLSearchParams }
}

async function jobsIn(visit: Visit, scope: Scope) {
  const { items, total } = await listJobs(visit.ctx, scope, visit.query)
  return {
    status: 200 as const,
    body: { jobs: items, total_count: total },
    headers: pageHeaders(visit, total),
  }
}

export async function getJob(ctx: Context, repo: ReadableRuns, id: number): Promise<JobRow> {
  const job = await ctx.db
    .selectFrom('action_job')
    .selectAll()
    .where('id', '=', id)
    .where('repository_id', '=', repo.id)
    .executeTakeFirst()
  if (job === undefined) throw notFound('run job', id)
  return job
}
