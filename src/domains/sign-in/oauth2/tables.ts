/** The table of OAuth2 applications. */
import type { Generated, Selectable } from 'kysely'

declare module '#platform/db' {
  interface Tables {
    oauth2_application: ApplicationTable
  }
}

interface ApplicationTable {
  id: Generated<number>
  account_id: number
  name: string
  client_id: string
  secret_digest: Buffer
  is_confidential: boolean
  skips_second_authorization: boolean
  redirect_uris: string[]
  created_at: Date
  updated_at: Date
}
export type ApplicationRow = Selectable<ApplicationTable>
