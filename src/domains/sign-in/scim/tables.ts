/** The tables of SCIM: tokens of clients, and the users and groups as clients see them. */
import type { Generated, JSONColumnType, Selectable } from 'kysely'

declare module '#platform/db' {
  interface Tables {
    scim_token: ScimTokenTable
    scim_user: ScimUserTable
    scim_group: ScimGroupTable
  }
}

interface ScimTokenTable {
  id: Generated<number>
  source_id: number
  name: string
  digest: Buffer
  last_eight: string
  created_at: Date
  last_used_at: Date | null
  last_used_from: string | null
}
export type ScimTokenRow = Selectable<ScimTokenTable>

export interface Email {
  readonly value: string
  readonly type?: string
  readonly primary?: boolean
}

/** The attributes of a user that the forge keeps as they were sent. */
export interface Attributes {
  readonly name?: { readonly formatted?: string; readonly familyName?: string; readonly givenName?: string }
  readonly displayName?: string
  readonly emails?: readonly Email[]
}

interface ScimUserTable {
  id: string
  source_id: number
  account_id: number
  external_id: string | null
  user_name: string
  user_name_key: string
  attributes: JSONColumnType<Attributes>
  is_active: boolean
  is_deleted: Generated<boolean>
  version: Generated<number>
  created_at: Date
  updated_at: Date
}
export type ScimUserRow = Selectable<ScimUserTable>

interface ScimGroupTable {
  id: string
  source_id: number
  external_id: string | null
  display_name: string
  version: Generated<number>
  created_at: Date
  updated_at: Date
}
export type ScimGroupRow = Selectable<ScimGroupTable>
