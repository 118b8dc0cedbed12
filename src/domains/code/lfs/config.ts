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
} as const satisfies Settings
