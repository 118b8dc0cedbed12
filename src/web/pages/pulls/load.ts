/** A pull request as all of its pages need it. */
import type { IssueAbilities } from '#domains/work/issues'
import { type PageVisit, Redirect, type ResponseOf } from '#platform/page'
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
  /** Of its newest version, also where the branch it came from is gone. */
  readonly tip: ResponseOf<'pullGetHead'>
  readonly rights: IssueAbilities
}

/** What one repository calls a pull request may be an issue: then it is there. */
export async function loadPull(visit: PageVisit<PullPath>): Promise<PullView> {
  const { ask, maybe, params } = visit
  const view = await loadRepository(visit)
  const given = indexOf(params)
  const pull = (await maybe('repoGetPullRequest', given)) ?? (await lookElsewhere(visit, view))
  const tip = await ask('pullGetHead', given)
  const rights = await ask('issueGetAbilities', given)
  return { view, pull, tip, rights }
}

async function lookElsewhere(
  { ask, maybe, params }: PageVisit<PullPath>,
  { repo }: RepositoryView,
): Promise<PullRequest> {
  const given = indexOf(params)
  const issue = await maybe('issueGetIssue', given)
  if (issue?.pull_request === null) throw new Redirect(links.issue(repo, given.index))
  // Whoever may read pull requests but not the code is told so.
  return ask('repoGetPullRequest', given)
}

/** Of an operation about it. */
export function indexOf({ owner, repo, index }: PullPath): { owner: string; repo: string; index: number } {
  if (!/^\d{1,15}$/.test(index)) throw notFound('pull request', index)
  return { owner, repo, index: Number(index) }
}

export function pullHref({ owner, repo, index }: PullPath, ...rest: string[]): string {
  return links.pull(repositoryAt({ owner, repo }), Number(index), ...rest)
}
