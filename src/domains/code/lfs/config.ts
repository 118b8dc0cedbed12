/** Settings of Git LFS. */
import { flag, integer, type Settings } from '#platform/config'

declare module '#platform/config' {
  interface SettingsOf {
    lfs: typeof SETTINGS
  }
}

export const SETTINGS = {
  'lfs.object_bytes_max': integer(
    10_737_418_240,
    [1_024, 5_497_558_138_880],
    'largest Git LFS object, in bytes',
  ),
  'lfs.direct': flag(
    false,
    'clients send and fetch objects at the S3 service itself, which they must be able to reach',
  ),
  'lfs.unreferenced_days': integer(
    14,
    [1, 36_500],
    'days after which a repository loses Git LFS objects that none of its refs needs',
  ),
} as const satisfies Settings
