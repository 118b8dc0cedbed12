/** The history of a revision in pages: one process prints the commits of a page with their changes. */
import type { Context } from '#platform/context'
import type { Db } from '#platform/db'
import { Problem } from '#platform/problem'
import type { Flag, GitCommand } from '../../command/command.ts'
import { gitText, startGit } from '../../command/run.ts'
import type { Storage, StorageId } from '../../tables.ts'
import { cached, peek } from '../cached.ts'
import type { ChangeCollector, ChangedFile, Stats } from '../diff/changes.ts'
import { readCommits } from '../objects/commit.ts'
import { type CommitRecord, parseCommit } from '../objects/commit-object.ts'
import { assertOids } from '../objects/oid.ts'
import { SAFE_ENV, withRepository } from '../with-repository.ts'
import { canExist, type History, hasPaths, isWhole, keyOf, limitsOf, partsOf, patternsOf } from './history.ts'
import { readLog, type Walked } from './log-output.ts'

export interface LogPage {
  readonly skip: number
  readonly limit: number
  /** Line counts are the most expensive part. */
  readonly withStats: boolean
  readonly withFiles: boolean
}

export interface LoggedCommit extends CommitRecord {
  readonly stats: Stats | null
  /** Compared with the first parent; a renamed file is one entry with two paths. */
  readonly files: readonly ChangedFile[] | null
  /** Some files were left out. */
  readonly isFilesTruncated: boolean
}

const LOG_LIMIT_MAX = 1_000
/** Files kept for a commit and for all commits of a page; others are only counted. */
const LIMITS = { filesMax: 3_000, pageFilesMax: 20_000 }
const LOG_TIMEOUT_MS = 30_000
/** With more candidates than this git does not detect renames: the cost is quadratic. */
const RENAMES_MAX = 400

/** Newest first, in git's order. */
export async function listCommits(
  ctx: Context,
  storageId: StorageId,
  history: History,
  page: LogPage,
): Promise<readonly LoggedCommit[]> {
  assertOids(history.start, ...(history.not ?? []))
  if (!canExist(history)) return []
  const { skip, withStats, withFiles } = page
  const limit = Math.min(page.limit, LOG_LIMIT_MAX)
  const find = () =>
    withRepository(ctx, storageId, (path, storage) => read(ctx, path, storage, history, { ...page, limit }))
  if (skip === 0 && !withStats && !withFiles) return beginningOf(ctx, storageId, history, limit, find)
  return cached(ctx, storageId, 'log', [...keyOf(history), skip, limit, withStats, withFiles], find)
}

/** The newest commits of a history; all of them, if there are fewer than `limit`. */
interface Beginning {
  readonly limit: number
  readonly commits: readonly LoggedCommit[]
}

/** A shorter page is cut from a longer one: after a push several consumers list its commits, each as many as it needs. */
async function beginningOf(
  ctx: Context,
  storageId: StorageId,
  history: History,
  limit: number,
  find: () => Promise<LoggedCommit[]>,
): Promise<readonly LoggedCommit[]> {
  const read = async (): Promise<Beginning> => ({ limit, commits: await find() })
  const suffices = (known: Beginning) => known.limit >= limit || isComplete(known)
  const { commits } = await cached(ctx, storageId, BEGINNING, keyOf(history), read, suffices)
  return commits.length > limit ? commits.slice(0, limit) : commits
}

const BEGINNING = 'beginning'

function isComplete({ limit, commits }: Beginning): boolean {
  return commits.length < limit
}

/**
 * How many commits `head` has that `base` does not, if they were listed and one of them is a child of `base`: then `head`
 * contains all commits of `base`.
 */
export function peekAhead(
  ctx: Context,
  storageId: StorageId,
  base: string,
  head: string,
): number | undefined {
  const known = peek<Beginning>(ctx, storageId, BEGINNING, keyOf({ start: head, not: [base] }))
  if (known === undefined || !isComplete(known)) return undefined
  return known.commits.some(({ parents }) => parents.includes(base)) ? known.commits.length : undefined
}

/** A page, and the number of commits in all pages. */
export async function listHistory(
  ctx: Context,
  storageId: StorageId,
  history: History,
  page: LogPage,
): Promise<{ readonly commits: readonly LoggedCommit[]; readonly total: number }> {
  const commits = await listCommits(ctx, storageId, history, page)
  const known = endOf(page, commits) ?? countOnward(ctx, storageId, history, page, commits)
  const total = known ?? (await countCommits(ctx, storageId, history))
  if (known !== undefined)
    await cached(ctx, storageId, 'count', keyOf(history), async () => ({ count: known }))
  return { commits, total }
}

/** A page that is not full is the last one, so the total is known. */
function endOf(page: LogPage, { length }: readonly LoggedCommit[]): number | undefined {
  return length < page.limit && (length > 0 || page.skip === 0) ? page.skip + length : undefined
}

/** Follows single parents down to a commit whose count is cached, as after a push. */
function countOnward(
  ctx: Context,
  storageId: StorageId,
  history: History,
  { skip }: LogPage,
  commits: readonly LoggedCommit[],
): number | undefined {
  if (skip > 0 || !isWhole(history)) return undefined
  let next: string | undefined = history.start
  for (const [i, { oid, parents }] of commits.entries()) {
    if (oid !== next) return undefined
    const known = peek<{ count: number }>(ctx, storageId, 'count', keyOf({ start: oid }))
    if (known !== undefined) return known.count + i
    next = parents.length === 1 ? parents[0] : undefined
  }
  return undefined
}

export async function countCommits(ctx: Context, storageId: StorageId, history: History): Promise<number> {
  assertOids(history.start, ...(history.not ?? []))
  if (!canExist(history)) return 0
  const { count } = await cached(ctx, storageId, 'count', keyOf(history), async () => {
    const kept = isWhole(history) ? selectKeptCount(ctx.db, storageId, history.start) : undefined
    return (
      (await kept?.executeTakeFirst()) ??
      withRepository(ctx, storageId, async (path) => ({ count: await countWalking(ctx, path, history) }))
    )
  })
  return count
}

/** The count of a branch tip is stored when the branch moves. */
export function selectKeptCount(db: Db, storageId: StorageId, oid: string) {
  return db
    .selectFrom('git_branch_count')
    .select('commits as count')
    .where('storage_id', '=', storageId)
    .where('oid', '=', oid)
    .limit(1)
}

async function countWalking(ctx: Context, path: string, history: History): Promise<number> {
  const command: GitCommand = {
    name: 'rev-list',
    flags: ['--count', ...(isWhole(history) ? [BITMAP] : limitsOf(history))],
    values: patternsOf(history),
    ...partsOf(history),
  }
  const options = { path, environment: SAFE_ENV, timeoutMs: LOG_TIMEOUT_MS }
  return Number(await gitText(ctx, command, options))
}

/**
 * With the bitmap of a collected pack git counts all reachable commits without a walk; without one it walks. A bitmap
 * knows neither times nor paths, and for a part of a history it is slower than the walk.
 */
const BITMAP: Flag = '--use-bitmap-index'

async function read(
  ctx: Context,
  path: string,
  storage: Storage,
  history: History,
  page: LogPage,
): Promise<LoggedCommit[]> {
  const run = (command: Selection) => walk(ctx, path, storage, page, command)
  const walked = await run({ ...selectionOf(history, page), format: 'raw' }).catch((error: unknown) => {
    // A message exceeds the limit of a piece: then all commits are read by id, and truncated.
    if (!(error instanceof Problem && error.kind === 'too_large')) throw error
    return run({ ...selectionOf(history, page), format: '%H' })
  })
  const commits = await parseAll(ctx, path, storage, walked)
  const changes = new Map(walked.map((it) => [it.oid, it.changes]))
  const merges = commits.filter(({ parents }) => parents.length > 1).map(({ oid }) => oid)
  if (hasPaths(history) && merges.length > 0 && (page.withFiles || page.withStats))
    for (const it of await run(MERGES(merges))) changes.set(it.oid, it.changes)
  return commits.map((commit) => ({ ...commit, ...describe(changes.get(commit.oid), page) }))
}

async function parseAll(
  ctx: Context,
  path: string,
  storage: Storage,
  walked: readonly Walked[],
): Promise<CommitRecord[]> {
  const untold = walked.filter(({ object }) => object === undefined).map(({ oid }) => oid)
  const asked = await readCommits(ctx, path, storage, untold)
  const found = new Map(asked.map((it, i) => [untold[i], it]))
  return walked.flatMap(({ oid, object }) => {
    const commit = object === undefined ? found.get(oid) : parseCommit(object, storage.object_format)
    return commit === undefined ? [] : [commit]
  })
}

/** The commits to print, and how. */
interface Selection extends Pick<GitCommand, 'values' | 'words' | 'paths'> {
  readonly flags: readonly Flag[]
  readonly format: 'raw' | '%H'
}

/**
 * When history is limited by paths, git lists more merges if it also has to show their changes. So merges are listed
 * without changes first, and their changes are read separately.
 */
function selectionOf(history: History, page: LogPage): Omit<Selection, 'format'> {
  const { start, not = [], paths = [] } = history
  const flags: Flag[] = [`--skip=${page.skip}`, `--max-count=${page.limit}`, ...limitsOf(history)]
  if (!hasPaths(history)) flags.push(FIRST_PARENT)
  return {
    flags,
    values: patternsOf(history),
    words: [start, ...not.map((oid) => `^${oid}`)],
    paths,
  }
}

const FIRST_PARENT = '--diff-merges=first-parent'
const MERGES = (oids: readonly string[]): Selection => {
  return { flags: ['--no-walk=unsorted', FIRST_PARENT], words: oids, format: '%H' }
}

async function walk(
  ctx: Context,
  path: string,
  storage: Storage,
  page: LogPage,
  { flags, format, values, words, paths }: Selection,
): Promise<Walked[]> {
  const command: GitCommand = {
    name: 'log',
    flags: [
      '-z',
      `--format=${format}`,
      '--encoding=none',
      ...(page.withFiles ? (['--raw'] as const) : []),
      ...(page.withStats ? (['--numstat'] as const) : []),
      '--find-renames',
      '--no-abbrev',
      // With paths, still prints all changes of a commit.
      '--full-diff',
      ...flags,
      // Otherwise git computes whole patches that are not used.
      ...(page.withFiles || page.withStats ? [] : (['--no-patch'] as const)),
    ],
    ...(values && { values }),
    ...(words && { words }),
    ...(paths && { paths }),
    // `rev-list`, which counts, knows no mailmap.
    settings: { 'diff.renameLimit': String(RENAMES_MAX), 'log.mailmap': 'false' },
  }
  const running = startGit(ctx, command, { path, environment: SAFE_ENV, timeoutMs: LOG_TIMEOUT_MS })
  try {
    const walked = await readLog(running.output, storage.object_format, LIMITS)
    await running.done
    return walked
  } finally {
    running.kill()
  }
}

function describe(changes: ChangeCollector | undefined, page: LogPage) {
  return {
    stats: page.withStats ? (changes?.stats ?? NO_STATS) : null,
    files: page.withFiles ? [...(changes?.files.values() ?? [])] : null,
    isFilesTruncated: page.withFiles && changes?.isTruncated === true,
  }
}

const NO_STATS: Stats = { additions: 0, deletions: 0, files: 0 }
