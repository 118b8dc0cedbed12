/** Tables of the slice. */
import type { Generated, Selectable } from 'kysely'

declare module '#platform/db' {
  interface Tables {
    web_session: SessionTable
    sign_in_step: StepTable
    recovery_code: RecoveryCodeTable
    passkey: PasskeyTable
    invitation: InvitationTable
    letter_count: { key: string; window_start: Date; letters: number }
  }
}

export type Factor = 'password' | 'totp' | 'recovery' | 'passkey' | 'source'

interface SessionTable {
  id: Generated<number>
  digest: Buffer
  account_id: number
  factors: Factor[]
  password_changed_at: Date | null
  agent: string
  address: string
  created_at: Date
  seen_at: Date
  idle_until: Date
  expires_at: Date
  elevated_until: Date | null
}
export type SessionRow = Selectable<SessionTable>

export type StepKind =
  | 'second_factor'
  | 'change_password'
  | 'passkey'
  | 'recover'
  | 'activate'
  | 'verify_email'

interface StepTable {
  id: Generated<number>
  digest: Buffer
  kind: StepKind
  account_id: number | null
  factors: Factor[]
  challenge: string | null
  /** The address that the step verifies. */
  email_id: number | null
  keeps: boolean
  created_at: Date
  expires_at: Date
}
export type StepRow = Selectable<StepTable>

interface RecoveryCodeTable {
  account_id: number
  digest: Buffer
  used_at: Date | null
}

interface PasskeyTable {
  id: Generated<number>
  account_id: number
  credential_id: string
  public_key: Buffer
  counter: number
  transports: string[]
  name: string
  created_at: Date
  last_used_at: Date | null
}
export type PasskeyRow = Selectable<PasskeyTable>

interface InvitationTable {
  id: Generated<number>
  digest: Buffer
  inviter_id: number
  email: string
  team_id: number | null
  created_at: Date
  expires_at: Date
  accepted_by: number | null
  accepted_at: Date | null
}
export type InvitationRow = Selectable<InvitationTable>
