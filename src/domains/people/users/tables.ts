/** The tables of users: accounts of every kind and their data. */
import type { Generated, Insertable, Selectable, Updateable } from 'kysely'
import type { Visibility } from '#platform/rest'

declare module '#platform/db' {
  interface Tables {
    account: AccountTable
    account_count: AccountCountTable
    account_redirect: { login_key: string; account_id: number }
    account_email: AccountEmailTable
    account_password: { account_id: number; hash: string; changed_at: Date }
    account_totp: AccountTotpTable
    account_suspension: AccountSuspensionTable
    follow: { follower_id: number; followed_id: number; created_at: Date }
    account_block: { blocker_id: number; blocked_id: number; note: string; created_at: Date }
    membership: { organization_id: number; user_id: number; is_public: Generated<boolean> }
    badge: BadgeTable
    account_badge: { account_id: number; badge_id: number }
    known_address: { account_id: number; digest: Buffer; seen_at: Date }
    sign_in_failure: { key: string; window_start: Date; failures: number }
  }
}

interface BadgeTable {
  id: Generated<number>
  slug: string
  description: string
  image_url: string
}
export type BadgeRow = Selectable<BadgeTable>

/** Which notifications are also sent by email. */
export const EMAIL_NOTIFICATIONS = ['enabled', 'onmention', 'disabled', 'andyourown'] as const
export type EmailNotifications = (typeof EMAIL_NOTIFICATIONS)[number]

export type AccountKind = 'user' | 'organization' | 'bot'

interface AccountTable {
  id: Generated<number>
  kind: AccountKind
  login: string
  login_key: string
  full_name: Generated<string>
  email: Generated<string>
  description: Generated<string>
  website: Generated<string>
  location: Generated<string>
  visibility: Generated<Visibility>
  language: Generated<string>
  theme: Generated<string>
  diff_view_style: Generated<string>
  hides_email: Generated<boolean>
  hides_activity: Generated<boolean>
  email_notifications: Generated<EmailNotifications>
  is_admin: Generated<boolean>
  is_active: Generated<boolean>
  is_restricted: Generated<boolean>
  prohibits_login: Generated<boolean>
  /** Hidden by an administrator: see `account_suspension`. */
  is_suspended: Generated<boolean>
  must_change_password: Generated<boolean>
  /** Triggers maintain it. */
  has_second_factor: Generated<boolean>
  /** Of an organization: its members without a second factor have no part in it. */
  requires_second_factor: Generated<boolean>
  /** Of a service account. */
  organization_id: Generated<number | null>
  may_create_organization: Generated<boolean>
  may_use_git_hooks: Generated<boolean>
  may_import_local: Generated<boolean>
  repositories_max: Generated<number>
  login_name: Generated<string>
  source_id: Generated<number>
  /** The source that is the only way in; null if the forge's own credentials are accepted. */
  only_source_id: number | null
  avatar_key: Generated<string>
  last_login_at: Date | null
  created_at: Date
  updated_at: Date
}

/** Counters change in the transaction of the rows that they count, so reads need no count. */
interface AccountCountTable {
  account_id: number
  followers: Generated<number>
  following: Generated<number>
  stars: Generated<number>
  repositories: Generated<number>
  members: Generated<number>
  teams: Generated<number>
}

interface AccountEmailTable {
  id: Generated<number>
  account_id: number
  email: string
  email_key: string
  is_primary: Generated<boolean>
  is_verified: Generated<boolean>
}

interface AccountTotpTable {
  account_id: number
  sealed_secret: string
  last_step: Generated<number>
  created_at: Date
}

/** Why an account is suspended, and what its user answers. */
interface AccountSuspensionTable {
  account_id: number
  actor_id: number | null
  /** The source whose SCIM client suspended the account; null for a suspension by an administrator. */
  source_id: Generated<number | null>
  reason: string
  /** What `account.prohibits_login` was before: lifting the suspension restores it. */
  prohibited_login: Generated<boolean>
  created_at: Date
  appeal: string | null
  appealed_at: Date | null
}

export type SuspensionRow = Selectable<AccountSuspensionTable>
export type AccountRow = Selectable<AccountTable>
export type NewAccountRow = Insertable<AccountTable>
export type AccountPatch = Updateable<AccountTable>
export type AccountCount = Omit<Selectable<AccountCountTable>, 'account_id'>
export type AccountCounter = keyof AccountCount
export type AccountEmailRow = Selectable<AccountEmailTable>
/** An account with its counters. */
export type Account = AccountRow & AccountCount
