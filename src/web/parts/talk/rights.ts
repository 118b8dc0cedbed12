/** What whoever looks at an issue or a pull request may do with it. */
import { isBlocked } from '#domains/users'
import type { PageVisit } from '#platform/page'
import type { Issue } from '../../gen/contract.ts'
import type { RepositoryView } from '../repository.ts'

export interface TalkRights {
  /** It is not archived, and neither its owner nor its author has blocked the viewer. */
  readonly isHeard: boolean
  /** To comment and react. */
  readonly mayJoin: boolean
  /** To change what is known of it, and what others wrote. */
  readonly mayWrite: boolean
  /** To change its title and text. */
  readonly mayEdit: boolean
  /** To close and reopen it. */
  readonly mayClose: boolean
}

const NONE: TalkRights = {
  isHeard: false,
  mayJoin: false,
  mayWrite: false,
  mayEdit: false,
  mayClose: false,
}

type Subject = Pick<Issue, 'user' | 'is_locked'>

/** Whom its author has blocked says nothing there, unless they administer the repository. */
export async function loadRights(
  { ctx }: PageVisit,
  { repo, may }: RepositoryView,
  unit: 'issues' | 'pulls',
  { user: author, is_locked: isLocked }: Subject,
): Promise<TalkRights> {
  const { join, write } = may[unit]
  const { actor } = ctx
  if (actor === null) return NONE
  const isOwn = actor.id === author.id
  const isHeard = join && (isOwn || may.admin || !(await isBlocked(ctx.db, author.id, actor.id)))
  return {
    isHeard,
    mayJoin: isHeard && (write || !isLocked),
    mayWrite: write,
    mayEdit: isHeard && (write || isOwn),
    mayClose: write || (isOwn && !repo.archived),
  }
}
