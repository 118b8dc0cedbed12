/** Locking issues over REST. */
import { Type } from 'typebox'
import { noContent, type Route, routesOf } from '#platform/rest'
import { openAsAdmin } from '../records/open-issue.ts'
import { IssuePath } from '../records/schemas.ts'
import { setLocked } from './lock-issue.ts'

const route = routesOf({ tag: 'issue', scopes: ['issue'] })
const PATH = '/repos/:owner/:repo/issues/:index/lock'
const LockIssue = Type.Object(
  { lock_reason: Type.Optional(Type.String({ maxLength: 255 })) },
  { title: 'LockIssueOption' },
)

export const lockingRoutes: readonly Route[] = [
  route({
    method: 'PUT',
    path: PATH,
    operationId: 'issueLockIssue',
    summary: 'Lock an issue',
    params: IssuePath,
    body: LockIssue,
    answers: { 204: null },
    open: openAsAdmin,
    handle: async ({ ctx, params, body, opened }) => {
      await setLocked(ctx, opened, params.index, { reason: body.lock_reason ?? '' })
      return noContent()
    },
  }),
  route({
    method: 'DELETE',
    path: PATH,
    operationId: 'issueUnlockIssue',
    summary: 'Unlock an issue',
    params: IssuePath,
    answers: { 204: null },
    open: openAsAdmin,
    handle: async ({ ctx, params, opened }) => {
      await setLocked(ctx, opened, params.index, null)
      return noContent()
    },
  }),
]
