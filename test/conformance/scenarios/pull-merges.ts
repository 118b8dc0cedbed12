/** Merging pull requests: every style, and every obstacle. */
import type { Expectation, Stage } from '../stage.ts'

const base64 = (text: string) => Buffer.from(text).toString('base64')

export async function play(t: Stage): Promise<void> {
  const [owner, writer, reader] = ['pull-merges-owner', 'pull-merges-writer', 'pull-merges-reader']
  for (const name of [owner, writer, reader]) await t.person(name)
  await t.stage(owner, 'POST', '/user/repos', { name: 'forge', auto_init: true, default_branch: 'main' })
  const repo = `/repos/${owner}/forge`
  await t.stage(owner, 'PUT', `${repo}/collaborators/${writer}`, { permission: 'write' })
  const call = (
    step: string,
    as: string | null,
    method: string,
    path: string,
    body?: unknown,
    expectation: Expectation = {},
  ) => t.call(step, as, method, path, body === undefined ? {} : { body }, expectation)
  /** A pull request that adds one file. */
  const pull = async (name: string, base = 'main', title = name): Promise<number> => {
    await t.stage(writer, 'POST', `${repo}/contents/${name}.md`, {
      content: base64(`${name}\n`),
      branch: base,
      new_branch: name,
      message: `add ${name}`,
    })
    const number = (await t.stage(writer, 'POST', `${repo}/pulls`, { title, body: 'text', head: name, base }))
      .body.number
    await t.until(
      owner,
      `${repo}/pulls/${number}`,
      (answer) => answer.body.mergeable === true || answer.body.draft,
    )
    return number
  }
  const checked = (number: number, wanted = true) =>
    t.until(owner, `${repo}/pulls/${number}`, (answer) => answer.body.mergeable === wanted)
  const merge = (
    step: string,
    as: string | null,
    number: number,
    body: unknown,
    expectation: Expectation = {},
  ) => call(step, as, 'POST', `${repo}/pulls/${number}/merge`, body, expectation)

  const n = await pull('merge')
  await merge('nobody may not merge', null, n, { Do: 'merge' })
  await merge('a reader may not merge', reader, n, { Do: 'merge' })
  await merge('no such pull request', owner, 9999, { Do: 'merge' })
  await merge('no style', owner, n, {})
  await merge('an unknown style', owner, n, { Do: 'weld' })
  await merge('a merge commit, with title and message', writer, n, {
    Do: 'merge',
    MergeTitleField: 'a title',
    MergeMessageField: 'a message',
    delete_branch_after_merge: true,
  })
  await call('it is merged', null, 'GET', `${repo}/pulls/${n}/merge`)
  await call('the merged pull request', null, 'GET', `${repo}/pulls/${n}`)
  await call('the merged pull request as an issue', null, 'GET', `${repo}/issues/${n}`)
  await call('its branch is gone', null, 'GET', `${repo}/branches/merge`)
  await call('its timeline', null, 'GET', `${repo}/issues/${n}/timeline`)
  await merge('merged twice', writer, n, { Do: 'merge' })
  for (const style of ['rebase', 'rebase-merge', 'squash', 'fast-forward-only']) {
    const number = await pull(style)
    await merge(`merged by ${style}`, writer, number, { Do: style, merge_message_field: 'text' })
    await call(`after ${style}`, null, 'GET', `${repo}/pulls/${number}`)
  }
  await t.call(
    'the commits after all that',
    null,
    'GET',
    `${repo}/commits?stat=false&verification=false&files=false`,
    {},
    { unordered: true },
  )
  const manual = await pull('manual')
  await merge('merged by hand where that is not allowed', owner, manual, {
    Do: 'manually-merged',
    MergeCommitID: '0123456789012345678901234567890123456789',
  })
  await t.stage(owner, 'PATCH', repo, { allow_squash_merge: false })
  await merge('a style that is switched off', owner, manual, { Do: 'squash' })
  await t.stage(owner, 'PATCH', repo, { allow_squash_merge: true })

  await merge('the head is not this commit', owner, await pull('moved'), {
    Do: 'merge',
    head_commit_id: '0123456789012345678901234567890123456789',
  })
  const draft = await pull('draft', 'main', 'WIP: draft')
  await merge('a draft is not merged', owner, draft, { Do: 'merge' })
  const closed = await pull('closed')
  await t.stage(owner, 'PATCH', `${repo}/pulls/${closed}`, { state: 'closed' })
  await merge('a closed one is not merged', owner, closed, { Do: 'merge' })
  await t.stage(writer, 'POST', `${repo}/contents/same.md`, {
    content: base64('one\n'),
    branch: 'main',
    new_branch: 'conflict',
    message: 'one',
  })
  const conflict = (
    await t.stage(writer, 'POST', `${repo}/pulls`, { title: 'conflict', head: 'conflict', base: 'main' })
  ).body.number
  await t.stage(owner, 'POST', `${repo}/contents/same.md`, {
    content: base64('two\n'),
    branch: 'main',
    message: 'two',
  })
  await checked(conflict, false)
  await call('a pull request with a conflict', null, 'GET', `${repo}/pulls/${conflict}`)
  await merge('a conflict is not merged', owner, conflict, { Do: 'merge' })

  const sha = async (number: number): Promise<string> =>
    (await t.stage(owner, 'GET', `${repo}/pulls/${number}`)).body.head.sha
  await call('the branch is protected', owner, 'POST', `${repo}/branch_protections`, {
    rule_name: 'main',
    required_approvals: 1,
    enable_status_check: true,
    status_check_contexts: ['check'],
    block_on_rejected_reviews: true,
  })
  const guarded = await pull('guarded')
  await merge('approvals are missing', writer, guarded, { Do: 'merge' })
  await merge('an owner may not skip that without force', owner, guarded, { Do: 'merge' })
  await t.stage(owner, 'POST', `${repo}/pulls/${guarded}/reviews`, { event: 'APPROVED', body: 'good' })
  await merge('a check is missing', writer, guarded, { Do: 'merge' })
  await call('the check waits', writer, 'POST', `${repo}/statuses/${await sha(guarded)}`, {
    context: 'check',
    state: 'pending',
  })
  await merge('a check that waits', writer, guarded, { Do: 'merge' })
  await merge('merge when the checks succeed', writer, guarded, {
    Do: 'merge',
    merge_when_checks_succeed: true,
  })
  await merge('that again', writer, guarded, { Do: 'merge', merge_when_checks_succeed: true })
  await call('a reader may not take that back', reader, 'DELETE', `${repo}/pulls/${guarded}/merge`)
  await call('taken back', writer, 'DELETE', `${repo}/pulls/${guarded}/merge`)
  await call('taken back twice', writer, 'DELETE', `${repo}/pulls/${guarded}/merge`)
  await call('the check fails', writer, 'POST', `${repo}/statuses/${await sha(guarded)}`, {
    context: 'check',
    state: 'failure',
  })
  await merge('a check that failed', writer, guarded, { Do: 'merge' })
  await call('the check succeeds', writer, 'POST', `${repo}/statuses/${await sha(guarded)}`, {
    context: 'check',
    state: 'success',
  })
  await t.stage(owner, 'POST', `${repo}/pulls/${guarded}/reviews`, { event: 'REQUEST_CHANGES', body: 'bad' })
  await merge('changes were asked for', writer, guarded, { Do: 'merge' })
  await t.stage(owner, 'POST', `${repo}/pulls/${guarded}/reviews`, {
    event: 'APPROVED',
    body: 'good after all',
  })
  await merge('nothing stands in the way', writer, guarded, { Do: 'merge' })
  const forced = await pull('forced')
  await merge('a writer may not force', writer, forced, { Do: 'merge', force_merge: true })
  await merge('the owner forces', owner, forced, { Do: 'merge', force_merge: true })
  await t.stage(owner, 'DELETE', `${repo}/branch_protections/main`)
  const last = await pull('last')
  await t.stage(owner, 'PATCH', repo, { archived: true })
  await merge('an archived repository', owner, last, { Do: 'merge' })
}
