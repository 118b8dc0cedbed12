/** Creates a pull request: its issue, first version and refs, in one transaction. */

import { getRepository, type Repository } from '#domains/code/repositories'
import { addIssue, assertMayJoin, assertNotBlocked } from '#domains/work/issues'
import { emit } from '#events'
import { copyCommits, HEADS, listOids, lockStorage, setRefs, type Written } from '#git'
import { type Context, type TxContext, transact } from '#platform/context'
import { invalid, Problem } from '#platform/problem'
import { pullEvent } from '../events.ts'
import { getHead, getTip, type Head } from '../heads/find-head.ts'
import { pushedBody } from '../heads/pushed.ts'
import { refsOf } from '../heads/refs.ts'
import type { NewPullRow, PullRow } from '../tables.ts'
import type { PullCaller } from './open-pull.ts'
import type { CreatePull } from './schemas.ts'
import { findBetween, insertPull, insertVersion } from './store.ts'

export interface Opening {
  readonly head: Head
  readonly flow: PullRow['flow']
  /** Commits that the base repository lacks. */
  readonly written: Written | undefined
  /** The commits of the pull request, oldest first. */
  readonly commits: readonly string[]
}

export async function createPull(ctx: Context, caller: PullCaller, input: CreatePull): Promise<PullRow> {
  const { tracker } = caller
  const head = await getHead(ctx, tracker, input.head)
  const baseOid = await getTip(ctx, tracker, input.base)
  if (head.repo.id === tracker.id && head.branch === input.base)
    throw invalid('there are no changes between the head and the base')
  const opening = await copyHead(ctx, caller.tracker, head, { branch: input.base, oid: baseOid })
  return transact(ctx, (ctx) => addPull(ctx, caller, input, { head, flow: 'branch', ...opening }))
}

async function copyHead(
  ctx: Context,
  repo: Repository,
  head: Head,
  base: { readonly branch: string; readonly oid: string },
): Promise<Pick<Opening, 'written' | 'commits'>> {
  await using lease = await ctx.cache.lease(ctx, head.repo.storage_id)
  if (head.repo.id === repo.id)
    return {
      written: undefined,
      commits: await listOids(ctx, lease.path, { heads: [head.oid], known: [base.oid] }),
    }
  const order = { oids: [head.oid], from: lease.path, to: repo.storage_id, known: [HEADS + base.branch] }
  const written = await copyCommits(ctx, order)
  return { written, commits: written.commits }
}

/**
 * Invariant: the head's storage is locked before the base's, as in every push; no push can come between, and of two
 * requests that open the same pull request, the second finds the first.
 */
export async function addPull(
  ctx: TxContext,
  caller: PullCaller,
  input: CreatePull,
  opening: Opening,
): Promise<PullRow> {
  const { tracker, actor } = caller
  const { head, written, commits, flow } = opening
  await lockStorage(ctx, head.repo.storage_id)
  if (flow === 'branch' && (await getTip(ctx, head.repo, head.branch)) !== head.oid)
    throw new Problem('conflict', 'head branch was updated concurrently, please try again')
  await lockStorage(ctx, tracker.storage_id)
  const repo = await getRepository(ctx, tracker.id)
  assertMayJoin(repo, true)
  await assertNotBlocked(ctx, repo, actor)
  const ends = {
    repositoryId: repo.id,
    baseBranch: input.base,
    headRepositoryId: head.repo.id,
    headBranch: head.branch,
  }
  const other = flow === 'branch' ? await findBetween(ctx.db, ends) : undefined
  if (other?.is_open) throw new Problem('conflict', 'pull request already exists', { number: other.number })
  const baseOid = await getTip(ctx, repo, input.base)
  let pull: PullRow | undefined
  await addIssue(ctx, caller, repo, input, async ({ id: issue_id, number }) => {
    const row: NewPullRow = {
      issue_id,
      number,
      repository_id: repo.id,
      is_open: true,
      base_branch: input.base,
      head_repository_id: head.repo.id,
      head_branch: head.branch,
      flow,
      head_oid: head.oid,
      version: 1,
      merge_base: '',
      allows_maintainer_edit: input.allow_maintainer_edit ?? true,
      mergeability: 'checking',
      created_at: ctx.now(),
    }
    pull = await insertPull(ctx.db, row)
    await insertVersion(ctx.db, {
      issue_id,
      version: 1,
      head_oid: head.oid,
      base_oid: baseOid,
      merge_base: '',
      pusher_id: actor.id,
      created_at: ctx.now(),
    })
    await setRefs(ctx, repo.storage_id, refsOf(pull, head.oid), written)
    return [{ kind: 'pull_push', body: pushedBody(false, commits) }]
  })
  const made = pull as unknown as PullRow
  const { reviewers = [], team_reviewers = [] } = input
  await emit(ctx, 'pull.opened', { ...pullEvent(made, actor), reviewers, team_reviewers })
  return made
}
