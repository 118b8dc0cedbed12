/** Whom a caller may see, said to the database: for lists, the rule that `isVisible` has for one account. */
import { type Expression, expressionBuilder, type SqlBool } from 'kysely'
import type { Actor } from '#platform/context'
import type { Tables } from '#platform/db'

/** A condition on `account`. A credential limited to public things sees public accounts only. */
export function visibleTo(actor: Actor | null): Expression<SqlBool> {
  const eb = expressionBuilder<Tables, 'account'>()
  const isPublic = eb('account.visibility', '=', 'public')
  if (actor === null || actor.publicOnly) return isPublic
  if (actor.isAdmin) return eb.lit(true)
  const isKnown = eb.or([isPublic, eb('account.id', '=', actor.id)])
  if (actor.isRestricted) return eb.or([isKnown, isMember(actor.id)])
  const isLimited = eb('account.visibility', '=', 'limited')
  // What costs most is asked last, and so only about the few who are private.
  return eb.or([isKnown, isLimited, isMember(actor.id), isAcquainted(actor.id)])
}

function isMember(viewer: number): Expression<SqlBool> {
  const eb = expressionBuilder<Tables, 'account'>()
  const membership = eb
    .selectFrom('membership')
    .select('membership.user_id')
    .whereRef('membership.organization_id', '=', 'account.id')
    .where('membership.user_id', '=', viewer)
  return rowByRow(membership)
}

/** A private person is seen by those they follow, and by those they share an organization with. */
function isAcquainted(viewer: number): Expression<SqlBool> {
  const eb = expressionBuilder<Tables, 'account'>()
  const follow = eb
    .selectFrom('follow')
    .select('follow.followed_id')
    .whereRef('follow.follower_id', '=', 'account.id')
    .where('follow.followed_id', '=', viewer)
  const shared = eb
    .selectFrom('membership as theirs')
    .innerJoin('membership as mine', 'mine.organization_id', 'theirs.organization_id')
    .select('mine.user_id')
    .whereRef('theirs.user_id', '=', 'account.id')
    .where('mine.user_id', '=', viewer)
  return eb.and([eb('account.kind', '<>', 'organization'), eb.or([rowByRow(follow), rowByRow(shared)])])
}

/**
 * Whether there is such a row. The offset of nothing keeps PostgreSQL from fetching all followers of the viewer at
 * once, who may be very many, where an index tells of each account in no time.
 */
function rowByRow(query: { offset(offset: number): Expression<unknown> }): Expression<SqlBool> {
  return expressionBuilder<Tables, 'account'>().exists(query.offset(0))
}
