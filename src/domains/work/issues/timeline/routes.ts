/** The timeline of an issue over REST. */

import { Type } from 'typebox'
import { openTracker } from '#domains/code/repositories'
import { instantOf, listed, pageFields, pageOf, type Route, routesOf } from '#platform/rest'
import { openIssue } from '../records/open-issue.ts'
import { IssuePath } from '../records/schemas.ts'
import { isShown } from '../references/sources.ts'
import { lookAround } from './show-entries.ts'
import { listEntries, type Span } from './store.ts'
import { presentEntry, TimelineComment } from './wire.ts'

const route = routesOf({ tag: 'issue', scopes: ['issue'] })

export const spanFields = {
  since: Type.Optional(Type.String({ description: 'only those updated after this time (RFC 3339)' })),
  before: Type.Optional(Type.String({ description: 'only those updated before this time (RFC 3339)' })),
}

export function spanOf(query: { since?: string; before?: string }): Span {
  return { since: instantOf('since', query.since), before: instantOf('before', query.before) }
}

export const timelineRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/repos/:owner/:repo/issues/:index/timeline',
    operationId: 'issueGetCommentsAndTimeline',
    summary: 'List comments and changes of an issue',
    params: IssuePath,
    query: Type.Object({ ...pageFields, ...spanFields }),
    answers: { 200: Type.Array(TimelineComment) },
    open: ({ ctx, params }) => openTracker(ctx, params),
    handle: async (visit) => {
      const { ctx, params, query, opened } = visit
      const span = spanOf(query)
      const issue = await openIssue(ctx, opened, params.index)
      const entries = await listEntries(ctx, issue.id, span, pageOf(ctx, query))
      const around = await lookAround(ctx, opened, entries)
      const shown = entries
        .filter((entry) => isShown(entry, around.sources))
        .map((entry) => presentEntry(entry, issue, around))
      // Compat: the total count is that of the page.
      return listed(visit, shown, shown.length, { links: false })
    },
  }),
]
