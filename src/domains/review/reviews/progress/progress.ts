/** What a user has reviewed of a pull request: private to that user. */
import { type JoinedPull, openPullsAsSignedIn, openPullToJoin, type SeenPull } from '#domains/review/pulls'
import { type Context, type TxContext, transact } from '#platform/context'
import type { Db } from '#platform/db'
import { invalid } from '#platform/problem'
import { countLines } from '../lines/store.ts'
import { findPending } from '../records/store.ts'
import type { LookRow } from '../tables.ts'

export interface ReviewProgress {
  /** When the user last marked a version as reviewed, and which. */
  readonly last: LookRow | undefined
  /** Changes of files that the user marked as viewed. */
  readonly viewed: ReadonlySet<string>
  /** The user's pending review. */
  readonly pending: { readonly id: number; readonly remarks: number } | undefined
}

/** Per user and pull request; beyond it, the oldest marks are deleted. */
const VIEWED_MAX = 10_000
const CHANGE = /^[0-9a-f]{40}$/

export async function findReviewProgress({ db, actor }: Context, pull: SeenPull): Promise<ReviewProgress> {
  if (actor === null) return { last: undefined, viewed: new Set(), pending: undefined }
  const rows = await selectViewed(db, actor.id, pull.issue_id).execute()
  const last = await db
    .selectFrom('review_look')
    .selectAll()
    .where('user_id', '=', actor.id)
    .where('issue_id', '=', pull.issue_id)
    .executeTakeFirst()
  const begun = await findPending(db, pull.issue_id, actor.id)
  const counts = await countLines(db, begun === undefined ? [] : [begun.id])
  return {
    last,
    viewed: new Set(rows.map(({ change }) => change)),
    pending: begun && { id: begun.id, remarks: counts.get(begun.id) ?? 0 },
  }
}

export function selectViewed(db: Db, userId: number, issueId: number) {
  return db
    .selectFrom('viewed_change')
    .select('change')
    .where('user_id', '=', userId)
    .where('issue_id', '=', issueId)
    .limit(VIEWED_MAX)
}

interface Visit {
  readonly ctx: Context
  readonly params: { readonly owner: string; readonly repo: string }
}

/** Ignored if the user has reviewed a newer version. */
export async function markReviewed(visit: Visit, number: number, version: number): Promise<void> {
  await act(visit, number, async (ctx, { pull }, userId) => {
    if (version < 1 || version > pull.version) throw invalid('version does not exist')
    const row = { user_id: userId, issue_id: pull.issue_id, version, looked_at: ctx.now() }
    await ctx.db
      .insertInto('review_look')
      .values(row)
      .onConflict((conflict) =>
        conflict
          .columns(['user_id', 'issue_id'])
          .doUpdateSet(row)
          .where('review_look.version', '<=', version),
      )
      .execute()
  })
}

/** `change` identifies the change of a file by its content. */
export async function setViewed(
  visit: Visit,
  number: number,
  change: string,
  isViewed: boolean,
): Promise<void> {
  if (!CHANGE.test(change)) throw invalid('change is invalid')
  await act(visit, number, async (ctx, { pull }, userId) => {
    const key = { user_id: userId, issue_id: pull.issue_id }
    if (isViewed) return view(ctx, { ...key, change, viewed_at: ctx.now() })
    await ctx.db
      .deleteFrom('viewed_change')
      .where('user_id', '=', userId)
      .where('issue_id', '=', pull.issue_id)
      .where('change', '=', change)
      .execute()
  })
}

async function view(
  { db }: TxContext,
  row: { user_id: number; issue_id: number; change: string; viewed_at: Date },
): Promise<void> {
  await db
    .insertInto('viewed_change')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const own = db
    .selectFrom('viewed_change')
    .where('user_id', '=', row.user_id)
    .where('issue_id', '=', row.issue_id)
  const oldest = own
    .select('change')
    .orderBy('viewed_at', 'desc')
    .orderBy('change')
    .offset(VIEWED_MAX)
    .limit(100)
  await db
    .deleteFrom('viewed_change')
    .where('user_id', '=', row.user_id)
    .where('issue_id', '=', row.issue_id)
    .where('change', 'in', oldest)
    .execute()
}

/** For any reader, also if archived or locked, because the marks are private to the reader. */
async function act(
  visit: Visit,
  number: number,
  verb: (ctx: TxContext, held: JoinedPull, userId: number) => Promise<unknown>,
): Promise<void> {
  const { tracker, actor } = await openPullsAsSignedIn(visit)
  await transact(visit.ctx, async (ctx) => verb(ctx, await openPullToJoin(ctx, tracker, number), actor.id))
}
