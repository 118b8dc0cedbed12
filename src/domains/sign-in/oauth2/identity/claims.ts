/** What an application learns about the person who signs in, by the scopes that were granted. */
import { type Account, avatarUrl, findEmails } from '#domains/people/users'
import type { Context } from '#platform/context'

/** ID tokens are sent in headers and cookies. */
const GROUPS_MAX = 500

export type Claims = Readonly<Record<string, unknown>>

/** `sub` is the id of the account: names and addresses may pass to somebody else. */
export async function loadClaims(ctx: Context, account: Account, scopes: readonly string[]): Promise<Claims> {
  return {
    sub: String(account.id),
    ...(scopes.includes('profile') && profileOf(ctx, account)),
    ...(scopes.includes('email') && (await emailOf(ctx, account))),
    ...(scopes.includes('groups') && { groups: await listGroups(ctx, account.id) }),
  }
}

function profileOf({ site }: Context, account: Account): Claims {
  return {
    name: account.full_name || account.login,
    preferred_username: account.login,
    profile: `${site.url}/${account.login}`,
    picture: avatarUrl(account, site),
    ...(account.website !== '' && { website: account.website }),
    ...(account.language !== '' && { locale: account.language }),
    updated_at: Math.floor(account.updated_at.getTime() / 1000),
  }
}

/** Applications join accounts by address, so an unconfirmed address must not pass for a confirmed one. */
async function emailOf(ctx: Context, account: Account): Promise<Claims> {
  const emails = await findEmails(ctx.db, account.id)
  const primary = emails.find(({ is_primary }) => is_primary)
  return { email: account.email, email_verified: primary?.is_verified === true }
}

/** Compat: organizations, and their teams as `organization:team`. */
async function listGroups(ctx: Context, accountId: number): Promise<string[]> {
  const rows = await ctx.db
    .selectFrom('team_member')
    .innerJoin('team', 'team.id', 'team_member.team_id')
    .innerJoin('account', 'account.id', 'team.organization_id')
    .select(['account.login', 'team.name'])
    .where('team_member.user_id', '=', accountId)
    .orderBy('account.login_key')
    .orderBy('team.id')
    .limit(GROUPS_MAX)
    .execute()
  const groups = new Set<string>()
  for (const { login, name } of rows) groups.add(login).add(`${login}:${name.toLowerCase()}`)
  return [...groups]
}
