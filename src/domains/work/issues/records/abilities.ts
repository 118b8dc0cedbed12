/** What whoever looks at an issue or a pull request may do with it: pages show it, and verbs ask again. */
import type { Tracker } from '#domains/code/repositories'
import { abilitiesOf } from '#domains/people/access'
import type { Context } from '#platform/context'
import { isSilenced, isTheirs, type SeenIssue, unitOf } from './open-issue.ts'

export interface IssueAbilities {
  /** It is not archived, and neither its owner nor its author has blocked the caller. */
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

export async function findAbilities(
  ctx: Context,
  tracker: Tracker,
  issue: SeenIssue,
): Promise<IssueAbilities> {
  const { actor } = ctx
  const { access, is_mirror: isMirror } = tracker
  const isBlocked = actor !== null && (await isSilenced(ctx, tracker, actor, issue))
  const facts = { isSignedIn: actor !== null, isBlocked, isMirror }
  const { join: isHeard, write: mayWrite } = abilitiesOf(access, facts)[unitOf(issue.is_pull)]
  const isOwn = isTheirs(ctx, issue)
  return {
    isHeard,
    mayJoin: isHeard && (mayWrite || !issue.is_locked),
    mayWrite,
    mayEdit: isHeard && (mayWrite || isOwn),
    mayClose: mayWrite || (isOwn && !access.archived),
  }
}
