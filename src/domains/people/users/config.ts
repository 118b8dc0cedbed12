/** Settings of accounts. */
import { flag, integer, type Settings } from '#platform/config'

declare module '#platform/config' {
  interface SettingsOf {
    users: typeof SETTINGS
  }
}

export const SETTINGS = {
  'password.length_min': integer(8, [1, 128], 'minimum password length'),
  'sign_in.account_failures_max': integer(
    20,
    [1, 10_000],
    'maximum number of failed sign-ins per account, network and window',
  ),
  'sign_in.address_failures_max': integer(
    200,
    [1, 100_000],
    'maximum number of failed sign-ins per network and window',
  ),
  'sign_in.account_total_max': integer(
    200,
    [1, 100_000],
    'maximum number of failed sign-ins per account and window, from networks that have not signed in to it before',
  ),
  'sign_in.window_s': integer(600, [1, 86_400], 'length of the rate limit window'),
  'sign_in.requires_second_factor': flag(
    false,
    'users without a second factor can do nothing but set one up',
  ),
  'sign_in.proof_s': integer(60, [0, 3_600], 'time a verified password is cached in memory'),
} as const satisfies Settings
