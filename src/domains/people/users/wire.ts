/** REST records of users, their settings and email addresses. Pure: no database, no clock. */
import { type Static, Type } from 'typebox'
import type { Actor } from '#platform/context'
import { Time, time, Visibility } from '#platform/rest'
import type { Site } from '#platform/site'
import type { Account, AccountEmailRow, AccountKind } from './tables.ts'

export type User = Static<typeof User>
export const User = Type.Object(
  {
    id: Type.Integer(),
    login: Type.String(),
    username: Type.String(),
    login_name: Type.String({ description: 'login name at the authentication source' }),
    source_id: Type.Integer(),
    full_name: Type.String(),
    email: Type.String(),
    avatar_url: Type.String(),
    html_url: Type.String(),
    language: Type.String(),
    type: Type.Union([Type.Literal('User'), Type.Literal('Organization'), Type.Literal('Bot')]),
    is_admin: Type.Boolean(),
    last_login: Type.Union([Time, Type.Null()]),
    created: Time,
    restricted: Type.Boolean(),
    active: Type.Boolean(),
    prohibit_login: Type.Boolean(),
    location: Type.String(),
    website: Type.String(),
    description: Type.String(),
    visibility: Visibility,
    followers_count: Type.Integer(),
    following_count: Type.Integer(),
    starred_repos_count: Type.Integer(),
  },
  { title: 'User' },
)

type Viewer = Pick<Actor, 'id' | 'isAdmin'> | null

const TYPES: Record<AccountKind, User['type']> = { user: 'User', organization: 'Organization', bot: 'Bot' }

/** Some fields are for the user and administrators only; the email is for all signed-in users, unless it is hidden. */
export function presentUser(account: Account, viewer: Viewer, site: Site): User {
  const isPrivy = viewer !== null && (viewer.isAdmin || viewer.id === account.id)
  return {
    id: account.id,
    login: account.login,
    username: account.login,
    login_name: isPrivy ? account.login_name : '',
    source_id: isPrivy ? account.source_id : 0,
    full_name: account.full_name,
    email: shownEmail(account, viewer, isPrivy, site),
    avatar_url: avatarUrl(account, site),
    html_url: `${site.url}/${account.login}`,
    language: isPrivy ? account.language : '',
    type: TYPES[account.kind],
    is_admin: isPrivy && account.is_admin,
    last_login: isPrivy ? time(account.last_login_at) : null,
    created: time(account.created_at),
    restricted: account.is_restricted,
    active: isPrivy && account.is_active,
    prohibit_login: isPrivy && account.prohibits_login,
    location: account.location,
    website: account.website,
    description: account.description,
    visibility: account.visibility,
    followers_count: account.followers,
    following_count: account.following,
    starred_repos_count: account.stars,
  }
}

export type UserSettings = Static<typeof UserSettings>
export const UserSettings = Type.Object(
  {
    full_name: Type.String(),
    website: Type.String(),
    description: Type.String(),
    location: Type.String(),
    language: Type.String(),
    theme: Type.String(),
    diff_view_style: Type.String(),
    hide_email: Type.Boolean(),
    hide_activity: Type.Boolean(),
  },
  { title: 'UserSettings' },
)

/** Compat: the name of the default theme. */
const DEFAULT_THEME = 'gitea-auto'

export function presentSettings(account: Account): UserSettings {
  return {
    full_name: account.full_name,
    website: account.website,
    description: account.description,
    location: account.location,
    language: account.language,
    theme: account.theme || DEFAULT_THEME,
    diff_view_style: account.diff_view_style,
    hide_email: account.hides_email,
    hide_activity: account.hides_activity,
  }
}

export type Email = Static<typeof Email>
export const Email = Type.Object(
  {
    email: Type.String(),
    verified: Type.Boolean(),
    primary: Type.Boolean(),
    user_id: Type.Integer(),
    username: Type.String(),
  },
  { title: 'Email' },
)

/** Compat: the owner is named in the list of all addresses; in the caller's own list the fields are empty. */
export function presentEmail(row: AccountEmailRow & { login?: string }): Email {
  return {
    email: row.email,
    verified: row.is_verified,
    primary: row.is_primary,
    user_id: row.login === undefined ? 0 : row.account_id,
    username: row.login ?? '',
  }
}

/** A no-reply address, for commits and for anonymous callers. */
export function noreplyEmail(account: Account, site: Site): string {
  return `${account.id}+${account.login_key}@${site.noreplyDomain}`
}

type Pictured = Pick<Account, 'id' | 'avatar_key' | 'is_suspended'>

/** Site administrators, who still see a suspended account, see its default avatar. */
export function avatarUrl(account: Pictured, site: Site): string {
  const key = account.is_suspended ? '' : account.avatar_key
  return `${site.url}/avatars/${key || account.id}`
}

function shownEmail(account: Account, viewer: Viewer, isPrivy: boolean, site: Site): string {
  if (isPrivy || (viewer !== null && !account.hides_email)) return account.email
  return noreplyEmail(account, site)
}
