/** Settings of webhooks. */
import { integer, type Settings } from '#platform/config'

declare module '#platform/config' {
  interface SettingsOf {
    webhooks: typeof SETTINGS
  }
}

export const SETTINGS = {
  'webhooks.concurrency': integer(8, [1, 1_000], 'concurrent webhook targets per worker'),
} as const satisfies Settings
