/** Settings of activity. */
import { integer, type Settings } from '#platform/config'

declare module '#platform/config' {
  interface SettingsOf {
    activity: typeof SETTINGS
  }
}

const DAYS_MAX = 36_500

export const SETTINGS = {
  'activity.keep_days': integer(
    0,
    [0, DAYS_MAX],
    'days for which acts are kept in feeds and heatmaps; 0 for ever',
  ),
} as const satisfies Settings
