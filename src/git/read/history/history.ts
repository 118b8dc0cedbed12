/** Which commits a caller asks for, and the arguments of `git log` and `git rev-list` that select them. */
import assert from 'node:assert/strict'
import type { Flag, GitCommand } from '../../command/command.ts'
import type { Key } from '../cached.ts'
import { isPath } from '../objects/paths.ts'

/** Commits reachable from `start` and from none of `not`. */
export interface History {
  readonly start: string
  readonly not?: readonly string[]
  /** Only commits that change one of these files or folders. */
  readonly paths?: readonly string[]
  readonly since?: Date
  readonly until?: Date
  /** Only commits whose author, as `name <email>`, contains one of these, in any case. */
  readonly authors?: readonly string[]
  /** Only commits whose message contains this, in any case. */
  readonly text?: string
}

/** Whether the history is unfiltered. */
export function isWhole({ not, paths, since, until, authors, text }: History): boolean {
  return [not, paths, since, until, authors, text].every((it) => it === undefined)
}

/** A path that no file can have has no commits; git would report an error. */
export function canExist({ paths = [] }: History): boolean {
  return paths.every(isPath)
}

export function hasPaths({ paths = [] }: History): boolean {
  return paths.length > 0
}

/** Git's `--max-age` and `--min-age` take Unix times in seconds; patterns are compared as plain text. */
export function limitsOf({ since, until, authors, text }: History): Flag[] {
  const seconds = (moment: Date) => Math.max(0, Math.floor(moment.getTime() / 1000))
  return [
    ...(since === undefined ? [] : [`--max-age=${seconds(since)}` as const]),
    ...(until === undefined ? [] : [`--min-age=${seconds(until)}` as const]),
    ...(authors === undefined && text === undefined
      ? []
      : (['--fixed-strings', '--regexp-ignore-case'] as const)),
  ]
}

/** A line of a pattern would be a pattern of its own. */
export function patternsOf({ authors = [], text }: History): (readonly [Flag, string])[] {
  const patterns = [
    ...authors.map((author) => ['--author', author] as const),
    ...(text === undefined ? [] : [['--grep', text] as const]),
  ]
  for (const [, pattern] of patterns) assert.doesNotMatch(pattern, /[\n\0]/)
  return patterns
}

export function partsOf({ start, not = [], paths = [] }: History): Pick<GitCommand, 'words' | 'paths'> {
  return { words: [start, ...not.map((oid) => `^${oid}`)], paths }
}

export function keyOf({ start, not = [], paths = [], since, until, authors = [], text }: History): Key {
  return [start, not, paths, since?.getTime(), until?.getTime(), authors, text]
}
