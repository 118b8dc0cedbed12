/** Checks ref updates of pushes, and of the forge's own writes, against the protection rules. */

import type { Repository } from '#domains/code/repositories'
import { may } from '#domains/people/access'
import {
  type CommitRecord,
  HEADS,
  isZeroOid,
  listChangedPaths,
  listNewCommits,
  listRefs,
  losesCommits,
  type RefUpdate,
  TAGS,
} from '#git'
import type { Context, TxContext } from '#platform/context'
import { Problem } from '#platform/problem'
import { pathFit } from '../rules/rules.ts'
import type { BranchProtectionRow } from '../tables.ts'
import { type BranchMove, judgeBranch, judgeTag, type Mover, questionsAbout, type Way } from './decide.ts'
import { findRefRules, fingerprintsOf, type RefRules } from './ref-rules.ts'

/** Access to the objects of an update, opened on demand. */
export interface Inspection {
  /** A repository on disk that has all objects of the update. */
  readonly path: () => Promise<string>
  /** The first of the commits without a verified signature. */
  readonly findUnverified: (commits: readonly CommitRecord[]) => Promise<string | undefined>
}

/** Bounded because each protected branch costs git processes while the push waits. */
const GUARDED_MAX = 100

export interface Checked {
  /** Keyed by the name of the ref. */
  readonly refusals: Map<string, Problem>
  /** Keyed by the name of the ref: fingerprints of the applied rules, see `assertSameRules`. */
  readonly fingerprints: ReadonlyMap<string, string>
}

/** `userId` is null for a deploy key. */
export async function checkRefUpdates(
  ctx: Context,
  repo: Repository,
  userId: number | null,
  updates: readonly RefUpdate[],
  look: Inspection,
  way: Way = 'push',
): Promise<Checked> {
  const names = updates.map(({ name }) => name)
  const rules = await findRefRules(ctx.db, repo, userId, names)
  const asMover = (teamIds: readonly number[]) => moverOf(repo, userId, teamIds)
  const guard = { ctx, repo, rules, look, way, moverOf: asMover }
  const refusals = new Map<string, Problem>()
  await guardBranches(guard, updates, refusals)
  guardTags(guard, updates, refusals)
  return { refusals, fingerprints: fingerprintsOf(rules, names) }
}

/** Thrown when the rules changed between check and update: the update is rolled back and checked again. */
export const RULES_CHANGED = new Problem(
  'conflict',
  'branch or tag protection was updated concurrently, please try again',
)

/**
 * Invariant: the caller holds the lock of the repository row, which every change of the rules takes, too. So a rule
 * committed before the refs move is applied to them, and a rule that waits for the lock takes effect after the move.
 */
export async function assertSameRules(
  ctx: TxContext,
  repo: Repository,
  userId: number | null,
  moved: readonly RefUpdate[],
  checked: ReadonlyMap<string, string>,
): Promise<void> {
  const names = moved.map(({ name }) => name)
  const now = fingerprintsOf(await findRefRules(ctx.db, repo, userId, names), names)
  if (names.some((name) => now.get(name) !== checked.get(name))) throw RULES_CHANGED
}

interface Guard {
  readonly ctx: Context
  readonly repo: Repository
  readonly rules: RefRules
  readonly look: Inspection
  readonly way: Way
  readonly moverOf: (teamIds: readonly number[]) => Mover
}

export function moverOf(repo: Repository, userId: number | null, teamIds: readonly number[]): Mover {
  if (userId === null) return { kind: 'deploy key' }
  const mayWrite = may(repo.access, 'write', 'code')
  return { kind: 'person', id: userId, teamIds, mayWrite, mayAdmin: may(repo.access, 'admin') }
}

async function guardBranches(
  guard: Guard,
  updates: readonly RefUpdate[],
  refusals: Map<string, Problem>,
): Promise<void> {
  const { findRule } = guard.rules
  const branches = updates.filter(({ name }) => name.startsWith(HEADS))
  const guarded = branches.flatMap((update) => {
    const rule = findRule(update.name.slice(HEADS.length))
    return rule === undefined ? [] : [{ update, rule }]
  })
  if (guarded.length > GUARDED_MAX)
    throw new Problem('too_large', `at most ${GUARDED_MAX} protected branches can be updated at once`)
  for (const { update, rule } of guarded) {
    const mover = guard.moverOf(rule.mover_team_ids)
    const findKnown = () => listAskedAlike(guard, rule)
    const move = await lookInto(guard, { rule, mover, findKnown }, update)
    const refusal = judgeBranch(rule, mover, move, guard.way)
    if (refusal !== undefined) refusals.set(update.name, refusal)
  }
}

function guardTags(guard: Guard, updates: readonly RefUpdate[], refusals: Map<string, Problem>): void {
  for (const { name } of updates) {
    if (!name.startsWith(TAGS)) continue
    const tag = name.slice(TAGS.length)
    const fitting = guard.rules.listTagRules(tag)
    const refusal = judgeTag(tag, fitting, guard.moverOf(fitting[0]?.mover_team_ids ?? []))
    if (refusal !== undefined) refusals.set(name, refusal)
  }
}

interface Asked {
  readonly rule: BranchProtectionRow
  readonly mover: Mover
  /** Tips of branches whose commits already passed the same checks. */
  readonly findKnown: () => Promise<string[]>
}

/** Collects the facts that the rule needs, running git only where necessary. */
async function lookInto(
  { ctx, repo, look, way }: Guard,
  { rule, mover, findKnown }: Asked,
  update: RefUpdate,
): Promise<BranchMove> {
  const kind = kindOf(update)
  const asked = questionsAbout(rule, mover, kind, way)
  const branch = update.name.slice(HEADS.length)
  const isRewritten = asked.rewriting && (await losesCommits(ctx, await look.path(), update))
  const known = kind === 'create' && (asked.signatures || asked.paths) ? await findKnown() : []
  const unverified = asked.signatures ? await findUnverified(ctx, repo, look, update, known) : undefined
  const files = asked.paths ? await lookAtFiles(ctx, rule, await look.path(), update, known) : UNASKED
  return { branch, kind, isRewritten, unverified, ...files }
}

/**
 * All commits of a new branch count as new: commits on another branch were not necessarily checked there. Only branches
 * under a rule with the same checks exclude their commits.
 */
async function listAskedAlike(
  { ctx, repo, rules: { findRule } }: Guard,
  rule: BranchProtectionRow,
): Promise<string[]> {
  const branches = await listRefs(ctx.db, repo.storage_id, { prefixes: [HEADS] })
  const isAlike = (other: BranchProtectionRow | undefined) =>
    other !== undefined &&
    (other.require_signed_commits || !rule.require_signed_commits) &&
    other.protected_file_patterns === rule.protected_file_patterns &&
    other.unprotected_file_patterns === rule.unprotected_file_patterns
  const alike = branches.filter(({ name }) => isAlike(findRule(name.slice(HEADS.length))))
  return [...new Set(alike.map(({ oid }) => oid))]
}

const UNASKED = { protectedPath: undefined, isHarmless: false }

async function findUnverified(
  ctx: Context,
  repo: Repository,
  look: Inspection,
  update: RefUpdate,
  known: readonly string[],
): Promise<string | undefined> {
  const path = await look.path()
  for await (const commits of listNewCommits(ctx, path, update, known, repo.object_format)) {
    const found = await look.findUnverified(commits)
    if (found !== undefined) return found
  }
  return undefined
}

async function lookAtFiles(
  ctx: Context,
  rule: BranchProtectionRow,
  path: string,
  update: RefUpdate,
  known: readonly string[],
): Promise<Pick<BranchMove, 'protectedPath' | 'isHarmless'>> {
  const isProtected = pathFit(rule.protected_file_patterns) ?? (() => false)
  const isFree = pathFit(rule.unprotected_file_patterns) ?? (() => false)
  let isHarmless = true
  for await (const file of listChangedPaths(ctx, path, update, known)) {
    if (isProtected(file)) return { protectedPath: file, isHarmless: false }
    isHarmless &&= isFree(file)
  }
  return { protectedPath: undefined, isHarmless }
}

function kindOf({ old, new: oid }: RefUpdate): BranchMove['kind'] {
  if (isZeroOid(oid)) return 'delete'
  return isZeroOid(old) ? 'create' : 'update'
}
