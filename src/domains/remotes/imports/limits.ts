/** Limits of imports and mirrors. */
import type { FetchLimits } from '#git'
import type { Context } from '#platform/context'

/** Job kinds. */
export const IMPORT_JOB = 'import'
export const MIRROR_JOB = 'mirror'
export const PUSH_MIRROR_JOB = 'push-mirror'
export const SETTLE_AUTHOR_JOB = 'settle-author'
export const TRUST_IDENTITIES_JOB = 'trust-identities'

/** For workers that die; a failure of the source is not retried. */
export const ATTEMPTS_MAX = 5
/** Failures of the source in a row, without a page in between: about an hour and a half. */
export const FAULTS_MAX = 9
/** How long an import may wait for its source altogether. */
export const WAIT_MAX_MS = 30 * 24 * 3_600_000
/** How often a worker checks whether its import was cancelled. */
export const WATCH_MS = 2_000
/** How long ended imports are kept. */
export const KEPT_MS = 7 * 24 * 3_600_000
/** Due mirrors per run. */
export const MIRRORS_AT_ONCE = 500

export function limitsOf({ config }: Context): FetchLimits {
  return { timeoutMs: config['imports.timeout_ms'], bytesMax: config['imports.bytes_max'] }
}
