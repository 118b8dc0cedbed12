/** The rule of a pull request's base branch, and the caller's rights under it. */
import type { Repository } from '#domains/code/repositories'
import type { Context } from '#platform/context'
import type { Db } from '#platform/db'
import { moverOf } from '../refs/check-ref-updates.ts'
import { type Mover, mayBypass, mayMerge, type Way } from '../refs/decide.ts'
import { ruleFinder } from '../rules/rules.ts'
import { listBranchRulesFacing, listBranchRulesOf } from '../rules/store.ts'
import type { BranchProtectionRow } from '../tables.ts'

export interface MergeRule {
  readonly rule: BranchProtectionRow
  /** Whether the caller may merge when all conditions are met. */
  readonly mayMerge: boolean
  /** Whether the caller may merge although conditions of the rule are unmet. */
  readonly mayBypass: boolean
}

/** undefined: the branch is not protected. One query. */
export async function findMergeRule(
  ctx: Context,
  repo: Repository,
  branch: string,
): Promise<MergeRule | undefined> {
  const userId = ctx.actor?.id ?? 0
  const rule = ruleFinder(await listBranchRulesFacing(ctx.db, repo, userId))(branch)
  return rule && facing(rule, moverOf(repo, userId, rule.mover_team_ids))
}

/** A user who may not merge into the branch cannot bypass its rule. */
export function facing(rule: BranchProtectionRow, mover: Mover): MergeRule {
  const may = mayMerge(rule, mover)
  return { rule, mayMerge: may, mayBypass: may && mayBypass(rule, mover) }
}

/** The rule whose conditions apply; undefined without a rule, or for a forced merge by a user who may bypass it. */
export function ruleAsked(facing: MergeRule | undefined, way: Way): BranchProtectionRow | undefined {
  return way === 'forced merge' && facing?.mayBypass ? undefined : facing?.rule
}

/** The rules of branches in several repositories: one query. */
export async function loadMergeRules(
  db: Db,
  repositoryIds: readonly number[],
): Promise<(repositoryId: number, branch: string) => BranchProtectionRow | undefined> {
  const rules = Map.groupBy(await listBranchRulesOf(db, repositoryIds), (rule) => rule.repository_id)
  return (repositoryId, branch) => ruleFinder(rules.get(repositoryId) ?? [])(branch)
}
