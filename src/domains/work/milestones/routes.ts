/** Milestones over REST. */
import { Type } from 'typebox'
import { openTracker, RepositoryPath } from '#domains/code/repositories'
import { created, listed, noContent, ok, pageOf, type Route, routesOf } from '#platform/rest'
import { openMilestone, openToPlan } from './open-milestone.ts'
import { CreateMilestone, EditMilestone, MilestonePath, MilestonesQuery } from './schemas.ts'
import { listMilestones } from './store.ts'
import { Milestone, presentMilestone } from './wire.ts'
import { createMilestone, deleteMilestone, editMilestone } from './write-milestone.ts'

const route = routesOf({ tag: 'issue', scopes: ['issue'] })
const BASE = '/repos/:owner/:repo/milestones'

export const milestoneRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: BASE,
    operationId: 'issueGetMilestonesList',
    summary: "List a repository's milestones",
    params: RepositoryPath,
    query: MilestonesQuery,
    answers: { 200: Type.Array(Milestone) },
    open: ({ ctx, params }) => openTracker(ctx, params),
    handle: async (visit) => {
      const { ctx, query, opened } = visit
      const filter = {
        isClosed: query.state === 'all' ? null : query.state === 'closed',
        titlePart: query.name?.toLowerCase() || undefined,
      }
      const { items, total } = await listMilestones(ctx.db, opened.id, filter, pageOf(ctx, query))
      return listed(visit, items.map(presentMilestone), total, { links: false })
    },
  }),
  route({
    method: 'POST',
    path: BASE,
    operationId: 'issueCreateMilestone',
    summary: 'Create a milestone',
    params: RepositoryPath,
    body: CreateMilestone,
    answers: { 201: Milestone },
    open: openToPlan,
    handle: async ({ ctx, body, opened }) =>
      created(presentMilestone(await createMilestone(ctx, opened, body))),
  }),
  route({
    method: 'GET',
    path: `${BASE}/:id`,
    operationId: 'issueGetMilestone',
    summary: 'Get a milestone by its id or title',
    params: MilestonePath,
    answers: { 200: Milestone },
    open: ({ ctx, params }) => openTracker(ctx, params),
    handle: async ({ ctx, params, opened }) =>
      ok(presentMilestone(await openMilestone(ctx, opened, params.id))),
  }),
  route({
    method: 'PATCH',
    path: `${BASE}/:id`,
    operationId: 'issueEditMilestone',
    summary: 'Update a milestone',
    params: MilestonePath,
    body: EditMilestone,
    answers: { 200: Milestone },
    open: openToPlan,
    handle: async ({ ctx, params, body, opened }) => {
      const { id } = await openMilestone(ctx, opened, params.id)
      return ok(presentMilestone(await editMilestone(ctx, opened, id, body)))
    },
  }),
  route({
    method: 'DELETE',
    path: `${BASE}/:id`,
    operationId: 'issueDeleteMilestone',
    summary: 'Delete a milestone',
    params: MilestonePath,
    answers: { 204: null },
    open: openToPlan,
    handle: async ({ ctx, params, opened }) => {
      await deleteMilestone(ctx, opened, (await openMilestone(ctx, opened, params.id)).id)
      return noContent()
    },
  }),
]
