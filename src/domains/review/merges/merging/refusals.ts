/** The errors with which merges are refused. */

import type { Condition } from '#domains/code/protections'
import { openDependencies } from '#domains/work/issues'
import { Problem } from '#platform/problem'

const REFUSALS: Readonly<Record<Exclude<Condition['kind'], 'unblocked'>, string>> = {
  ready: 'draft pull requests cannot be merged',
  mergeable: 'pull request cannot be merged',
  checks: 'required status checks did not succeed',
  approvals: 'more approvals are required',
  'not rejected': 'changes were requested',
  'requests answered': 'official reviews are still requested',
  owners: 'approval of code owners is required',
  'up to date': 'head branch is behind the base branch',
}

export function refusal(why: string, details?: Record<string, unknown>): Problem {
  return new Problem('method_not_allowed', why, details)
}

/** The message names the first unmet condition; `reasons` names all, for the merge queue, whose users are not waiting. */
export class NotReady extends Problem {
  readonly reasons: readonly string[]

  constructor(first: Condition, others: readonly Condition[]) {
    const { kind, message } = refusalOf(first)
    super(kind, message, first.found === undefined ? {} : { found: first.found })
    this.reasons = [message, ...others.map((it) => refusalOf(it).message)]
  }
}

export function reasonOf(problem: Problem): string {
  return problem instanceof NotReady ? problem.reasons.join('; ') : problem.message
}

function refusalOf({ kind }: Condition): Problem {
  return kind === 'unblocked' ? openDependencies() : refusal(REFUSALS[kind])
}
