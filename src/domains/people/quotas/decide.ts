/** Whether an owner may store more bytes of a kind. Pure. */
import type { Config } from '#platform/config'

export const USAGE_KINDS = ['git', 'packages', 'artifacts', 'logs', 'attachments', 'lfs'] as const
export type UsageKind = (typeof USAGE_KINDS)[number]

const DEFAULTS = {
  git: 'quota.git_bytes',
  packages: 'quota.package_bytes',
  artifacts: 'quota.artifact_bytes',
  logs: 'quota.log_bytes',
  attachments: 'quota.attachment_bytes',
  lfs: 'quota.lfs_bytes',
} as const satisfies Record<UsageKind, keyof Config>

/** `bytesMax` is the owner's own limit. The answer is -1 for no limit. */
export function limitOf(config: Config, kind: UsageKind, bytesMax: number | null): number {
  return bytesMax ?? config[DEFAULTS[kind]]
}

/** Removing bytes is never refused, also when what remains is over the limit. */
export function isOver({
  bytes,
  added,
  limit,
}: {
  /** With those added. */
  readonly bytes: number
  readonly added: number
  readonly limit: number
}): boolean {
  return added > 0 && limit >= 0 && bytes > limit
}

/** For writers that drop bytes instead of refusing them. */
export function isFull(config: Config, kind: UsageKind, bytes: number, bytesMax: number | null): boolean {
  const limit = limitOf(config, kind, bytesMax)
  return limit >= 0 && bytes >= limit
}
