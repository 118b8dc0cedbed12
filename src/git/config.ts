/** Settings of git storage. */
import { integer, type Settings, text } from '#platform/config'

declare module '#platform/config' {
  interface SettingsOf {
    git: typeof SETTINGS
  }
}

export const SETTINGS = {
  'git.cache_folder': text('./data/cache', 'directory of the repository cache; can be deleted at any time'),
  'git.cache_bytes_max': integer(
    21_474_836_480,
    [1_048_576, 9_007_199_254_740_991],
    'maximum size of the repository cache',
  ),
  'git.answers_bytes_max': integer(
    8_589_934_592,
    [0, 9_007_199_254_740_991],
    'maximum size of cached fetch responses; at most half of the cache',
  ),
  'git.push_bytes_max': integer(2_147_483_648, [1_024, 1_099_511_627_776], 'maximum size of a pushed pack'),
  'git.file_bytes_max': integer(
    -1,
    [-1, 1_099_511_627_776],
    'maximum size of a file in a push to a repository; -1 for no limit',
  ),
  'git.writers_max': integer(2, [1, 100], 'concurrent ref transactions per process and repository'),
  'git.writers_waiting_max': integer(
    200,
    [1, 100_000],
    'maximum number of writers waiting for one repository',
  ),
  'git.refs_max': integer(250_000, [1, 10_000_000], 'maximum number of refs per repository'),
  'git.places_max': integer(48, [2, 10_000], 'maximum number of concurrent requests that run git'),
  'git.places_nobody_max': integer(24, [1, 10_000], 'maximum number of those from anonymous clients'),
  'git.places_visitor_max': integer(
    16,
    [1, 10_000],
    'maximum number of those per user, deploy key or anonymous address',
  ),
  'git.nobody_seconds_max': integer(
    3_000,
    [1, 1_000_000_000],
    'seconds that anonymous clients of one address range may run git in a window, on all nodes together',
  ),
  'git.nobody_window_s': integer(600, [1, 86_400], 'length of that window'),
  'git.waiting_max': integer(
    1_024,
    [0, 100_000],
    'maximum number of requests waiting to run git; a quarter of it per client',
  ),
  'git.waiting_ms_max': integer(20_000, [0, 600_000], 'maximum time a request waits to run git'),
  'git.process_memory_bytes_max': integer(
    536_870_912,
    [67_108_864, 1_099_511_627_776],
    'memory limit of a git process that reads',
  ),
  'git.transfer_memory_bytes_max': integer(
    2_147_483_648,
    [67_108_864, 1_099_511_627_776],
    'memory limit of a git process that packs or unpacks: fetch, push, import, maintenance',
  ),
} as const satisfies Settings
