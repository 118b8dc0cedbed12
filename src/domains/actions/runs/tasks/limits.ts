/** Bounds of what runners say, and the names of the jobs that follow. */

/** Takes jobs from runners that never reported on them. */
export const LOST_JOB = 'stop_lost_tasks'

/** Compat: bounds of the runner, which keeps what is longer to itself. */
export const OUTPUT_NAME_MAX = 255
export const OUTPUT_LENGTH_MAX = 1_048_576
/** Of all outputs of a job: they are kept in its row, and sent to every job that needs it. */
export const OUTPUTS_LENGTH_MAX = 2 * 1_048_576
export const OUTPUTS_MAX = 500
/** Steps of one job that are kept. */
export const STEPS_MAX = 1_000
