/** Asks the rules about refs that are to be moved: by a push, or by what the forge itself writes. */
import { may } from '#domains/access'
import type { Repository } from '#domains/repositories'
import {
  type CommitRecord,
  isZeroOid,
  listChangedPaths,
  listNewCommits,
  losesCommits,
  type RefUpdate,
} from '#git'
import type { Context } from '#platform/context'
import { Problem } from '#platform/problem'
import { type BranchMove, judgeBranch, judgeTag, type Mover, questionsAbout } from './decide.ts'
import { pathFit, ruleFinder, tagFit } from './rules.ts'
import { listBranchRulesFacing, listTagRulesFacing } from './store.ts'
import type { BranchProtectionRow } from './tables.ts'

/** How those who ask can find out about a move. */
export interface Look {
  /** A repository on disk that has all objects of the move. */
  readonly path: () => Promise<string>
  /** The first of the commits that nobody known has signed. */
  readonly findUnverified: (commits: readonly CommitRecord[]) => Promise<string | undefined>
}

const BRANCHES = 'refs/heads/'
const TAGS = 'refs/tags/'
/** Each costs git processes of its own while the push waits. */
const GUARDED_MAX = 100

/** Refusals by the name of the ref. `userId` is null for a deploy key. */
export async function guardRefs(
  ctx: Context,
  repo: Repository,
  userId: number | null,
  updates: readonly RefUpdate[],
  look: Look,
): Promise<Map<string, Problem>> {
  const refusals = new Map<string, Problem>()
  const guard = { ctx, repo, look, moverOf: (teamIds: readonly number[]) => moverOf(repo, userId, teamIds) }
  const branches = updates.filter(({ name }) => name.startsWith(BRANCHES))
  if (branches.length > 0) await guardBranches(guard, userId, branches, refusals)
  const tags = updates.filter(({ name }) => name.startsWith(TAGS))
  if (tags.length > 0) await guardTags(guard, userId, tags, refusals)
  return refusals
}

interface Guard {
  readonly ctx: Context
  readonly repo: Repository
  readonly look: Look
  readonly moverOf: (teamIds: readonly number[]) => Mover
}

function moverOf(repo: Repository, userId: number | null, teamIds: readonly number[]): Mover {
  if (userId === null) return { kind: 'deploy key' }
  return { kind: 'person', id: userId, teamIds, mayWrite: may(repo.access, 'write', 'code') }
}

async function guardBranches(
  guard: Guard,
  userId: number | null,
  updates: readonly RefUpdate[],
  refusals: Map<string, Problem>,
): Promise<void> {
  const findRule = ruleFinder(await listBranchRulesFacing(guard.ctx.db, guard.repo, userId ?? 0))
  const guarded = updates.flatMap((update) => {
    const rule = findRule(update.name.slice(BRANCHES.length))
    return rule === undefined ? [] : [{ update, rule }]
  })
  if (guarded.length > GUARDED_MAX)
    throw new Problem('too_large', `at most ${GUARDED_MAX} protected branches can be moved at once`)
  for (const { update, rule } of guarded) {
    const mover = guard.moverOf(rule.mover_team_ids)
    const refusal = judgeBranch(rule, mover, await lookInto(guard, rule, mover, update))
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

/** Finds out what must be known before the move can be judged. */
async function lookInto(
  { ctx, repo, look }: Guard,
  rule: BranchProtectionRow,
  mover: Mover,
  update: RefUpdate,
): Promise<BranchMove> {
  const kind = kindOf(update)
  const asked = questionsAbout(rule, mover, kind)
  const branch = update.name.slice(BRANCHES.length)
  const isRewritten = asked.rewriting && (await losesCommits(ctx, await look.path(), update))
  const unverified = asked.signatures ? await findUnverified(ctx, repo, look, update) : undefined
  const files = asked.paths ? await lookAtFiles(ctx, rule, await look.path(), update) : UNASKED
  return { branch, kind, isRewritten, unverified, ...files }
}

const UNASKED = { protectedPath: undefined, isHarmless: false }

async function findUnverified(
  ctx: Context,
  repo: Repository,
  look: Look,
  update: RefUpdate,
): Promise<string | undefined> {
  for await (const commits of listNewCommits(ctx, await look.path(), update, repo.object_format)) {
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
): Promise<Pick<BranchMove, 'protectedPath' | 'isHarmless'>> {
  const isProtected = pathFit(rule.protected_file_patterns) ?? (() => false)
  const isFree = pathFit(rule.unprotected_file_patterns) ?? (() => false)
  let isHarmless = true
  for await (const file of listChangedPaths(ctx, path, update)) {
    if (isProtected(file)) return { protectedPath: file, isHarmless: false }
    isHarmless &&= isFree(file)
  }
  return { protectedPath: undefined, isHarmless }
}

function kindOf({ old, new: oid }: RefUpdate): BranchMove['kind'] {
  if (isZeroOid(oid)) return 'delete'
  return isZeroOid(old) ? 'create' : 'update'
}
