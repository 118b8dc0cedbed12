/** Limits of what runners report, and job kinds. */

/** Compat: limits of the runner, which does not send longer outputs. */
export const OUTPUT_NAME_MAX = 255
export const OUTPUT_LENGTH_MAX = 1_048_576
/** For all outputs of a job: they are stored in its row, and sent to every job that needs it. */
export const OUTPUTS_LENGTH_MAX = 2 * 1_048_576
export const OUTPUTS_MAX = 500
/** Stored steps of one job. */
export const STEPS_MAX = 1_000
