/** All limits of webhooks. */
const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** Hooks of one repository, of one owner, or of the whole site. */
export const HOOKS_MAX = 100

/** From the DNS lookup to the last byte of the response. */
export const SEND_TIMEOUT_MS = 5 * SECOND_MS
/** A larger response fails the delivery. */
export const ANSWER_BYTES_MAX = 1024 * 1024
/** The stored part of a response. */
export const ANSWER_KEPT_CHARS_MAX = 16 * 1024
export const ANSWER_HEADERS_MAX = 50
export const ANSWER_HEADER_CHARS_MAX = 1024

/** Waits after each failure; the last one repeats. */
export const RETRY_WAITS_MS: readonly number[] = [
  10 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
]
/** P7: attempts continue for this long. */
export const TRIED_FOR_MS = 72 * HOUR_MS

/** Consecutive failures that open a circuit, and the first wait; each further wait doubles. */
export const FAILURES_BEFORE_REST = 5
export const REST_MIN_MS = 30 * SECOND_MS
export const REST_MAX_MS = 10 * MINUTE_MS
/** The time after which an unfinished probe is replaced by another one. */
export const PROBE_MS = 30 * SECOND_MS

/** Limits of one send job of a hook, so that other hooks get their turn. */
export const RUN_MS_MAX = 5 * SECOND_MS
export const RUN_DELIVERIES_MAX = 50

/** Retention of payloads and deliveries. */
export const KEPT_MS = 7 * DAY_MS
export const SWEEP_ROWS_MAX = 5_000
/** A delivery overdue by this much has lost its job. */
export const LATE_MS = 5 * MINUTE_MS
export const LATE_HOOKS_MAX = 1_000

/** Rows of one insert statement. */
export const ROWS_AT_ONCE = 500
