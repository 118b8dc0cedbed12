/** What the caller may do with an issue or pull request, for pages; every operation checks it again. */
import type { Tracker } from '#domains/code/repositories'
import { abilitiesOf } from '#domains/people/access'
import type { Context } from '#platform/context'
import { isTracked, mayTrack } from '../times/open-to-track.ts'
import { isSilenced, isTheirs, type SeenIssue, unitOf } from './open-issue.ts'

export interface IssueAbilities {
  /** The repository is not archived, and neither its owner nor the author has blocked the caller. */
  readonly isHeard: boolean
  /** May comment and react. */
  readonly mayJoin: boolean
  /** May change labels, assignees and such, and texts of others. */
  readonly mayWrite: boolean
  /** May change its title and body. */
  readonly mayEdit: boolean
  /** May close and reopen it. */
  readonly mayClose: boolean
  /** May track time on it. */
  readonly mayTrack: boolean
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
  const isOwn = isTheirs(ctx, issue.is_pull, issue)
  return {
    isHeard,
    mayJoin: isHeard && (mayWrite || !issue.is_locked),
    mayWrite,
    mayEdit: isHeard && (mayWrite || isOwn),
    mayClose: mayWrite || (isOwn && !access.archived),
    mayTrack:
      actor !== null &&
      !access.archived &&
      isTracked(tracker) &&
      (await mayTrack(ctx, { repo: tracker, issue, mayWrite })),
  }
}
