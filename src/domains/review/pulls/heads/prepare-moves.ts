/** Runs git for heads that are to move, before the transaction that moves them. */
import { type CopiedCommits, compareTips, copyCommits, HEADS, type OpenObjects, type StorageId } from '#git'
import type { Context } from '#platform/context'
import { Problem } from '#platform/problem'
import type { Following } from '../records/store.ts'

/** A pull request, and the branch tip that is to become its head. */
export interface HeadMove {
  readonly pull: Following
  readonly to: string
}

export interface PreparedMove {
  readonly from: string
  readonly to: string
  readonly isForced: boolean
  readonly commits: readonly string[]
}

export interface PreparedMoves {
  /** By issue id. */
  readonly moves: ReadonlyMap<number, PreparedMove>
  /** For each base storage, one pack with all commits it lacks. Omits storages that have no room for a pack. */
  readonly copies: ReadonlyMap<StorageId, CopiedCommits>
}

export async function prepareMoves(
  ctx: Context,
  headRepositoryId: number,
  moves: readonly HeadMove[],
  openObjects: OpenObjects,
): Promise<PreparedMoves> {
  if (moves.length === 0) return { moves: new Map(), copies: new Map() }
  const path = await openObjects()
  const copies = new Map<StorageId, CopiedCommits>()
  const elsewhere = moves.filter(({ pull }) => pull.repository_id !== headRepositoryId)
  for (const [to, alike] of Map.groupBy(elsewhere, ({ pull }) => pull.storage_id)) {
    const copy = await copyAll(ctx, to, alike, path).catch(unlessFull)
    if (copy !== undefined) copies.set(to, copy)
  }
  const prepared = new Map<number, PreparedMove>()
  const alike = new Map<string, Promise<PreparedMove>>()
  for (const { pull, to } of moves) {
    const key = `${pull.head_oid} ${to}`
    const asked = alike.get(key) ?? compare(ctx, path, pull.head_oid, to)
    alike.set(key, asked)
    prepared.set(pull.issue_id, await asked)
  }
  return { moves: prepared, copies }
}

function copyAll(
  ctx: Context,
  to: StorageId,
  moves: readonly HeadMove[],
  from: string,
): Promise<CopiedCommits> {
  const oids = [...new Set(moves.map((move) => move.to))]
  const known = [...new Set(moves.map(({ pull }) => HEADS + pull.base_branch))]
  return copyCommits(ctx, { oids, from, to, known })
}

/** A busy base must not fail a push to a fork: its pull requests follow later. */
function unlessFull(error: unknown): undefined {
  if (!(error instanceof Problem) || error.kind !== 'unavailable') throw error
}

async function compare(ctx: Context, path: string, from: string, to: string): Promise<PreparedMove> {
  return { from, to, ...(await compareTips(ctx, path, { old: from, new: to })) }
}
