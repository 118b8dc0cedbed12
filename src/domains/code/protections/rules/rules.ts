/** Selects the rules that apply to a branch, a tag or a path. */

import { globOf, isPattern } from '#platform/patterns'
import type { BranchProtectionRow } from '../tables.ts'
import { expressionOf } from './expression.ts'

type Ranked = Pick<BranchProtectionRow, 'id' | 'rule_name' | 'priority' | 'created_at'>

/** The order of evaluation: by priority, then plain names before patterns, then the oldest. */
export function inOrder<R extends Ranked>(rules: readonly R[]): R[] {
  return [...rules].sort(
    (a, b) =>
      a.priority - b.priority ||
      Number(isPattern(a.rule_name)) - Number(isPattern(b.rule_name)) ||
      a.created_at.getTime() - b.created_at.getTime() ||
      a.id - b.id,
  )
}

/** Only the first matching rule applies. */
export function ruleFinder<R extends Ranked>(rules: readonly R[]): (branch: string) => R | undefined {
  const ordered = inOrder(rules).map((rule) => ({ rule, fits: branchFit(rule.rule_name) }))
  return (branch) => ordered.find(({ fits }) => fits(branch))?.rule
}

/** Compat: a plain name is case-insensitive, a pattern is case-sensitive. */
function branchFit(ruleName: string): (branch: string) => boolean {
  if (isPattern(ruleName)) return globOf(ruleName, '/')
  const key = ruleName.toLowerCase()
  return (branch) => branch.toLowerCase() === key
}

/** A pattern between slashes is a regular expression. Throws if it is invalid. */
export function tagFit(pattern: string): (tag: string) => boolean {
  const [, expression] = /^\/(.*)\/$/s.exec(pattern) ?? []
  return expression === undefined ? globOf(pattern, '') : expressionOf(expression)
}

/**
 * A matcher for semicolon-separated, case-insensitive path patterns; undefined when there are none.
 *
 * Compat: `*` stops at a dot as well, so `*.lock` matches `a.lock`, but neither `a.b.lock` nor `b/a.lock`.
 */
export function pathFit(patterns: string): ((path: string) => boolean) | undefined {
  const fits = patterns
    .toLowerCase()
    .split(';')
    .map((pattern) => pattern.trim())
    .filter((pattern) => pattern !== '')
    .map((pattern) => globOf(pattern, './'))
  if (fits.length === 0) return undefined
  return (path) => {
    const key = path.toLowerCase()
    return fits.some((fit) => fit(key))
  }
}
