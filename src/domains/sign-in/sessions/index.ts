/**
 * Browser sign-in and sessions. Sessions, sign-in steps, recovery codes, passkeys and invitations are rows; nodes
 * keep no state. Links in mail verify addresses: of new accounts, for password resets, and of additional addresses.
 */
import { handler } from '#events/handler'
import { defineSlice } from '#slices'
import { SETTINGS } from './config.ts'
import { sessionOperations } from './internal-operations.ts'
import { letterJobs } from './letters/letters.ts'
import { passkeyRoutes } from './offer-passkey.ts'
import { recoveryJobs } from './registration/recover.ts'
import { deleteInactiveAccounts } from './registration/register.ts'
import { askToVerify } from './registration/verify-email.ts'
import { endStepsOf } from './steps/steps.ts'
import { endSessions, sweepSessions } from './web/sessions.ts'

export type { PasskeyRequest } from './factors/passkeys.ts'
export { type Entered, enter } from './steps/enter.ts'
export type { PasskeyRow, SessionRow } from './tables.ts'
export {
  elevateSession,
  findSession,
  later,
  newToken,
  type Origin,
  renewSession,
  startSession,
  type WebSession,
} from './web/sessions.ts'

export const slice = defineSlice({
  name: 'sessions',
  internalOperations: sessionOperations,
  rawRoutes: passkeyRoutes,
  tables: ['web_session', 'sign_in_step', 'recovery_code', 'passkey', 'invitation', 'letter_count'],
  tasks: [
    { name: 'sweep_sessions', schedule: '@every 1h', run: sweepSessions },
    { name: 'delete_inactive_accounts', schedule: '@midnight', run: deleteInactiveAccounts },
  ],
  handlers: [
    handler('account.credentials_changed', ({ db }, { account_id }) => endStepsOf(db, account_id)),
    handler('account.access_ended', async (ctx, { account_id }) => {
      await endSessions(ctx, account_id, null)
      await endStepsOf(ctx.db, account_id)
    }),
    handler('email.added', askToVerify),
  ],
  jobs: [...letterJobs, ...recoveryJobs],
  settings: SETTINGS,
})
