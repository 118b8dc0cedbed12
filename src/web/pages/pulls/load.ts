/** A pull request as all of its pages need it. */
import { openPull, openPulls, type PullTracker, type SeenPull } from '#domains/pulls'
import { type PageVisit, Redirect } from '#platform/page'
import { notFound } from '#platform/problem'
import type { PullRequest } from '../../gen/contract.ts'
import { links, repositoryAt } from '../../links.ts'
import { loadRepository, type RepositoryView } from '../../parts/repository.ts'

export interface PullPath {
  readonly owner: string
  readonly repo: string
  readonly index: string
}

export interface PullView {
  readonly view: RepositoryView
  readonly pull: PullRequest
  readonly tracker: PullTracker
  readonly row: SeenPull
  /** Whether the reader may change what others wrote here. */
  readonly mayWrite: boolean
  /** By them, or by somebody who may write. */
  readonly mayEdit: boolean
}

/** What one repository calls a pull request may be an issue: then it is there. */
export async function loadPull(visit: PageVisit<PullPath>): Promise<PullView> {
  const { ctx, maybe, params } = visit
  const view = await loadRepository(visit)
  const given = indexOf(params)
  const pull = await maybe('repoGetPullRequest', given)
  if (pull === undefined) {
    if ((await maybe('issueGetIssue', given)) === undefined) throw notFound('pull request', params.index)
    throw new Redirect(links.issue(view.repo, given.index))
  }
  const tracker = await openPulls(visit)
  const row = await openPull(ctx, tracker, given.index)
  const mayWrite = ctx.actor !== null && view.repo.permissions.push && !view.repo.archived
  const isOwn = ctx.actor !== null && ctx.actor.login === pull.user.login
  return { view, pull, tracker, row, mayWrite, mayEdit: mayWrite || (isOwn && !view.repo.archived) }
}

/** Of an operation about it. */
export function indexOf({ owner, repo, index }: PullPath): { owner: string; repo: string; index: number } {
  if (!/^\d{1,15}$/.test(index)) throw notFound('pull request', index)
  return { owner, repo, index: Number(index) }
}

export function pullHref({ owner, repo, index }: PullPath, ...rest: string[]): string {
  return links.pull(repositoryAt({ owner, repo }), Number(index), ...rest)
}
