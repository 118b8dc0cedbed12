/**
 * A git command is data. Flags are constants of the code; user input comes after `--end-of-options`, where git cannot
 * mistake it for a flag, or through standard input.
 */
export type Flag = `-${string}`

export interface GitCommand {
  readonly name: string
  /** Subcommand, as in `commit-graph write`: also a constant of the code. */
  readonly verb?: string
  readonly flags?: readonly Flag[]
  /** User input as values of flags with a name, as in `--author=ann`. */
  readonly values?: readonly (readonly [flag: Flag, value: string])[]
  /** User input: revisions, refs, `revision:path`. */
  readonly words?: readonly string[]
  /**
   * Object ids, or ranges of them, for `range-diff` and `grep`, which have no `--end-of-options` (`grep` before git
   * 2.44). Invariant: the caller has checked each id with `assertOids`.
   */
  readonly ids?: readonly string[]
  /** Paths from user input, after `--`. */
  readonly paths?: readonly string[]
  /** For the few commands that take the repository as their last argument. */
  readonly repository?: string
  /** `-c` settings for this run. */
  readonly settings?: Readonly<Record<string, string>>
}

export function argumentsOf(command: GitCommand): string[] {
  const {
    name,
    verb,
    flags = [],
    values = [],
    words = [],
    ids = [],
    paths,
    repository,
    settings = {},
  } = command
  return [
    ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
    name,
    ...(verb === undefined ? [] : [verb]),
    ...flags,
    ...values.map(([flag, value]) => `${flag}=${value}`),
    ...(words.length > 0 ? ['--end-of-options', ...words] : []),
    ...ids,
    ...(paths === undefined ? [] : ['--', ...paths]),
    ...(repository === undefined ? [] : [repository]),
  ]
}
