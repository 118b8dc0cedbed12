/** Conflicts between the lines of two commits: read with git's markers, and resolved by a merge commit. */

import type { Context } from '#platform/context'
import { must } from '#platform/must'
import { invalid, Problem } from '#platform/problem'
import { readHeaders, readObjects } from '../../read/objects/objects.ts'
import { assertOids } from '../../read/objects/oid.ts'
import type { Person } from '../../read/objects/person.ts'
import { retryAfterHeal } from '../../read/with-repository.ts'
import type { StorageId } from '../../tables.ts'
import { importCommit } from '../commit-files.ts'
import { cleanMessage, type Sign, writeCommit } from '../compose.ts'
import { openScratch, publishNew, type Scratch } from '../scratch.ts'
import { type ConflictStage, mergeWithMarkers } from './merge-trees.ts'
import type { PreparedMerge } from './prepare-merge.ts'

/** The commits to merge, and how markers name them. */
interface Sides {
  readonly ours: string
  readonly theirs: string
  readonly names: { readonly ours: string; readonly theirs: string }
}

interface ConflictingFile {
  readonly path: string
  readonly mode: string
  /** With markers. */
  readonly text: string
}

/**
 * `other`: at least one conflict is not between lines of text (of a deletion, a rename, a link or binary files), or they
 * are too many or too large.
 */
export type Conflicts =
  | { readonly kind: 'none' | 'other' }
  | { readonly kind: 'text'; readonly files: readonly ConflictingFile[] }

export interface ResolvedFile {
  readonly path: string
  readonly content: string
}

interface ResolveOrder extends Sides {
  /** All conflicting files, each without markers. */
  readonly files: readonly ResolvedFile[]
  readonly message: string
  readonly author: Person
  readonly committer: Person
  readonly sign?: Sign | undefined
}

const FILES_MAX = 20
const FILE_BYTES_MAX = 1_000_000
const ALL_BYTES_MAX = 4_000_000
const TREE_MODE = '040000'

export function readConflicts(ctx: Context, storageId: StorageId, sides: Sides): Promise<Conflicts> {
  assertOids(sides.ours, sides.theirs)
  return retryAfterHeal(ctx, storageId, async () => {
    await using scratch = await openScratch(ctx, storageId)
    return (await merge(ctx, scratch, sides)).conflicts
  })
}

/** A commit with both sides as parents, before any ref points to it. Its other files are as git merges them. */
export function prepareResolution(
  ctx: Context,
  storageId: StorageId,
  order: ResolveOrder,
): Promise<PreparedMerge> {
  const { ours, theirs, author, committer, sign } = order
  assertOids(ours, theirs)
  const message = cleanMessage(order.message)
  return retryAfterHeal(ctx, storageId, async () => {
    await using scratch = await openScratch(ctx, storageId)
    const { tree, conflicts } = await merge(ctx, scratch, order)
    const files = resolved(conflicts, order.files)
    const writings = [{ path: '', mode: TREE_MODE, content: tree }, ...files]
    const draft = await importCommit(ctx, scratch, ours, { ...order, message }, { deletions: [], writings })
    const [made] = await readHeaders(ctx, scratch.path, [`${draft}^{tree}`])
    const whole = must(made, 'git has written the tree').oid
    const parents = [ours, theirs]
    const oid = await writeCommit(scratch, { tree: whole, parents, author, committer, message, sign })
    const { packs, basis } = await publishNew(ctx, scratch, oid, parents)
    return { oid, tree: whole, written: { packs, basis } }
  })
}

/** The files as they are committed. */
function resolved(conflicts: Conflicts, given: readonly ResolvedFile[]) {
  if (conflicts.kind !== 'text') throw new Problem('conflict', 'files no longer conflict in their text')
  const { files } = conflicts
  const texts = new Map(given.map(({ path, content }) => [path, content]))
  if (texts.size !== files.length || files.some(({ path }) => !texts.has(path)))
    throw new Problem('conflict', 'other files conflict than those that were resolved')
  const left = files
    .filter(({ path, text }) => hasMarkers(text, texts.get(path) ?? ''))
    .map(({ path }) => path)
  if (left.length > 0) throw invalid('conflict markers are left', { paths: left })
  return files.map(({ path, mode }) => ({ path, mode, content: Buffer.from(texts.get(path) ?? '') }))
}

const BEGIN = /^<{7} /gm
const END = /^>{7} /gm
const MIDDLE = /^={7}\r?$/gm

/** A line of seven equals signs may also be the underline of a heading: as many as outside of conflicts may stay. */
function hasMarkers(before: string, after: string): boolean {
  const headings = count(before, MIDDLE) - count(before, BEGIN)
  return count(after, BEGIN) > 0 || count(after, END) > 0 || count(after, MIDDLE) > headings
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}

async function merge(
  ctx: Context,
  scratch: Scratch,
  sides: Sides,
): Promise<{ readonly tree: string; readonly conflicts: Conflicts }> {
  const { tree, stages } = await mergeWithMarkers(ctx, scratch, sides.ours, sides.theirs)
  if (stages.length === 0) return { tree, conflicts: { kind: 'none' } }
  const files = await readFiles(ctx, scratch, tree, stages, sides)
  return { tree, conflicts: files === undefined ? { kind: 'other' } : { kind: 'text', files } }
}

/** Undefined if any conflict is not between lines. */
async function readFiles(
  ctx: Context,
  scratch: Scratch,
  tree: string,
  stages: readonly ConflictStage[],
  sides: Sides,
): Promise<ConflictingFile[] | undefined> {
  const modes = [...Map.groupBy(stages, ({ path }) => path)].map(([path, all]) => ({
    path,
    mode: modeOf(all),
  }))
  if (modes.length > FILES_MAX || modes.some(({ mode }) => mode === undefined)) return undefined
  const names = modes.map(({ path }) => `${tree}:${path}`)
  const sizes = (await readHeaders(ctx, scratch.path, names)).map(
    (it) => it?.size ?? Number.POSITIVE_INFINITY,
  )
  if (Math.max(...sizes) > FILE_BYTES_MAX || sizes.reduce((sum, it) => sum + it) > ALL_BYTES_MAX)
    return undefined
  const objects = await readObjects(ctx, scratch.path, names, FILE_BYTES_MAX)
  const files: ConflictingFile[] = []
  for (const [i, { path, mode = '' }] of modes.entries()) {
    const text = textOf(objects[i]?.data, sides)
    if (text === undefined) return undefined
    files.push({ path, mode, text })
  }
  return files
}

/** The mode of the merged file; undefined unless both sides have a plain file there. */
function modeOf(stages: readonly ConflictStage[]): string | undefined {
  const [base, ours, theirs] = ['1', '2', '3'].map((it) => stages.find(({ stage }) => stage === it)?.mode)
  if (!ours?.startsWith('100') || !theirs?.startsWith('100')) return undefined
  return base === ours ? theirs : ours
}

/** Undefined for binary files, which get no markers. */
function textOf(data: Buffer | undefined, { ours, theirs, names }: Sides): string | undefined {
  const text = data?.toString('utf8')
  if (text === undefined || text.includes('\0') || !Buffer.from(text).equals(data ?? Buffer.alloc(0)))
    return undefined
  if (!text.includes(`<<<<<<< ${ours}`)) return undefined
  return text
    .replaceAll(`<<<<<<< ${ours}`, () => `<<<<<<< ${names.ours}`)
    .replaceAll(`>>>>>>> ${theirs}`, () => `>>>>>>> ${names.theirs}`)
}
