/** Asks the rules about refs that are to be moved: by a push, or by what the forge itself writes. */
import { may } from '#domains/access'
import type { Repository } from '#domains/repositories'
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
import type { Context } from '#platform/context'
import { Problem } from '#platform/problem'
import { type BranchMove, judgeBranch, judgeTag, type Mover, questionsAbout, type Way } from './decide.ts'
import { pathFit, ruleFinder, tagFit } from './rules.ts'
import { listBranchRulesFacing, listTagRulesFacing } from './store.ts'
import type { BranchProtectionRow } from './tables.ts'

/** How those who ask can find out about a move. */
export interface Inspection {
  /** A repository on disk that has all objects of the move. */
  readonly path: () => Promise<string>
  /** The first of the commits that nobody known has signed. */
  readonly findUnverified: (commits: readonly CommitRecord[]) => Promise<string | undefined>
}

/** Each costs git processes of its own while the push waits. */
const GUARDED_MAX = 100

/** Refusals by the name of the ref. `userId` is null for a deploy key. */
export async function checkRefUpdates(
  ctx: Context,
  repo: Repository,
  userId: number | null,
  updates: readonly RefUpdate[],
  look: Inspection,
  way: Way = 'push',
): Promise<Map<string, Problem>> {
  const refusals = new Map<string, Problem>()
  const asMover = (teamIds: readonly number[]) => moverOf(repo, userId, teamIds)
  const guard = { ctx, repo, look, way, moverOf: asMover }
  const branches = updates.filter(({ name }) => name.startsWith(HEADS))
  if (branches.length > 0) await guardBranches(guard, userId, branches, refusals)
  const tags = updates.filter(({ name }) => name.startsWith(TAGS))
  if (tags.length > 0) await guardTags(guard, userId, tags, refusals)
  return refusals
}

interface Guard {
  readonly ctx: Context
  readonly repo: Repository
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
  userId: number | null,
  updates: readonly RefUpdate[],
  refusals: Map<string, Problem>,
): Promise<void> {
  const findRule = ruleFinder(await listBranchRulesFacing(guard.ctx.db, guard.repo, userId ?? 0))
  const guarded = updates.flatMap((update) => {
    const rule = findRule(update.name.slice(HEADS.length))
    return rule === undefined ? [] : [{ update, rule }]
  })
  if (guarded.length > GUARDED_MAX)
    throw new Problem('too_large', `at most ${GUARDED_MAX} protected branches can be updated at once`)
  for (const { update, rule } of guarded) {
    const mover = guard.moverOf(rule.mover_team_ids)
    const findKnown = () => listAskedAlike(guard, rule, findRule)
    const move = await lookInto(guard, { rule, mover, findKnown }, update)
    const refusal = judgeBranch(rule, mover, move, guard.way)
    if (refusal !== undefined) refusals.set(update.name, refusal)
  }
}

async function guardTags(
  guard: Guard,
  userId: number | null,
  updates: readonly RefUpdate[],
  refusals: Map<string, Problem>,
): Promise<void> {
  const rules = await listTagRulesFacing(guard.ctx.db, guard.repo, userId ?? 0)
  const fits = rules.map((rule) => ({ rule, fits: tagFit(rule.name_pattern) }))
  const mover = guard.moverOf(rules[0]?.mover_team_ids ?? [])
  for (const { name } of updates) {
    const tag = name.slice(TAGS.length)
    const fitting = fits.filter((it) => it.fits(tag)).map(({ rule }) => rule)
    const refusal = judgeTag(tag, fitting, mover)
    if (refusal !== undefined) refusals.set(name, refusal)
  }
}

interface Asked {
  readonly rule: BranchProtectionRow
  readonly mover: Mover
  /** Tips of branches whose commits were asked the same before. */
  readonly findKnown: () => Promise<string[]>
}

/** Finds out what must be known before the move can be judged. */
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
 * What a new branch has not had is all that it has: that commits are on some other branch already says nothing, because
 * nobody asked about them there. But what a rule with the same questions guards was asked.
 */
async function listAskedAlike(
  { ctx, repo }: Guard,
  rule: BranchProtectionRow,
  findRule: (branch: string) => BranchProtectionRow | undefined,
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
