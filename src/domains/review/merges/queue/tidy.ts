/** Deletes refs of tested commits whose pull requests are no longer queued. */
import type { Repository } from '#domains/code/repositories'
import { allowing, listRefs, moveRefs, zeroOid } from '#git'
import type { Context } from '#platform/context'
import { QUEUE_REFS } from './refs.ts'
import { findQueuedNumbers } from './store.ts'
import { OUTDATED } from './try-upon.ts'

/** Per run; the next job of the queue deletes the rest. */
const REFS_MAX = 1_000

export async function tidy(ctx: Context, repo: Repository): Promise<void> {
  const refs = await listRefs(ctx.db, repo.storage_id, { prefixes: [QUEUE_REFS], limit: REFS_MAX })
  if (refs.length === 0) return
  const numberOf = (name: string) => Number(name.slice(QUEUE_REFS.length))
  const queued = await findQueuedNumbers(
    ctx.db,
    repo.id,
    refs.map(({ name }) => numberOf(name)),
  )
  const left = refs.filter(({ name }) => !queued.has(numberOf(name)))
  if (left.length === 0) return
  const gone = zeroOid(repo.object_format)
  const updates = left.map(({ name, oid }) => ({ name, old: oid, new: gone, peeled: null }))
  const numbers = left.map(({ name }) => numberOf(name))
  const stillGone = allowing(async (ctx) => {
    // Checked under the storage lock: a pull request that was queued again keeps its ref.
    if ((await findQueuedNumbers(ctx.db, repo.id, numbers)).size > 0) throw OUTDATED
  })
  try {
    await moveRefs(ctx, { storageId: repo.storage_id, updates, isAtomic: true }, stillGone)
  } catch (error) {
    if (error !== OUTDATED) throw error
  }
}
