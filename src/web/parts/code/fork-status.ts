/** On the home of a fork: how far its default branch is from the parent's, and how to bring both together. */
import type { ForkDistance } from '#domains/code/contents'
import { type Html, html, nothing, type PageVisit } from '#platform/page'
import type { Repository } from '../../gen/contract.ts'
import { links, type RepositoryPath } from '../../links.ts'
import { contributeWords as words } from '../../words/contribute.ts'
import { icon } from '../basics.ts'
import { formButton } from '../forms.ts'
import type { RepositoryView } from '../repository.ts'
import { headName } from './pushed-branches.ts'

export interface ForkStatus extends ForkDistance {
  readonly parent: Repository
  readonly mayContribute: boolean
}

/** Undefined unless it is a fork whose parent the viewer may read. */
export async function loadForkStatus(
  { maybe, params }: PageVisit<RepositoryPath>,
  { repo, may }: RepositoryView,
): Promise<ForkStatus | undefined> {
  const { parent } = repo
  if (!parent || repo.empty || !may.code.read) return undefined
  const { owner, repo: name } = params
  const counted = await maybe('repoGetForkDistance', { owner, repo: name })
  if (counted === undefined) return undefined
  const isAhead = counted.distance === undefined || counted.distance.ahead > 0
  const abilities = isAhead
    ? await maybe('repoGetAbilities', { owner: parent.owner.login, repo: parent.name })
    : undefined
  return { ...counted, parent, mayContribute: abilities?.pulls.join === true }
}

export function forkStatus(visit: PageVisit, { repo, may }: RepositoryView, status: ForkStatus): Html {
  const { parent, upstream, distance, mayContribute } = status
  const theirs = html`<a href="${links.source(parent, { kind: 'branch', name: upstream.branch })}">${parent.full_name}:${upstream.branch}</a>`
  const head = headName(parent, { owner: repo.owner.login, name: repo.name }, repo.default_branch)
  const isBehind = distance === undefined || distance.behind > 0
  return html`<div class="box box-text spread fork-status"><span class="grow">${icon('git-fork')} ${said(distance, theirs)}</span>${
    mayContribute &&
    html`<a class="button" href="${links.compare(parent, upstream.branch, head)}">${icon('git-pull-request')}${words.contribute}</a>`
  }${isBehind && may.code.write ? formButton(visit, 'sync', html`${icon('refresh-cw')}${words.sync}`) : nothing}</div>`
}

function said(distance: ForkDistance['distance'], theirs: Html): Html {
  if (distance === undefined) return html`${words.apart} ${theirs}.`
  const { ahead, behind } = distance
  if (ahead === 0 && behind === 0) return html`${words.level} ${theirs}.`
  if (behind === 0) return html`${words.ahead(ahead)} ${theirs}.`
  if (ahead === 0) return html`${words.behind(behind)} ${theirs}.`
  return html`${words.aheadAndBehind(ahead, behind)} ${theirs}.`
}
