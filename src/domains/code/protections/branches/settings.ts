/** Computes the new settings of a rule from the current settings and a request. */
import { must } from '#platform/must'
import type { Candidate } from '../rules/people.ts'
import type { EditBranchProtection } from '../schemas.ts'
import type { BranchSettings } from '../tables.ts'

/** The allowlists of a rule: column prefix, request field, and the access that a listed user needs. */
export const LISTS = [
  { list: 'push_whitelist', usernames: 'push_whitelist_usernames', needs: 'mayWrite' },
  { list: 'force_push_allowlist', usernames: 'force_push_allowlist_usernames', needs: 'mayWrite' },
  { list: 'merge_whitelist', usernames: 'merge_whitelist_usernames', needs: 'mayWrite' },
  { list: 'bypass_allowlist', usernames: 'bypass_allowlist_usernames', needs: 'mayWrite' },
  { list: 'approvals_whitelist', usernames: 'approvals_whitelist_username', needs: 'mayReview' },
] as const

/** Defaults of a new rule: no user may push, and merging has no conditions. */
export const STRICT: BranchSettings = {
  priority: 0,
  enable_push: false,
  enable_push_whitelist: false,
  push_whitelist_user_ids: [],
  push_whitelist_team_ids: [],
  push_whitelist_deploy_keys: false,
  enable_force_push: false,
  enable_force_push_allowlist: false,
  force_push_allowlist_user_ids: [],
  force_push_allowlist_team_ids: [],
  force_push_allowlist_deploy_keys: false,
  enable_merge_whitelist: false,
  merge_whitelist_user_ids: [],
  merge_whitelist_team_ids: [],
  enable_bypass_allowlist: false,
  bypass_allowlist_user_ids: [],
  bypass_allowlist_team_ids: [],
  enable_status_check: false,
  status_check_contexts: [],
  required_approvals: 0,
  enable_approvals_whitelist: false,
  approvals_whitelist_user_ids: [],
  approvals_whitelist_team_ids: [],
  block_on_rejected_reviews: false,
  block_on_official_review_requests: false,
  block_on_codeowner_reviews: false,
  block_on_outdated_branch: false,
  dismiss_stale_approvals: false,
  ignore_stale_approvals: false,
  require_signed_commits: false,
  protected_file_patterns: '',
  unprotected_file_patterns: '',
  block_admin_merge_override: false,
}

/** Fields that are copied from the request unchanged. */
const PLAIN = [
  'priority',
  'enable_merge_whitelist',
  'enable_bypass_allowlist',
  'enable_status_check',
  'status_check_contexts',
  'enable_approvals_whitelist',
  'block_on_rejected_reviews',
  'block_on_official_review_requests',
  'block_on_codeowner_reviews',
  'block_on_outdated_branch',
  'dismiss_stale_approvals',
  'ignore_stale_approvals',
  'require_signed_commits',
  'protected_file_patterns',
  'unprotected_file_patterns',
  'block_admin_merge_override',
] as const

export interface Listable {
  readonly people: ReadonlyMap<string, Candidate>
  readonly teams: ReadonlyMap<string, number | null>
}

/** Caller's duty: `listable` has every name that the request lists. */
export function changed(
  current: BranchSettings,
  asked: EditBranchProtection,
  listable: Listable,
): BranchSettings {
  const plain = Object.fromEntries(PLAIN.map((name) => [name, asked[name] ?? current[name]]))
  const approvals = asked.required_approvals ?? -1
  const settings: BranchSettings = {
    ...current,
    ...plain,
    ...pushing(current, asked),
    ...forcing(current, asked),
    ...lists(current, asked, listable),
    required_approvals: approvals >= 0 ? approvals : current.required_approvals,
  }
  return settings.enable_bypass_allowlist
    ? settings
    : { ...settings, bypass_allowlist_user_ids: [], bypass_allowlist_team_ids: [] }
}

export function namesIn(asked: EditBranchProtection): { people: string[]; teams: string[] } {
  return {
    people: LISTS.flatMap(({ usernames }) => asked[usernames] ?? []),
    teams: LISTS.flatMap(({ list }) => asked[`${list}_teams`] ?? []),
  }
}

/** Compat: an allowlist is effective only while its switch is on, and changes only in a request that sends the switch. */
function pushing(current: BranchSettings, asked: EditBranchProtection) {
  const next = nested(
    {
      on: current.enable_push,
      listed: current.enable_push_whitelist,
      keys: current.push_whitelist_deploy_keys,
    },
    { on: asked.enable_push, listed: asked.enable_push_whitelist, keys: asked.push_whitelist_deploy_keys },
  )
  return {
    enable_push: next.on,
    enable_push_whitelist: next.listed,
    push_whitelist_deploy_keys: next.keys,
  }
}

function forcing(current: BranchSettings, asked: EditBranchProtection) {
  const next = nested(
    {
      on: current.enable_force_push,
      listed: current.enable_force_push_allowlist,
      keys: current.force_push_allowlist_deploy_keys,
    },
    {
      on: asked.enable_force_push,
      listed: asked.enable_force_push_allowlist,
      keys: asked.force_push_allowlist_deploy_keys,
    },
  )
  return {
    enable_force_push: next.on,
    enable_force_push_allowlist: next.listed,
    force_push_allowlist_deploy_keys: next.keys,
  }
}

interface Nested {
  readonly on: boolean
  readonly listed: boolean
  readonly keys: boolean
}

function nested(current: Nested, asked: { [K in keyof Nested]: boolean | undefined }): Nested {
  if (asked.on === undefined) return current
  if (!asked.on) return { on: false, listed: false, keys: false }
  if (asked.listed === undefined) return { ...current, on: true }
  if (!asked.listed) return { on: true, listed: false, keys: false }
  return { on: true, listed: true, keys: asked.keys ?? current.keys }
}

/** Users and teams who lack the access that the list needs are dropped. */
function lists(
  current: BranchSettings,
  asked: EditBranchProtection,
  { people, teams }: Listable,
): Partial<BranchSettings> {
  const ids = LISTS.flatMap(({ list, usernames, needs }) => {
    const users = asked[usernames]
      ?.map((name) => people.get(name.toLowerCase()))
      .filter((person) => person?.[needs] === true)
      .map((person) => must(person, 'nobody is filtered out').id)
    const named = asked[`${list}_teams`]?.map((name) => teams.get(name.toLowerCase()) ?? null)
    return [
      [`${list}_user_ids`, users ?? current[`${list}_user_ids`]],
      [`${list}_team_ids`, named?.filter((id) => id !== null) ?? current[`${list}_team_ids`]],
    ]
  })
  return Object.fromEntries(ids) as Partial<BranchSettings>
}
