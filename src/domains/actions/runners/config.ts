/** Settings of runners. */
import { integer, type Settings } from '#platform/config'

declare module '#platform/config' {
  interface SettingsOf {
    runners: typeof SETTINGS
  }
}

export const SETTINGS = {
  'runners.wait_ms': integer(
    3_000,
    [0, 50_000],
    'how long a runner that asks for a job is kept waiting for one: less than it waits for an answer itself',
  ),
  'runners.poll_ms': integer(
    1_000,
    [10, 60_000],
    'how often a node looks for jobs for the runners that wait there, in case it was not told of one',
  ),
  'runners.max': integer(20_000, [1, 1_000_000], 'how many runners may be registered'),
} as const satisfies Settings
