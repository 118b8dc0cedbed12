/** Settings of the retention of runs. */
import { integer, type Settings } from '#platform/config'

declare module '#platform/config' {
  interface SettingsOf {
    'runs.retention': typeof RETENTION_SETTINGS
  }
}

const DAYS_MAX = 36_500

export const RETENTION_SETTINGS = {
  'actions.log_days': integer(365, [0, DAYS_MAX], 'days for which logs of jobs are kept; 0 for ever'),
  'actions.run_days': integer(
    0,
    [0, DAYS_MAX],
    'days for which completed workflow runs are kept; 0 for ever',
  ),
} as const satisfies Settings
