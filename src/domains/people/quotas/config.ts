/** Settings of quotas: the limits of owners that have none of their own. */
import { integer, type Settings } from '#platform/config'

declare module '#platform/config' {
  interface SettingsOf {
    quotas: typeof SETTINGS
  }
}

const LIMITS: [number, number] = [-1, Number.MAX_SAFE_INTEGER]

export const SETTINGS = {
  'quota.repositories': integer(-1, [-1, 1_000_000_000], 'repositories of one owner; -1 for no limit'),
  'quota.git_bytes': integer(-1, LIMITS, 'bytes of git storage of one owner; -1 for no limit'),
  'quota.package_bytes': integer(-1, LIMITS, 'bytes of packages of one owner; -1 for no limit'),
  'quota.artifact_bytes': integer(-1, LIMITS, 'bytes of artifacts of one owner; -1 for no limit'),
  'quota.log_bytes': integer(-1, LIMITS, 'bytes of logs of jobs of one owner; -1 for no limit'),
  'quota.attachment_bytes': integer(-1, LIMITS, 'bytes of attachments of one owner; -1 for no limit'),
  'quota.lfs_bytes': integer(-1, LIMITS, 'bytes of Git LFS objects of one owner; -1 for no limit'),
} as const satisfies Settings
