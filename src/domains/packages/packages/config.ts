/** Settings of packages. */
import { integer, type Settings, text } from '#platform/config'

declare module '#platform/config' {
  interface SettingsOf {
    packages: typeof SETTINGS
  }
}

export const SETTINGS = {
  'packages.file_bytes_max': integer(
    10_737_418_240,
    [1_024, 5_497_558_138_880],
    'largest file or layer of a package',
  ),
  'packages.remove_older_days': integer(
    0,
    [0, 36_500],
    'age at which cleanup_packages removes versions; 0 to keep them',
  ),
  'packages.keep_newest': integer(10, [1, 100_000], 'versions of a package that are kept at any age'),
  'packages.remove_pattern': text('**', 'glob of the versions that cleanup_packages may remove'),
} as const satisfies Settings
