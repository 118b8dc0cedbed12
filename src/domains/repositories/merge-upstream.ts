/** A fork that catches up: a branch gets what its parent has on it, by moving on or by a merge. */
import { may } from '#domains/access'
import { type Commit, findRef, isAncestor, merge, sharePacks } from '#git'
import { type Context, transact } from '#platform/context'
import { forbidden, notFound, Problem } from '#platform/problem'
import type { SignedIn } from '#platform/rest'
import { getRepository, type LoneRepository, type Repository } from './load.ts'
import type { CanWrite } from './open-repository.ts'
import type { MergeUpstream } from './schemas.ts'
import { signatureOf } from './signature.ts'
import { countChange, shareRepository } from './store.ts'

/** Moves refs by the rules for them. Handed in, because they are kept by slices above this one. */
export type Committing = (repo: CanWrite<'code'>, actor: SignedIn) => Commit
export type MergeType = 'up-to-date' | 'fast-forward' | 'merge'

const BRANCHES = 'refs/heads/'

export async function mergeUpstream(
  ctx: Context,
  fork: CanWrite<'code'>,
  actor: SignedIn,
  input: MergeUpstream,
  committing: Committing,
): Promise<MergeType> {
  const { parent } = fork
  assertReadable(fork, parent)
  const branch = input.branch || fork.default_branch
  const own = await findRef(ctx.db, fork.storage_id, BRANCHES + branch)
  const theirs = await findUpstream(ctx, parent, branch)
  if (own === undefined || theirs === undefined) throw notFound('branch', branch)
  if (own.oid === theirs) return 'up-to-date'
  await transact(ctx, async (ctx) => {
    // Packs are shared in whole, with all that the parent has: only while it can be read, and cannot be hidden.
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
    branch: BRANCHES + branch,
    expected: own.oid,
    head: theirs,
    style: isStraight ? ('fast-forward' as const) : ('merge' as const),
    message: `Merge branch '${branch}' of ${parent.owner.login}/${parent.name}`,
    author,
    committer: author,
  }
  await merge(ctx, fork.storage_id, order, committing(fork, actor))
  return isStraight ? 'fast-forward' : 'merge'
}

/** Who lost the right to read the parent gets nothing more of it. A fork is never more visible than its parent. */
function assertReadable(fork: Repository, parent: LoneRepository | null): asserts parent is LoneRepository {
  if (fork.parent_id === null) throw new Problem('malformed', 'the repository is not a fork')
  if (parent === null || !may(parent.access, 'read', 'code'))
    throw forbidden('permission denied to read what it was forked from')
}

/** Compat: where the parent has no branch of that name, its default branch is meant. */
async function findUpstream(
  ctx: Context,
  parent: LoneRepository,
  branch: string,
): Promise<string | undefined> {
  for (const name of [branch, parent.default_branch]) {
    const ref = await findRef(ctx.db, parent.storage_id, BRANCHES + name)
    if (ref !== undefined) return ref.oid
  }
  return undefined
}
