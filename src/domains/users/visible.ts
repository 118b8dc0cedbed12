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
  const isMember = eb.exists(
    eb
      .selectFrom('membership')
      .select('membership.user_id')
      .whereRef('membership.organization_id', '=', 'account.id')
      .where('membership.user_id', '=', actor.id),
  )
  const isKnown = [isPublic, eb('account.id', '=', actor.id), isMember]
  if (actor.isRestricted) return eb.or(isKnown)
  return eb.or([...isKnown, eb('account.visibility', '=', 'limited'), isAcquainted(actor.id)])
}

/** A private person is seen by those they follow, and by those they share an organization with. */
function isAcquainted(viewer: number): Expression<SqlBool> {
  const eb = expressionBuilder<Tables, 'account'>()
  const isFollowed = eb.exists(
    eb
      .selectFrom('follow')
      .select('follow.followed_id')
      .whereRef('follow.follower_id', '=', 'account.id')
      .where('follow.followed_id', '=', viewer),
  )
  const sharesOrganization = eb.exists(
    eb
      .selectFrom('membership as theirs')
      .innerJoin('membership as mine', 'mine.organization_id', 'theirs.organization_id')
      .select('mine.user_id')
      .whereRef('theirs.user_id', '=', 'account.id')
      .where('mine.user_id', '=', viewer),
  )
  return eb.and([eb('account.kind', '<>', 'organization'), eb.or([isFollowed, sharesOrganization])])
}
