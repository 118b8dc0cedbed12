/** How long things are kept and how many there may be: every number of maintenance, with its name. */
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** More live packs than this, and a push asks for compaction. */
export const PACKS_FEW_MAX = 8
/** More live packs than this, and a push is asked to come back later: a repository is slow before it is full. */
export const PACKS_CEILING = 64
/** More live packs than this, and nothing is copied in from forks: strangers leave room for who pushes to the repository. */
export const COPIED_PACKS_CEILING = 32
/** Each pack holds at least this many times what all smaller ones hold together. */
export const GEOMETRIC_FACTOR = 2

/** Longer than any push, fetch or backup takes: whoever reads a retired pack has time to finish. */
export const RETIRED_KEPT_MS = DAY_MS
/** Longer than any push takes: what was uploaded and is named by nobody after this never will be. */
export const UPLOAD_KEPT_MS = DAY_MS
/** Longer than it takes to notice that a failover went wrong and to take it back: what no row knows stays this long. */
export const LOST_KEPT_MS = 7 * DAY_MS
/** Objects that no ref reaches stay this long: a push in flight, or a person, may still want them. */
export const GARBAGE_KEPT_MS = 7 * DAY_MS
/** A repository that changes is collected this often. */
export const COLLECT_EVERY_MS = 7 * DAY_MS
/** A deleted repository can be taken back this long. */
export const UNDO_MS = 7 * DAY_MS
/** Clocks of nodes may differ by this: sweeping begins that much later than taking back ends. */
export const CLOCKS_DIFFER_MS = HOUR_MS
/** Whoever lost the connection at COMMIT asks within minutes, whoever has looked at one moves a ref within hours. */
export const GENERATIONS_KEPT_MS = 7 * DAY_MS

/** One run of git on behalf of maintenance. */
export const MAINTENANCE_TIMEOUT_MS = 4 * HOUR_MS
/** Full collections at once in the whole cluster: they are the heaviest thing a node does. */
export const COLLECTIONS_AT_ONCE = 2
export const MAINTENANCE_ATTEMPTS_MAX = 5

/** Settings of git when it makes packs: bounded memory, one core, and the same result every time. */
export const PACKING: Readonly<Record<string, string>> = { 'pack.threads': '1', 'pack.windowMemory': '256m' }

/** For how long something that is being made may take before its maker counts as dead. */
export const ORPHAN_KEPT_MS = 24 * 3_600_000
