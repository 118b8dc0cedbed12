/** What changed between two versions of the same branch, without changes that only came in from its target branch. */
import type { Context } from '#platform/context'
import { Problem } from '#platform/problem'
import { gitText } from '../../command/run.ts'
import type { StorageId } from '../../tables.ts'
import { mergeTrees } from '../../write/merge/merge-trees.ts'
import { openScratch, type Scratch } from '../../write/scratch.ts'
import { readCommits } from '../objects/commit.ts'
import { assertOids } from '../objects/oid.ts'
import { retryAfterHeal, SAFE_ENV } from '../with-repository.ts'

/** Commits: merge base and tip. */
export interface WorkVersion {
  readonly base: string
  readonly head: string
}

export interface Interdiff {
  readonly diff: string
  /** Changes from the target branch could not be separated: the two tips are compared directly. */
  readonly isPlain: boolean
}

const TIMEOUT_MS = 60_000
const OUTPUT_BYTES_MAX = 8 * 1024 * 1024

/** Rebases the older version onto the base of the newer one, and compares the result with the newer head. */
export function readInterdiff(
  ctx: Context,
  storageId: StorageId,
  older: WorkVersion,
  newer: WorkVersion,
): Promise<Interdiff> {
  assertOids(older.base, older.head, newer.base, newer.head)
  return retryAfterHeal(ctx, storageId, async () => {
    await using scratch = await openScratch(ctx, storageId)
    const [base, head, nowBase, nowHead] = await treesOf(ctx, scratch, [
      older.base,
      older.head,
      newer.base,
      newer.head,
    ])
    const moved = await mergeTrees(ctx, scratch, { base, ours: nowBase, theirs: head })
    const isPlain = moved.kind !== 'clean'
    const from = isPlain ? head : moved.tree
    return { diff: await diffTrees(ctx, scratch, from, nowHead), isPlain }
  })
}

type Four<T> = readonly [T, T, T, T]

async function treesOf(ctx: Context, scratch: Scratch, oids: Four<string>): Promise<Four<string>> {
  const commits = await readCommits(ctx, scratch.path, scratch.storage, oids)
  return commits.map((commit) => {
    if (commit === undefined) throw new Problem('not_found', 'git object does not exist')
    return commit.tree
  }) as unknown as Four<string>
}

function diffTrees(ctx: Context, scratch: Scratch, from: string, to: string): Promise<string> {
  const flags = ['-r', '--patch', '--find-renames', '--no-ext-diff', '--no-textconv'] as const
  const command = { name: 'diff-tree', flags, words: [from, to] }
  return gitText(ctx, command, {
    path: scratch.path,
    environment: SAFE_ENV,
    timeoutMs: TIMEOUT_MS,
    outputBytesMax: OUTPUT_BYTES_MAX,
  })
}
