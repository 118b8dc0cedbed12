/** Workflows over REST: listed, switched off and on, and started by hand. */

import { openToRead, openToWrite, RepositoryPath } from '#domains/repositories'
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
    open: async (visit) => {
      const repo = await openToRead(visit.ctx, visit.params, 'actions')
      // Compat: also of what everybody may see.
      asSignedIn(visit)
      return repo
    },
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
    open: async (visit) => {
      const repo = await openToRead(visit.ctx, visit.params, 'actions')
      asSignedIn(visit)
      return repo
    },
    handle: async ({ ctx, params, opened }) => ok(await getWorkflow(ctx, opened, params.workflow_id)),
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
