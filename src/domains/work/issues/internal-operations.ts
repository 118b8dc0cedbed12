/** Data that pages show of issues and the REST API does not offer. */
import { Type } from 'typebox'
import { inRepository, openTracker, RepositoryPath } from '#domains/code/repositories'
import { asSignedIn, type InternalOperations, internalOperation, pageOf } from '#platform/rest'
import { boardOperations } from './cards/board-operations.ts'
import { clearContentHistory, showContentHistory } from './history/content-history.ts'
import { findAbilities } from './records/abilities.ts'
import { showSorted } from './records/list-issues.ts'
import { openAsSignedIn, openIssue } from './records/open-issue.ts'
import { Sort, SortedQuery } from './records/schemas.ts'
import { listLinked } from './references/linked.ts'
import { SearchQuery } from './search/schemas.ts'
import { search } from './search/search.ts'
import { findSimilar } from './search/similar.ts'
import { showTalk } from './timeline/show-talk.ts'

const IssueParams = inRepository({ index: Type.Integer() })
/** Per page; nearly every conversation is shorter. */
const ENTRIES_MAX = 200
const SIMILAR_MAX = 10

export const issueOperations = [
  ...boardOperations,
  /** Also for pull requests. */
  internalOperation({
    operationId: 'issueGetAbilities',
    method: 'GET',
    params: IssueParams,
    open: ({ ctx, params }) => openTracker(ctx, params),
    handle: async ({ ctx, params, opened }) =>
      findAbilities(ctx, opened, await openIssue(ctx, opened, params.index)),
  }),
  /** In any order, with the counts of both states. */
  internalOperation({
    operationId: 'issueListSorted',
    method: 'GET',
    params: RepositoryPath,
    query: SortedQuery,
    open: ({ ctx, params }) => openTracker(ctx, params),
    handle: ({ ctx, query, opened }) => showSorted(ctx, opened, query),
  }),
  /** The search of the REST API, in any order. */
  internalOperation({
    operationId: 'issueSearchSorted',
    method: 'GET',
    query: Type.Object({ ...SearchQuery.properties, sort: Type.Optional(Sort) }),
    open: asSignedIn,
    handle: ({ ctx, query: { sort, ...query } }) => search(ctx, query, pageOf(ctx, query), sort),
  }),
  /** The issues that a pull request closes, or the pull requests that close an issue. */
  internalOperation({
    operationId: 'issueListLinked',
    method: 'GET',
    params: IssueParams,
    open: ({ ctx, params }) => openTracker(ctx, params),
    handle: async ({ ctx, params, opened }) => listLinked(ctx, await openIssue(ctx, opened, params.index)),
  }),
  /** The conversation; a page past the end is the last one. */
  internalOperation({
    operationId: 'issueGetTalk',
    method: 'GET',
    params: IssueParams,
    query: Type.Object({
      page: Type.Integer({ minimum: 1 }),
      limit: Type.Integer({ minimum: 1, maximum: ENTRIES_MAX }),
    }),
    open: ({ ctx, params }) => openTracker(ctx, params),
    handle: ({ ctx, params, query: { page, limit }, opened }) =>
      showTalk(ctx, opened, params.index, { number: page, limit, offset: (page - 1) * limit }),
  }),
  /** Issues with similar titles. */
  internalOperation({
    operationId: 'issueListSimilar',
    method: 'GET',
    params: RepositoryPath,
    query: Type.Object({
      title: Type.String(),
      limit: Type.Integer({ minimum: 1, maximum: SIMILAR_MAX }),
    }),
    open: ({ ctx, params }) => openTracker(ctx, params),
    handle: ({ ctx, query, opened }) => findSimilar(ctx, opened, query.title, query.limit),
  }),
  /** Former texts. Without `comment`: of the issue itself. */
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
