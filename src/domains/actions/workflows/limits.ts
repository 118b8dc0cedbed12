/** Limits of workflows. A problem names the exceeded limit. */

export const LIMITS = {
  /** Characters of a file. */
  text: 256 * 1024,
  /** Nesting depth of values. */
  depth: 50,
  /** Resolved aliases, including those within aliases. */
  aliases: 100,
  /** Values of a workflow; aliased values count at each reference. */
  values: 50_000,
  /** Jobs of a run, with matrices expanded and including reusable workflows. */
  jobs: 256,
  steps: 1_000,
  /** Nesting depth of reusable workflows. */
  nesting: 4,
  /** Characters of one expression, and of all intermediate results of its evaluation. */
  expression: 21_000,
  result: 4 * 1024 * 1024,
  /** Characters of a job's payload, and of all payloads of one plan. */
  payload: 512 * 1024,
  payloads: 16 * 1024 * 1024,
  /** Patterns of one filter, and characters of one pattern. */
  patterns: 100,
  pattern: 255,
  schedules: 10,
  inputs: 25,
  name: 255,
  group: 400,
} as const

export type Limit = keyof typeof LIMITS

/** A mistake in a workflow; its message is shown to users. */
export class WorkflowProblem extends Error {}

export function assertLimit(limit: Limit, amount: number, what: string): void {
  if (amount > LIMITS[limit])
    throw new WorkflowProblem(`${what} exceeds the limit "${limit}" of ${LIMITS[limit]}`)
}
