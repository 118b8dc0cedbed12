/** How large a workflow may be. Whoever goes past a limit is told its name. */

export const LIMITS = {
  /** Characters of a file. */
  text: 256 * 1024,
  /** How deep values may be nested. */
  depth: 50,
  /** How often anchors may be followed, also by one another. */
  aliases: 100,
  /** Values of a workflow, those behind aliases counted as often as they are meant. */
  values: 50_000,
  /** Jobs of a run, after the matrix and with those of reusable workflows. */
  jobs: 256,
  steps: 1_000,
  /** How many workflows deep one may use another. */
  nesting: 4,
  /** Characters of one expression, and of all that it makes on the way to what it says. */
  expression: 21_000,
  result: 4 * 1024 * 1024,
  /** Characters of a job as its runner gets it, and of all jobs that are planned at once. */
  payload: 512 * 1024,
  payloads: 16 * 1024 * 1024,
  /** Patterns of one filter, and characters of one of them. */
  patterns: 100,
  pattern: 255,
  schedules: 10,
  inputs: 25,
  name: 255,
  group: 400,
} as const

export type Limit = keyof typeof LIMITS

/** What somebody wrote cannot be used: told to them as it is. */
export class WorkflowProblem extends Error {}

export function assertLimit(limit: Limit, amount: number, what: string): void {
  if (amount > LIMITS[limit])
    throw new WorkflowProblem(`${what} exceeds the limit "${limit}" of ${LIMITS[limit]}`)
}
