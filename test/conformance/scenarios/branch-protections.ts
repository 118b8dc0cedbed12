/** Branch protections. */
import type { Stage } from '../stage.ts'

export async function play(t: Stage): Promise<void> {
  const ann = 'protect-ann'
  for (const name of [ann, 'protect-writer', 'protect-other']) await t.person(name)
  await t.stage(ann, 'POST', '/user/repos', { name: 'one', auto_init: true })
  await t.stage(ann, 'POST', '/user/repos', { name: 'bare' })
  for (const name of ['writer', 'other'])
    await t.stage(ann, 'PUT', `/repos/${ann}/one/collaborators/protect-${name}`, { permission: 'write' })
  const repo = `/repos/${ann}/one`
  const list = `${repo}/branch_protections`
  await t.call('none yet', ann, 'GET', list)
  await t.call('nobody lists', null, 'GET', list)
  await t.call('a writer lists', 'protect-writer', 'GET', list)
  await t.call('the smallest request', ann, 'POST', list, { body: { rule_name: 'main' } })
  await t.call('by the old field name', ann, 'POST', list, { body: { branch_name: 'old-style' } })
  await t.call('every field', ann, 'POST', list, {
    body: {
      rule_name: 'release/**',
      enable_push: true,
      enable_push_whitelist: true,
      push_whitelist_usernames: ['protect-writer'],
      push_whitelist_deploy_keys: true,
      enable_force_push: true,
      enable_force_push_allowlist: true,
      force_push_allowlist_usernames: ['protect-writer'],
      force_push_allowlist_deploy_keys: true,
      enable_merge_whitelist: true,
      merge_whitelist_usernames: ['protect-writer'],
      enable_status_check: true,
      status_check_contexts: ['ci/*'],
      required_approvals: 2,
      enable_approvals_whitelist: true,
      approvals_whitelist_username: ['protect-writer'],
      block_on_rejected_reviews: true,
      block_on_official_review_requests: true,
      block_on_outdated_branch: true,
      dismiss_stale_approvals: true,
      ignore_stale_approvals: true,
      require_signed_commits: true,
      protected_file_patterns: '*.lock',
      unprotected_file_patterns: '*.md',
      block_admin_merge_override: true,
      priority: 5,
    },
  })
  await t.call('no name', ann, 'POST', list, { body: {} })
  await t.call('a taken name', ann, 'POST', list, { body: { rule_name: 'main' } })
  await t.call('an unknown user', ann, 'POST', list, {
    body: {
      rule_name: 'x',
      enable_push: true,
      enable_push_whitelist: true,
      push_whitelist_usernames: ['protect-missing'],
    },
  })
  await t.call('an unknown team', ann, 'POST', list, {
    body: {
      rule_name: 'x',
      enable_push: true,
      enable_push_whitelist: true,
      push_whitelist_teams: ['nobodies'],
    },
  })
  await t.call('a writer protects', 'protect-writer', 'POST', list, { body: { rule_name: 'x' } })
  await t.call('in an empty repository', ann, 'POST', `/repos/${ann}/bare/branch_protections`, {
    body: { rule_name: 'main' },
  })
  await t.call('all of them', ann, 'GET', list, {}, { unordered: true })
  await t.call('one', ann, 'GET', `${list}/main`)
  await t.call('one with a slash', ann, 'GET', `${list}/release%2F**`)
  await t.call('a missing one', ann, 'GET', `${list}/missing`)
  await t.call('the protected branch, seen by a writer', 'protect-writer', 'GET', `${repo}/branches/main`)
  await t.call('the protected branch, seen by the owner', ann, 'GET', `${repo}/branches/main`)
  await t.call('a file on a protected branch', 'protect-writer', 'POST', `${repo}/contents/a.txt`, {
    body: { content: 'YQ==', branch: 'main' },
  })
  await t.call('a file on a protected branch by the owner', ann, 'POST', `${repo}/contents/a.txt`, {
    body: { content: 'YQ==', branch: 'main' },
  })
  await t.call(
    'a file on a new branch instead',
    'protect-writer',
    'POST',
    `${repo}/contents/a.txt`,
    { body: { content: 'YQ==', branch: 'main', new_branch: 'side' } },
    { statusOnly: true },
  )
  await t.call('a protected branch is deleted', 'protect-writer', 'DELETE', `${repo}/branches/main`)
  await t.call('edited: push for some', ann, 'PATCH', `${list}/main`, {
    body: { enable_push: true, enable_push_whitelist: true, push_whitelist_usernames: ['protect-writer'] },
  })
  await t.call(
    'one on the list may write',
    'protect-writer',
    'POST',
    `${repo}/contents/b.txt`,
    { body: { content: 'Yg==', branch: 'main' } },
    { statusOnly: true },
  )
  await t.call('one not on the list may not', 'protect-other', 'POST', `${repo}/contents/c.txt`, {
    body: { content: 'Yw==', branch: 'main' },
  })
  await t.call('edited: nothing', ann, 'PATCH', `${list}/main`, { body: {} })
  await t.call('edited: files that may not change', ann, 'PATCH', `${list}/main`, {
    body: { enable_push: true, enable_push_whitelist: false, protected_file_patterns: '*.lock;secret/**' },
  })
  await t.call('a protected file', 'protect-writer', 'POST', `${repo}/contents/x.lock`, {
    body: { content: 'Yg==', branch: 'main' },
  })
  await t.call('edited: an unknown user', ann, 'PATCH', `${list}/main`, {
    body: { enable_push_whitelist: true, push_whitelist_usernames: ['protect-missing'] },
  })
  await t.call('a missing one is edited', ann, 'PATCH', `${list}/missing`, { body: { enable_push: true } })
  await t.call('a writer edits', 'protect-writer', 'PATCH', `${list}/main`, { body: { enable_push: true } })
  await t.call('a writer deletes', 'protect-writer', 'DELETE', `${list}/main`)
  await t.call('deleted', ann, 'DELETE', `${list}/main`)
  await t.call('deleted twice', ann, 'DELETE', `${list}/main`)
}
