/** Retention times and limits of maintenance. */
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Above this number of live packs a push schedules compaction. */
export const PACKS_FEW_MAX = 8
/** Above this number of live packs a push joins packs before it goes on: a repository is slow before it is full. */
export const PACKS_CEILING = 64
/** Above this number of live packs pushes are refused: compaction fails again and again. */
export const PACKS_MAX = 1_000
/**
 * Above this number of live packs nothing is copied in from forks, so that forks leave room for pushes to the repository
 * itself.
 */
export const COPIED_PACKS_CEILING = 32
/** Each pack holds at least this many times the objects of all smaller packs together. */
export const GEOMETRIC_FACTOR = 2

/** Longer than any push, fetch or backup takes: readers of a retired pack have time to finish. */
export const RETIRED_KEPT_MS = DAY_MS
/** Longer than any push takes: an upload that no row names by then never will be named. */
export const UPLOAD_KEPT_MS = DAY_MS
/** Long enough to notice a failed failover and revert it: packs without a row are kept this long. */
export const LOST_KEPT_MS = 7 * DAY_MS
/** Unreachable objects are kept this long: a push in flight, or a user, may still want them. */
export const GARBAGE_KEPT_MS = 7 * DAY_MS
/** A repository that changes is collected this often. */
export const COLLECT_EVERY_MS = 7 * DAY_MS
/** A deleted repository or branch can be restored for this long. */
export const UNDO_MS = 7 * DAY_MS
/** Clocks of nodes may differ by this much: sweeping starts that much later than restoring ends. */
export const CLOCKS_DIFFER_MS = HOUR_MS
/**
 * A client that lost its connection at COMMIT retries within minutes; a reader of one generation moves a ref within
 * hours.
 */
export const GENERATIONS_KEPT_MS = 7 * DAY_MS

/** Timeout of one git process of maintenance. */
export const MAINTENANCE_TIMEOUT_MS = 4 * HOUR_MS
/** Concurrent full collections in the cluster: they are the heaviest work of a node. */
export const COLLECTIONS_AT_ONCE = 2
export const MAINTENANCE_ATTEMPTS_MAX = 5

/** Git settings for making packs: bounded memory, one core, and deterministic results. */
export const PACKING: Readonly<Record<string, string>> = { 'pack.threads': '1', 'pack.windowMemory': '256m' }

/** A storage that is still being created after this long is considered abandoned. */
export const ORPHAN_KEPT_MS = 24 * 3_600_000
