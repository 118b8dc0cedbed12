/** A status that the forge itself sets, in the transaction of its cause. */
import { emit } from '#events'
import type { TxContext } from '#platform/context'
import type { State } from './combine.ts'
import { insertStatus, selectStatuses } from './store.ts'

export interface NewStatus {
  readonly repository_id: number
  readonly oid: string
  readonly context: string
  readonly state: State
  readonly description: string
  readonly target_url: string
}

/** Skips a status equal to the latest one. `actorId`: the user whose action caused it. */
export async function setStatus(ctx: TxContext, status: NewStatus, actorId: number): Promise<void> {
  const of = { repositoryId: status.repository_id, oid: status.oid }
  const last = await selectStatuses(ctx.db, of, null)
    .selectAll()
    .where('context', '=', status.context)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (last !== undefined && isSame(last, status)) return
  const { id } = await insertStatus(ctx.db, { ...status, creator_id: null, created_at: ctx.now() })
  await emit(ctx, 'status.created', {
    repository_id: status.repository_id,
    status_id: id,
    actor_id: actorId,
  })
}

function isSame(one: NewStatus, other: NewStatus): boolean {
  return (['state', 'description', 'target_url'] as const).every((field) => one[field] === other[field])
}
