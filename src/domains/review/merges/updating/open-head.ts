/** Opens the head branch of a pull request to update it from its base. */

import {
  assertNoMirror,
  type CanWrite,
  getRepository,
  mergingOf,
  type Repository,
} from '#domains/code/repositories'
import { may } from '#domains/people/access'
import { mayWriteHead, type PullRow } from '#domains/review/pulls'
import type { Context } from '#platform/context'
import { forbidden, invalid } from '#platform/problem'

export type UpdateStyle = 'merge' | 'rebase'

/**
 * Allowed for users who may write to the head, and for writers of the base if the author allows maintainer edits. The
 * head's branch protection is checked besides; to it, a maintainer is a user without write access.
 */
export async function openHead(
  ctx: Context,
  pull: PullRow,
  style: UpdateStyle,
): Promise<{ readonly base: Repository; readonly head: CanWrite<'code'> }> {
  if (!pull.is_open) throw invalid('pull request is closed')
  if (pull.head_repository_id === null || pull.flow !== 'branch') throw invalid('head branch does not exist')
  const base = await getRepository(ctx, pull.repository_id)
  const head = pull.head_repository_id === base.id ? base : await getRepository(ctx, pull.head_repository_id)
  if (!mayUpdate(pull, base, head)) throw forbidden('user is not allowed to update the head branch')
  assertNoMirror(head)
  const merging = mergingOf(base)
  if (!(style === 'rebase' ? merging.allow_rebase_update : merging.allow_merge_update))
    throw forbidden('update style is not allowed')
  return { base, head } as unknown as Awaited<ReturnType<typeof openHead>>
}

export function mayUpdate(pull: PullRow, base: Repository, head: Repository): boolean {
  const mayEdit = pull.allows_maintainer_edit && may(base.access, 'write', 'code') && !head.access.archived
  return mayWriteHead(head) || mayEdit
}
