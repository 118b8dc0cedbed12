/** The banner after a push: branches that the viewer pushed lately and that no pull request was opened for. */
import type { PushedBranch } from '#domains/work/activity'
import { type Html, html, nothing, type PageVisit } from '#platform/page'
import type { Repository } from '../../gen/contract.ts'
import { links, type RepositoryPath } from '../../links.ts'
import { contributeWords as words } from '../../words/contribute.ts'
import { icon, time } from '../basics.ts'
import { mayReadPulls, type RepositoryView } from '../repository.ts'

export interface PushedBranches {
  /** The repository that a pull request would go to: for a fork its parent. */
  readonly base: Repository
  readonly branches: readonly PushedBranch[]
}

const SHOWN_MAX = 3

/** One statement if nothing was pushed lately. */
export async function loadPushedBranches(
  visit: PageVisit<RepositoryPath>,
  { repo, may }: RepositoryView,
): Promise<PushedBranches | undefined> {
  const { ask, maybe, ctx, params } = visit
  if (ctx.actor === null || repo.empty || !may.code.read) return undefined
  const pushed = await ask('activityListPushedBranches', { owner: params.owner, repo: params.repo })
  if (pushed.length === 0) return undefined
  const base = repo.parent ?? repo
  const at = { owner: base.owner.login, repo: base.name }
  const mayThere = base === repo ? may : await maybe('repoGetAbilities', at)
  if (!mayThere?.pulls.join || !mayReadPulls({ may: mayThere })) return undefined
  const unopened = await ask('pullListUnopened', at, {
    branches: pushed.map(({ repository_id, branch }) => ({ repository_id, branch })),
  })
  const isUnopened = (it: PushedBranch) =>
    unopened.some((one) => one.repository_id === it.repository_id && one.branch === it.branch)
  return { base, branches: pushed.filter(isUnopened).slice(0, SHOWN_MAX) }
}

export function pushedBranches(visit: PageVisit, pushed: PushedBranches | undefined): Html {
  if (pushed === undefined || pushed.branches.length === 0) return nothing
  const { base, branches } = pushed
  const one = (it: PushedBranch) => {
    const name = headName(base, { owner: it.owner, name: it.repo }, it.branch)
    return html`<div class="flash pushed" role="status"><span class="grow">${icon('git-branch')} <strong>${name}</strong> ${words.pushed} ${time(it.pushed_at, visit.ctx.now())}</span><a class="button primary" href="${links.compare(base, base.default_branch, name)}" aria-label="${words.compareBranch(name)}">${words.compare}</a></div>`
  }
  return html`${branches.map(one)}`
}

/** A branch as a pull request into `base` names it. The owner alone names the first of their repositories of the network. */
export function headName(
  base: Repository,
  head: { readonly owner: string; readonly name: string },
  branch: string,
): string {
  if (`${head.owner}/${head.name}` === base.full_name) return branch
  const isPlain = head.name === base.name && head.owner !== base.owner.login
  return `${isPlain ? head.owner : `${head.owner}/${head.name}`}:${branch}`
}
