/** Settings of live updates. */
import { integer, type Settings } from '#platform/config'

declare module '#platform/config' {
  interface SettingsOf {
    notifications: typeof SETTINGS
  }
}

export const SETTINGS = {
  'live.streams_max': integer(1_000, [0, 1_000_000], 'maximum number of live update streams per process'),
  'live.streams_per_user_max': integer(
    10,
    [1, 100_000],
    'maximum number of live update streams per user and process',
  ),
  'live.heartbeat_ms': integer(25_000, [50, 600_000], 'time after which a silent stream says that it lives'),
  'live.recheck_ms': integer(
    30_000,
    [50, 600_000],
    'time after which credentials and access of a stream are checked again',
  ),
  'live.poll_ms': integer(
    10_000,
    [50, 600_000],
    'interval at which a process looks for changes that it got no hint of',
  ),
} as const satisfies Settings
