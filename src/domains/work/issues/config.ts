/** Settings of issues. */
import { integer, type Settings } from '#platform/config'

declare module '#platform/config' {
  interface SettingsOf {
    issues: typeof SETTINGS
  }
}

export const SETTINGS = {
  'issues.strangers_hourly_max': integer(
    30,
    [1, 1_000_000],
    'issues and pull requests that a user without write access may open in a repository in one hour',
  ),
} as const satisfies Settings
