/** Deletes the head branch: after a merge if the merger may delete it, or on request once the pull request is closed. */
import { codePolicy } from '#domains/code/contents'
import { asWritable, getRepository, mergingOf, type Repository } from '#domains/code/repositories'
import { mayWriteHead, openPull, type PullCaller, type PullRow } from '#domains/review/pulls'
import { insertEntries } from '#domains/work/issues'
import { deleteRef, HEADS, precededBy, type RefPolicy } from '#git'
import type { Context } from '#platform/context'
import { forbidden, invalid, Problem } from '#platform/problem'
import type { SignedIn } from '#platform/rest'
import { isInUse } from '../store.ts'

/** `isAsked` null or undefined: the repository's default applies. A refusal is only logged, because the merge is done. */
export async function deleteHead(
  ctx: Context,
  actor: SignedIn,
  pull: PullRow,
  isAsked: boolean | null | undefined,
  base?: Repository,
): Promise<void> {
  try {
    const repo = base ?? (await getRepository(ctx, pull.repository_id))
    if (!(isAsked ?? mergingOf(repo).default_delete_branch_after_merge)) return
    const head = await findWritableHead(ctx, pull, repo)
    if (head !== undefined) await remove(ctx, actor, pull, head)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    ctx.log.info({ err: error, 'pull.issue': pull.issue_id }, 'head branch was not deleted')
  }
}

/** Fails if the branch has moved since the pull request was closed. */
export async function deleteClosedHead(
  ctx: Context,
  { tracker, actor }: PullCaller,
  number: number,
): Promise<void> {
  const pull = await openPull(ctx, tracker, number)
  if (pull.is_open) throw invalid('pull request is open')
  const head = await findWritableHead(ctx, pull, tracker)
  if (head === undefined) throw forbidden('user is not allowed to delete the head branch')
  await remove(ctx, actor, pull, head)
}

/** The head repository, if the caller may write to the branch. AGit pull requests have no branch. */
export async function findWritableHead(
  ctx: Context,
  { head_repository_id: id, flow }: PullRow,
  base: Repository,
): Promise<Repository | undefined> {
  if (id === null || flow !== 'branch') return undefined
  const head = id === base.id ? base : await getRepository(ctx, id)
  return mayWriteHead(head) && !head.is_mirror ? head : undefined
}

async function remove(ctx: Context, actor: SignedIn, pull: PullRow, head: Repository): Promise<void> {
  const code = asWritable(ctx, head, 'code')
  const order = { ref: HEADS + pull.head_branch, expected: pull.head_oid }
  await deleteRef(ctx, code.storage_id, order, leaving(codePolicy(code, actor), actor, pull))
}

/** Checked under the storage lock, so no pull request from this branch can be opened meanwhile. */
function leaving(policy: RefPolicy, actor: SignedIn, pull: PullRow): RefPolicy {
  const { issue_id: id, repository_id, head_branch: branch } = pull
  return precededBy(policy, async (ctx) => {
    if (await isInUse(ctx.db, pull.head_repository_id ?? 0, branch))
      throw new Problem('conflict', 'branch is used by another pull request')
    const entry = { kind: 'delete_branch', payload: { old_ref: branch } } as const
    await insertEntries(ctx, { id, repository_id }, actor, [entry])
  })
}
