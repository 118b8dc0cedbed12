/** Commits that blame skips, for example those that only reformatted code. */
import type { Context } from '#platform/context'
import type { StorageId } from '../../tables.ts'
import { findBlob } from '../objects/blob.ts'
import { findCommits } from '../objects/commit.ts'
import { findEntry } from '../objects/tree.ts'

/** The name that other forges use, and that people set as `blame.ignoreRevsFile`. */
const FILE = '.git-blame-ignore-revs'
const FILE_BYTES_MAX = 256 * 1024
/** Each one is a command-line argument, and makes blame slower. */
const REVISIONS_MAX = 500
const ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/

/** From the file as it is in this commit; undefined when there is none. Lines that name no commit are ignored. */
export async function findIgnoredRevisions(
  ctx: Context,
  storageId: StorageId,
  commit: string,
): Promise<readonly string[] | undefined> {
  const entry = await findEntry(ctx, storageId, commit, FILE)
  if (entry?.type !== 'blob') return undefined
  const blob = await findBlob(ctx, storageId, entry.oid, FILE_BYTES_MAX)
  if (!blob?.isWhole) return undefined
  const lines = blob.data.toString('utf8').split('\n')
  const named = lines.map((line) => line.replace(/#.*/, '').trim()).filter((word) => ID.test(word))
  const wanted = [...new Set(named)].slice(0, REVISIONS_MAX)
  // `git blame` fails when one of them is unknown.
  const commits = await findCommits(ctx, storageId, wanted)
  return wanted.filter((oid) => commits.has(oid))
}
