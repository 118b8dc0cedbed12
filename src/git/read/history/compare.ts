/** Compares two revisions: ahead and behind counts, and the commits of one side. */

import type { Context } from '#platform/context'
import { must } from '#platform/must'
import { gitText } from '../../command/run.ts'
import type { StorageId } from '../../tables.ts'
import { cachedEach } from '../cached.ts'
import { assertOids } from '../objects/oid.ts'
import { SAFE_ENV, withRepository } from '../with-repository.ts'
import { type LoggedCommit, type LogPage, listCommits, peekAhead } from './log.ts'
import { findMergeBase } from './merge-base.ts'

export interface Distance {
  /** Commits reachable from `head` and not from `base`. */
  readonly ahead: number
  readonly behind: number
}

export interface Compared extends Distance {
  readonly mergeBase: string | null
  readonly commits: readonly LoggedCommit[]
}

const TIMEOUT_MS = 30_000

export async function compare(
  ctx: Context,
  storageId: StorageId,
  sides: { readonly base: string; readonly head: string },
  page: LogPage,
): Promise<Compared> {
  const { base, head } = sides
  const distance = await countDistance(ctx, storageId, base, head)
  const mergeBase = (await findMergeBase(ctx, storageId, base, head)) ?? null
  const commits = await listCommits(ctx, storageId, { start: head, not: [base] }, page)
  return { ...distance, mergeBase, commits }
}

export async function countDistance(
  ctx: Context,
  storageId: StorageId,
  base: string,
  head: string,
): Promise<Distance> {
  const distances = await countDistances(ctx, storageId, base, [head])
  return must(distances.get(head), 'what is asked for is counted')
}

/** For several heads and one base, by head: one process for each pair that is not known, on one lease. */
export async function countDistances(
  ctx: Context,
  storageId: StorageId,
  base: string,
  heads: readonly string[],
): Promise<Map<string, Distance>> {
  assertOids(base, ...heads)
  const keyOf = (head: string) => [base, head]
  return cachedEach(ctx, storageId, 'distance', heads, keyOf, async (unknown) => {
    const listed = unknown.flatMap((head) => peekAhead(ctx, storageId, base, head) ?? [])
    if (listed.length === unknown.length) return listed.map((ahead) => ({ ahead, behind: 0 }))
    return withRepository(ctx, storageId, async (path) => {
      const distances: Distance[] = []
      for (const head of unknown) distances.push(await walk(ctx, path, base, head))
      return distances
    })
  })
}

async function walk(ctx: Context, path: string, base: string, head: string): Promise<Distance> {
  const flags = ['--left-right', '--count'] as const
  const command = { name: 'rev-list', flags, words: [`${base}...${head}`] }
  const text = await gitText(ctx, command, { path, environment: SAFE_ENV, timeoutMs: TIMEOUT_MS })
  const [behind, ahead] = text.trim().split('\t').map(Number)
  return { ahead: must(ahead, 'git counts both sides'), behind: must(behind, 'git counts both sides') }
}
