/**
 * Advances a merge queue: builds, merges or removes entries until none of these applies. Each step has its own
 * transaction, which reads the rows again, so a run can be killed at any point or repeated.
 */
import { type BranchProtectionRow, findMergeRule } from '#domains/code/protections'
import { getRepository, type Repository } from '#domains/code/repositories'
import { findRef, HEADS } from '#git'
import { type Context, transact } from '#platform/context'
import { Problem } from '#platform/problem'
import { findChecks } from '../merging/facts.ts'
import { landTogether } from './land-together.ts'
import { expel } from './leave.ts'
import { orderAdvance } from './order.ts'
import { planNext, type Tried, type Verdict } from './plan.ts'
import { listQueued, type Queue, type Queued } from './store.ts'
import { tidy } from './tidy.ts'
import { tryUpon } from './try-upon.ts'

/** An entry with its current verdict. */
interface Standing extends Tried {
  readonly row: Queued
  readonly reason: string
}

/** Then the job is enqueued again, so that others get their turn. */
const ROUNDS_MAX = 50

export async function advance(ctx: Context, queue: Queue): Promise<void> {
  const repo = await findRepository(ctx, queue.repository_id)
  if (repo === undefined) return
  await tidy(ctx, repo)
  for (let rounds = 0; rounds < ROUNDS_MAX; rounds++) if (!(await goOn(ctx, repo, queue))) return
  await transact(ctx, (ctx) => orderAdvance(ctx, [queue]))
}

/** False if nothing can be done before a status arrives or a ref moves. */
async function goOn(ctx: Context, repo: Repository, queue: Queue): Promise<boolean> {
  const place = { repo, branch: queue.base_branch }
  const base = await findRef(ctx.db, repo.storage_id, HEADS + queue.base_branch)
  const rows = await listQueued(ctx.db, queue, ctx.config['merges.queue_batch_max'])
  if (base === undefined || rows.length === 0) return false
  const next = planNext(base.oid, await findStandings(ctx, repo, queue, rows))
  if (next.kind === 'wait') return false
  if (next.kind === 'build') await tryUpon(ctx, place, next.entry.row, next.parent)
  if (next.kind === 'leave') await expel(ctx, next.entry.row, next.entry.reason)
  if (next.kind === 'land') {
    const rows = next.entries.map(({ row }) => row)
    await landTogether(ctx, place, rows)
  }
  return true
}

async function findStandings(
  ctx: Context,
  repo: Repository,
  queue: Queue,
  rows: readonly Queued[],
): Promise<Standing[]> {
  const rule = (await findMergeRule(ctx, repo, queue.base_branch))?.rule
  const standings: Standing[] = []
  for (const row of rows) {
    const [verdict, reason] = await judge(ctx, row, rule)
    standings.push({ row, parent: row.parent_oid, tested: row.tested_oid, verdict, reason })
  }
  return standings
}

/** Judges only the status checks of the tested commit; all other conditions are checked when it is merged. */
async function judge(
  ctx: Context,
  { repository_id, tested_oid, tested_at, fault }: Queued,
  rule: BranchProtectionRow | undefined,
): Promise<readonly [Verdict, string]> {
  if (tested_oid === null) return ['failed', fault ?? '']
  const state = await findChecks(ctx.db, repository_id, tested_oid, rule)
  if (state === null || state === 'success') return ['passed', '']
  if (state !== 'pending') return ['failed', 'required status checks failed']
  const waitedMs = ctx.now().getTime() - (tested_at?.getTime() ?? 0)
  if (waitedMs < ctx.config['merges.queue_timeout_ms']) return ['pending', '']
  return ['failed', 'required status checks timed out']
}

/** undefined if the repository was deleted. */
async function findRepository(ctx: Context, id: number): Promise<Repository | undefined> {
  try {
    return await getRepository(ctx, id)
  } catch (error) {
    if (error instanceof Problem && error.kind === 'not_found') return undefined
    throw error
  }
}
