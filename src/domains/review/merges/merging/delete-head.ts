/** Deletes the head branch after a merge, if the merger may delete it. */
import { codePolicy } from '#domains/code/contents'
import { asWritable, getRepository, mergingOf, type Repository } from '#domains/code/repositories'
import { mayWriteHead, type PullRow } from '#domains/review/pulls'
import { insertEntries } from '#domains/work/issues'
import { deleteRef, HEADS, precededBy, type RefPolicy } from '#git'
import type { Context } from '#platform/context'
import { Problem } from '#platform/problem'
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
    if (isAsked ?? mergingOf(repo).default_delete_branch_after_merge) await remove(ctx, actor, pull, repo)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    ctx.log.info({ err: error, 'pull.issue': pull.issue_id }, 'head branch was not deleted')
  }
}

async function remove(ctx: Context, actor: SignedIn, pull: PullRow, base: Repository): Promise<void> {
  const { head_repository_id: id, head_branch: branch } = pull
  if (id === null || pull.flow !== 'branch') return
  const head = id === base.id ? base : await getRepository(ctx, id)
  if (!mayWriteHead(head)) return
  const code = asWritable(ctx, head, 'code')
  const order = { ref: HEADS + branch, expected: pull.head_oid }
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
