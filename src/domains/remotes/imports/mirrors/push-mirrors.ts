/** Push mirrors: pushed on request, on schedule, or with every push. */
import { randomBytes } from 'node:crypto'
import { mirrorObjects } from '#domains/code/lfs'
import { type Administered, INTERVAL_DEFAULT_S, nextAfter, readInterval } from '#domains/code/repositories'
import { pushTo } from '#git'
import { type Context, type TxContext, transact } from '#platform/context'
import { countRows, type Db, type Paged, takePage } from '#platform/db'
import { notFound, Problem } from '#platform/problem'
import { addJobs } from '#platform/queue'
import type { Page } from '#platform/rest'
import { ATTEMPTS_MAX, MIRRORS_AT_ONCE, PUSH_MIRROR_JOB } from '../limits.ts'
import type { CreatePushMirror } from '../schemas.ts'
import { assertCallable, readSource, remoteOf, sealCredentials } from '../sources/source.ts'
import type { PushMirrorRow } from '../tables.ts'

const MIRRORS_A_REPOSITORY_MAX = 50

export function listPushMirrors(ctx: Context, repo: Administered, page: Page): Promise<Paged<PushMirrorRow>> {
  return takePage(mirrorsOf(ctx.db, repo).selectAll().orderBy('id'), page)
}

function mirrorsOf(db: Db, repo: Administered) {
  return db.selectFrom('push_mirror').where('repository_id', '=', repo.id)
}

export async function addPushMirror(
  ctx: Context,
  repo: Administered,
  input: CreatePushMirror,
): Promise<PushMirrorRow> {
  const { url, credentials } = readTarget(input)
  await assertCallable(ctx, url)
  const interval_s = input.interval ? readInterval(input.interval) : INTERVAL_DEFAULT_S
  if (typeof interval_s === 'string') throw new Problem('malformed', `invalid interval: ${interval_s}`)
  return transact(ctx, async (ctx) => {
    if ((await countRows(mirrorsOf(ctx.db, repo))) >= MIRRORS_A_REPOSITORY_MAX)
      throw new Problem('malformed', 'too many push mirrors')
    return ctx.db
      .insertInto('push_mirror')
      .values({
        repository_id: repo.id,
        name: `remote_mirror_${randomBytes(8).toString('hex')}`,
        url,
        credentials: sealCredentials(ctx, credentials),
        interval_s,
        syncs_on_push: input.sync_on_commit ?? false,
        next_at: nextAfter(ctx.now(), interval_s),
        created_at: ctx.now(),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
  })
}

function readTarget(input: CreatePushMirror) {
  try {
    const { remote_username = '', remote_password = '' } = input
    return readSource(input.remote_address ?? '', { username: remote_username, password: remote_password })
  } catch {
    throw new Problem('malformed', 'invalid mirror protocol')
  }
}

export async function getPushMirror(ctx: Context, repo: Administered, name: string): Promise<PushMirrorRow> {
  const mirror = await ctx.db
    .selectFrom('push_mirror')
    .selectAll()
    .where('repository_id', '=', repo.id)
    .where('name', '=', name)
    .executeTakeFirst()
  if (mirror === undefined) throw notFound('push mirror', name)
  return mirror
}

/** Compat: no-op if it does not exist. */
export async function deletePushMirror(ctx: Context, repo: Administered, name: string): Promise<void> {
  await transact(ctx, async (ctx) => {
    await ctx.db
      .deleteFrom('push_mirror')
      .where('repository_id', '=', repo.id)
      .where('name', '=', name)
      .execute()
  })
}

/** All push mirrors of a repository, or only those that sync on push. */
export async function askForPushes(
  ctx: TxContext,
  repositoryId: number,
  which: 'all' | 'on push',
): Promise<void> {
  const query = ctx.db.selectFrom('push_mirror').select('id').where('repository_id', '=', repositoryId)
  const rows = await (which === 'all' ? query : query.where('syncs_on_push', '=', true)).execute()
  await orderPushes(
    ctx,
    rows.map(({ id }) => id),
  )
}

export async function pushDueMirrors(ctx: Context): Promise<void> {
  await transact(ctx, async (ctx) => {
    const due = await ctx.db
      .selectFrom('push_mirror')
      .select(['id', 'interval_s'])
      .where('next_at', '<=', ctx.now())
      .orderBy('next_at')
      .limit(MIRRORS_AT_ONCE)
      .forUpdate()
      .skipLocked()
      .execute()
    for (const { id, interval_s } of due)
      await ctx.db
        .updateTable('push_mirror')
        .set({ next_at: nextAfter(ctx.now(), interval_s) })
        .where('id', '=', id)
        .execute()
    await orderPushes(
      ctx,
      due.map(({ id }) => id),
    )
  })
}

function orderPushes(ctx: TxContext, ids: readonly number[]): Promise<void> {
  return addJobs(
    ctx,
    ids.map((id) => ({
      kind: PUSH_MIRROR_JOB,
      payload: { push_mirror_id: id },
      key: `${PUSH_MIRROR_JOB}:${id}`,
      group: String(id),
      isSerial: true,
      attemptsMax: ATTEMPTS_MAX,
    })),
  )
}

export async function runPush(ctx: Context, payload: unknown): Promise<void> {
  const { push_mirror_id } = payload as { push_mirror_id: number }
  const mirror = await ctx.db
    .selectFrom('push_mirror')
    .innerJoin('repository', 'repository.id', 'push_mirror.repository_id')
    .selectAll('push_mirror')
    .select('repository.storage_id')
    .where('push_mirror.id', '=', push_mirror_id)
    .where('repository.is_quarantined', '=', false)
    .executeTakeFirst()
  if (mirror === undefined) return
  try {
    const limits = { timeoutMs: ctx.config['imports.timeout_ms'] }
    const remote = remoteOf(ctx, mirror)
    const { storage_id, updated_at } = mirror
    await mirrorObjects(ctx, { remote, endpoint: null, ...limits }, storage_id, updated_at)
    await pushTo(ctx, storage_id, remote, limits)
    await note(ctx, push_mirror_id, '')
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    ctx.log.warn({ err: error, 'push_mirror.id': push_mirror_id }, 'push mirror failed')
    await note(ctx, push_mirror_id, error.message)
  }
}

function note(ctx: Context, id: number, last_error: string): Promise<void> {
  return transact(ctx, async (ctx) => {
    const moved = last_error === '' ? { updated_at: ctx.now() } : {}
    await ctx.db
      .updateTable('push_mirror')
      .set({ last_error, ...moved })
      .where('id', '=', id)
      .execute()
  })
}
