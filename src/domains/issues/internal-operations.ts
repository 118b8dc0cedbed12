/** What pages show of issues and the REST interface has no operation for. */
import { Type } from 'typebox'
import { type InternalOperations, internalOperation } from '#platform/rest'
import { clearContentHistory, showContentHistory } from './history/content-history.ts'
import { openAsSignedIn, openTracker } from './records/open-issue.ts'

const IssueParams = Type.Object({ owner: Type.String(), repo: Type.String(), index: Type.Integer() })

export const issueOperations = [
  /** What a text said before. Without a comment: the text of the issue itself. */
  internalOperation({
    operationId: 'issueGetContentHistory',
    method: 'GET',
    params: IssueParams,
    query: Type.Object({ comment: Type.Optional(Type.Integer()), change: Type.Optional(Type.Integer()) }),
    open: ({ ctx, params }) => openTracker(ctx, params),
    handle: ({ ctx, params, query, opened }) =>
      showContentHistory(ctx, opened, {
        number: params.index,
        commentId: query.comment ?? 0,
        changeId: query.change ?? 0,
      }),
  }),
  internalOperation({
    operationId: 'issueClearContentHistory',
    method: 'POST',
    params: IssueParams,
    body: Type.Object({ change: Type.Integer() }),
    open: openAsSignedIn,
    handle: ({ ctx, params, body, opened }) => clearContentHistory(ctx, opened, params.index, body.change),
  }),
] as const

declare module '#platform/page' {
  interface Operations extends InternalOperations<typeof issueOperations> {}
}
