/** REST routes that compare two revisions. */

import type { Readable } from 'node:stream'
import { type Static, Type } from 'typebox'
import { inRepository } from '#domains/code/repositories'
import { ok, type Route, route } from '#platform/rest'
import { openCode } from '../open-code.ts'
import { Commit, presentCommits } from './commit-wire.ts'
import { loadParts } from './commits.ts'
import { listCompared, openCompared, openSides } from './compare.ts'

const ComparePath = inRepository({ basehead: Type.String() })
const Compare = Type.Object(
  { total_commits: Type.Integer(), commits: Type.Array(Commit) },
  { title: 'Compare' },
)
/** A record, or text for `output=diff` and `output=patch`. */
const Compared = Type.Unsafe<Static<typeof Compare> | Readable>(Compare)
const PLAIN_TEXT = { 'content-type': 'text/plain; charset=utf-8' }

export const compareRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/repos/:owner/:repo/compare/*basehead',
    operationId: 'repoCompareDiff',
    tag: 'repository',
    summary: 'Compare two refs',
    scopes: ['repository'],
    params: ComparePath,
    query: Type.Object({
      output: Type.Optional(Type.String({ description: 'output format: diff or patch instead of JSON' })),
    }),
    answers: { 200: Compared },
    open: openCode,
    handle: async ({ ctx, opened, params, query }) => {
      const sides = await openSides(ctx, opened, params.basehead)
      if (query.output === 'diff' || query.output === 'patch')
        return { ...ok(await openCompared(ctx, sides, query.output)), headers: PLAIN_TEXT }
      const { commits, total } = await listCompared(ctx, sides)
      const parts = await loadParts(ctx, sides.code, commits, {})
      const records = presentCommits(commits, parts, sides.code, ctx.site)
      return ok({ total_commits: total, commits: records })
    },
  }),
]
