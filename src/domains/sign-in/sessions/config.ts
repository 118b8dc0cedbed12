/** Settings of sessions. */
import { choice, integer, type Settings } from '#platform/config'

declare module '#platform/config' {
  interface SettingsOf {
    sessions: typeof SETTINGS
  }
}

export const SETTINGS = {
  'session.idle_s': integer(14 * 86_400, [60, 400 * 86_400], 'time after which an unused session ends'),
  'session.absolute_s': integer(90 * 86_400, [60, 400 * 86_400], 'time after which every session ends'),
  'session.elevated_s': integer(600, [1, 86_400], 'time for which a password is not asked again'),
  'registration.mode': choice(
    ['closed', 'invite', 'open'],
    'closed',
    'who may register with a browser: nobody, whoever was invited, or everybody with an address',
  ),
  'registration.invitation_s': integer(
    7 * 86_400,
    [60, 400 * 86_400],
    'time after which an invitation is worth nothing',
  ),
  'letters.to_address_max': integer(
    5,
    [1, 10_000],
    'maximum number of letters of one kind about accounts to one address and day',
  ),
  'letters.by_account_max': integer(
    50,
    [1, 100_000],
    'maximum number of letters to addresses that one account chooses (invitations, further addresses) and day',
  ),
  'letters.all_max': integer(
    2_000,
    [1, 10_000_000],
    'maximum number of letters to addresses that people choose, of the whole instance and day',
  ),
} as const satisfies Settings
