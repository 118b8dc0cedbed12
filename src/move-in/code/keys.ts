/** Access tokens, SSH keys, deploy keys and GPG keys. */
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { keepOldToken, normalizeScopes } from '#domains/code/keys'
import { carry, Left } from '../carry/carry.ts'
import { flag, id, idsOf, list, number, text, time, timeOr, word } from '../source/fields.ts'

const USER_KEY = 1
const DEPLOY_KEY = 2
const READ_ONLY = 1

/** The digest of a new token belongs to no text; `old_hash` proves the token once, and then the digest is replaced. */
const tokens = carry<ReadonlyMap<number, string>>({
  from: 'access_token',
  into: 'access_token',
  around: async (_, ctx, batch) => {
    const { rows } = await sql<{ id: number; digest: string }>`
      select id, digest::text as digest from access_token where id = any(${idsOf(batch, 'id')}::bigint[])`.execute(
      ctx.db,
    )
    return new Map(rows.map((row) => [Number(row.id), row.digest]))
  },
  rows: (row, _, digests) => {
    const scopes = scopesOf(text(row.scope))
    if (scopes === undefined) return new Left('it has no scope that is known')
    return {
      id: number(row.id),
      account_id: number(row.uid),
      name: text(row.name),
      digest: digests.get(number(row.id)) ?? `\\x${randomBytes(32).toString('hex')}`,
      old_hash: keepOldToken(text(row.token_salt), text(row.token_hash)),
      last_eight: text(row.token_last_eight),
      scopes,
      created_at: timeOr(row.created_unix, row.updated_unix),
      last_used_at: time(row.updated_unix),
    }
  },
})

/** Old releases wrote `sudo` and scopes of their own, which later ones translate. */
function scopesOf(joined: string): string[] | undefined {
  try {
    return normalizeScopes(
      joined
        .split(',')
        .map((it) => it.trim())
        .filter((it) => it !== '' && it !== 'sudo'),
    )
  } catch {
    return undefined
  }
}

const publicKeys = carry({
  from: 'public_key',
  into: 'public_key',
  rows: (row) => {
    const type = number(row.type)
    if (type !== USER_KEY && type !== DEPLOY_KEY) return new Left('it is a principal of a certificate')
    return {
      id: number(row.id),
      account_id: type === USER_KEY ? id(row.owner_id) : null,
      title: text(row.name),
      fingerprint: text(row.fingerprint),
      key: text(row.content).trim(),
      created_at: timeOr(row.created_unix, row.updated_unix),
      last_used_at: wasUsed(row.created_unix, row.updated_unix) ? time(row.updated_unix) : null,
    }
  },
})

function wasUsed(created: unknown, updated: unknown): boolean {
  return Number(updated ?? 0) > Number(created ?? 0)
}

const deployKeys = carry({
  from: 'deploy_key',
  into: 'deploy_key',
  rows: (row) => ({
    id: number(row.id),
    repository_id: number(row.repo_id),
    title: text(row.name),
    public_key_id: number(row.key_id),
    digest: null,
    is_read_only: number(row.mode) === READ_ONLY,
    created_at: timeOr(row.created_unix, row.updated_unix),
    last_used_at: wasUsed(row.created_unix, row.updated_unix) ? time(row.updated_unix) : null,
  }),
})

/** The armored text is beside the main key; subkeys are rows of their own. */
const gpgKeys = carry({
  name: 'gpg_key → gpg_key',
  from: `select k.*, m.id as main_id, coalesce(a.content, b.content) as armored from gpg_key as k
    left join gpg_key as m on m.key_id = k.primary_key_id and m.owner_id = k.owner_id and k.primary_key_id <> ''
    left join gpg_key_import as a on a.key_id = k.key_id
    left join gpg_key_import as b on b.key_id = k.primary_key_id`,
  into: 'gpg_key',
  rows: (row) => ({
    id: number(row.id),
    account_id: number(row.owner_id),
    primary_id: id(row.main_id),
    key_id: word(row.key_id),
    primary_key_id: word(row.primary_key_id),
    public_key: text(row.content),
    armored: text(row.armored),
    emails: list(row.emails).flatMap((it) => {
      const address = (it as { LowerEmail?: string; Email?: string } | null) ?? {}
      return address.LowerEmail ?? address.Email?.toLowerCase() ?? []
    }),
    is_verified: flag(row.verified),
    can_sign: flag(row.can_sign),
    can_encrypt_comms: flag(row.can_encrypt_comms),
    can_encrypt_storage: flag(row.can_encrypt_storage),
    can_certify: flag(row.can_certify),
    created_at: time(row.created_unix),
    expires_at: number(row.expired_unix) > 0 ? time(row.expired_unix) : null,
    added_at: timeOr(row.added_unix, row.created_unix),
  }),
})

export const keys = [tokens, publicKeys, deployKeys, gpgKeys]
