/** Every limit of webhooks, by its name. */
const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** Hooks of one repository, of one owner, or of the whole site. */
export const HOOKS_MAX = 100

/** From the first look-up of the name to the last byte of the answer. */
export const SEND_TIMEOUT_MS = 5 * SECOND_MS
/** More of an answer is not waited for. */
export const ANSWER_BYTES_MAX = 1024 * 1024
/** More of an answer is not kept. */
export const ANSWER_KEPT_CHARS_MAX = 16 * 1024
export const ANSWER_HEADERS_MAX = 50
export const ANSWER_HEADER_CHARS_MAX = 1024

/** How long a delivery waits after each failure; after the last of these, always as long. */
export const RETRY_WAITS_MS: readonly number[] = [
  10 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
]
/** P7: a delivery is tried for this long. */
export const TRIED_FOR_MS = 72 * HOUR_MS

/** Failures in a row from which on a target rests, and how long at first; each rest is twice the one before. */
export const FAILURES_BEFORE_REST = 5
export const REST_MIN_MS = 30 * SECOND_MS
export const REST_MAX_MS = 10 * MINUTE_MS
/** How long one try after a rest may take before somebody else may try. */
export const PROBE_MS = 30 * SECOND_MS

/** One job for a hook ends after as much, so that others have their turn. */
export const RUN_MS_MAX = 5 * SECOND_MS
export const RUN_DELIVERIES_MAX = 50

/** What was told is shown for this long. */
export const KEPT_MS = 7 * DAY_MS
export const SWEEP_ROWS_MAX = 5_000
/** A delivery that is this late has lost its job. */
export const LATE_MS = 5 * MINUTE_MS
export const LATE_HOOKS_MAX = 1_000

/** Rows that go into one statement. */
export const ROWS_AT_ONCE = 500
