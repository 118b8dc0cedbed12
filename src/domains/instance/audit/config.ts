/** Settings of the audit log. */
import { integer, type Settings } from '#platform/config'

declare module '#platform/config' {
  interface SettingsOf {
    audit: typeof SETTINGS
  }
}

export const SETTINGS = {
  'audit.keep_days': integer(365, [1, 36_500], 'days that audit records are kept'),
} as const satisfies Settings
