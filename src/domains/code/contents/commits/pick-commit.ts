/** Cherry-picks or reverts a commit on a branch. */
import type { Static } from 'typebox'
import { findSigner } from '#domains/code/signing'
import { cherryPick, revert } from '#git'
import type { Context } from '#platform/context'
import { targetOf } from '../files/change-files.ts'
import type { CommitFields } from '../files/file-schemas.ts'
import { type CodeWrite, getRevision } from '../open-code.ts'
import { codePolicy } from '../refs/ref-policy.ts'
import { authorOf } from './authorship.ts'

interface PickWish extends Pick<Static<typeof CommitFields>, 'branch' | 'new_branch' | 'message'> {
  readonly sha: string
  readonly is_revert: boolean
}

/** For a merge commit: the diff to its first parent, as its page shows it. */
const MAINLINE = 1

export async function pickCommit(ctx: Context, { repo, actor }: CodeWrite, wish: PickWish): Promise<void> {
  const { oid: commit } = await getRevision(ctx, repo, wish.sha)
  const [committer, sign] = await Promise.all([authorOf(ctx, actor), findSigner(ctx)])
  const policy = codePolicy(repo, actor)
  const { message } = wish
  const target = targetOf({ repo, actor }, wish)
  const order = { target, commit, mainline: MAINLINE, committer, sign, ...(message && { message }) }
  if (wish.is_revert) await revert(ctx, repo.storage_id, { ...order, author: committer }, policy)
  else await cherryPick(ctx, repo.storage_id, order, policy)
}
