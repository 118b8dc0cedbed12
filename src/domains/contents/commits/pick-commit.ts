/** The change of a commit, made once more upon a branch or taken back there: pages come by this door, no operation does it. */
import type { Static } from 'typebox'
import { findSigner } from '#domains/signing'
import { alongWith, cherryPick, revert } from '#git'
import { Problem } from '#platform/problem'
import { targetOf } from '../files/change-files.ts'
import type { CommitFields } from '../files/file-schemas.ts'
import { getRevision, openCodeToWrite } from '../open-code.ts'
import { codePolicy } from '../refs/ref-policy.ts'
import { authorOf } from './authorship.ts'

type Visit = Parameters<typeof openCodeToWrite>[0]

interface PickWish extends Pick<Static<typeof CommitFields>, 'branch' | 'new_branch' | 'message'> {
  readonly sha: string
  readonly isRevert: boolean
}

/** Of a merge, what its page shows as its change: all that is new since its first parent. */
const MAINLINE = 1

export async function pickCommit(visit: Visit, wish: PickWish): Promise<void> {
  const { ctx } = visit
  const { repo, actor } = await openCodeToWrite(visit)
  const { oid: commit } = await getRevision(ctx, repo, wish.sha)
  const [committer, sign] = await Promise.all([authorOf(ctx, actor), findSigner(ctx)])
  const policy = alongWith(codePolicy(repo, actor), (ctx) => assertStill({ ...visit, ctx }, repo.id))
  const { message } = wish
  const target = targetOf({ repo, actor }, wish)
  const order = { target, commit, mainline: MAINLINE, committer, sign, ...(message && { message }) }
  if (wish.isRevert) await revert(ctx, repo.storage_id, { ...order, author: committer }, policy)
  else await cherryPick(ctx, repo.storage_id, order, policy)
}

/** Invariant: pages open nothing, so whoever lost the right meanwhile is refused in the transaction that moves the branch. */
async function assertStill(visit: Visit, repositoryId: number): Promise<void> {
  const { repo } = await openCodeToWrite(visit)
  if (repo.id !== repositoryId)
    throw new Problem('conflict', 'permissions were changed concurrently, please try again')
}
