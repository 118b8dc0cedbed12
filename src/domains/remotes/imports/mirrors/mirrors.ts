/** Pull mirrors: synced on request and on schedule. */
import { syncObjects } from '#domains/code/lfs'
import { type CanWrite, markSynced, planNextSync, refsMoved, withFollowers } from '#domains/code/repositories'
import { allowing, fetchFrom, listTips, type RefUpdate, type StorageId } from '#git'
import { type Context, type TxContext, transact } from '#platform/context'
import { Problem } from '#platform/problem'
import { addJobs } from '#platform/queue'
import { ATTEMPTS_MAX, limitsOf, MIRROR_JOB, MIRRORS_AT_ONCE } from '../limits.ts'
import { remoteOf } from '../sources/source.ts'
import type { MirrorRow } from '../tables.ts'
import { followWiki, wikiOf } from '../wiki/import-wiki.ts'

/** Enqueues the sync and returns. */
export async function askForSync(ctx: Context, repo: CanWrite<'code'>): Promise<void> {
  if (!repo.is_mirror) throw new Problem('malformed', 'repository is not a mirror')
  await orderSyncs(ctx, [repo.id])
}

/** Moves due mirrors from the schedule into the queue, in one transaction. */
export async function syncDueMirrors(ctx: Context): Promise<void> {
  await transact(ctx, async (ctx) => {
    await orderSyncs(ctx, await claimDueMirrors(ctx))
  })
}

/** Takes due mirrors out of the schedule; `skip locked` keeps two nodes from taking the same. */
async function claimDueMirrors(ctx: TxContext): Promise<number[]> {
  const due = await ctx.db
    .selectFrom('repository')
    .select(['id', 'mirror_interval_s'])
    .where('mirror_next_at', '<=', ctx.now())
    .orderBy('mirror_next_at')
    .limit(MIRRORS_AT_ONCE)
    .forUpdate()
    .skipLocked()
    .execute()
  for (const { id, mirror_interval_s } of due) await planNextSync(ctx, id, mirror_interval_s ?? 0)
  return due.map(({ id }) => id)
}

/** The key keeps a mirror from being queued twice, and the serial group from being synced twice at once. */
function orderSyncs(ctx: Context, ids: readonly number[]): Promise<void> {
  return transact(ctx, (ctx) =>
    addJobs(
      ctx,
      ids.map((id) => ({
        kind: MIRROR_JOB,
        payload: { repository_id: id },
        key: `${MIRROR_JOB}:${id}`,
        group: String(id),
        isSerial: true,
        attemptsMax: ATTEMPTS_MAX,
      })),
    ),
  )
}

export async function runSync(ctx: Context, payload: unknown): Promise<void> {
  const { repository_id } = payload as { repository_id: number }
  const mirror = await ctx.db
    .selectFrom('mirror')
    .innerJoin('repository', 'repository.id', 'mirror.repository_id')
    .selectAll('mirror')
    .where('mirror.repository_id', '=', repository_id)
    .where('repository.is_quarantined', '=', false)
    .executeTakeFirst()
  if (mirror === undefined) return
  try {
    await follow(ctx, mirror)
    await noteError(ctx, repository_id, '')
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    ctx.log.warn({ err: error, 'repository.id': repository_id }, 'mirror sync failed')
    await noteError(ctx, repository_id, error.message)
  }
}

async function follow(ctx: Context, mirror: MirrorRow): Promise<void> {
  const { repository_id } = mirror
  const { owner_id, storage_id, wiki_storage_id } = await ctx.db
    .selectFrom('repository')
    .select(['owner_id', 'storage_id', 'wiki_storage_id'])
    .where('id', '=', repository_id)
    .executeTakeFirstOrThrow()
  const remote = remoteOf(ctx, mirror)
  const policy = allowing(async (ctx, moved) => {
    await markSynced(ctx, repository_id, true)
    const by = { repository_id, actor_id: owner_id, deploy_key_id: null }
    await refsMoved(ctx, moved, { cause: 'mirror', ...by })
  })
  const { updates } = await fetchFrom(
    ctx,
    storage_id,
    remote,
    limitsOf(ctx),
    withFollowers(policy, { repositoryId: repository_id, actorId: owner_id, pusherId: null }),
  )
  if (updates.length === 0) await transact(ctx, (ctx) => markSynced(ctx, repository_id, false))
  if (mirror.has_lfs) await followObjects(ctx, mirror, storage_id, updates)
  if (wiki_storage_id !== null) await followWiki(ctx, wiki_storage_id, wikiOf(remote))
}

/** After a failure the objects of all commits are compared, because those of earlier syncs may be missing. */
async function followObjects(
  ctx: Context,
  mirror: MirrorRow,
  storage_id: StorageId,
  updates: readonly RefUpdate[],
): Promise<void> {
  const { repository_id: id, lfs_endpoint: endpoint, last_error } = mirror
  const source = { remote: remoteOf(ctx, mirror), endpoint, ...limitsOf(ctx) }
  const range =
    last_error === ''
      ? { tips: updates.map((it) => it.new), known: updates.map((it) => it.old) }
      : { tips: await listTips(ctx.db, storage_id, ctx.now()), known: [] }
  await syncObjects(ctx, source, { id, storage_id }, range)
}

function noteError(ctx: Context, repositoryId: number, last_error: string): Promise<void> {
  return transact(ctx, async (ctx) => {
    await ctx.db.updateTable('mirror').set({ last_error }).where('repository_id', '=', repositoryId).execute()
  })
}
