/** A pull request as all of its pages need it. */
import { mayWriteHead, openPull, openPulls, type PullTracker, type SeenPull } from '#domains/pulls'
import { getRepository } from '#domains/repositories'
import { type PageVisit, Redirect } from '#platform/page'
import { notFound } from '#platform/problem'
import type { PullRequest } from '../../gen/contract.ts'
import { links, repositoryAt } from '../../links.ts'
import { loadRepository, type RepositoryView } from '../../parts/repository.ts'
import { loadRights, type TalkRights } from '../../parts/talk/rights.ts'

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
  readonly rights: TalkRights
  /** To push to the branch that it comes from. */
  readonly mayPush: boolean
}

/** What one repository calls a pull request may be an issue: then it is there. */
export async function loadPull(visit: PageVisit<PullPath>): Promise<PullView> {
  const { ctx, maybe, params } = visit
  const view = await loadRepository(visit)
  const given = indexOf(params)
  const pull = await maybe('repoGetPullRequest', given)
  if (pull === undefined) {
    const issue = await maybe('issueGetIssue', given)
    if (issue?.pull_request === null) throw new Redirect(links.issue(view.repo, given.index))
    // Whoever may read pull requests but not the code is told so.
    await openPulls(visit)
    throw notFound('pull request', params.index)
  }
  const tracker = await openPulls(visit)
  const row = await openPull(ctx, tracker, given.index)
  const rights = await loadRights(visit, view, 'pulls', pull)
  return { view, pull, tracker, row, rights, mayPush: await mayPushTo(visit, view, row) }
}

async function mayPushTo({ ctx }: PageVisit, { may }: RepositoryView, row: SeenPull): Promise<boolean> {
  const { head_repository_id: head, repository_id: base, flow } = row
  if (head === null || flow !== 'branch') return false
  if (head === base) return may.code.write
  const repo = await getRepository(ctx, head)
  return mayWriteHead(repo) && !repo.is_mirror
}

/** Of an operation about it. */
export function indexOf({ owner, repo, index }: PullPath): { owner: string; repo: string; index: number } {
  if (!/^\d{1,15}$/.test(index)) throw notFound('pull request', index)
  return { owner, repo, index: Number(index) }
}

export function pullHref({ owner, repo, index }: PullPath, ...rest: string[]): string {
  return links.pull(repositoryAt({ owner, repo }), Number(index), ...rest)
}
