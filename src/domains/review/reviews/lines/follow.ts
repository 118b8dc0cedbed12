/**
 * Moves review comments with the code: after the head moved, a job maps the line of each, first from its last place,
 * then from its original place, then by its text (ADR 35).
 */

import { getStorageId } from '#domains/code/repositories'
import { findPullOf, lockPull, type PullRow } from '#domains/review/pulls'
import { type Consumer, consumer } from '#events/consumer'
import { findRef, HEADS, type StorageId } from '#git'
import { type Context, type TxContext, transact } from '#platform/context'
import { addJobs, type JobKind } from '#platform/queue'
import type { LineRow } from '../tables.ts'
import { type Ends, endOf, findEnds, followTo, type Sought } from './place.ts'
import { type FoundPlace, listBehind, loseOldSides, setPlaces } from './store.ts'

const FOLLOW_JOB = 'reviews-follow'
/** Comments per transaction. */
const BITE = 100

interface Order {
  readonly issue_id: number
}

export const followConsumers = [
  consumer('reviews-follow-pushed', 'pull.synchronized', (ctx, { issue_id }) => orderFollow(ctx, issue_id)),
  consumer('reviews-follow-retargeted', 'pull.retargeted', async (ctx, { issue_id }) => {
    await loseOldSides(ctx.db, issue_id)
    await orderFollow(ctx, issue_id)
  }),
] as readonly Consumer[]

export const followJobs: readonly JobKind[] = [
  { name: FOLLOW_JOB, isLate: true, run: (ctx, payload) => followLines(ctx, (payload as Order).issue_id) },
]

export function orderFollow(ctx: TxContext, issueId: number): Promise<void> {
  const payload: Order = { issue_id: issueId }
  return addJobs(ctx, [
    {
      kind: FOLLOW_JOB,
      payload,
      key: `${FOLLOW_JOB}:${issueId}`,
      attemptsMax: ctx.config['jobs.attempts_max'],
    },
  ])
}

/** If the head moves meanwhile, the job of that move continues. */
async function followLines(ctx: Context, issueId: number): Promise<void> {
  const pull = await findPullOf(ctx.db, issueId)
  if (pull === undefined) return
  const storageId = await getStorageId(ctx.db, pull.repository_id)
  const tip = await findRef(ctx.db, storageId, HEADS + pull.base_branch)
  let ends: Ends | undefined
  for (;;) {
    const behind = await listBehind(ctx.db, issueId, pull.head_oid, BITE)
    if (behind.length === 0) return
    ends ??= await findEnds(ctx, storageId, pull.head_oid, tip?.oid)
    const found: FoundPlace[] = []
    for (const line of behind) found.push(await look(ctx, storageId, ends, line))
    if (!(await keep(ctx, pull, found))) return
  }
}

async function look(ctx: Context, storageId: StorageId, ends: Ends, line: LineRow): Promise<FoundPlace> {
  const oid = endOf(ends, line.side)
  const place = await followTo(ctx, storageId, soughtOf(line), oid)
  return {
    comment_id: line.comment_id,
    current_oid: oid,
    current_path: place?.path ?? line.path,
    current_line: place?.line ?? null,
    current_start_line: place?.start ?? null,
  }
}

/** The last known place, then the original one. */
export function soughtOf({ side, diff_hunk, current_line, ...line }: LineRow): Sought {
  const written = { oid: line.line_oid, path: line.path, line: line.line, start: line.start_line }
  const { current_oid: oid, current_path: path, current_start_line: start } = line
  const last = current_line === null ? [] : [{ oid, path, line: current_line, start }]
  return { side, diff_hunk, places: [...last, written] }
}

/** False if the head has moved since. */
function keep(ctx: Context, pull: PullRow, found: readonly FoundPlace[]): Promise<boolean> {
  return transact(ctx, async (ctx) => {
    const now = await lockPull(ctx.db, pull.issue_id)
    if (now.head_oid !== pull.head_oid || now.base_branch !== pull.base_branch) return false
    await setPlaces(ctx.db, pull.head_oid, found)
    return true
  })
}
