/** How far a branch of a fork is from its parent's. */
import { countDistanceAcross, type Distance, findRef, HEADS } from '#git'
import type { Context } from '#platform/context'
import { notFound } from '#platform/problem'
import type { Code } from '../open-code.ts'
import { findUpstream, parentOf, type UpstreamBranch } from './parent.ts'

export interface ForkDistance {
  readonly upstream: UpstreamBranch
  /** Undefined if the branches have been apart for too long to be counted. */
  readonly distance: Distance | undefined
}

/** Of the default branch. */
export async function countForkDistance(ctx: Context, fork: Code): Promise<ForkDistance> {
  const parent = parentOf(fork)
  const { default_branch: branch, storage_id } = fork
  const own = await findRef(ctx.db, storage_id, HEADS + branch)
  const upstream = await findUpstream(ctx, parent, branch)
  if (own === undefined || upstream === undefined) throw notFound('branch', branch)
  const base = { storageId: parent.storage_id, oid: upstream.oid }
  const distance = await countDistanceAcross(ctx, base, { storageId: storage_id, oid: own.oid })
  return { upstream, distance }
}
