/**
 * A git command is data. Flags are constants of the code; whatever a user wrote comes after `--end-of-options`, where
 * git cannot take it for a flag, or through standard input.
 */
export type Flag = `-${string}`

export interface GitCommand {
  readonly name: string
  /** Of commands that have several, such as `commit-graph write`: a constant of the code, too. */
  readonly verb?: string
  readonly flags?: readonly Flag[]
  /** Words from outside: revisions, refs, paths' revisions. */
  readonly words?: readonly string[]
  /**
   * Ranges of object ids for `range-diff`, which knows no `--end-of-options`. Invariant: whoever sets them has held each id
   * against `assertOids`.
   */
  readonly ranges?: readonly `${string}..${string}`[]
  /** Paths from outside, after `--`. */
  readonly paths?: readonly string[]
  /** For the few commands that take the repository as their last word. */
  readonly repository?: string
  /** Settings of this one run. */
  readonly settings?: Readonly<Record<string, string>>
}

export function argumentsOf(command: GitCommand): string[] {
  const { name, verb, flags = [], words = [], ranges = [], paths, repository, settings = {} } = command
  return [
    ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
    name,
    ...(verb === undefined ? [] : [verb]),
    ...flags,
    ...(words.length > 0 ? ['--end-of-options', ...words] : []),
    ...ranges,
    ...(paths === undefined ? [] : ['--', ...paths]),
    ...(repository === undefined ? [] : [repository]),
  ]
}
