/** Updates a branch of a fork from its parent, by fast-forward or merge. */
import type { Static } from 'typebox'
import {
  type CanWrite,
  countChange,
  getRepository,
  type LoneRepository,
  type Repository,
  shareRepository,
  signatureOf,
} from '#domains/code/repositories'
import { findSigner } from '#domains/code/signing'
import { may } from '#domains/people/access'
import { findRef, HEADS, isAncestor, merge, sharePacks } from '#git'
import { type Context, transact } from '#platform/context'
import { forbidden, notFound, Problem } from '#platform/problem'
import type { SignedIn } from '#platform/rest'
import type { MergeUpstream } from '../schemas.ts'
import { codePolicy } from './ref-policy.ts'

export type MergeType = 'up-to-date' | 'fast-forward' | 'merge'

export async function mergeUpstream(
  ctx: Context,
  fork: CanWrite<'code'>,
  actor: SignedIn,
  input: Static<typeof MergeUpstream>,
): Promise<MergeType> {
  const { parent } = fork
  assertReadable(fork, parent)
  const branch = input.branch || fork.default_branch
  const own = await findRef(ctx.db, fork.storage_id, HEADS + branch)
  const theirs = await findUpstream(ctx, parent, branch)
  if (own === undefined || theirs === undefined) throw notFound('branch', branch)
  if (own.oid === theirs) return 'up-to-date'
  await transact(ctx, async (ctx) => {
    // Sharing packs exposes all objects of the parent, so it must be readable now, and the lock keeps it from
    // becoming private.
    await shareRepository(ctx.db, parent.id)
    const now = await getRepository(ctx, fork.id)
    assertReadable(now, now.parent)
    const bytes = await sharePacks(ctx, parent.storage_id, fork.storage_id)
    if (bytes > 0) await countChange(ctx, fork.id, { bytes })
  })
  if (await isAncestor(ctx, fork.storage_id, theirs, own.oid)) return 'up-to-date'
  const isStraight = await isAncestor(ctx, fork.storage_id, own.oid, theirs)
  if (!isStraight && input.ff_only)
    throw new Problem('malformed', 'fast-forward merge not possible: branch has diverged')
  const author = signatureOf(actor.account, ctx.site, ctx.now())
  const order = {
    branch: HEADS + branch,
    expected: own.oid,
    head: theirs,
    style: isStraight ? ('fast-forward' as const) : ('merge' as const),
    message: `Merge branch '${branch}' of ${parent.owner.login}/${parent.name}`,
    author,
    committer: author,
    sign: await findSigner(ctx),
  }
  await merge(ctx, fork.storage_id, order, codePolicy(fork, actor))
  return isStraight ? 'fast-forward' : 'merge'
}

/** Refuses a caller who may no longer read the parent. Invariant: a fork is never more visible than its parent. */
function assertReadable(fork: Repository, parent: LoneRepository | null): asserts parent is LoneRepository {
  if (fork.parent_id === null) throw new Problem('malformed', 'repository is not a fork')
  if (parent === null || !may(parent.access, 'read', 'code'))
    throw forbidden('permission denied to read the base repository')
}

/** Compat: if the parent lacks the branch, its default branch is used. */
async function findUpstream(
  ctx: Context,
  parent: LoneRepository,
  branch: string,
): Promise<string | undefined> {
  for (const name of [branch, parent.default_branch]) {
    const ref = await findRef(ctx.db, parent.storage_id, HEADS + name)
    if (ref !== undefined) return ref.oid
  }
  return undefined
}
