/** Data that all pages of a pull request need. */
import type { PullSigns } from '#domains/review/merges'
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
  /** Head of the newest version, also if the head branch was deleted. */
  readonly tip: ResponseOf<'pullGetHead'>
  readonly rights: IssueAbilities
  /** Only while it is open. */
  readonly signs: PullSigns | undefined
}

/** If the number is that of an issue, redirects to the issue. */
export async function loadPull(visit: PageVisit<PullPath>): Promise<PullView> {
  const { ask, maybe, params } = visit
  const view = await loadRepository(visit)
  const given = indexOf(params)
  const pull = (await maybe('repoGetPullRequest', given)) ?? (await lookElsewhere(visit, view))
  const tip = await ask('pullGetHead', given)
  const rights = await ask('issueGetAbilities', given)
  const signs = pull.state === 'open' ? await ask('pullGetSigns', given) : undefined
  return { view, pull, tip, rights, signs }
}

async function lookElsewhere(
  { ask, maybe, params }: PageVisit<PullPath>,
  { repo }: RepositoryView,
): Promise<PullRequest> {
  const given = indexOf(params)
  const issue = await maybe('issueGetIssue', given)
  if (issue?.pull_request === null) throw new Redirect(links.issue(repo, given.index))
  // Throws if the viewer may read pull requests but not the code.
  return ask('repoGetPullRequest', given)
}

/** Path parameters of operations on it. */
export function indexOf({ owner, repo, index }: PullPath): { owner: string; repo: string; index: number } {
  if (!/^\d{1,15}$/.test(index)) throw notFound('pull request', index)
  return { owner, repo, index: Number(index) }
}

export function pullHref({ owner, repo, index }: PullPath, ...rest: string[]): string {
  return links.pull(repositoryAt({ owner, repo }), Number(index), ...rest)
}
