/** Compares two revisions of one repository, or of two repositories of one fork network. */
import { openRelative } from '#domains/code/repositories'
import {
  type Comparison,
  findCommit,
  findCommits,
  findMergeBase,
  type LoggedCommit,
  listCommits,
  listHistory,
  openDiff,
  openPatches,
} from '#git'
import type { Context } from '#platform/context'
import { notFound, Problem } from '#platform/problem'
import { type Code, getRevision } from '../open-code.ts'

export interface Sides {
  readonly base: string
  readonly head: string
  /** The repository of the head. */
  readonly code: Code
  /** Compare from the merge base (`...`) instead of the base itself (`..`). */
  readonly isSinceParting: boolean
  /** The newest commits of the base that the head's repository has. */
  readonly known: readonly string[]
}

export interface ComparedCommits {
  readonly commits: readonly LoggedCommit[]
  readonly total: number
}

/** Compat: a comparison is not paged. Further commits are counted but not listed. */
const COMMITS_MAX = 250
/** The length of the base's history that is searched for commits in common. */
const COMMON_MAX = 1_000
const STEPS_MAX = 100
const BASEHEAD = /^(?:(.+?)(\.{2,3}))?(.+)$/s
const STEPS = /^(.+?)((?:\^|~\d*)+)$/

/** `base...head`, `base..head` or the head alone; the head may be `owner:name` or `owner/repository:name`. */
export async function openSides(ctx: Context, code: Code, basehead: string): Promise<Sides> {
  const [, baseName, dots, headName = ''] = BASEHEAD.exec(basehead) ?? []
  const colon = headName.indexOf(':')
  const owner = colon === -1 ? '' : headName.slice(0, colon)
  const other = owner === '' ? code : await openRelative(ctx, code, owner)
  const base = await resolve(ctx, code, baseName)
  const head = await resolve(ctx, other, headName.slice(colon + 1))
  const known = await findKnown(ctx, code, other, base)
  return { base, head, code: other, isSinceParting: dots !== '..', known }
}

export function listCompared(ctx: Context, { code, head, known }: Sides): Promise<ComparedCommits> {
  if (known.length === 0) throw new Problem('malformed', 'no merge base: unrelated histories')
  const window = { skip: 0, limit: COMMITS_MAX, withStats: true, withFiles: true }
  return listHistory(ctx, code.storage_id, { start: head, not: known }, window)
}

export async function openCompared(ctx: Context, sides: Sides, output: 'diff' | 'patch') {
  const open = output === 'diff' ? openDiff : openPatches
  return open(ctx, sides.code.storage_id, await spanOfSides(ctx, sides), { withBinary: false })
}

/** The two ends of the comparison; the head's repository has both commits. */
export async function spanOfSides(ctx: Context, sides: Sides): Promise<Comparison> {
  const { code, head, known, isSinceParting } = sides
  const [nearest] = known
  if (nearest === undefined) throw new Problem('malformed', 'no merge base: unrelated histories')
  const parting = isSinceParting ? await findMergeBase(ctx, code.storage_id, nearest, head) : nearest
  return { from: parting ?? nearest, to: head }
}

/** `^` and `~n` after a name follow first parents. */
async function resolve(ctx: Context, code: Code, name: string | undefined): Promise<string> {
  const [, plain, steps = ''] = STEPS.exec(name ?? '') ?? []
  const start = await getRevision(ctx, code, plain ?? name)
  let oid = start.oid
  for (let left = countSteps(steps); left > 0; left--) {
    const parent = (await findCommit(ctx, code.storage_id, oid))?.parents[0]
    if (parent === undefined) throw notFound('revision', name ?? '')
    oid = parent
  }
  return oid
}

function countSteps(steps: string): number {
  const parts = steps.match(/\^|~\d*/g) ?? []
  const count = parts.reduce((sum, part) => sum + Number(part.slice(1) || 1), 0)
  if (count > STEPS_MAX) throw new Problem('malformed', 'too many ancestor steps')
  return count
}

/** Invariant: git is only called with commits that the repository has. */
async function findKnown(ctx: Context, code: Code, other: Code, base: string): Promise<string[]> {
  if (code.id === other.id || (await findCommit(ctx, other.storage_id, base))) return [base]
  const window = { skip: 0, limit: COMMON_MAX, withStats: false, withFiles: false }
  const history = await listCommits(ctx, code.storage_id, { start: base }, window)
  const oids = history.map(({ oid }) => oid)
  const common = await findCommits(ctx, other.storage_id, oids)
  return oids.filter((oid) => common.has(oid))
}
