/** Settings of artifacts. */
import { integer, type Settings } from '#platform/config'

declare module '#platform/config' {
  interface SettingsOf {
    artifacts: typeof SETTINGS
  }
}

export const SETTINGS = {
  'actions.artifact_bytes_max': integer(
    10_737_418_240,
    [1_024, 1_099_511_627_776],
    'largest artifact of a workflow run',
  ),
  'actions.artifacts_max': integer(500, [1, 100_000], 'number of artifacts a workflow run may have'),
  'actions.artifact_days': integer(
    90,
    [1, 36_500],
    'days for which artifacts are kept, also when a job asks for more',
  ),
} as const satisfies Settings
