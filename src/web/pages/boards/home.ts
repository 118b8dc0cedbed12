/** Loads the owner of boards, and wraps pages in its head. */
import type { OperationId, PageVisit, Rendered } from '#platform/page'
import { html } from '#platform/page'
import { links, path } from '../../links.ts'
import { avatar } from '../../parts/basics.ts'
import { inOrganization, loadOrganizationHead } from '../../parts/organization.ts'
import { inRepository, loadRepository } from '../../parts/repository.ts'
import { boardWords as words } from '../../words/boards.ts'
import { type BoardPlace, ofAccount, ofRepository } from './places.ts'

export interface BoardHome {
  readonly place: BoardPlace
  /** Address of the list of boards. */
  readonly root: string
  /** The repository that plain issue numbers refer to. */
  readonly repository: { readonly owner: string; readonly name: string } | null
  readonly mayWrite: boolean
  readonly wrap: (shown: Rendered & { readonly hidesHeading?: boolean }) => Rendered
}

/** A kind of owner: its path prefix and operations. */
export interface HomeKind<Params> {
  readonly root: string
  readonly open: (visit: PageVisit<Params>) => Promise<BoardHome>
  readonly does: (...verbs: readonly Verb[]) => OperationId[]
}

export type Verb =
  | 'CreateProject'
  | 'EditProject'
  | 'DeleteProject'
  | 'CreateProjectColumn'
  | 'EditProjectColumn'
  | 'DeleteProjectColumn'
  | 'SetDefaultProjectColumn'
  | 'MoveProjectColumns'
  | 'SetColumnRules'
  | 'AddIssueToProjectColumn'
  | 'MoveProjectIssue'
  | 'RemoveIssueFromProjectColumn'

export const IN_REPOSITORY: HomeKind<{ owner: string; repo: string }> = {
  root: '/:owner/:repo/projects',
  open: async (visit) => {
    const view = await loadRepository(visit)
    const { repo, may } = view
    return {
      place: ofRepository(visit, visit.params),
      root: links.of(repo, 'projects'),
      repository: { owner: repo.owner.login, name: repo.name },
      mayWrite: may.projects.write,
      wrap: (shown) => inRepository(view, 'projects', visit, shown),
    }
  },
  does: (...verbs) => verbs.map((verb): OperationId => `repo${verb}`),
}

export const OF_ACCOUNT: HomeKind<{ owner: string }> = {
  root: '/:owner/-/projects',
  open: async (visit) => {
    const { owner: login } = visit.params
    const owner = await visit.ask('userGet', { username: login })
    const home = {
      place: ofAccount(visit, owner),
      root: path(owner.login, '-', 'projects'),
      repository: null,
    }
    if (owner.type === 'Organization') {
      const head = await loadOrganizationHead(visit, owner.login)
      return { ...home, mayWrite: head.isMember, wrap: (shown) => inOrganization(head, 'projects', shown) }
    }
    return {
      ...home,
      mayWrite: visit.ctx.actor?.login === owner.login,
      wrap: ({ hidesHeading, ...shown }) => ({
        ...shown,
        title: `${shown.title} · ${owner.login}`,
        body: html`<header class="repo-head"><div class="repo-title">${avatar(owner, 24)}<p class="repo-name"><a href="${links.account(owner.login)}">${owner.login}</a> / <strong><a href="${path(owner.login, '-', 'projects')}">${words.title}</a></strong></p></div></header>${hidesHeading === true && html`<h1 class="unseen">${shown.title}</h1>`}${shown.body}`,
      }),
    }
  },
  does: (...verbs) => verbs.flatMap((verb): OperationId[] => [`org${verb}`, `userCurrent${verb}`]),
}
