/** Three-way merges without a work tree, by `git merge-tree --write-tree`. */

import type { Context } from '#platform/context'
import { must } from '#platform/must'
import { Problem } from '#platform/problem'
import type { Flag } from '../../command/command.ts'
import { GitFailure, startGit } from '../../command/run.ts'
import type { Person } from '../../read/objects/person.ts'
import { splitNul } from '../../read/objects/split.ts'
import { SAFE_ENV } from '../../read/with-repository.ts'
import { writeCommit } from '../compose.ts'
import type { Scratch } from '../scratch.ts'

export type Merged =
  | { readonly kind: 'clean'; readonly tree: string }
  | { readonly kind: 'conflict'; readonly paths: readonly string[] }

const MERGE_TIMEOUT_MS = 60_000
const CONFLICTS_MAX = 1_000
const CONFLICT_CODE = 1
const NOBODY: Person = { name: 'nobody', email: '', at: new Date(0), offsetMinutes: 0 }

/** Merges two commits over their merge base. */
export async function mergeCommits(
  ctx: Context,
  scratch: Scratch,
  ours: string,
  theirs: string,
): Promise<Merged> {
  const { isClean, tree, lines } = await run(ctx, scratch, [ours, theirs], ['--name-only'])
  return isClean ? { kind: 'clean', tree } : { kind: 'conflict', paths: lines }
}

/** One side of a conflicting file: 1 is the merge base, 2 ours, 3 theirs. */
export interface ConflictStage {
  readonly path: string
  readonly mode: string
  readonly stage: string
}

const STAGE = /^(?<mode>\d{6}) [0-9a-f]+ (?<stage>[123])\t(?<path>[\s\S]*)$/

/** The same, with the tree in which conflicting files have markers; no stages: there is no conflict. */
export async function mergeWithMarkers(
  ctx: Context,
  scratch: Scratch,
  ours: string,
  theirs: string,
): Promise<{ readonly tree: string; readonly stages: readonly ConflictStage[] }> {
  const { tree, lines } = await run(ctx, scratch, [ours, theirs], [])
  const stages = lines.map((line) => {
    const { path = '', mode = '', stage = '' } = must(STAGE.exec(line)?.groups, 'git names every stage')
    return { path, mode, stage }
  })
  return { tree, stages }
}

async function run(
  ctx: Context,
  scratch: Scratch,
  words: readonly string[],
  more: readonly Flag[],
): Promise<{ readonly isClean: boolean; readonly tree: string; readonly lines: readonly string[] }> {
  const flags: readonly Flag[] = ['--write-tree', '-z', ...more, '--no-messages']
  const running = startGit(
    ctx,
    { name: 'merge-tree', flags, words },
    { path: scratch.path, environment: SAFE_ENV, timeoutMs: MERGE_TIMEOUT_MS },
  )
  const pieces: string[] = []
  for await (const piece of splitNul(running.output)) if (pieces.length <= CONFLICTS_MAX) pieces.push(piece)
  const [tree, ...lines] = pieces
  try {
    await running.done
  } catch (error) {
    if (!(error instanceof GitFailure) || error.code !== CONFLICT_CODE || tree === undefined) throw error
    return { isClean: false, tree, lines }
  }
  return { isClean: true, tree: must(tree, 'git names the tree that it wrote'), lines: [] }
}

/**
 * Merges two trees over a third, for cherry-pick, revert and rebase. Git before 2.40 does not take the base as an option,
 * but finds it as the common parent of two commits; such commits are made here, and never packed because nothing reaches
 * them.
 */
export async function mergeTrees(
  ctx: Context,
  scratch: Scratch,
  trees: { readonly base: string; readonly ours: string; readonly theirs: string },
): Promise<Merged> {
  const { base, ours, theirs } = trees
  if (base === ours || ours === theirs) return { kind: 'clean', tree: theirs }
  if (base === theirs) return { kind: 'clean', tree: ours }
  const stand = (tree: string, parents: readonly string[]) =>
    writeCommit(scratch, { tree, parents, author: NOBODY, committer: NOBODY, message: '' })
  const parent = await stand(base, [])
  return mergeCommits(ctx, scratch, await stand(ours, [parent]), await stand(theirs, [parent]))
}

/** The tree, or a Problem that names the conflicting files. */
export function treeOf(merged: Merged): string {
  if (merged.kind === 'clean') return merged.tree
  throw new Problem('conflict', 'merge conflict', { paths: merged.paths })
}
