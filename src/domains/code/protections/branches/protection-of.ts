/** The protection of branches, as shown with each branch. */

import type { Visible } from '#domains/code/repositories'
import { may } from '#domains/people/access'
import type { Context } from '#platform/context'
import { moverOf } from '../refs/check-ref-updates.ts'
import { mayMerge, mayPush } from '../refs/decide.ts'
import { ruleFinder } from '../rules/rules.ts'
import { listBranchRulesFacing } from '../rules/store.ts'

/** The fields of a branch record that depend on its protection. */
export interface ShownProtection {
  readonly protected: boolean
  readonly required_approvals: number
  readonly enable_status_check: boolean
  readonly status_check_contexts: string[]
  readonly user_can_push: boolean
  readonly user_can_merge: boolean
  readonly effective_branch_protection_name: string
}

/** Keyed by the short name of the branch; one query. */
export async function protectionOf(
  ctx: Context,
  repo: Visible,
  branches: readonly string[],
): Promise<Map<string, ShownProtection>> {
  const userId = ctx.actor?.id ?? 0
  const rules = await listBranchRulesFacing(ctx.db, repo, userId)
  const findRule = ruleFinder(rules)
  const mayWrite = ctx.actor !== null && may(repo.access, 'write', 'code')
  const shown = branches.map((branch): [string, ShownProtection] => {
    const rule = findRule(branch)
    if (rule === undefined) return [branch, unprotected(mayWrite)]
    const mover = moverOf(repo, userId, rule.mover_team_ids)
    return [
      branch,
      {
        protected: true,
        required_approvals: rule.required_approvals,
        enable_status_check: rule.enable_status_check,
        status_check_contexts: rule.status_check_contexts,
        user_can_push: mayPush(rule, mover),
        user_can_merge: mayMerge(rule, mover),
        // Compat: only administrators, who could change the rule, see its name.
        effective_branch_protection_name: may(repo.access, 'admin') ? rule.rule_name : '',
      },
    ]
  })
  return new Map(shown)
}

function unprotected(mayWrite: boolean): ShownProtection {
  return {
    protected: false,
    required_approvals: 0,
    enable_status_check: false,
    status_check_contexts: [],
    user_can_push: mayWrite,
    user_can_merge: mayWrite,
    effective_branch_protection_name: '',
  }
}
