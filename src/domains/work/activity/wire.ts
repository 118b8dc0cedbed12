/** The wire format of acts. Pure: no database, no clock. */
import { type Static, Type } from 'typebox'
import { presentRepository, type Repository, RepositoryRecord } from '#domains/code/repositories'
import { type Account, presentUser, User } from '#domains/people/users'
import { Comment } from '#domains/work/issues'
import type { Actor } from '#platform/context'
import { presentOnce, Time, time } from '#platform/rest'
import type { Site } from '#platform/site'
import { OPERATIONS } from '#slices'
import type { ShownAct } from './feeds.ts'

/** Compat: the comment's user is null here. */
const ActivityComment = Type.Object(
  { ...Comment.properties, user: Type.Null() },
  { title: 'ActivityComment' },
)

export type Activity = Static<typeof Activity>
export const Activity = Type.Object(
  {
    id: Type.Integer(),
    user_id: Type.Integer({ description: 'ID of the user whose feed contains the activity' }),
    op_type: Type.Enum(OPERATIONS, { type: 'string' }),
    act_user_id: Type.Integer(),
    act_user: User,
    repo_id: Type.Integer(),
    repo: RepositoryRecord,
    comment_id: Type.Integer({ description: 'ID of the comment, or 0' }),
    comment: Type.Union([ActivityComment, Type.Null()]),
    ref_name: Type.String(),
    is_private: Type.Boolean({ description: 'whether the repository was private at the time' }),
    content: Type.String(),
    created: Time,
  },
  { title: 'Activity' },
)

/** `recipientId` null: a repository's feed, where each act's recipient is its actor. */
export function presentActivities(
  acts: readonly ShownAct[],
  recipientId: number | null,
  viewer: Actor | null,
  site: Site,
): Activity[] {
  const userOf = presentOnce((account: Account) => presentUser(account, viewer, site))
  const repositoryOf = presentOnce((repo: Repository) => presentRepository(repo, site))
  return acts.map(({ act, actor, repo, comment }) => ({
    id: act.id,
    user_id: recipientId ?? act.actor_id,
    op_type: act.op_type,
    act_user_id: act.actor_id,
    act_user: userOf(actor),
    repo_id: act.repository_id,
    repo: repositoryOf(repo),
    comment_id: act.comment_id ?? 0,
    comment: comment === null ? null : { ...comment, user: null },
    ref_name: act.ref_name,
    is_private: act.is_private,
    content: act.content,
    created: time(act.created_at),
  }))
}

export const UserHeatmapData = Type.Object(
  {
    timestamp: Type.Integer({ description: 'Unix time of the start of a 15 minute interval' }),
    contributions: Type.Integer(),
  },
  { title: 'UserHeatmapData' },
)
