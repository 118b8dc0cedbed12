/**
 * REST routes of deliveries. An addition: the reference shows deliveries in its web UI only; the paths are those of
 * other forges.
 */
import { type TProperties, Type } from 'typebox'
import { factsOf, type RouteScope } from '#domains/code/scopes'
import type { Context } from '#platform/context'
import { listed, listOf, ok, pageFields, pageOf, type Route, route } from '#platform/rest'
import { getHook } from '../hooks/hooks.ts'
import { HookDelivery, HookDeliveryDetail, presentDelivery, presentDeliveryDetail } from '../wire.ts'
import { getDelivery, listDeliveries, redeliver } from './deliveries.ts'

export function deliveryRoutes<P extends TProperties>(scope: RouteScope<P>): Route[] {
  const { prefix, of } = scope
  const facts = factsOf(scope)
  const path = `${scope.path}/hooks/:id/deliveries`
  const params = { ...scope.params, id: Type.Integer() }
  const one = {
    ...facts,
    params: Type.Object({ ...params, delivery: Type.Integer() }),
  }
  const openHook = async (visit: { ctx: Context; params: unknown }) =>
    getHook(visit.ctx, await facts.open(visit), (visit.params as { id: number }).id)
  const openDelivery = async (visit: { ctx: Context; params: unknown }) => {
    const hook = await openHook(visit)
    const { delivery } = visit.params as { delivery: number }
    return { hook, delivery: await getDelivery(visit.ctx, hook, delivery) }
  }
  return [
    route({
      ...facts,
      method: 'GET',
      path,
      operationId: `${prefix}ListHookDeliveries`,
      summary: `List deliveries of a webhook of ${of}`,
      params: Type.Object(params),
      query: Type.Object(pageFields),
      answers: { 200: listOf(HookDelivery) },
      open: openHook,
      handle: async (visit) => {
        const { ctx, opened } = visit
        const { items, total } = await listDeliveries(ctx, opened, pageOf(ctx, visit.query))
        return listed(visit, items.map(presentDelivery), total)
      },
    }),
    route({
      ...one,
      method: 'GET',
      path: `${path}/:delivery`,
      operationId: `${prefix}GetHookDelivery`,
      summary: `Get a delivery of a webhook of ${of}`,
      answers: { 200: HookDeliveryDetail },
      open: openDelivery,
      handle: async ({ opened }) => ok(presentDeliveryDetail(opened.delivery)),
    }),
    route({
      ...one,
      method: 'POST',
      path: `${path}/:delivery/attempts`,
      operationId: `${prefix}RedeliverHook`,
      summary: `Redeliver a delivery of a webhook of ${of}`,
      answers: { 202: HookDelivery },
      open: openDelivery,
      handle: async ({ ctx, opened: { hook, delivery } }) => {
        const again = await redeliver(ctx, hook, delivery.id)
        return { status: 202 as const, body: presentDelivery(again) }
      },
    }),
  ]
}
