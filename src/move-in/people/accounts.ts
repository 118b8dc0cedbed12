/** `user` → accounts, organizations, passwords; addresses, second factors, passkeys, ties between people. */
import { TOTP_PURPOSE } from '#domains/people/users'
import { carry, Left } from '../carry/carry.ts'
import { pictureIdOf, storePictures } from '../files/pictures.ts'
import type { SourceRow } from '../source/driver.ts'
import { flag, id, number, text, time, timeOr, timesOf } from '../source/fields.ts'
import { decryptTotp } from '../source/secrets.ts'
import { oldPasswordOf } from './passwords.ts'

const KINDS: Readonly<Record<number, string>> = { 0: 'user', 1: 'organization', 4: 'bot' }
export const VISIBILITIES = ['public', 'limited', 'private'] as const
const NOTICES: ReadonlySet<string> = new Set(['enabled', 'onmention', 'disabled', 'andyourown'])
/** The name of a file below the folder of avatars: also of a picture that Gitea drew. */
const PICTURE = (row: SourceRow) => text(row.avatar)

const accounts = carry({
  from: 'user',
  into: 'account',
  foreign: 'id > 0',
  before: (move, batch) => storePictures(move, move.source.files.avatars, batch.map(PICTURE)),
  rows: (row, move) => {
    const kind = KINDS[number(row.type)]
    if (kind === undefined) return new Left('it is a reserved name or an account of another instance')
    const login = text(row.name)
    const notices = text(row.email_notifications_preference)
    return {
      id: number(row.id),
      kind,
      login,
      login_key: login.toLowerCase(),
      full_name: text(row.full_name),
      email: text(row.email),
      description: text(row.description),
      website: text(row.website),
      location: text(row.location),
      visibility: VISIBILITIES[number(row.visibility)] ?? 'private',
      language: text(row.language),
      theme: text(row.theme),
      diff_view_style: text(row.diff_view_style),
      hides_email: flag(row.keep_email_private),
      hides_activity: flag(row.keep_activity_private),
      email_notifications: NOTICES.has(notices) ? notices : 'enabled',
      is_admin: flag(row.is_admin),
      is_active: flag(row.is_active),
      is_restricted: flag(row.is_restricted),
      prohibits_login: flag(row.prohibit_login),
      must_change_password: flag(row.must_change_password),
      may_create_organization: flag(row.allow_create_organization),
      may_use_git_hooks: flag(row.allow_git_hook),
      may_import_local: flag(row.allow_import_local),
      repositories_max: number(row.max_repo_creation),
      login_name: text(row.login_name),
      source_id: number(row.login_source),
      avatar_key: pictureIdOf(move, PICTURE(row)),
      last_login_at: time(row.last_login_unix),
      ...timesOf(row),
    }
  },
})

const counters = carry({
  name: 'user → account_count',
  from: 'user',
  into: 'account_count',
  foreign: 'account_id > 0',
  key: ['account_id'],
  rows: (row) => ({ account_id: number(row.id) }),
})

const organizations = carry({
  name: 'user → organization',
  from: `select * from "user" where type = 1`,
  into: 'organization',
  key: ['account_id'],
  rows: (row) => ({
    account_id: number(row.id),
    repo_admin_change_team_access: flag(row.repo_admin_change_team_access),
  }),
})

const passwords = carry({
  name: 'user → account_password',
  from: `select * from "user" where type = 0`,
  into: 'account_password',
  key: ['account_id'],
  rows: (row) => {
    const hash = oldPasswordOf(row)
    if (hash instanceof Left) return hash
    return { account_id: number(row.id), hash, changed_at: timeOr(row.created_unix, row.updated_unix) }
  },
})

const emails = carry({
  from: 'email_address',
  into: 'account_email',
  rows: (row) => ({
    id: number(row.id),
    account_id: number(row.uid),
    email: text(row.email),
    email_key: text(row.lower_email) || text(row.email).toLowerCase(),
    is_primary: flag(row.is_primary),
    is_verified: flag(row.is_activated),
  }),
})

const redirects = carry({
  from: 'user_redirect',
  into: 'account_redirect',
  key: ['login_key'],
  isReplaced: true,
  rows: (row) => ({ login_key: text(row.lower_name), account_id: number(row.redirect_user_id) }),
})

/** Scratch codes are hashes in another form: people make recovery codes anew. */
const factors = carry({
  from: 'two_factor',
  into: 'account_totp',
  key: ['account_id'],
  rows: (row, { ctx, installation }) => {
    let secret: string
    try {
      secret = decryptTotp(installation.secretKey, row)
    } catch {
      return new Left('SECRET_KEY of app.ini does not decrypt it')
    }
    return {
      account_id: number(row.uid),
      sealed_secret: ctx.seal.seal(TOTP_PURPOSE, secret),
      last_step: 0,
      created_at: timeOr(row.created_unix, row.updated_unix),
    }
  },
})

const passkeys = carry({
  from: 'webauthn_credential',
  into: 'passkey',
  rows: (row) => {
    const { credential_id, public_key } = row
    if (!(credential_id instanceof Uint8Array) || !(public_key instanceof Uint8Array))
      return new Left('it has no key')
    return {
      id: number(row.id),
      account_id: number(row.user_id),
      credential_id: Buffer.from(credential_id).toString('base64url'),
      public_key: `\\x${Buffer.from(public_key).toString('hex')}`,
      counter: number(row.sign_count),
      transports: [],
      name: text(row.name),
      created_at: timeOr(row.created_unix, row.updated_unix),
    }
  },
})

const follows = carry({
  from: 'follow',
  into: 'follow',
  key: ['follower_id', 'followed_id'],
  isReplaced: true,
  rows: (row) => ({
    follower_id: number(row.user_id),
    followed_id: number(row.follow_id),
    created_at: timeOr(row.created_unix, null),
  }),
})

const blocks = carry({
  from: 'user_blocking',
  into: 'account_block',
  key: ['blocker_id', 'blocked_id'],
  isReplaced: true,
  rows: (row) => ({
    blocker_id: number(row.blocker_id),
    blocked_id: number(row.blockee_id),
    note: text(row.note),
    created_at: timeOr(row.created_unix, null),
  }),
})

const blocksOfForgejo = carry({
  from: 'forgejo_blocked_user',
  into: 'account_block',
  key: ['blocker_id', 'blocked_id'],
  isReplaced: true,
  rows: (row) => ({
    blocker_id: number(row.user_id),
    blocked_id: number(row.block_id),
    note: '',
    created_at: timeOr(row.created_unix, null),
  }),
})

const badges = carry({
  from: 'badge',
  into: 'badge',
  rows: (row) => ({
    id: number(row.id),
    slug: text(row.slug),
    description: text(row.description),
    image_url: text(row.image_url),
  }),
})

const worn = carry({
  from: 'user_badge',
  into: 'account_badge',
  key: ['account_id', 'badge_id'],
  isReplaced: true,
  rows: (row) => ({ account_id: id(row.user_id) ?? 0, badge_id: number(row.badge_id) }),
})

export const people = [
  accounts,
  counters,
  organizations,
  passwords,
  emails,
  redirects,
  factors,
  passkeys,
  follows,
  blocks,
  blocksOfForgejo,
  badges,
  worn,
]
