/** Workflows over REST: list, disable, enable, dispatch. */

import { answerRuns, listRuns, RunsQuery, WorkflowRuns } from '#domains/actions/runs'
import { type CanRead, openToRead, openToWrite, RepositoryPath } from '#domains/code/repositories'
import type { Context } from '#platform/context'
import { asSignedIn, noContent, ok, type Route, routesOf } from '#platform/rest'
import { dispatch } from './dispatch/dispatch.ts'
import { switchWorkflow } from './files/off.ts'
import { getWorkflow, showWorkflows } from './files/show-workflows.ts'
import {
  ActionWorkflow,
  ActionWorkflowResponse,
  CreateActionWorkflowDispatch,
  DispatchQuery,
  RunDetails,
  WorkflowPath,
} from './schemas.ts'

const route = routesOf({ tag: 'repository', scopes: ['repository'] })
const BASE = '/repos/:owner/:repo/actions/workflows'

/** Compat: reading requires sign-in, even on public repositories. */
async function openToReadSignedIn(visit: {
  readonly ctx: Context
  readonly params: { readonly owner: string; readonly repo: string }
}): Promise<CanRead<'actions'>> {
  const repo = await openToRead(visit.ctx, visit.params, 'actions')
  asSignedIn(visit)
  return repo
}

const switching = (word: 'enable' | 'disable', operationId: string): Route =>
  route({
    method: 'PUT',
    path: `${BASE}/:workflow_id/${word}`,
    operationId,
    summary: word === 'enable' ? 'Enable a workflow' : 'Disable a workflow',
    params: WorkflowPath,
    answers: { 204: null },
    open: ({ ctx, params }) => openToWrite(ctx, params, 'actions'),
    handle: async ({ ctx, params, opened }) => {
      const { id } = await getWorkflow(ctx, opened, params.workflow_id)
      await switchWorkflow(ctx, opened, id, word === 'enable')
      return noContent()
    },
  })

export const triggersRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: BASE,
    operationId: 'ActionsListRepositoryWorkflows',
    summary: 'List repository workflows',
    params: RepositoryPath,
    answers: { 200: ActionWorkflowResponse },
    open: openToReadSignedIn,
    handle: async ({ ctx, opened }) => {
      const workflows = await showWorkflows(ctx, opened)
      return ok({ workflows, total_count: workflows.length })
    },
  }),
  route({
    method: 'GET',
    path: `${BASE}/:workflow_id`,
    operationId: 'ActionsGetWorkflow',
    summary: 'Get a workflow',
    params: WorkflowPath,
    answers: { 200: ActionWorkflow },
    open: openToReadSignedIn,
    handle: async ({ ctx, params, opened }) => ok(await getWorkflow(ctx, opened, params.workflow_id)),
  }),
  route({
    method: 'GET',
    path: `${BASE}/:workflow_id/runs`,
    operationId: 'ActionsListWorkflowRuns',
    summary: 'List runs of a workflow',
    params: WorkflowPath,
    query: RunsQuery,
    answers: { 200: WorkflowRuns },
    open: openToReadSignedIn,
    handle: async (visit) => {
      const { ctx, params, query, opened } = visit
      const scope = { kind: 'repository' as const, id: opened.id }
      return answerRuns(visit, await listRuns(ctx, scope, query, params.workflow_id))
    },
  }),
  switching('disable', 'ActionsDisableWorkflow'),
  switching('enable', 'ActionsEnableWorkflow'),
  route({
    method: 'POST',
    path: `${BASE}/:workflow_id/dispatches`,
    operationId: 'ActionsDispatchWorkflow',
    summary: 'Create a workflow dispatch event',
    params: WorkflowPath,
    query: DispatchQuery,
    body: CreateActionWorkflowDispatch,
    answers: { 200: RunDetails, 204: null },
    open: async (visit) => {
      const repo = await openToWrite(visit.ctx, visit.params, 'actions')
      return { repo, actor: asSignedIn(visit) }
    },
    handle: async ({ ctx, params, query, body, opened: { repo, actor } }) => {
      const { ref, inputs = {} } = body
      const id = await dispatch(ctx, repo, actor, { file: params.workflow_id, ref, inputs })
      if (query.return_run_details !== true) return noContent()
      const at = `${repo.owner.login}/${repo.name}/actions/runs/${id}`
      const { apiUrl, url } = ctx.site
      return ok({ workflow_run_id: id, run_url: `${apiUrl}/repos/${at}`, html_url: `${url}/${at}` })
    },
  }),
]
