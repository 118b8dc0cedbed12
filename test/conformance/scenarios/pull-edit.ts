/** Editing a pull request: every field, every role. */
import type { Expectation, Stage } from '../stage.ts'

export async function play(t: Stage): Promise<void> {
  const [owner, writer, author, reader, stranger] = [
    'pull-edit-owner',
    'pull-edit-writer',
    'pull-edit-author',
    'pull-edit-reader',
    'pull-edit-stranger',
  ]
  for (const name of [owner, writer, author, reader, stranger]) await t.person(name)
  await t.stage('admin', 'POST', '/orgs', { username: 'pull-edit-org' })
  await t.stage(owner, 'POST', '/user/repos', { name: 'forge', auto_init: true, default_branch: 'main' })
  await t.stage(owner, 'POST', '/user/repos', {
    name: 'vault',
    auto_init: true,
    default_branch: 'main',
    private: true,
  })
  const repo = `/repos/${owner}/forge`
  await t.stage(owner, 'PUT', `${repo}/collaborators/${writer}`, { permission: 'write' })
  await t.stage(owner, 'PUT', `${repo}/collaborators/${reader}`, { permission: 'read' })
  await t.stage(owner, 'POST', `${repo}/branches`, { new_branch_name: 'stable', old_branch_name: 'main' })
  await t.stage(author, 'POST', `${repo}/forks`, {})
  const first = (await t.stage(owner, 'POST', `${repo}/milestones`, { title: 'one' })).body.id
  const foreign = (await t.stage(owner, 'POST', `/repos/${owner}/vault/milestones`, { title: 'far' })).body.id
  const red = (await t.stage(owner, 'POST', `${repo}/labels`, { name: 'red', color: '#ff0000' })).body.id
  const blue = (await t.stage(owner, 'POST', `${repo}/labels`, { name: 'blue', color: '#0000ff' })).body.id
  const plain = (await t.stage(owner, 'POST', `${repo}/issues`, { title: 'no pull' })).body.number
  const checked = (number: number) =>
    t.until(
      owner,
      `${repo}/pulls/${number}`,
      (answer) => answer.body.mergeable === true || answer.body.state === 'closed' || answer.body.draft,
    )
  let count = 0
  /** A pull request from the author's fork. */
  const pull = async (title: string): Promise<number> => {
    const branch = `topic-${++count}`
    await t.stage(author, 'POST', `/repos/${author}/forge/contents/${branch}.md`, {
      content: 'bmV3Cg==',
      new_branch: branch,
      branch: 'main',
      message: branch,
    })
    const number = (
      await t.stage(author, 'POST', `${repo}/pulls`, {
        title,
        body: 'first text',
        head: `${author}:${branch}`,
        base: 'main',
      })
    ).body.number
    await checked(number)
    return number
  }
  const edit = (
    step: string,
    as: string | null,
    number: number,
    body: unknown,
    expectation: Expectation = {},
    where = repo,
  ) => t.call(step, as, 'PATCH', `${where}/pulls/${number}`, { body }, expectation)

  const n = await pull('a first title')
  await edit('nobody may not edit', null, n, { title: 'x' })
  await edit('a stranger may not edit', stranger, n, { title: 'x' })
  await edit('a reader may not edit', reader, n, { title: 'x' })
  await edit('no such pull request', owner, 9999, { title: 'x' })
  await edit('an issue is no pull request', owner, plain, { title: 'x' })
  await edit('the hidden repository', stranger, 1, { title: 'x' }, {}, `/repos/${owner}/vault`)
  await edit('a text where a number is expected', owner, n, { milestone: 'one' })
  await edit('a due date that is no date', owner, n, { due_date: 'tomorrow' })
  await edit('an empty object changes nothing', author, n, {})
  await edit('the author changes the title', author, n, { title: 'a second title' })
  await edit('an empty title changes nothing', author, n, { title: '' })
  await edit('a draft', author, n, { title: 'WIP: a second title' })
  await edit('no draft any more', author, n, { title: 'a third title' }, { ignore: ['mergeable'] })
  await checked(n)
  await edit('the body', writer, n, { body: 'second text' })
  await edit('the content version matches', author, n, { body: 'third text', content_version: 1 })
  await edit('the content version is old', author, n, { body: 'fourth text', content_version: 1 })
  await edit('the content version is old, only a title is given', author, n, {
    title: 'never',
    content_version: 0,
  })
  await edit('the body emptied', author, n, { body: '' })

  const d = await pull('due')
  await edit('the author sets a due date', author, d, { due_date: '2031-05-06T22:30:00+05:00' })
  await edit('another due date', writer, d, { due_date: '2031-06-07T00:00:00Z' })
  await edit('no due date', writer, d, { unset_due_date: true })
  await edit('unset_due_date wins over due_date', writer, d, {
    due_date: '2031-07-08T00:00:00Z',
    unset_due_date: true,
  })
  await edit(
    'unset_due_date false without a date',
    writer,
    d,
    { unset_due_date: false },
    { decision: 'D13', status: 400 },
  )
  await t.call('the deadlines in the timeline', owner, 'GET', `${repo}/issues/${d}/timeline`)

  const a = await pull('assignees')
  await edit('an author who cannot write changes nothing of these, silently', author, a, {
    assignees: [writer],
    milestone: first,
    labels: [red],
  })
  await edit(
    'two assignees',
    writer,
    a,
    { assignees: [writer, reader] },
    { unordered: true, ignore: ['assignee'] },
  )
  await edit('one assignee', writer, a, { assignees: [owner] })
  await edit('one assignee by the other field', writer, a, { assignee: writer })
  await edit('the other field empty changes nothing', writer, a, { assignee: '' })
  await edit('no assignees', writer, a, { assignees: [] })
  await edit('an assignee nobody knows', writer, await pull('unknown assignee'), {
    assignees: ['pull-edit-none'],
  })
  await edit(
    'an organization as assignee',
    writer,
    await pull('organization assignee'),
    { assignees: ['pull-edit-org'] },
    { decision: 'D13', status: 422 },
  )
  await edit('a milestone', writer, a, { milestone: first })
  await edit('milestone 0 changes nothing', writer, a, { milestone: 0 })
  await edit(
    'an unknown milestone',
    writer,
    await pull('unknown milestone'),
    { milestone: 987654 },
    { decision: 'D13', status: 422 },
  )
  await edit(
    'a milestone of another repository',
    writer,
    await pull('foreign milestone'),
    { milestone: foreign },
    { decision: 'D13', status: 422 },
  )
  await edit('two labels', writer, a, { labels: [red, blue] })
  await edit('one label', writer, a, { labels: [blue] })
  await edit('an unknown label is dropped', writer, a, { labels: [red, 987654] })
  await edit('no labels', writer, a, { labels: [] })

  const s = await pull('states')
  await edit('the author closes', author, s, { state: 'closed' })
  await edit('closed again', author, s, { state: 'closed' })
  await edit('the base of a closed pull request', writer, s, { base: 'stable' })
  await edit('a writer reopens', writer, s, { state: 'open' }, { ignore: ['mergeable'] })
  await edit('a state that is not known', writer, s, { state: 'merged' })
  await edit('an empty state', writer, s, { state: '' })

  const b = await pull('bases')
  await edit('another base', author, b, { base: 'stable' }, { ignore: ['mergeable'] })
  await checked(b)
  await edit('the same base again', author, b, { base: 'stable' })
  await edit('an empty base changes nothing', author, b, { base: '' })
  await edit('a base that is not there', author, b, { base: 'nowhere' })
  await edit('the first base again', writer, b, { base: 'main' }, { ignore: ['mergeable'] })
  await t.call('the bases in the timeline', owner, 'GET', `${repo}/issues/${b}/timeline`)
  const twin = (
    await t.stage(author, 'POST', `${repo}/pulls`, {
      title: 'twin',
      head: `${author}:topic-${count}`,
      base: 'stable',
    })
  ).body.number
  await edit('a base with which there is a pull request already', author, twin, { base: 'main' })

  const e = await pull('maintainer edits')
  await edit('the author lets maintainers edit', author, e, { allow_maintainer_edit: true })
  await edit('the author does not let them any more', author, e, { allow_maintainer_edit: false })
  await edit('a writer may not decide that', writer, e, { allow_maintainer_edit: true })
  await edit('the owner may not decide that', owner, e, { allow_maintainer_edit: true })
  const all = await pull('all together')
  await edit(
    'all fields together',
    writer,
    all,
    {
      title: 'all',
      body: 'text',
      base: 'stable',
      assignees: [writer],
      milestone: first,
      labels: [red],
      due_date: '2031-05-06T10:00:00Z',
      content_version: 0,
      state: 'open',
    },
    { ignore: ['mergeable'] },
  )
  const none = await pull('none together')
  await edit('one wrong field', writer, none, { body: 'text', base: 'nowhere' })
  await edit(
    'then nothing was changed',
    writer,
    none,
    { content_version: 0 },
    { decision: 'D14', status: 201 },
  )
  const closing = await pull('closed with a base')
  await edit('closed and another base in one request', writer, closing, {
    state: 'closed',
    base: 'stable',
    body: 'text',
  })
  await edit(
    'which changed nothing',
    writer,
    closing,
    { content_version: 0 },
    { decision: 'D14', status: 201 },
  )

  await t.stage(owner, 'POST', `${repo}/pulls/${e}/merge`, { Do: 'merge' })
  await edit('the title of a merged pull request', author, e, { title: 'merged' })
  await edit('a merged pull request is not reopened', owner, e, { state: 'open' })
  await edit('a merged pull request is not closed', owner, e, { state: 'closed' })
  await edit('the base of a merged pull request', owner, e, { base: 'stable' })
  await t.stage(owner, 'POST', `${repo}/issues/${plain}/blocks`, { index: a, owner, repo: 'forge' })
  await edit('a blocked pull request is not closed', owner, a, { state: 'closed' })

  const token = async (name: string, scopes: string[]) =>
    `token ${(await t.stage(writer, 'POST', `/users/${writer}/tokens`, { name, scopes })).body.sha1}`
  const withToken = (step: string, authorization: string) =>
    t.call(
      step,
      writer,
      'PATCH',
      `${repo}/pulls/${a}`,
      { body: { title: 'by token' }, headers: { authorization } },
      { ignore: ['mergeable'] },
    )
  await withToken('a token that may only read repositories', await token('reads', ['read:repository']))
  await withToken('a token that may write issues, not repositories', await token('issues', ['write:issue']))
  await withToken('a token that may write repositories', await token('writes', ['write:repository']))
  await t.stage(owner, 'PATCH', repo, { archived: true })
  await edit('an archived repository', writer, a, { title: 'archived' }, { ignore: ['mergeable'] })
  await t.stage(owner, 'PATCH', repo, { archived: false })
  await t.stage(owner, 'PATCH', repo, { has_pull_requests: false })
  await edit('pull requests switched off', writer, a, { title: 'off' })
}
