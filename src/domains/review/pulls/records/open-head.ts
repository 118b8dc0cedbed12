/** Opens the head repository of a pull request, to push to its branch. */
import { assertNoMirror, type CanWrite, getRepository, type Repository } from '#domains/code/repositories'
import type { Context } from '#platform/context'
import { forbidden, invalid } from '#platform/problem'
import type { PullRow } from '../tables.ts'
import { mayWriteHead } from './open-pull.ts'

/** Only while the pull request is open. Branch protection is checked when the branch is moved. */
export async function mayPushToHead(ctx: Context, base: Repository, pull: PullRow): Promise<boolean> {
  const head = await findHead(ctx, base, pull)
  return pull.is_open && head !== undefined && mayWriteHead(head) && !head.is_mirror
}

/** `base` is the repository of the pull request. AGit pull requests have no branch. */
export async function openHeadToWrite(
  ctx: Context,
  base: Repository,
  pull: PullRow,
): Promise<CanWrite<'code'>> {
  if (!pull.is_open) throw invalid('pull request is closed')
  const head = await findHead(ctx, base, pull)
  if (head === undefined) throw invalid('head branch does not exist')
  if (!mayWriteHead(head)) throw forbidden('user is not allowed to update the head branch')
  assertNoMirror(head)
  return head as unknown as CanWrite<'code'>
}

async function findHead(ctx: Context, base: Repository, pull: PullRow): Promise<Repository | undefined> {
  const { head_repository_id: id, flow } = pull
  if (id === null || flow !== 'branch') return undefined
  return id === base.id ? base : getRepository(ctx, id)
}
