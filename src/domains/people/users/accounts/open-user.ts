/** Opens a user: from a name in a path to an account that the caller may see. */
import { canSeeOwner } from '#domains/people/access'
import { type Context, once } from '#platform/context'
import { invalid, moved, notFound, Problem } from '#platform/problem'
import { asSiteAdmin, type SiteAdmin } from '#platform/rest'
import type { Account } from '../tables.ts'
import { findAccount, findRedirect } from './accounts.ts'

declare const seen: unique symbol
/** An account that the caller may see. Only `openUser` creates one. */
export type VisibleAccount = Account & { readonly [seen]: true }

/** Invisible and missing accounts are both 404; a former name redirects. */
export async function openUser(ctx: Context, login: string): Promise<VisibleAccount> {
  const account = await lookUpAccount(ctx, login)
  if (!(await isVisible(ctx, account))) throw notFound('user', login)
  // For an organization, the routes of organizations decide.
  if (ctx.actor?.publicOnly && account.visibility !== 'public' && account.id !== ctx.actor.id)
    throw new Problem('forbidden', 'token scope is limited to public users')
  return account as VisibleAccount
}

/**
 * An account that is visible to the caller, or already tied to them (follow, block, membership), so that the tie can be
 * removed after one of them became private.
 */
export async function openToTie(
  ctx: Context,
  login: string,
  isTied: (account: Account) => Promise<boolean>,
): Promise<Account> {
  const account = await lookUpAccount(ctx, login)
  if (!(await isVisible(ctx, account)) && !(await isTied(account))) throw notFound('user', login)
  return account
}

declare const managed: unique symbol
/** A user or bot that an administrator may change. Only `openManaged` creates one. */
export type ManagedUser = Account & { readonly [managed]: true }

export async function openManaged(
  visit: { ctx: Context },
  login: string,
): Promise<{ admin: SiteAdmin; user: ManagedUser }> {
  const admin = asSiteAdmin(visit)
  const user = await lookUpAccount(visit.ctx, login)
  if (user.kind === 'organization') throw invalid('account is an organization, not a user', { login })
  return { admin, user: user as ManagedUser }
}

/** For a name in a body: an invisible account is undefined, like a missing one. */
export async function findVisible(ctx: Context, login: string): Promise<VisibleAccount | undefined> {
  const account = await findAccount(ctx.db, login)
  return account && (await isVisible(ctx, account)) ? (account as VisibleAccount) : undefined
}

/**
 * The account of any kind with this name, without a check of visibility. `missing` creates the error for a missing
 * account, for callers that use the same error for an invisible one.
 */
export async function lookUpAccount(
  ctx: Context,
  login: string,
  missing: () => Problem = () => notFound('user', login),
): Promise<Account> {
  const account = await once(ctx, `account ${login}`, () => findAccount(ctx.db, login))
  if (account !== undefined) return account
  const to = await findRedirect(ctx.db, login)
  const target = to === undefined ? undefined : await findAccount(ctx.db, to)
  // The redirect must not reveal the new name of an invisible account.
  if (target === undefined || !(await isVisible(ctx, target))) throw missing()
  throw moved(login, target.login)
}

export async function isVisible(ctx: Context, account: Account): Promise<boolean> {
  if (account.is_suspended) return ctx.actor?.isAdmin === true
  if (account.visibility === 'public' || account.id === ctx.actor?.id) return true
  const kind = account.kind === 'organization' ? 'organization' : 'user'
  const ties = await loadTies(ctx, account)
  return canSeeOwner(ctx.actor, { id: account.id, kind, visibility: account.visibility }, ties)
}

async function loadTies(ctx: Context, account: Account) {
  const viewer = ctx.actor?.id ?? 0
  const found = await ctx.db
    .selectNoFrom((eb) => [
      eb
        .exists(
          eb
            .selectFrom('membership')
            .where('organization_id', '=', account.id)
            .where('user_id', '=', viewer)
            .select('user_id'),
        )
        .as('isMember'),
      eb
        .exists(
          eb
            .selectFrom('follow')
            .where('follower_id', '=', account.id)
            .where('followed_id', '=', viewer)
            .select('followed_id'),
        )
        .as('isFollowedByOwner'),
      eb
        .exists(
          eb
            .selectFrom('membership as theirs')
            .innerJoin('membership as mine', 'mine.organization_id', 'theirs.organization_id')
            .where('theirs.user_id', '=', account.id)
            .where('mine.user_id', '=', viewer)
            .select('mine.user_id'),
        )
        .as('sharesOrganization'),
    ])
    .executeTakeFirstOrThrow()
  return {
    isMember: Boolean(found.isMember),
    isFollowedByOwner: Boolean(found.isFollowedByOwner),
    sharesOrganization: Boolean(found.sharesOrganization),
  }
}
