/** REST records of tokens and keys. Pure: no database, no clock. */
import { type Static, Type } from 'typebox'
import { accessByKey, presentRepository, type Repository, RepositoryRecord } from '#domains/code/repositories'
import { UNITS, wireUnit } from '#domains/people/access'
import { type Account, presentUser, User } from '#domains/people/users'
import type { Actor } from '#platform/context'
import { Time, time } from '#platform/rest'
import type { Site } from '#platform/site'
import type { DeployKeyRecord } from './deploy/deploy-key-store.ts'
import type { CurrentTokenRow, Email } from './store.ts'
import type { AccessTokenRow, GpgKeyRow, PublicKeyRow, StoredRestriction } from './tables.ts'

const MaybeTime = Type.Union([Time, Type.Null()])

export const TokenRestriction = Type.Object(
  {
    places: Type.Array(
      Type.Object({ repository_ids: Type.Array(Type.Integer()), owner_ids: Type.Array(Type.Integer()) }),
      { description: 'a repository must be in each of them' },
    ),
    units_map: Type.Union([Type.Record(Type.String(), Type.String()), Type.Null()]),
    refs: Type.Array(Type.Array(Type.String()), { description: 'a ref must fit a pattern of each list' }),
    addresses: Type.Array(Type.Array(Type.String()), { description: 'an address must be in each list' }),
  },
  { title: 'AccessTokenRestriction' },
)

/** Absent for a token without them, as in the reference. */
const limits = {
  expires_at: Type.Optional(Time),
  restriction: Type.Optional(TokenRestriction),
}

export type AccessToken = Static<typeof AccessToken>
export const AccessToken = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    sha1: Type.String({ description: 'token, returned only when it is created' }),
    token_last_eight: Type.String(),
    scopes: Type.Array(Type.String()),
    created_at: MaybeTime,
    last_used_at: MaybeTime,
    last_used_from: Type.Optional(Type.String({ description: 'IP address' })),
    ...limits,
  },
  { title: 'AccessToken' },
)

export function presentToken(row: AccessTokenRow): AccessToken {
  const { last_used_from } = row
  return {
    ...tokenFacts(row),
    sha1: '',
    token_last_eight: row.last_eight,
    ...(last_used_from !== null && { last_used_from }),
  }
}

/** Compat: the response to the creation has no times. */
export function presentNewToken(row: AccessTokenRow, token: string): AccessToken {
  return { ...presentToken(row), sha1: token, created_at: null, last_used_at: null }
}

export type CurrentAccessToken = Static<typeof CurrentAccessToken>
export const CurrentAccessToken = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    scopes: Type.Array(Type.String()),
    created_at: Time,
    last_used_at: Time,
    ...limits,
    user: Type.Object({ id: Type.Integer(), login: Type.String() }, { title: 'UserMeta' }),
  },
  { title: 'CurrentAccessToken' },
)

export function presentCurrentToken(row: CurrentTokenRow): CurrentAccessToken {
  return { ...tokenFacts(row), user: { id: row.account_id, login: row.login } }
}

/** Compat: the last use of an unused token is its creation. */
function tokenFacts(row: AccessTokenRow) {
  return {
    id: row.id,
    name: row.name,
    scopes: row.scopes,
    created_at: time(row.created_at),
    last_used_at: time(row.last_used_at ?? row.created_at),
    ...(row.expires_at !== null && { expires_at: time(row.expires_at) }),
    ...(row.restriction !== null && { restriction: presentRestriction(row.restriction) }),
  }
}

function presentRestriction({ places, units, refs, addresses }: StoredRestriction) {
  const known = units === null ? null : UNITS.filter((unit) => (units[unit] ?? 'none') !== 'none')
  return {
    places: places.map((it) => ({ repository_ids: [...it.repositories], owner_ids: [...it.owners] })),
    units_map: known && Object.fromEntries(known.map((unit) => [wireUnit(unit), units?.[unit] ?? 'none'])),
    refs: refs.map((list) => [...list]),
    addresses: addresses.map((list) => [...list]),
  }
}

export type PublicKey = Static<typeof PublicKey>
export const PublicKey = Type.Object(
  {
    id: Type.Integer(),
    key: Type.String(),
    url: Type.String(),
    title: Type.String(),
    fingerprint: Type.String(),
    created_at: Time,
    updated_at: Type.String({ format: 'date-time', description: 'time the key was last used' }),
    last_used_at: Time,
    read_only: Type.Boolean(),
    key_type: Type.Optional(Type.String()),
    user: Type.Optional(User),
  },
  { title: 'PublicKey' },
)

export interface OwnedKey {
  readonly key: PublicKeyRow
  readonly owner: Account
}

/** Only the owner and administrators get the `user` field, presented as to the owner. */
export function presentPublicKey({ key, owner }: OwnedKey, viewer: Actor | null, site: Site): PublicKey {
  const lastUse = time(key.last_used_at ?? key.created_at)
  const isPrivy = viewer !== null && (viewer.isAdmin || viewer.id === owner.id)
  return {
    id: key.id,
    key: key.key,
    url: `${site.apiUrl}/user/keys/${key.id}`,
    title: key.title,
    fingerprint: key.fingerprint,
    created_at: time(key.created_at),
    updated_at: lastUse,
    last_used_at: lastUse,
    read_only: key.is_read_only,
    ...(isPrivy
      ? { key_type: 'user', user: presentUser(owner, { id: owner.id, isAdmin: false }, site) }
      : {}),
  }
}

export type DeployKey = Static<typeof DeployKey>
export const DeployKey = Type.Object(
  {
    id: Type.Integer(),
    key_id: Type.Integer({
      description: 'ID of the public key, which repositories may share; 0 for a token',
    }),
    key_type: Type.Union([Type.Literal('ssh'), Type.Literal('token')]),
    key: Type.String(),
    url: Type.String(),
    title: Type.String(),
    fingerprint: Type.String(),
    created_at: Time,
    read_only: Type.Boolean(),
    token: Type.Optional(Type.String({ description: 'token, returned only when it is created' })),
    repository: Type.Union([RepositoryRecord, Type.Null()]),
  },
  { title: 'DeployKey' },
)

/** The response to the creation. */
export function presentNewDeployKey(record: DeployKeyRecord, repo: Repository, site: Site): DeployKey {
  const path = `${repo.owner.login}/${repo.name}`
  return {
    id: record.id,
    key_id: record.public_key_id ?? 0,
    key_type: record.public_key_id === null ? 'token' : 'ssh',
    key: record.key ?? '',
    url: `${site.apiUrl}/repos/${path}/keys/${record.id}`,
    title: record.title,
    fingerprint: record.fingerprint ?? '',
    created_at: time(record.created_at),
    read_only: record.is_read_only,
    repository: null,
  }
}

/** Compat: the repository is shown to the user who owns it and to administrators, with the permissions of the key. */
export function presentDeployKey(
  record: DeployKeyRecord,
  repo: Repository,
  viewer: Actor | null,
  site: Site,
): DeployKey {
  const shown = presentNewDeployKey(record, repo, site)
  const isPrivy = viewer !== null && (viewer.isAdmin || viewer.id === repo.owner_id)
  if (!isPrivy) return shown
  const seenByKey = { ...repo, access: accessByKey(repo, record) }
  return { ...shown, repository: presentRepository(seenByKey, site) }
}

const gpgKeyFields = {
  id: Type.Integer(),
  primary_key_id: Type.String(),
  key_id: Type.String(),
  public_key: Type.String(),
  emails: Type.Array(
    Type.Object({ email: Type.String(), verified: Type.Boolean() }, { title: 'GPGKeyEmail' }),
  ),
  can_sign: Type.Boolean(),
  can_encrypt_comms: Type.Boolean(),
  can_encrypt_storage: Type.Boolean(),
  can_certify: Type.Boolean(),
  verified: Type.Boolean(),
  created_at: MaybeTime,
  expires_at: MaybeTime,
}
/** A subkey has the same fields as a key, with no subkeys of its own. */
const GpgSubkey = Type.Object(
  { ...gpgKeyFields, subkeys: Type.Array(Type.Unknown(), { maxItems: 0 }) },
  { title: 'GPGKey' },
)
export type GpgKey = Static<typeof GpgKey>
export const GpgKey = Type.Object({ ...gpgKeyFields, subkeys: Type.Array(GpgSubkey) }, { title: 'GPGKey' })

/** A key with its subkeys, and those of its addresses that the account has now. */
export interface WholeGpgKey {
  readonly key: GpgKeyRow
  readonly subkeys: readonly GpgKeyRow[]
  readonly emails: readonly Email[]
}

export function presentGpgKey({ key, subkeys, emails }: WholeGpgKey): GpgKey {
  return {
    ...presentGpgPart(key),
    emails: emails.map(({ email, is_verified }) => ({ email, verified: is_verified })),
    subkeys: subkeys.map(presentGpgPart),
  }
}

function presentGpgPart(row: GpgKeyRow) {
  return {
    id: row.id,
    primary_key_id: row.primary_key_id,
    key_id: row.key_id,
    public_key: row.public_key,
    emails: [],
    subkeys: [],
    can_sign: row.can_sign,
    can_encrypt_comms: row.can_encrypt_comms,
    can_encrypt_storage: row.can_encrypt_storage,
    can_certify: row.can_certify,
    verified: row.is_verified,
    created_at: time(row.created_at),
    expires_at: time(row.expires_at),
  }
}
