/** The rule that is asked when a pull request is to land, and what it asks. */
import type { Repository } from '#domains/repositories'
import type { Context } from '#platform/context'
import type { Problem } from '#platform/problem'
import { moverOf } from './check-ref-updates.ts'
import { judgeMerge, type MergeFacts, type Way } from './decide.ts'
import { ruleFinder } from './rules.ts'
import { listBranchRulesFacing } from './store.ts'
import type { BranchProtectionRow } from './tables.ts'

export interface MergeRule {
  readonly rule: BranchProtectionRow
  judge(facts: MergeFacts, way: Way): Problem | undefined
}

/** As it faces the caller. undefined: the branch is not protected. One query. */
export async function findMergeRule(
  ctx: Context,
  repo: Repository,
  branch: string,
): Promise<MergeRule | undefined> {
  const userId = ctx.actor?.id ?? 0
  const rule = ruleFinder(await listBranchRulesFacing(ctx.db, repo, userId))(branch)
  if (rule === undefined) return undefined
  const mover = moverOf(repo, userId, rule.mover_team_ids)
  return { rule, judge: (facts, way) => judgeMerge(rule, mover, facts, way) }
}
