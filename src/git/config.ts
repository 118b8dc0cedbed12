/** Settings of git storage. */
import { integer, type Settings, text } from '#platform/config'

declare module '#platform/config' {
  interface SettingsOf {
    git: typeof SETTINGS
  }
}

export const SETTINGS = {
  'git.cache_folder': text(
    './data/cache',
    'folder of the copies of repositories; can be deleted at any time',
  ),
  'git.cache_bytes_max': integer(21_474_836_480, [1_048_576, 9_007_199_254_740_991], 'how large it may grow'),
  'git.answers_bytes_max': integer(
    8_589_934_592,
    [0, 9_007_199_254_740_991],
    'how much of it may hold answers that many share; never more than half',
  ),
  'git.push_bytes_max': integer(2_147_483_648, [1_024, 1_099_511_627_776], 'largest pack that is taken'),
  'git.writers_max': integer(2, [1, 100], 'transactions of a process on the refs of one repository at once'),
  'git.writers_waiting_max': integer(200, [1, 100_000], 'writers that wait for one repository'),
  'git.refs_max': integer(250_000, [1, 10_000_000], 'refs a repository may have'),
  'git.places_max': integer(48, [2, 10_000], 'requests that may run git at once'),
  'git.places_nobody_max': integer(24, [1, 10_000], 'how many of them of those who have not signed in'),
  'git.places_visitor_max': integer(
    16,
    [1, 10_000],
    'how many of them of one person, deploy key or address of nobody',
  ),
  'git.waiting_max': integer(
    1_024,
    [0, 100_000],
    'requests that may wait to run git; a quarter of one visitor',
  ),
  'git.waiting_ms_max': integer(20_000, [0, 600_000], 'time they wait before they are sent away'),
  'git.process_memory_bytes_max': integer(
    536_870_912,
    [67_108_864, 1_099_511_627_776],
    'memory a process of git may hold that answers a question',
  ),
  'git.transfer_memory_bytes_max': integer(
    2_147_483_648,
    [67_108_864, 1_099_511_627_776],
    'memory a process of git may hold that packs or unpacks: fetch, push, import, care',
  ),
} as const satisfies Settings
