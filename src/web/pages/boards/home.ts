/** Loads the owner of boards, and wraps pages in its head. */
import type { OperationId, PageVisit, Rendered } from '#platform/page'
import { links, path } from '../../links.ts'
import { inAccount, loadAccountHead } from '../../parts/account.ts'
import { inRepository, loadRepository } from '../../parts/repository.ts'
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
    const head = await loadAccountHead(visit, login)
    const { owner, organization } = head
    return {
      place: ofAccount(visit, owner),
      root: path(owner.login, '-', 'projects'),
      repository: null,
      mayWrite: organization?.isMember ?? visit.ctx.actor?.id === owner.id,
      wrap: (shown) => inAccount(head, 'projects', shown),
    }
  },
  does: (...verbs) => verbs.flatMap((verb): OperationId[] => [`org${verb}`, `userCurrent${verb}`]),
}
