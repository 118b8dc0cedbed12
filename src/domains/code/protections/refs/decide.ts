/** The decisions: facts about a rule, who moves a branch and how in, a refusal or nothing out. */
import { forbidden, invalid, Problem } from '#platform/problem'
import type { BranchProtectionRow, TagProtectionRow } from '../tables.ts'

/** Who wants to move a ref. A deploy key is nobody, and only on those lists that deploy keys are on as a whole. */
export type Mover =
  | {
      readonly kind: 'person'
      readonly id: number
      readonly teamIds: readonly number[]
      /** Whether they may write code at all. */
      readonly mayWrite: boolean
      /** Whether they may change the repository's settings, and so the rule. */
      readonly mayAdmin: boolean
    }
  | { readonly kind: 'deploy key' }

/** By somebody's own commits, or by a pull request that lands; `forced merge`: by somebody who insists that it does. */
export type Way = 'push' | 'merge' | 'forced merge'

/** What happens to a protected branch, as far as it was worth finding out. */
export interface BranchMove {
  readonly branch: string
  readonly kind: 'create' | 'update' | 'delete'
  /** It loses commits that it had. */
  readonly isRewritten: boolean
  /** A commit that nobody known has signed. */
  readonly unverified: string | undefined
  /** A file that changes and must not. */
  readonly protectedPath: string | undefined
  /** Every file that changes may be changed by everybody. */
  readonly isHarmless: boolean
}

/** What must be found out before a move can be judged. Each costs a git process. */
export interface Questions {
  readonly rewriting: boolean
  readonly signatures: boolean
  readonly paths: boolean
}

type BranchRule = BranchProtectionRow
type List = 'push_whitelist' | 'force_push_allowlist' | 'merge_whitelist' | 'bypass_allowlist'

/** Nothing is asked of git about a move that is refused whatever the answer. */
export function questionsAbout(
  rule: BranchRule,
  mover: Mover,
  kind: BranchMove['kind'],
  way: Way = 'push',
): Questions {
  const hasProtected = rule.protected_file_patterns.trim() !== ''
  const signatures = rule.require_signed_commits
  // What lands by a merge is built upon the branch, so it loses nothing.
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
  // Compat: what keeps a pull request from landing is told in one way, whatever it is.
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

/** One rule that allows it is enough. */
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

/** Whoever may rewrite a branch may also push to it. */
export function mayForcePush(rule: BranchRule, mover: Mover): boolean {
  if (!rule.enable_force_push || !mayPush(rule, mover)) return false
  if (!rule.enable_force_push_allowlist) return true
  return isOn(rule, 'force_push_allowlist', mover, rule.force_push_allowlist_deploy_keys)
}

/**
 * Whether a pull request may be merged by them at all; what it lacks to be ready is another question. Whoever lost the
 * right to write since they were listed merges nothing.
 */
export function mayMerge(rule: BranchRule, mover: Mover): boolean {
  if (!mayWrite(mover)) return false
  return !rule.enable_merge_whitelist || isOn(rule, 'merge_whitelist', mover, false)
}

/** Whether they may merge what is not ready. */
export function mayBypass(rule: BranchRule, mover: Mover): boolean {
  if (mover.kind === 'deploy key') return false
  if (mover.mayAdmin && !rule.block_admin_merge_override) return true
  return rule.enable_bypass_allowlist && isOn(rule, 'bypass_allowlist', mover, false)
}

/** Somebody who reviews. */
export interface ReviewingPerson {
  readonly id: number
  readonly teamIds: readonly number[]
  /** Whether they may write code. */
  readonly mayWrite: boolean
}

/** Without a rule, and where it lists nobody, those count who may write the code. */
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

/** Compat: without a rule no team counts. */
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

/** A path may hold anything, also what would end the line it is told in. */
function quote(path: string): string {
  return JSON.stringify(path).slice(0, 300)
}
