/** The decisions on protected refs: rule, mover and update in, a refusal or undefined out. Pure. */
import { forbidden, invalid, Problem } from '#platform/problem'
import type { BranchProtectionRow, TagProtectionRow } from '../tables.ts'

/** The actor of a ref update. A deploy key has no user; allowlists include either all deploy keys or none. */
export type Mover =
  | {
      readonly kind: 'person'
      readonly id: number
      readonly teamIds: readonly number[]
      /** Whether they may write code at all. */
      readonly mayWrite: boolean
      /** Whether they may change the repository's settings, and thus the rule. */
      readonly mayAdmin: boolean
    }
  | { readonly kind: 'deploy key' }

/** `push`: own commits; `merge`: a pull request; `forced merge`: a pull request merged with a request to bypass rules. */
export type Way = 'push' | 'merge' | 'forced merge'

/** An update of a protected branch, with the facts that were collected. */
export interface BranchMove {
  readonly branch: string
  readonly kind: 'create' | 'update' | 'delete'
  /** The update drops commits from the branch. */
  readonly isRewritten: boolean
  /** A commit without a verified signature. */
  readonly unverified: string | undefined
  /** A changed file that matches `protected_file_patterns`. */
  readonly protectedPath: string | undefined
  /** Every changed file matches `unprotected_file_patterns`. */
  readonly isHarmless: boolean
}

/** The facts that a decision needs. Each costs a git process. */
export interface Questions {
  readonly rewriting: boolean
  readonly signatures: boolean
  readonly paths: boolean
}

type BranchRule = BranchProtectionRow
type List = 'push_whitelist' | 'force_push_allowlist' | 'merge_whitelist' | 'bypass_allowlist'

/** Requests no facts for an update that is refused in any case. */
export function questionsAbout(
  rule: BranchRule,
  mover: Mover,
  kind: BranchMove['kind'],
  way: Way = 'push',
): Questions {
  const hasProtected = rule.protected_file_patterns.trim() !== ''
  const signatures = rule.require_signed_commits
  // A merge commit builds on the branch, so it drops no commits.
  if (way !== 'push') return { rewriting: false, signatures, paths: hasProtected }
  const hasException = rule.unprotected_file_patterns.trim() !== ''
  const isMoot = kind === 'delete' || !(mayPush(rule, mover) || hasException)
  if (isMoot) return { rewriting: false, signatures: false, paths: false }
  return { rewriting: kind === 'update', signatures, paths: hasProtected || !mayPush(rule, mover) }
}

export function judgeBranch(
  rule: BranchRule,
  mover: Mover,
  move: BranchMove,
  way: Way = 'push',
): Problem | undefined {
  const said = (why: string) => `${move.branch} is a protected branch: ${why}`
  // Compat: every refusal of a merge has the same status (405).
  const refuse = (why: string) =>
    way === 'push' ? forbidden(said(why)) : new Problem('method_not_allowed', said(why))
  if (move.kind === 'delete') return refuse('deletion is not allowed')
  if (move.isRewritten && !mayForcePush(rule, mover)) return refuse('force push is not allowed')
  if (move.unverified !== undefined) return refuse(`commit ${move.unverified} has no verified signature`)
  const isBypassed = way === 'forced merge' && mayBypass(rule, mover)
  if (move.protectedPath !== undefined && !isBypassed)
    return refuse(`changing protected file ${quote(move.protectedPath)} is not allowed`)
  if (way !== 'push') return mayMerge(rule, mover) ? undefined : refuse('merge is not allowed')
  if (!mayPush(rule, mover) && !move.isHarmless) return refuse('push is not allowed')
  return undefined
}

/** One rule that lists the mover is enough. */
export function judgeTag(tag: string, rules: readonly TagProtectionRow[], mover: Mover): Problem | undefined {
  const isAllowed = rules.some((rule) =>
    isListed(mover, rule.whitelist_user_ids, rule.whitelist_team_ids, false),
  )
  if (rules.length === 0 || isAllowed) return undefined
  return invalid(`${tag} is a protected tag: creating, updating or deleting it is not allowed`)
}

export function mayPush(rule: BranchRule, mover: Mover): boolean {
  if (!rule.enable_push) return false
  return rule.enable_push_whitelist
    ? isOn(rule, 'push_whitelist', mover, rule.push_whitelist_deploy_keys)
    : mayWrite(mover)
}

/** A force push requires the right to push, too. */
export function mayForcePush(rule: BranchRule, mover: Mover): boolean {
  if (!rule.enable_force_push || !mayPush(rule, mover)) return false
  if (!rule.enable_force_push_allowlist) return true
  return isOn(rule, 'force_push_allowlist', mover, rule.force_push_allowlist_deploy_keys)
}

/**
 * Whether the mover may merge pull requests at all, regardless of merge conditions. A listed user who has lost write
 * access may not.
 */
export function mayMerge(rule: BranchRule, mover: Mover): boolean {
  if (!mayWrite(mover)) return false
  return !rule.enable_merge_whitelist || isOn(rule, 'merge_whitelist', mover, false)
}

/** Whether the mover may merge although conditions are unmet. */
export function mayBypass(rule: BranchRule, mover: Mover): boolean {
  if (mover.kind === 'deploy key') return false
  if (mover.mayAdmin && !rule.block_admin_merge_override) return true
  return rule.enable_bypass_allowlist && isOn(rule, 'bypass_allowlist', mover, false)
}

export interface ReviewingPerson {
  readonly id: number
  readonly teamIds: readonly number[]
  /** Whether they may write code. */
  readonly mayWrite: boolean
}

/** Without a rule, or with `enable_approvals_whitelist` off, every user with write access to code is official. */
export function isOfficialReviewer(
  rule: BranchRule | undefined,
  { id, teamIds, mayWrite }: ReviewingPerson,
): boolean {
  if (!rule?.enable_approvals_whitelist) return mayWrite
  return (
    rule.approvals_whitelist_user_ids.includes(id) ||
    teamIds.some((teamId) => rule.approvals_whitelist_team_ids.includes(teamId))
  )
}

/** Compat: without a rule no team is official. */
export function isOfficialTeam(
  rule: BranchRule | undefined,
  { id, mayWrite }: Omit<ReviewingPerson, 'teamIds'>,
): boolean {
  if (rule === undefined) return false
  return rule.enable_approvals_whitelist ? rule.approvals_whitelist_team_ids.includes(id) : mayWrite
}

function mayWrite(mover: Mover): boolean {
  return mover.kind === 'deploy key' || mover.mayWrite
}

function isOn(rule: BranchRule, list: List, mover: Mover, areKeysListed: boolean): boolean {
  return isListed(mover, rule[`${list}_user_ids`], rule[`${list}_team_ids`], areKeysListed)
}

function isListed(
  mover: Mover,
  userIds: readonly number[],
  teamIds: readonly number[],
  areKeysListed: boolean,
): boolean {
  if (mover.kind === 'deploy key') return areKeysListed
  return userIds.includes(mover.id) || mover.teamIds.some((id) => teamIds.includes(id))
}

/** Escaped, because a path may contain line breaks. */
function quote(path: string): string {
  return JSON.stringify(path).slice(0, 300)
}
