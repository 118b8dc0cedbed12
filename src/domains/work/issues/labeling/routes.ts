/** Labels of an issue over REST. */
import { Type } from 'typebox'
import { inRepository, openTracker, type Tracker } from '#domains/code/repositories'
import { Label } from '#domains/work/labels'
import type { Context } from '#platform/context'
import { noContent, ok, type Route, routesOf } from '#platform/rest'
import { openAsSignedIn, openIssue } from '../records/open-issue.ts'
import { IssuePath } from '../records/schemas.ts'
import { presentLabelOf } from '../records/wire.ts'
import { changeLabels, removeLabels } from './label-issue.ts'
import { listLabelsOf } from './store.ts'

const route = routesOf({ tag: 'issue', scopes: ['issue'] })
const BASE = '/repos/:owner/:repo/issues/:index/labels'
const LABELS_MAX = 100
const IssueLabels = Type.Object(
  {
    labels: Type.Optional(
      Type.Array(Type.Union([Type.Integer(), Type.String({ maxLength: 255 })]), {
        maxItems: LABELS_MAX,
        description: 'label ids, or label names',
      }),
    ),
  },
  { title: 'IssueLabelsOption' },
)

/** For adding and for replacing. */
const changing = (method: 'POST' | 'PUT', operationId: string, summary: string): Route =>
  route({
    method,
    path: BASE,
    operationId,
    summary,
    params: IssuePath,
    body: IssueLabels,
    answers: { 200: Type.Array(Label) },
    open: openAsSignedIn,
    handle: async ({ ctx, params, body, opened }) => {
      const how = method === 'POST' ? 'add' : 'replace'
      await changeLabels(ctx, opened, params.index, body.labels ?? [], how)
      return ok(await showLabels(ctx, opened.tracker, params.index))
    },
  })

export const labelingRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: BASE,
    operationId: 'issueGetLabels',
    summary: 'List the labels of an issue',
    params: IssuePath,
    answers: { 200: Type.Array(Label) },
    open: ({ ctx, params }) => openTracker(ctx, params),
    handle: async ({ ctx, params, opened }) => ok(await showLabels(ctx, opened, params.index)),
  }),
  changing('POST', 'issueAddLabel', 'Add labels to an issue'),
  changing('PUT', 'issueReplaceLabels', 'Replace the labels of an issue'),
  route({
    method: 'DELETE',
    path: BASE,
    operationId: 'issueClearLabels',
    summary: 'Remove all labels from an issue',
    params: IssuePath,
    answers: { 204: null },
    open: openAsSignedIn,
    handle: async ({ ctx, params, opened }) => {
      await removeLabels(ctx, opened, params.index, 'all')
      return noContent()
    },
  }),
  route({
    method: 'DELETE',
    path: `${BASE}/:id`,
    operationId: 'issueRemoveLabel',
    summary: 'Remove a label from an issue',
    params: inRepository({ index: Type.Integer(), id: Type.Integer() }),
    answers: { 204: null },
    open: openAsSignedIn,
    handle: async ({ ctx, params, opened }) => {
      await removeLabels(ctx, opened, params.index, params.id)
      return noContent()
    },
  }),
]

async function showLabels(ctx: Context, tracker: Tracker, number: number): Promise<Label[]> {
  const { id } = await openIssue(ctx, tracker, number)
  const labels = (await listLabelsOf(ctx.db, [id])).get(id) ?? []
  return labels.map((label) => presentLabelOf(label, tracker, ctx.site))
}
