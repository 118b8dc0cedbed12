/** The tables of sources: the sources, the identities of people there, and sign-ins that have begun. */
import type { Generated, JSONColumnType, Selectable } from 'kysely'
import type { LdapSettings, OidcSettings, SamlSettings } from './records/schemas.ts'

declare module '#platform/db' {
  interface Tables {
    authentication_source: SourceTable
    external_identity: IdentityTable
    source_step: StepTable
    source_mapping: MappingTable
    provisioned_member: ProvisionedMemberTable
  }
}

export interface SettingsByKind {
  readonly oidc: OidcSettings
  readonly ldap: LdapSettings
  readonly saml: SamlSettings
}
export type SourceKind = keyof SettingsByKind

interface SourceTable {
  id: Generated<number>
  kind: SourceKind
  name: string
  name_key: string
  settings: JSONColumnType<SettingsByKind[SourceKind]>
  sealed_secret: string
  is_enabled: boolean
  is_only_way: boolean
  may_register: boolean
  discovered: JSONColumnType<object> | null
  discovered_at: Date | null
  /** The last check of the directory missed too many people, and removed none of them. */
  halted_at: Date | null
  halted_missing: number | null
  halted_people: number | null
  confirmed_missing: number | null
  created_at: Date
  updated_at: Date
}
export type SourceRow = Selectable<SourceTable>

/** A source of one kind, with the settings of that kind. */
export type SourceOf<Kind extends SourceKind> = Omit<SourceRow, 'kind' | 'settings'> & {
  readonly kind: Kind
  readonly settings: SettingsByKind[Kind]
}

export function isOf<Kind extends SourceKind>(row: SourceRow, kind: Kind): row is SourceRow & SourceOf<Kind> {
  return row.kind === kind
}

interface IdentityTable {
  id: Generated<number>
  source_id: number
  subject: string
  account_id: number
  /** Name and address at the source: for people to read, never to find an account by. */
  login: string
  email: string
  made_admin: Generated<boolean>
  created_at: Date
  last_used_at: Date | null
  checked_at: Date | null
  removed_at: Date | null
  /** Not found by the latest check, and not removed yet. */
  missed_at: Date | null
  gone_at: Date | null
}
export type IdentityRow = Selectable<IdentityTable>

interface MappingTable {
  id: Generated<number>
  source_id: number
  group_name: string
  /** Null: members of the group are site administrators. */
  team_id: number | null
}

/** SCIM clients have put the account into the group. */
interface ProvisionedMemberTable {
  group_id: string
  account_id: number
  source_id: number
  group_name: string
}

interface StepTable {
  digest: Buffer
  kind: 'request' | 'identity'
  source_id: number
  facts: JSONColumnType<object>
  created_at: Date
  expires_at: Date
}
