/** REST routes of hooks, the same for every scope. */
import { type Static, type TProperties, Type } from 'typebox'
import { factsOf, type RouteScope, type Scope } from '#domains/code/scopes'
import type { Context } from '#platform/context'
import { created, listed, listOf, noContent, ok, pageFields, pageOf, type Route, route } from '#platform/rest'
import { CreateHook, EditHook } from '../schemas.ts'
import { Hook, presentHook } from '../wire.ts'
import { createHook, deleteHook, editHook, getHook, listHooks } from './hooks.ts'
import { narrow } from './scopes.ts'

const ListQuery = Type.Object(pageFields)
const SiteListQuery = Type.Object({
  type: Type.Optional(Type.String({ description: 'type of webhook: system (default), default or all' })),
  ...pageFields,
})

export function hookRoutes<P extends TProperties>(scope: RouteScope<P>): Route[] {
  const { prefix, of } = scope
  const facts = factsOf(scope)
  const one = {
    ...facts,
    path: `${scope.path}/hooks/:id`,
    params: Type.Object({ ...scope.params, id: Type.Integer() }),
    open: async (visit: { ctx: Context; params: unknown }) => {
      const opened = await facts.open(visit)
      return { scope: opened, hook: await getHook(visit.ctx, opened, (visit.params as { id: number }).id) }
    },
  }
  return [
    listRoute(scope),
    createRoute(scope),
    route({
      ...one,
      method: 'GET',
      operationId: `${prefix}GetHook`,
      summary: `Get a webhook of ${of}`,
      answers: { 200: Hook },
      handle: async ({ opened }) => ok(presentHook(opened.hook)),
    }),
    route({
      ...one,
      method: 'PATCH',
      operationId: `${prefix}EditHook`,
      summary: `Update a webhook of ${of}`,
      body: EditHook,
      answers: { 200: Hook },
      handle: async ({ ctx, body, opened }) => ok(presentHook(await editHook(ctx, opened.hook, body))),
    }),
    route({
      ...one,
      method: 'DELETE',
      operationId: `${prefix}DeleteHook`,
      summary: `Delete a webhook of ${of}`,
      answers: { 204: null },
      handle: async ({ ctx, opened }) => {
        await deleteHook(ctx, opened.scope, opened.hook.id)
        return noContent()
      },
    }),
  ]
}

/** Only the site's list has a `type` to choose from two kinds of hooks. */
function listRoute<P extends TProperties>(scope: RouteScope<P>): Route {
  const facts = factsOf(scope)
  const isSite = scope.prefix === 'admin'
  return route({
    ...facts,
    method: 'GET',
    path: `${scope.path}/hooks`,
    operationId: `${scope.prefix}ListHooks`,
    summary: `List the webhooks of ${scope.of}`,
    params: Type.Object(scope.params),
    query: isSite ? SiteListQuery : ListQuery,
    answers: { 200: listOf(Hook) },
    open: async (visit) =>
      narrow(await facts.open(visit), (visit.query as Static<typeof SiteListQuery>).type),
    handle: async (visit) => {
      const { items, total } = await listHooks(visit.ctx, visit.opened, pageOf(visit.ctx, visit.query))
      // Compat: the list of a repository has no link header.
      return listed(visit, items.map(presentHook), total, { links: scope.prefix !== 'repo' })
    },
  })
}

function createRoute<P extends TProperties>(scope: RouteScope<P>): Route {
  const facts = {
    ...factsOf(scope),
    method: 'POST',
    path: `${scope.path}/hooks`,
    operationId: `${scope.prefix}CreateHook`,
    summary: `Create a webhook of ${scope.of}`,
    params: Type.Object(scope.params),
    body: CreateHook,
  } as const
  const make = async (visit: { ctx: Context; opened: Scope; body: CreateHook }) =>
    presentHook(await createHook(visit.ctx, visit.opened, visit.body))
  // D10: the admin route responds with 200.
  return scope.prefix === 'admin'
    ? route({ ...facts, answers: { 200: Hook }, handle: async (visit) => ok(await make(visit)) })
    : route({ ...facts, answers: { 201: Hook }, handle: async (visit) => created(await make(visit)) })
}
