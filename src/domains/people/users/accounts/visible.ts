/** The visibility of accounts as SQL: the rule of `isVisible`, for lists. */
import { type Expression, expressionBuilder, type SqlBool } from 'kysely'
import type { Tables } from '#platform/db'
import type { Viewer } from './viewer.ts'

type Facts = Omit<Viewer, 'account' | 'restriction'>

/** A condition on `account`. A public-only credential sees public accounts only. */
export function visibleTo(actor: Facts | null): Expression<SqlBool> {
  const eb = expressionBuilder<Tables, 'account'>()
  if (actor?.isAdmin && !actor.publicOnly) return eb.lit(true)
  return eb.and([eb('account.is_suspended', '=', false), isOpenTo(actor)])
}

function isOpenTo(actor: Facts | null): Expression<SqlBool> {
  const eb = expressionBuilder<Tables, 'account'>()
  const isPublic = eb('account.visibility', '=', 'public')
  if (actor === null || actor.publicOnly) return isPublic
  const isKnown = eb.or([isPublic, eb('account.id', '=', actor.id)])
  if (actor.isRestricted) return eb.or([isKnown, isMember(actor.id)])
  const isLimited = eb('account.visibility', '=', 'limited')
  // The most expensive conditions come last, so they are evaluated only for the few private accounts.
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

/** A private user is visible to users whom they follow or with whom they share an organization. */
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
 * An `exists` condition. `offset 0` keeps the planner from turning it into a join over all followers of the viewer, who
 * may be many, while an index lookup for each account is fast.
 */
function rowByRow(query: { offset(offset: number): Expression<unknown> }): Expression<SqlBool> {
  return expressionBuilder<Tables, 'account'>().exists(query.offset(0))
}
