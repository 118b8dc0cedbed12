/** Settings of imports and mirrors. */
import { integer, type Settings } from '#platform/config'

declare module '#platform/config' {
  interface SettingsOf {
    imports: typeof SETTINGS
  }
}

export const SETTINGS = {
  'imports.timeout_ms': integer(3_600_000, [1_000, 86_400_000], 'timeout of a migration or mirror sync'),
  'imports.bytes_max': integer(
    10_737_418_240,
    [1_024, 1_099_511_627_776],
    'maximum size of an imported repository',
  ),
  'imports.concurrency': integer(4, [1, 1_000], 'imports one worker runs at once, beside its other jobs'),
  'mirrors.concurrency': integer(
    4,
    [1, 1_000],
    'mirrors of both directions one worker runs at once, beside its other jobs',
  ),
} as const satisfies Settings
