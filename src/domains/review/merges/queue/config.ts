/** Settings of the merge queue. */
import { integer, type Settings } from '#platform/config'

declare module '#platform/config' {
  interface SettingsOf {
    merges: typeof SETTINGS
  }
}

export const SETTINGS = {
  'merges.queue_batch_max': integer(5, [1, 50], 'pull requests of one merge queue that are tested at once'),
  'merges.queue_timeout_ms': integer(
    3_600_000,
    [1_000, 604_800_000],
    'time the required checks of a queued pull request have before it leaves the merge queue',
  ),
} as const satisfies Settings
