/** Editing an issue: every field, every role. */
import type { Expectation, Stage } from '../stage.ts'

export async function play(t: Stage): Promise<void> {
  for (const name of ['owner', 'writer', 'author', 'reader', 'stranger']) await t.person(`issue-edit-${name}`)
  const [owner, writer, author, reader, stranger] = [
    'issue-edit-owner',
    'issue-edit-writer',
    'issue-edit-author',
    'issue-edit-reader',
    'issue-edit-stranger',
  ]
  await t.stage('admin', 'POST', '/orgs', { username: 'issue-edit-org' })
  for (const [name, hidden] of [
    ['forge', false],
    ['vault', true],
  ] as const) {
    await t.stage(owner, 'POST', '/user/repos', {
      name,
      private: hidden,
      auto_init: true,
      default_branch: 'main',
    })
    await t.stage(owner, 'PUT', `/repos/${owner}/${name}/collaborators/${writer}`, { permission: 'write' })
    await t.stage(owner, 'PUT', `/repos/${owner}/${name}/collaborators/${reader}`, { permission: 'read' })
  }
  const repo = `/repos/${owner}/forge`
  const vault = `/repos/${owner}/vault`
  const issue = async (title: string, as = author, where = repo): Promise<number> =>
    (await t.stage(as, 'POST', `${where}/issues`, { title, body: 'first text' })).body.number
  const edit = (
    step: string,
    as: string | null,
    number: number,
    body: unknown,
    expectation: Expectation = {},
    where = repo,
  ) => t.call(step, as, 'PATCH', `${where}/issues/${number}`, { body }, expectation)
  const first = (await t.stage(owner, 'POST', `${repo}/milestones`, { title: 'one' })).body.id
  const second = (await t.stage(owner, 'POST', `${repo}/milestones`, { title: 'two' })).body.id
  const foreign = (await t.stage(owner, 'POST', `${vault}/milestones`, { title: 'far' })).body.id
  const board = (
    await t.stage(owner, 'POST', `${repo}/projects`, { title: 'board', template_type: 'basic_kanban' })
  ).body.id
  const own = (await t.stage(owner, 'POST', '/user/projects', { title: 'own board' })).body.id
  const distant = (await t.stage(owner, 'POST', `${vault}/projects`, { title: 'distant board' })).body.id

  const n = await issue('a first title')
  await edit('nobody may not edit', null, n, { title: 'x' })
  await edit('a stranger may not edit', stranger, n, { title: 'x' })
  await edit('a reader may not edit', reader, n, { title: 'x' })
  await edit('a reader with an empty object', reader, n, {})
  await edit('no such issue', owner, 9999, { title: 'x' })
  await edit('an index that is no number', owner, 'abc' as never, { title: 'x' })
  await edit('no such repository', owner, 1, { title: 'x' }, {}, `/repos/${owner}/none`)
  await edit('a text where a number is expected', owner, n, { milestone: 'one' })
  await edit('a due date that is no date', owner, n, { due_date: 'tomorrow' })
  await t.call('a body that is not JSON', owner, 'PATCH', `${repo}/issues/${n}`, {
    raw: { type: 'application/json', data: '{' },
  })
  await t.call('no body at all', owner, 'PATCH', `${repo}/issues/${n}`)

  await edit('an empty object changes nothing', author, n, {})
  await edit('the author changes the title', author, n, { title: 'a second title' })
  await edit('an empty title changes nothing', author, n, { title: '' })
  await edit('the same title again', author, n, { title: 'a second title' })
  await edit('a title of 300 letters is cut', author, n, { title: 'x'.repeat(300) })
  await edit('a writer changes the title', writer, n, { title: 'a third title' })
  await edit('an administrator changes the title', 'admin', n, { title: 'a fourth title' })
  await edit('the body', author, n, { body: 'second text' })
  await edit('the body emptied', author, n, { body: '' })
  await edit('the same body counts as a version', author, n, { body: '' })
  await edit('the content version matches', author, n, { body: 'third text', content_version: 3 })
  await edit('the content version is old', author, n, { body: 'fourth text', content_version: 3 })
  await edit('the content version is old, only a title is given', author, n, {
    title: 'never',
    content_version: 0,
  })
  await edit('the content version matches, only a title is given', author, n, {
    title: 'a fifth title',
    content_version: 4,
  })
  await edit('null fields change nothing', author, n, {
    title: null,
    body: null,
    state: null,
    milestone: null,
    assignees: null,
    content_version: null,
  })
  await edit('the branch it is about', author, n, { ref: 'refs/heads/main' })
  await edit('a branch that is not there', author, n, { ref: 'nowhere' })
  await edit('no branch', author, n, { ref: '' })
  await edit('fields that are not known are ignored', author, n, { colour: 'red', title: 'a sixth title' })

  const d = await issue('due')
  await edit('an author who cannot write may not set a due date, silently', author, d, {
    due_date: '2031-05-06T10:00:00Z',
  })
  await edit('a writer sets a due date', writer, d, { due_date: '2031-05-06T22:30:00+05:00' })
  await edit('another due date', writer, d, { due_date: '2031-06-07T00:00:00Z' })
  await edit('unset_due_date wins over due_date', writer, d, {
    due_date: '2031-07-08T00:00:00Z',
    unset_due_date: true,
  })
  await edit('unset_due_date when there is none', writer, d, { unset_due_date: true })
  await edit('unset_due_date false without a date', writer, d, { unset_due_date: false })
  await edit('unset_due_date false with a date', writer, d, {
    unset_due_date: false,
    due_date: '2031-08-09T00:00:00Z',
  })
  await t.call('the deadlines in the timeline', owner, 'GET', `${repo}/issues/${d}/timeline`)

  const a = await issue('assignees')
  await edit('an author who cannot write assigns nobody, silently', author, a, {
    assignees: [writer],
    milestone: first,
    projects: [board],
  })
  await edit('two assignees', writer, a, { assignees: [writer, reader] }, { unordered: true })
  await edit('one assignee by the old field', writer, a, { assignee: owner })
  await edit(
    'both fields join',
    writer,
    a,
    { assignee: owner, assignees: [writer] },
    { ignore: ['assignee'], unordered: true },
  )
  await edit(
    'the same assignees again',
    writer,
    a,
    { assignees: [owner, writer] },
    { ignore: ['assignee'], unordered: true },
  )
  await edit('no assignees', writer, a, { assignees: [] })
  await edit('an assignee', writer, a, { assignees: [owner] })
  await edit('the old field empty clears', writer, a, { assignee: '' })
  await edit('a stranger of a public repository is assigned', writer, a, { assignees: [stranger] })
  await edit(
    'an assignee nobody knows',
    writer,
    await issue('unknown assignee'),
    { assignees: ['issue-edit-nobody'] },
    { decision: 'D13', status: 422 },
  )
  await edit(
    'an organization as assignee',
    writer,
    await issue('organization assignee'),
    { assignees: ['issue-edit-org'] },
    { decision: 'D13', status: 422 },
  )
  const secret = await issue('in the vault', owner, vault)
  await edit(
    'an assignee who cannot see the repository',
    owner,
    secret,
    { assignees: [stranger] },
    { decision: 'D13', status: 422 },
    vault,
  )

  const m = await issue('milestones')
  await edit('a milestone', writer, m, { milestone: first })
  await edit('another milestone', writer, m, { milestone: second })
  await edit('the same milestone again', writer, m, { milestone: second })
  await edit('no milestone', writer, m, { milestone: 0 })
  await edit(
    'an unknown milestone',
    writer,
    await issue('unknown milestone'),
    { milestone: 987654 },
    { decision: 'D13', status: 422 },
  )
  await edit(
    'a milestone of another repository',
    writer,
    await issue('foreign milestone'),
    { milestone: foreign },
    { decision: 'D13', status: 422 },
  )

  const s = await issue('states')
  await edit('the author closes', author, s, { state: 'closed' })
  await edit('closed again', author, s, { state: 'closed' })
  await edit('a writer reopens', writer, s, { state: 'open' })
  await edit('a state that is not known', writer, s, { state: 'done' })
  await edit('an empty state', writer, s, { state: '' })

  const p = await issue('projects')
  await edit('a project of the repository', writer, p, { projects: [board] })
  await edit('and one of the owner', owner, p, { projects: [board, own] })
  await edit('only the other', owner, p, { projects: [own] })
  await edit('no projects', writer, p, { projects: [] })
  await edit('an unknown project', writer, p, { projects: [987654] })
  await edit('a project of another repository', owner, p, { projects: [distant] })
  await t.call('the projects in the timeline', owner, 'GET', `${repo}/issues/${p}/timeline`)

  const all = await issue('all together')
  await edit('all fields together', writer, all, {
    title: 'all',
    body: 'text',
    ref: 'main',
    assignees: [writer],
    milestone: first,
    state: 'closed',
    due_date: '2031-05-06T10:00:00Z',
    projects: [board],
    content_version: 0,
  })
  await t.call('all fields in the timeline', owner, 'GET', `${repo}/issues/${all}/timeline`)
  const none = await issue('none together')
  await edit(
    'one wrong field',
    writer,
    none,
    { title: 'none', body: 'text', milestone: 987654 },
    { decision: 'D14', status: 422 },
  )
  await edit(
    'then nothing was changed',
    writer,
    none,
    { title: 'still', content_version: 0 },
    { decision: 'D14', status: 201 },
  )

  await t.stage(owner, 'PUT', `${repo}/issues/${n}/lock`, { lock_reason: 'Resolved' })
  await edit('the author edits a locked issue', author, n, { title: 'locked' })
  await edit('a stranger does not see the hidden repository', stranger, secret, { title: 'x' }, {}, vault)
  await edit('nobody does not see the hidden repository', null, secret, { title: 'x' }, {}, vault)
  await edit('a reader of the hidden repository', reader, secret, { title: 'x' }, {}, vault)
  await edit('a writer of the hidden repository', writer, secret, { title: 'seen' }, {}, vault)

  const token = async (name: string, scopes: string[]) =>
    `token ${(await t.stage(writer, 'POST', `/users/${writer}/tokens`, { name, scopes })).body.sha1}`
  const withToken = (step: string, authorization: string) =>
    t.call(step, writer, 'PATCH', `${repo}/issues/${n}`, {
      body: { title: 'by token' },
      headers: { authorization },
    })
  await withToken('a token that may only read issues', await token('reads', ['read:issue']))
  await withToken(
    'a token that may write repositories, not issues',
    await token('repositories', ['write:repository']),
  )
  await withToken('a token that may write issues', await token('writes', ['write:issue']))
  await withToken('a token that is not known', 'token 0123456789012345678901234567890123456789')

  await t.stage(owner, 'POST', `${repo}/contents/new.md`, {
    content: 'bmV3Cg==',
    new_branch: 'topic',
    branch: 'main',
    message: 'new',
  })
  const pull = (
    await t.stage(owner, 'POST', `${repo}/pulls`, { title: 'a pull', head: 'topic', base: 'main' })
  ).body.number
  await edit('a pull request by the path of issues', writer, pull, {
    title: 'WIP: a pull',
    body: 'text',
    milestone: first,
    assignees: [writer],
  })
  await edit('a pull request closed by the path of issues', writer, pull, { state: 'closed' })

  await t.stage(owner, 'PATCH', repo, { archived: true })
  await edit('an archived repository', writer, n, { title: 'archived' })
  await t.stage(owner, 'PATCH', repo, { archived: false })
  await t.stage(owner, 'PATCH', repo, { has_issues: false })
  await edit('issues switched off, pulls on', writer, n, { title: 'off' })
  await t.stage(owner, 'PATCH', repo, { has_pull_requests: false })
  await edit('issues and pulls switched off', writer, n, { title: 'off' })
}
