/** All fields of a branch protection rule. */
import { type Fields, type Html, html, type PageVisit } from '#platform/page'
import type { BranchProtection, EditBranchProtectionOption } from '../../../gen/contract.ts'
import { area, check, field, written } from '../../../parts/forms.ts'
import { repositorySettingsWords as words } from '../../../words/repository-settings.ts'

const FLAGS = [
  'enable_push',
  'enable_push_whitelist',
  'push_whitelist_deploy_keys',
  'enable_force_push',
  'enable_force_push_allowlist',
  'force_push_allowlist_deploy_keys',
  'require_signed_commits',
  'enable_merge_whitelist',
  'enable_bypass_allowlist',
  'enable_status_check',
  'enable_approvals_whitelist',
  'block_on_rejected_reviews',
  'block_on_official_review_requests',
  'block_on_codeowner_reviews',
  'block_on_outdated_branch',
  'dismiss_stale_approvals',
  'ignore_stale_approvals',
  'block_admin_merge_override',
] as const
const LISTS = [
  'push_whitelist_usernames',
  'push_whitelist_teams',
  'force_push_allowlist_usernames',
  'force_push_allowlist_teams',
  'merge_whitelist_usernames',
  'merge_whitelist_teams',
  'bypass_allowlist_usernames',
  'bypass_allowlist_teams',
  'approvals_whitelist_username',
  'approvals_whitelist_teams',
] as const
const FILES = ['protected_file_patterns', 'unprotected_file_patterns'] as const
type Flag = (typeof FLAGS)[number]
type List = (typeof LISTS)[number]

const LIST_MAX = 5_000

export function ruleFields(visit: PageVisit, rule?: BranchProtection): Html {
  const isAgain = visit.failed?.form === 'save'
  const flag = (name: Flag) =>
    check({
      name,
      label: words[name],
      isChecked: isAgain ? (visit.failed?.fields.flag(name) ?? false) : (rule?.[name] ?? false),
    })
  const list = (name: List) =>
    field({
      name,
      label: words[name],
      help: words.names,
      value: written(visit, 'save', name, rule?.[name].join(', ')),
      maxLength: LIST_MAX,
    })
  const files = (name: (typeof FILES)[number]) =>
    field({
      name,
      label: words[name],
      help: words[`${name}Help`],
      value: written(visit, 'save', name, rule?.[name]),
      maxLength: LIST_MAX,
    })
  const only = (name: Flag, ...lists: List[]) =>
    html`${flag(name)}<div class="pairs inset">${lists.map(list)}</div>`
  const numeric = (name: 'required_approvals' | 'priority') =>
    field({
      name,
      label: words[name],
      type: 'number',
      value: written(visit, 'save', name, String(rule?.[name] ?? 0)),
    })
  return html`<fieldset><legend>${words.pushing}</legend>${flag('enable_push')}${only('enable_push_whitelist', 'push_whitelist_usernames', 'push_whitelist_teams')}${flag('push_whitelist_deploy_keys')}
${flag('enable_force_push')}${only('enable_force_push_allowlist', 'force_push_allowlist_usernames', 'force_push_allowlist_teams')}${flag('force_push_allowlist_deploy_keys')}
${flag('require_signed_commits')}<div class="pairs">${FILES.map(files)}</div></fieldset>
<fieldset><legend>${words.reviewing}</legend>${numeric('required_approvals')}${only('enable_approvals_whitelist', 'approvals_whitelist_username', 'approvals_whitelist_teams')}
${flag('dismiss_stale_approvals')}${flag('ignore_stale_approvals')}${flag('block_on_rejected_reviews')}${flag('block_on_official_review_requests')}${flag('block_on_codeowner_reviews')}</fieldset>
<fieldset><legend>${words.mergingRule}</legend>${flag('enable_status_check')}${area({ name: 'status_check_contexts', label: words.status_check_contexts, help: words.status_check_contextsHelp, value: written(visit, 'save', 'status_check_contexts', rule?.status_check_contexts.join('\n')), rows: 3, isCode: true, maxLength: LIST_MAX })}
${only('enable_merge_whitelist', 'merge_whitelist_usernames', 'merge_whitelist_teams')}${flag('block_on_outdated_branch')}${flag('block_admin_merge_override')}${only('enable_bypass_allowlist', 'bypass_allowlist_usernames', 'bypass_allowlist_teams')}</fieldset>
${numeric('priority')}`
}

export function readRule(fields: Fields): EditBranchProtectionOption {
  const priority = fields.number('priority')
  return {
    ...Object.fromEntries(FLAGS.map((name) => [name, fields.flag(name)])),
    ...Object.fromEntries(LISTS.map((name) => [name, namesIn(fields.text(name))])),
    ...Object.fromEntries(FILES.map((name) => [name, fields.text(name).trim()])),
    status_check_contexts: fields
      .text('status_check_contexts')
      .split('\n')
      .map((it) => it.trim())
      .filter((it) => it !== ''),
    required_approvals: fields.number('required_approvals') ?? 0,
    ...(priority !== undefined && priority > 0 && { priority }),
  }
}

export function namesIn(text: string): string[] {
  return text
    .split(',')
    .map((it) => it.trim())
    .filter((it) => it !== '')
}
