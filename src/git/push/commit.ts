/**
 * The one way refs and packs change: one transaction that locks the repository, compares and swaps every ref, adds the
 * packs, and runs whatever must happen with it. Pushes and server-side writes both end here.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Context, type TxContext, transact } from '#platform/context'
import { addPacks, type PublishedPack } from '../packs/publish.ts'
import { lockStorage, type RefResult, type RefUpdate, updateRefs } from '../refs/update.ts'
import type { Storage } from '../tables.ts'

export interface RefsChange {
  readonly storageId: number
  readonly updates: readonly RefUpdate[]
  readonly isAtomic: boolean
  readonly packs: readonly PublishedPack[]
}

/** What else happens in the transaction that moves the refs; given the updates that were done. */
export type AlongWith = (ctx: TxContext, storage: Storage, done: readonly RefUpdate[]) => Promise<void>

const SETTLE_TRIES = 20
const SETTLE_PAUSE_MS = 500

export async function commitRefs(ctx: Context, change: RefsChange, along: AlongWith): Promise<RefResult[]> {
  const pushId = randomUUID()
  try {
    return await transact(ctx, (ctx) => commit(ctx, change, pushId, along))
  } catch (error) {
    if (!isConnectionLoss(error)) throw error
    return settle(ctx, change, pushId, error)
  }
}

async function commit(
  ctx: TxContext,
  change: RefsChange,
  pushId: string,
  along: AlongWith,
): Promise<RefResult[]> {
  const storage = await lockStorage(ctx, change.storageId)
  const results = await updateRefs(ctx, storage, change)
  const done = results.filter(({ refusal }) => refusal === undefined).map(({ update }) => update)
  if (done.length === 0) return results
  await addPacks(ctx, storage, change.packs)
  const answers = results.map(({ update, refusal }) => [update.name, refusal ?? null])
  await ctx.db
    .insertInto('git_push')
    .values({
      id: pushId,
      repository_id: storage.id,
      generation: storage.generation + 1,
      results: JSON.stringify(Object.fromEntries(answers)),
      created_at: ctx.now(),
    })
    .execute()
  await along(ctx, storage, done)
  return results
}

/**
 * The connection was lost at COMMIT, so nobody knows whether it happened. Locking the repository waits until the other
 * transaction has ended one way or the other; then the push is there, or it never will be.
 */
async function settle(ctx: Context, change: RefsChange, pushId: string, loss: unknown): Promise<RefResult[]> {
  for (let tries = 1; ; tries++) {
    try {
      const results = await transact(ctx, async (ctx) => {
        await lockStorage(ctx, change.storageId)
        const push = await ctx.db
          .selectFrom('git_push')
          .select('results')
          .where('id', '=', pushId)
          .executeTakeFirst()
        return push?.results
      })
      if (results === undefined) throw loss
      return change.updates.map((update) => ({ update, refusal: results[update.name] ?? undefined }))
    } catch (error) {
      if (error === loss || tries === SETTLE_TRIES || !isConnectionLoss(error)) throw error
      await sleep(SETTLE_PAUSE_MS)
    }
  }
}

/** Failures that say nothing about whether the statement was carried out. */
function isConnectionLoss(error: unknown): boolean {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  if (/^(08|57P)/.test(code) || /^E(CONN|PIPE|TIMEDOUT|HOSTUNREACH)/.test(code)) return true
  return code === '' && /connection|timeout|terminated/i.test(message)
}
