/** REST routes of statuses. */
import { Type } from 'typebox'

import { type CanRead, openToRead, openToWrite } from '#domains/code/repositories'
import { findAccountsById } from '#domains/people/users'
import type { Context } from '#platform/context'
import {
  asSignedIn,
  created,
  listed,
  listOf,
  PageQuery,
  pageHeaders,
  pageOf,
  type Route,
  routesOf,
} from '#platform/rest'
import { State } from './combine.ts'
import { createStatus } from './create-status.ts'
import { findCommitOid } from './find-commit.ts'
import { CreateStatus, StatusesQuery } from './schemas.ts'
import { listLatest, listStatuses } from './store.ts'
import type { StatusRow } from './tables.ts'
import { type Around, CombinedStatus, CommitStatus, presentCombined, presentStatus } from './wire.ts'

const route = routesOf({ tag: 'repository', scopes: ['repository'] })
const repository = { owner: Type.String(), repo: Type.String() }
const ByRef = Type.Object({ ...repository, ref: Type.String() })
const BySha = Type.Object({ ...repository, sha: Type.String() })
/** Compat: the reference's sort names that order by oldest first, despite what the names say. */
const OLDEST_FIRST = ['oldest', 'leastupdate', 'highestindex']

/** The same list under two paths, whose commit parameter has different names. */
const listing = (path: string, operationId: string, name: 'sha' | 'ref'): Route =>
  route({
    method: 'GET',
    path,
    operationId,
    summary: `List commit statuses by ${name}`,
    params: Type.Object({
      ...repository,
      sha: Type.Optional(Type.String()),
      ref: Type.Optional(Type.String()),
    }),
    query: StatusesQuery,
    answers: { 200: listOf(CommitStatus) },
    open: ({ ctx, params }) => openToRead(ctx, params, 'code'),
    handle: async (visit) => {
      const { ctx, params, query, opened } = visit
      const oid = await findCommitOid(ctx, opened, params[name] ?? '')
      const filter = {
        state: State.anyOf.find((it) => it.const === query.state)?.const ?? null,
        order: OLDEST_FIRST.includes(query.sort ?? '') ? ('asc' as const) : ('desc' as const),
      }
      const of = { repositoryId: opened.id, oid }
      const { items, total } = await listStatuses(ctx.db, of, filter, pageOf(ctx, query))
      const around = await lookAround(ctx, opened, items)
      return listed(
        visit,
        items.map((row) => presentStatus(row, around)),
        total,
      )
    },
  })

export const statusesRoutes: readonly Route[] = [
  listing('/repos/:owner/:repo/statuses/:sha', 'repoListStatuses', 'sha'),
  listing('/repos/:owner/:repo/commits/:ref/statuses', 'repoListStatusesByRef', 'ref'),
  route({
    method: 'POST',
    path: '/repos/:owner/:repo/statuses/:sha',
    operationId: 'repoCreateStatus',
    summary: 'Create a commit status',
    params: BySha,
    body: CreateStatus,
    answers: { 201: CommitStatus },
    open: async (visit) => {
      const repo = await openToWrite(visit.ctx, visit.params, 'code')
      return { repo, actor: asSignedIn(visit) }
    },
    handle: async ({ ctx, params, body, opened: { repo, actor } }) => {
      const status = await createStatus(ctx, repo, actor, params.sha, body)
      return created(presentStatus(status, await lookAround(ctx, repo, [status])))
    },
  }),
  route({
    method: 'GET',
    path: '/repos/:owner/:repo/commits/:ref/status',
    operationId: 'repoGetCombinedStatusByRef',
    summary: 'Get the combined commit status for a ref',
    params: ByRef,
    query: PageQuery,
    answers: { 200: CombinedStatus },
    open: ({ ctx, params }) => openToRead(ctx, params, 'code'),
    handle: async (visit) => {
      const { ctx, params, query, opened } = visit
      const oid = await findCommitOid(ctx, opened, params.ref)
      const latest = await listLatest(ctx.db, { repositoryId: opened.id, oid })
      const { offset, limit } = pageOf(ctx, query)
      const page = latest.slice(offset, offset + limit)
      const around = await lookAround(ctx, opened, page)
      return {
        status: 200 as const,
        body: presentCombined(oid, latest, page, around),
        headers: pageHeaders(visit, latest.length),
      }
    },
  }),
]

async function lookAround(
  ctx: Context,
  repo: CanRead<'code'>,
  statuses: readonly StatusRow[],
): Promise<Around> {
  const ids = statuses.flatMap(({ creator_id }) => creator_id ?? [])
  return { repo, creators: await findAccountsById(ctx.db, ids), site: ctx.site }
}
