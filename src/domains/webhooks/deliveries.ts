/** What can be done with deliveries: looking at them, having one repeated, trying a hook out. */

import type { Visible } from '#domains/repositories'
import { resolveRevision } from '#git'
import { type Context, transact } from '#platform/context'
import { must } from '#platform/must'
import { invalid, notFound } from '#platform/problem'
import type { Page, SignedIn } from '#platform/rest'
import { newDelivery, tellOne } from './announce.ts'
import { findDelivery, insertDeliveries, listHistory } from './delivery-store.ts'
import type { PushFacts } from './payloads/push.ts'
import type { DeliveryRow, HookRow } from './tables.ts'
import { wakeNow } from './wake.ts'

export function listDeliveries(ctx: Context, hook: HookRow, page: Page) {
  return listHistory(ctx.db, hook.id, page)
}

export async function getDelivery(ctx: Context, hook: HookRow, id: number): Promise<DeliveryRow> {
  const delivery = await findDelivery(ctx.db, hook.id, id)
  if (delivery === undefined) throw notFound('delivery', id)
  return delivery
}

/** Compat: the same is told again under another name, so that no receiver takes it for what it has heard. */
export async function redeliver(ctx: Context, hook: HookRow, id: number): Promise<DeliveryRow> {
  return transact(ctx, async (ctx) => {
    const { payload_id, body } = await getDelivery(ctx, hook, id)
    if (body === null) throw invalid('delivery has not been sent yet')
    const row = { ...newDelivery(ctx, hook.id, payload_id), is_redelivery: true }
    const [newId] = await insertDeliveries(ctx.db, [row])
    await wakeNow(ctx, [hook.id])
    return getDelivery(ctx, hook, must(newId, 'it was inserted'))
  })
}

/**
 * Compat: the hook is told of a push that brings the last commit, whatever it wants to hear; one of a repository
 * without commits is told nothing.
 */
export async function testHook(
  ctx: Context,
  repo: Visible,
  hook: HookRow,
  actor: SignedIn,
  ref: string | undefined,
): Promise<void> {
  const branch = `refs/heads/${repo.default_branch}`
  const revision = await resolveRevision(ctx, repo.storage_id, ref || branch)
  if (revision === undefined && ref) throw notFound('ref', ref)
  if (revision === undefined) return
  const facts: PushFacts = {
    repository_id: repo.id,
    actor_id: actor.id,
    ref: ref || branch,
    before: revision.oid,
    after: revision.oid,
    is_test: true,
  }
  await transact(ctx, (ctx) => tellOne(ctx, hook.id, { type: 'push', facts }))
}
