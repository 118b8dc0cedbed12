/** The tables of OAuth2: applications, what people have granted them, codes, refresh tokens, and keys of ID tokens. */
import type { Generated, JSONColumnType, Selectable } from 'kysely'

declare module '#platform/db' {
  interface Tables {
    oauth2_application: ApplicationTable
    oauth2_grant: GrantTable
    oauth2_token_family: FamilyTable
    oauth2_code: CodeTable
    oauth2_refresh_token: RefreshTokenTable
    oauth2_signing_key: SigningKeyTable
  }
}

interface ApplicationTable {
  id: Generated<number>
  /** Null for an application of the forge itself. */
  account_id: number | null
  name: string
  client_id: string
  secret_digest: Buffer
  /** Of an application that was moved in and has not shown its secret since. */
  old_hash: Generated<string | null>
  is_confidential: boolean
  skips_second_authorization: boolean
  redirect_uris: string[]
  created_at: Date
  updated_at: Date
}
export type ApplicationRow = Selectable<ApplicationTable>

/** What an account has allowed an application. */
interface GrantTable {
  id: Generated<number>
  account_id: number
  application_id: number
  scopes: string[]
  created_at: Date
  last_used_at: Date
}
export type GrantRow = Selectable<GrantTable>

/** The tokens of one authorization, which end together. */
interface FamilyTable {
  id: Generated<number>
  grant_id: number
  scopes: string[]
  created_at: Date
  expires_at: Date
}

interface CodeTable {
  digest: Buffer
  grant_id: number
  scopes: string[]
  redirect_uri: string | null
  challenge: string | null
  nonce: string | null
  created_at: Date
  expires_at: Date
  used_at: Date | null
  family_id: number | null
}

interface RefreshTokenTable {
  digest: Buffer
  family_id: number
  created_at: Date
  expires_at: Date
  used_at: Date | null
}

interface SigningKeyTable {
  generation: number
  kid: string
  public_jwk: JSONColumnType<Record<string, string>>
  sealed_private_key: string
  signs_from: Date
  created_at: Date
}
export type SigningKeyRow = Selectable<SigningKeyTable>
