/** Settings of signing. */
import { flag, type Settings } from '#platform/config'

declare module '#platform/config' {
  interface SettingsOf {
    signing: typeof SETTINGS
  }
}

export const SETTINGS = {
  'signing.enabled': flag(false, 'sign commits made for users with an SSH key of the instance'),
} as const satisfies Settings
