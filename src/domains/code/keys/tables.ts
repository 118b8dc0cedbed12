/** The tables of credentials: access tokens, public SSH keys, deploy keys, GPG keys, job tokens. */
import type { Generated, Insertable, JSONColumnType, Selectable } from 'kysely'
import type { Restriction, Unit } from '#domains/people/access'

declare module '#platform/db' {
  interface Tables {
    access_token: AccessTokenTable
    public_key: PublicKeyTable
    deploy_key: DeployKeyTable
    gpg_key: GpgKeyTable
    job_token: JobTokenTable
    token_use: TokenUseTable
  }
}

interface AccessTokenTable {
  id: Generated<number>
  account_id: number
  name: string
  digest: Buffer
  last_eight: string
  scopes: string[]
  created_at: Date
  last_used_at: Date | null
  /** Null for a token without an end. */
  expires_at: Date | null
  /** Set for a token of an OAuth2 application: the row of `oauth2_token_family` that ends it. */
  family_id: number | null
  /** Null for a token without limits. Only ever narrowed. */
  restriction: JSONColumnType<StoredRestriction | null, string | null | undefined, string | null>
  /** Set for a token that another one made; it ends with its parent. */
  parent_id: Generated<number | null>
  last_used_from: Generated<string | null>
  /** Of a token that was moved in and not used since: see `tokens/old-tokens.ts`. */
  old_hash: Generated<string | null>
}

/** A restriction as JSON; its end is the column `expires_at`. */
export type UsedLevel = 'read' | 'write' | 'admin'

/** A right that requests with a token needed on a day. */
interface TokenUseTable {
  token_id: number
  day: Date
  place_id: number
  part: string
  level: UsedLevel
}

export type StoredRestriction = Pick<Restriction, 'places' | 'units' | 'refs' | 'addresses'>

interface PublicKeyTable {
  id: Generated<number>
  /** Null for a key that only deploy keys use. */
  account_id: number | null
  title: string
  fingerprint: string
  key: string
  /** For a key of an account; a deploy key has its own column. */
  is_read_only: Generated<boolean>
  created_at: Date
  last_used_at: Date | null
}

interface DeployKeyTable {
  id: Generated<number>
  repository_id: number
  title: string
  /** Set for an SSH key. */
  public_key_id: number | null
  /** Set for a token. */
  digest: Buffer | null
  is_read_only: boolean
  created_at: Date
  last_used_at: Date | null
}

interface JobTokenTable {
  task_id: number
  digest: Buffer
  repository_id: number
  permissions: JSONColumnType<Partial<Record<Unit, 'none' | 'read' | 'write'>>>
  created_at: Date
}

interface GpgKeyTable {
  id: Generated<number>
  account_id: number
  primary_id: number | null
  key_id: string
  primary_key_id: Generated<string>
  public_key: string
  armored: string
  /** Addresses that the key has signed, lower case. Compared with the account's addresses on display. */
  emails: JSONColumnType<string[]>
  can_sign: boolean
  can_encrypt_comms: boolean
  can_encrypt_storage: boolean
  can_certify: boolean
  is_verified: Generated<boolean>
  created_at: Date | null
  expires_at: Date | null
  added_at: Date
}

export type AccessTokenRow = Selectable<AccessTokenTable>
export type NewAccessTokenRow = Insertable<AccessTokenTable>
export type PublicKeyRow = Selectable<PublicKeyTable>
/** A public key of an account. */
export type OwnedPublicKeyRow = PublicKeyRow & { account_id: number }
export type NewPublicKeyRow = Insertable<PublicKeyTable>
export type DeployKeyRow = Selectable<DeployKeyTable>
export type NewDeployKeyRow = Insertable<DeployKeyTable>
export type GpgKeyRow = Selectable<GpgKeyTable>
export type NewGpgKeyRow = Insertable<GpgKeyTable>
