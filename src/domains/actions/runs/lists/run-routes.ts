/** Runs over REST: lists of all repositories, an owner or a repository, and single ones. */
import { Type } from 'typebox'
import { RepositoryPath } from '#domains/code/repositories'
import { OrgPath, openMemberOrg } from '#domains/people/orgs'
import type { Actor, Context } from '#platform/context'
import type { Paged } from '#platform/db'
import { notFound } from '#platform/problem'
import {
  asSignedIn,
  asSiteAdmin,
  listed,
  MISTAKES_ARE_MALFORMED,
  ok,
  pageHeaders,
  type Route,
  route,
  routesOf,
} from '#platform/rest'
import { getRun, openRuns, openRunsAsSignedIn } from '../open.ts'
import type { RunRow } from '../record/tables.ts'
import { AttemptPath, RunPath } from '../schemas.ts'
import { WorkflowRun, WorkflowRuns } from '../wire/run.ts'
import { RunsQuery } from './filter.ts'
import type { Scope } from './find.ts'
import { listRuns, showRun } from './show-runs.ts'

const inRepo = routesOf({ tag: 'repository', scopes: ['repository'] })
const answers = { 200: WorkflowRuns }

export const runRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/admin/actions/runs',
    operationId: 'listAdminWorkflowRuns',
    tag: 'admin',
    summary: 'List workflow runs of all repositories',
    problemsAs: MISTAKES_ARE_MALFORMED,
    scopes: ['admin'],
    query: RunsQuery,
    answers: { 200: Type.Array(WorkflowRun) },
    open: asSiteAdmin,
    handle: async (visit) => {
      const { items, total } = await listRuns(visit.ctx, { kind: 'all' }, visit.query)
      return listed(visit, items, total)
    },
  }),
  route({
    method: 'GET',
    path: '/orgs/:org/actions/runs',
    operationId: 'getOrgWorkflowRuns',
    tag: 'organization',
    summary: "List workflow runs of an organization's repositories",
    scopes: ['organization'],
    params: OrgPath,
    query: RunsQuery,
    answers,
    open: ({ ctx, params }) => openMemberOrg(ctx, params.org),
    handle: async (visit) => runsIn(visit, ownedBy(visit.opened.id, visit.ctx.actor)),
  }),
  route({
    method: 'GET',
    path: '/user/actions/runs',
    operationId: 'getUserWorkflowRuns',
    tag: 'user',
    summary: "List workflow runs of the authenticated user's repositories",
    scopes: ['user'],
    query: RunsQuery,
    answers,
    open: asSignedIn,
    handle: async (visit) => runsIn(visit, ownedBy(visit.opened.id, visit.ctx.actor)),
  }),
  inRepo({
    method: 'GET',
    path: '/repos/:owner/:repo/actions/runs',
    operationId: 'getWorkflowRuns',
    summary: "List a repository's workflow runs",
    params: RepositoryPath,
    query: RunsQuery,
    answers,
    open: openRunsAsSignedIn,
    handle: async (visit) => runsIn(visit, { kind: 'repository', id: visit.opened.id }),
  }),
  inRepo({
    method: 'GET',
    path: '/repos/:owner/:repo/actions/runs/:run',
    operationId: 'GetWorkflowRun',
    summary: 'Get a workflow run',
    params: RunPath,
    answers: { 200: WorkflowRun },
    open: openRuns,
    handle: async ({ ctx, params, opened }) => ok(await showRun(ctx, await getRun(ctx, opened, params.run))),
  }),
  inRepo({
    method: 'GET',
    path: '/repos/:owner/:repo/actions/runs/:run/attempts/:attempt',
    operationId: 'getWorkflowRunAttempt',
    summary: 'Get an attempt of a workflow run',
    params: AttemptPath,
    answers: { 200: WorkflowRun },
    open: openRuns,
    handle: async ({ ctx, params, opened }) => {
      const run = await getRun(ctx, opened, params.run)
      return ok(await showRun(ctx, await asOfAttempt(ctx, run, params.attempt)))
    },
  }),
]

/** Repositories of an owner that the reader has access to; in an organization these may be only some. */
export function ownedBy(id: number, readerOf: Actor | null): Scope {
  return { kind: 'owner', id, readerOf }
}

interface Visit {
  readonly ctx: Context
  readonly query: RunsQuery
  readonly address: { readonly path: string; readonly query: URLSearchParams }
}

async function runsIn(visit: Visit, scope: Scope) {
  return answerRuns(visit, await listRuns(visit.ctx, scope, visit.query))
}

export function answerRuns(visit: Visit, { items, total }: Paged<WorkflowRun>) {
  return {
    status: 200 as const,
    body: { workflow_runs: items, total_count: total },
    headers: pageHeaders(visit, total),
  }
}

/** The run with the status and times of an attempt. */
async function asOfAttempt(ctx: Context, run: RunRow, attempt: number): Promise<RunRow> {
  const row = await ctx.db
    .selectFrom('action_attempt')
    .selectAll()
    .where('run_id', '=', run.id)
    .where('attempt', '=', attempt)
    .executeTakeFirst()
  if (row === undefined) throw notFound('run attempt', attempt)
  const { actor_id, status, started_at, stopped_at, created_at, updated_at } = row
  const times = { started_at, stopped_at, created_at, updated_at }
  return { ...run, attempt, trigger_actor_id: actor_id, status, ...times }
}
