/** Bounds of imports and mirrors, with names. */
import type { FetchLimits } from '#git'
import type { Context } from '#platform/context'

/** The tasks of the queue. */
export const IMPORT_JOB = 'import'
export const MIRROR_JOB = 'mirror'
export const PUSH_MIRROR_JOB = 'push-mirror'

/** Workers may die in the middle; a source that fails is not tried again. */
export const ATTEMPTS_MAX = 5
/** How often a maker looks whether it should go on. */
export const WATCH_MS = 2_000
/** Ended imports are told about for so long. */
export const KEPT_MS = 7 * 24 * 3_600_000
/** Mirrors that are looked at in one go. */
export const MIRRORS_AT_ONCE = 500

export function limitsOf({ config }: Context): FetchLimits {
  return { timeoutMs: config['imports.timeout_ms'], bytesMax: config['imports.bytes_max'] }
}
