/** The history of a revision, a page at a time: one process walks and counts, one more reads the commits it found. */
import type { Context } from '#platform/context'
import type { Flag, GitCommand } from '../command/command.ts'
import { gitText, startGit } from '../command/run.ts'
import { ask, PLAINLY } from './ask.ts'
import { cached, type Key } from './cached.ts'
import { ChangeCollector, type ChangedFile, type Stats } from './changes.ts'
import { readCommits } from './commit.ts'
import type { CommitRecord } from './commit-object.ts'
import { assertOids, isOid } from './oid.ts'
import { isPath } from './paths.ts'
import { splitNul } from './split.ts'

/** Which commits: all that `start` reaches and that nothing of `not` reaches. */
export interface History {
  readonly start: string
  readonly not?: readonly string[]
  /** Only those that change one of these files or folders. */
  readonly paths?: readonly string[]
  readonly since?: Date
  readonly until?: Date
}

export interface LogPage {
  readonly skip: number
  readonly limit: number
  /** Counts lines: what costs most. */
  readonly withStats: boolean
  readonly withFiles: boolean
}

export interface LoggedCommit extends CommitRecord {
  readonly stats: Stats | null
  /** Against the first parent. */
  readonly files: readonly ChangedFile[] | null
  /** There are more files than were kept. */
  readonly isFilesTruncated: boolean
}

const LOG_LIMIT_MAX = 1_000
const FILES_MAX = 3_000
const LOG_TIMEOUT_MS = 30_000

/** Newest first, as git orders them. */
export async function listCommits(
  ctx: Context,
  storageId: number,
  history: History,
  page: LogPage,
): Promise<readonly LoggedCommit[]> {
  assertOids(history.start, ...(history.not ?? []))
  if (!canExist(history)) return []
  const limit = Math.min(page.limit, LOG_LIMIT_MAX)
  const key = [...keyOf(history), page.skip, limit, page.withStats, page.withFiles]
  return cached(ctx, storageId, 'log', key, () =>
    ask(ctx, storageId, async (path, storage) => {
      const walked = await walk(ctx, path, history, { ...page, limit })
      const oids = walked.map(({ oid }) => oid)
      const commits = await readCommits(ctx, path, storage, oids)
      return walked.flatMap(({ changes }, i) => {
        const commit = commits[i]
        return commit === undefined ? [] : [{ ...commit, ...describe(changes, page) }]
      })
    }),
  )
}

export async function countCommits(ctx: Context, storageId: number, history: History): Promise<number> {
  assertOids(history.start, ...(history.not ?? []))
  if (!canExist(history)) return 0
  const { count } = await cached(ctx, storageId, 'count', keyOf(history), () =>
    ask(ctx, storageId, async (path) => {
      const command = {
        name: 'rev-list',
        flags: ['--count' as const, ...limitsOf(history)],
        ...partsOf(history),
      }
      const options = { path, environment: PLAINLY, timeoutMs: LOG_TIMEOUT_MS }
      return { count: Number(await gitText(ctx, command, options)) }
    }),
  )
  return count
}

/** A path that no file can have was changed by nobody; git would call it a mistake. */
function canExist({ paths = [] }: History): boolean {
  return paths.every(isPath)
}

interface Walked {
  readonly oid: string
  readonly changes: ChangeCollector
}

async function walk(ctx: Context, path: string, history: History, page: LogPage): Promise<Walked[]> {
  const command: GitCommand = {
    name: 'log',
    flags: [
      '-z',
      '--format=%H',
      `--skip=${page.skip}`,
      `--max-count=${page.limit}`,
      ...(page.withFiles ? (['--raw'] as const) : []),
      ...(page.withStats ? (['--numstat'] as const) : []),
      '--no-renames',
      '--no-abbrev',
      '--diff-merges=first-parent',
      // With paths, a commit is still shown with all it changes.
      '--full-diff',
      ...limitsOf(history),
    ],
    ...partsOf(history),
  }
  const running = startGit(ctx, command, { path, environment: PLAINLY, timeoutMs: LOG_TIMEOUT_MS })
  const walked: Walked[] = []
  for await (const piece of splitNul(running.output)) {
    const current = walked.at(-1)
    if (current?.changes.isWaiting || !isOid(piece)) current?.changes.add(piece)
    else walked.push({ oid: piece, changes: new ChangeCollector(FILES_MAX) })
  }
  await running.done
  return walked
}

function describe(changes: ChangeCollector, page: LogPage) {
  return {
    stats: page.withStats ? changes.stats : null,
    files: page.withFiles ? [...changes.files.values()] : null,
    isFilesTruncated: page.withFiles && changes.isTruncated,
  }
}

/** Git calls «age» what is a moment in seconds. */
function limitsOf({ since, until }: History): Flag[] {
  const seconds = (moment: Date) => Math.max(0, Math.floor(moment.getTime() / 1000))
  return [
    ...(since === undefined ? [] : [`--max-age=${seconds(since)}` as const]),
    ...(until === undefined ? [] : [`--min-age=${seconds(until)}` as const]),
  ]
}

function partsOf({ start, not = [], paths = [] }: History): Pick<GitCommand, 'words' | 'paths'> {
  return { words: [start, ...not.map((oid) => `^${oid}`)], paths }
}

function keyOf({ start, not = [], paths = [], since, until }: History): Key {
  return [start, not, paths, since?.getTime(), until?.getTime()]
}
