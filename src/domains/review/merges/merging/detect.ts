/** Autodetects manual merges: marks pull requests whose head is pushed to their base, if the repository enables it. */

import { getRepository, mergingOf, type RefsMovedEvent } from '#domains/code/repositories'
import type { Restriction } from '#domains/people/access'
import { actAs } from '#domains/people/users'
import { findPullOf, type PullRow } from '#domains/review/pulls'
import { type Consumer, consumer } from '#events/consumer'
import { HEADS, isAncestor, isZeroOid, listCommits } from '#git'
import type { Context, TxContext } from '#platform/context'
import { addJobs, type JobKind } from '#platform/queue'
import { listAimedAt } from '../store.ts'
import { markFound } from './by-hand.ts'

const JOB = 'merges-detect'
/** Per push; the newest pull requests are examined. */
const LOOKED_AT_MAX = 100
/** How far back the history is searched for the merge commit. */
const COMMITS_MAX = 500

interface Order {
  readonly issue_id: number
  readonly actor_id: number
  /** Of the token that pushed. */
  readonly restriction?: Restriction
  /** Tip of the base before and after the push. */
  readonly old: string
  readonly new: string
}

export const detectConsumers: readonly Consumer[] = [
  consumer('merges-detect', 'refs.moved', hear),
] as readonly Consumer[]

export const detectJobs: readonly JobKind[] = [
  { name: JOB, run: (ctx, payload) => look(ctx, payload as Order) },
]

async function hear(ctx: TxContext, event: RefsMovedEvent): Promise<void> {
  const moved = event.updates.filter(
    (it) => it.name.startsWith(HEADS) && !isZeroOid(it.old) && !isZeroOid(it.new),
  )
  const branches = moved.map(({ name }) => name.slice(HEADS.length))
  const pulls =
    branches.length === 0 ? [] : await listAimedAt(ctx.db, event.repository_id, branches, LOOKED_AT_MAX)
  const jobs = pulls.flatMap(({ issue_id, base_branch }) => {
    const update = moved.find(({ name }) => name === HEADS + base_branch)
    if (update === undefined) return []
    const { actor_id, restriction } = event
    const payload: Order = {
      issue_id,
      actor_id,
      old: update.old,
      new: update.new,
      ...(restriction && { restriction }),
    }
    return [{ kind: JOB, payload, attemptsMax: ctx.config['jobs.attempts_max'] }]
  })
  if (jobs.length > 0 && (await isWanted(ctx, event.repository_id))) await addJobs(ctx, jobs)
}

async function isWanted(ctx: Context, repositoryId: number): Promise<boolean> {
  const repo = await ctx.db
    .selectFrom('repository')
    .select(['units', 'settings'])
    .where('id', '=', repositoryId)
    .executeTakeFirst()
  return repo !== undefined && mergingOf(repo).autodetect_manual_merge
}

/** Ignores a head that the base contained before the push: that pull request never had anything to merge. */
async function look(ctx: Context, { issue_id, actor_id, restriction, old, new: tip }: Order): Promise<void> {
  const pull = await findPullOf(ctx.db, issue_id)
  const asPusher = await actAs(ctx, actor_id, restriction)
  if (pull === undefined || !pull.is_open || asPusher === undefined) return
  const { storage_id } = await getRepository(asPusher, pull.repository_id)
  const has = (oid: string) => isAncestor(ctx, storage_id, pull.head_oid, oid)
  if ((await has(old)) || !(await has(tip))) return
  const history = { start: tip, not: [pull.head_oid] }
  const window = { skip: 0, limit: COMMITS_MAX, withStats: false, withFiles: false }
  const commits = await listCommits(ctx, storage_id, history, window)
  await markFound(asPusher, pull, bringerOf(pull, commits))
}

/** The first merge commit that has the head as a parent; the head itself after a fast-forward. */
function bringerOf(
  { head_oid }: PullRow,
  newestFirst: readonly { readonly oid: string; readonly parents: readonly string[] }[],
): string {
  return (
    newestFirst.findLast(({ parents }) => parents.length > 1 && parents.includes(head_oid))?.oid ?? head_oid
  )
}
