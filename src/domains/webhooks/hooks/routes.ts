/** Hooks over REST: the same routes for every scope. */
import { type Static, type TObject, type TProperties, Type } from 'typebox'
import type { Context } from '#platform/context'
import { created, listed, listOf, noContent, ok, pageFields, pageOf, type Route, route } from '#platform/rest'
import { CreateHook, EditHook } from '../schemas.ts'
import { Hook, presentHook } from '../wire.ts'
import { createHook, deleteHook, editHook, getHook, listHooks } from './hooks.ts'
import type { RouteScope } from './route-scopes.ts'
import { type HookScope, narrow } from './scopes.ts'

const ListQuery = Type.Object(pageFields)
const SiteListQuery = Type.Object({
  type: Type.Optional(Type.String({ description: 'type of webhook: system (default), default or all' })),
  ...pageFields,
})

export function hookRoutes<P extends TProperties>(scope: RouteScope<P>): Route[] {
  const { path, prefix, tag, webhook } = scope
  const facts = { tag, scopes: [scope.tokenScope], refusesPublicOnly: scope.refusesPublicOnly }
  const one = { ...facts, path: `${path}/:id`, params: Type.Object({ ...scope.params, id: Type.Integer() }) }
  const openOne = async ({ ctx, params }: { ctx: Context; params: unknown }) => {
    const opened = await scope.open(ctx, params as Static<TObject<P>>)
    return { scope: opened, hook: await getHook(ctx, opened, (params as { id: number }).id) }
  }
  return [
    listRoute(scope),
    createRoute(scope),
    route({
      ...one,
      method: 'GET',
      operationId: `${prefix}GetHook`,
      summary: `Get ${webhook}`,
      answers: { 200: Hook },
      open: openOne,
      handle: async ({ opened }) => ok(presentHook(opened.hook)),
    }),
    route({
      ...one,
      method: 'PATCH',
      operationId: `${prefix}EditHook`,
      summary: `Update ${webhook}`,
      body: EditHook,
      answers: { 200: Hook },
      open: openOne,
      handle: async ({ ctx, body, opened }) => ok(presentHook(await editHook(ctx, opened.hook, body))),
    }),
    route({
      ...one,
      method: 'DELETE',
      operationId: `${prefix}DeleteHook`,
      summary: `Delete ${webhook}`,
      answers: { 204: null },
      open: openOne,
      handle: async ({ ctx, opened }) => {
        await deleteHook(ctx, opened.scope, opened.hook.id)
        return noContent()
      },
    }),
  ]
}

/** Only the site has hooks of two kinds to choose from. */
function listRoute<P extends TProperties>(scope: RouteScope<P>): Route {
  const open = (ctx: Context, params: Static<TObject<P>>, type?: string): Promise<HookScope> =>
    scope.open(ctx, params).then((opened) => narrow(opened, type))
  return route({
    method: 'GET',
    path: scope.path,
    operationId: `${scope.prefix}ListHooks`,
    tag: scope.tag,
    summary: `List ${scope.webhooks}`,
    scopes: [scope.tokenScope],
    refusesPublicOnly: scope.refusesPublicOnly,
    params: Type.Object(scope.params),
    query: scope.prefix === 'admin' ? SiteListQuery : ListQuery,
    answers: { 200: listOf(Hook) },
    open: ({ ctx, params, query }) => open(ctx, params, (query as Static<typeof SiteListQuery>).type),
    handle: async (visit) => {
      const { items, total } = await listHooks(visit.ctx, visit.opened, pageOf(visit.ctx, visit.query))
      return listed(visit, items.map(presentHook), total, { links: scope.links })
    },
  })
}

function createRoute<P extends TProperties>(scope: RouteScope<P>): Route {
  const facts = {
    method: 'POST',
    path: scope.path,
    operationId: `${scope.prefix}CreateHook`,
    tag: scope.tag,
    summary: `Create ${scope.webhook}`,
    scopes: [scope.tokenScope],
    refusesPublicOnly: scope.refusesPublicOnly,
    params: Type.Object(scope.params),
    body: CreateHook,
  } as const
  const open = ({ ctx, params }: { ctx: Context; params: Static<TObject<P>> }) => scope.open(ctx, params)
  const make = async (visit: { ctx: Context; opened: HookScope; body: CreateHook }) =>
    presentHook(await createHook(visit.ctx, visit.opened, visit.body))
  // D10: administration answers 200.
  return scope.prefix === 'admin'
    ? route({ ...facts, answers: { 200: Hook }, open, handle: async (visit) => ok(await make(visit)) })
    : route({ ...facts, answers: { 201: Hook }, open, handle: async (visit) => created(await make(visit)) })
}
