/** Issues: created, listed, read, locked, pinned, subscribed to, reacted to, deleted. */
import type { Expectation, Stage } from '../stage.ts'

export async function play(t: Stage): Promise<void> {
  const [owner, writer, author, reader, stranger] = [
    'issues-owner',
    'issues-writer',
    'issues-author',
    'issues-reader',
    'issues-stranger',
  ]
  for (const name of [owner, writer, author, reader, stranger]) await t.person(name)
  for (const [name, hidden] of [
    ['forge', false],
    ['vault', true],
  ] as const)
    await t.stage(owner, 'POST', '/user/repos', {
      name,
      private: hidden,
      auto_init: true,
      default_branch: 'main',
    })
  const repo = `/repos/${owner}/forge`
  const vault = `/repos/${owner}/vault`
  await t.stage(owner, 'PUT', `${repo}/collaborators/${writer}`, { permission: 'write' })
  const call = (
    step: string,
    as: string | null,
    method: string,
    path: string,
    body?: unknown,
    expectation: Expectation = {},
  ) => t.call(step, as, method, path, body === undefined ? {} : { body }, expectation)
  const red = (await t.stage(owner, 'POST', `${repo}/labels`, { name: 'red', color: '#ff0000' })).body.id
  const blue = (await t.stage(owner, 'POST', `${repo}/labels`, { name: 'blue', color: '#0000ff' })).body.id
  const one = (await t.stage(owner, 'POST', `${repo}/milestones`, { title: 'one' })).body.id

  const create = (
    step: string,
    as: string | null,
    body: unknown,
    where = repo,
    expectation: Expectation = {},
  ) => call(step, as, 'POST', `${where}/issues`, body, expectation)
  await create('nobody may not create', null, { title: 'x' })
  await create('a stranger does not see the hidden repository', stranger, { title: 'x' }, vault)
  await create('no title', owner, { body: 'x' })
  await create('an empty title', owner, { title: '' })
  await create('a label that is a text', owner, { title: 'x', labels: ['red'] })
  await create('an assignee nobody knows', owner, { title: 'unknown assignee', assignees: ['issues-none'] })
  await create('an unknown milestone is dropped', owner, { title: 'unknown milestone', milestone: 987654 })
  await create('only a title', author, { title: 'only a title' })
  await create('who cannot write sets no labels, silently', author, {
    title: 'all by the author',
    body: 'text',
    labels: [red],
    milestone: one,
    assignees: [writer],
    due_date: '2031-05-06T00:00:00Z',
  })
  await create('all fields', writer, {
    title: 'all fields',
    body: 'text',
    ref: 'main',
    labels: [red, blue],
    milestone: one,
    assignees: [writer],
    due_date: '2031-05-06T00:00:00Z',
    closed: false,
  })
  await create('closed at once', writer, { title: 'closed', closed: true })
  await create('a title of 300 letters', writer, { title: 'x'.repeat(300) })
  const numbers = (await t.stage(owner, 'GET', `${repo}/issues?state=all`)).body.map(
    (issue: { number: number }) => issue.number,
  )
  const n = numbers.at(-1)

  const list = (step: string, as: string | null, query = '', where = repo) =>
    call(step, as, 'GET', `${where}/issues${query}`)
  await list('issues for nobody', null)
  await list('issues of a hidden repository for a stranger', stranger, '', vault)
  await list('closed issues', null, '?state=closed')
  await list('all issues', null, '?state=all')
  await list('two to a page', null, '?state=all&limit=2')
  await list('last page', null, '?state=all&limit=2&page=3')
  await list('by label', null, '?labels=red')
  await list('by two labels, both', null, '?labels=red,blue')
  await list('by an unknown label', null, '?labels=none')
  await list('by milestone name', null, '?milestones=one')
  await list('by milestone id', null, `?milestones=${one}`)
  await list('by an unknown milestone', null, '?milestones=none')
  await list('by a word', null, '?q=fields')
  await list('only issues', null, '?type=issues')
  await list('only pull requests', null, '?type=pulls')
  await list('by who created', null, `?created_by=${author}`)
  await list('by an unknown creator', null, '?created_by=issues-none')
  await list('by who is assigned', null, `?assigned_by=${writer}`)
  await list('by who is mentioned', null, `?mentioned_by=${reader}`)
  await list('since the far future', null, '?since=2099-01-01T00:00:00Z')
  await list('before the far future', null, '?before=2099-01-01T00:00:00Z')
  await list('since a word', null, '?since=x')
  await call('one issue', null, 'GET', `${repo}/issues/${n}`)
  await call('no such issue', null, 'GET', `${repo}/issues/9999`)
  await call('a word instead of a number', null, 'GET', `${repo}/issues/abc`)

  const at = (what: string, number = n) => `${repo}/issues/${number}${what}`
  await call('a reader may not lock', author, 'PUT', at('/lock'), { lock_reason: 'Spam' })
  await call('a writer may not lock', writer, 'PUT', at('/lock'), { lock_reason: 'Spam' })
  await call('the owner locks', owner, 'PUT', at('/lock'), { lock_reason: 'Spam' })
  await call('locked twice', owner, 'PUT', at('/lock'), {})
  await call('a locked issue', null, 'GET', at(''))
  await call('the owner unlocks', owner, 'DELETE', at('/lock'))
  await call('no such issue to lock', owner, 'PUT', at('/lock', 9999), {})
  await call('the locks in the timeline', null, 'GET', at('/timeline'))

  await call('a writer may not pin', writer, 'POST', at('/pin'))
  await call('the owner pins', owner, 'POST', at('/pin'))
  await call('a second is pinned', owner, 'POST', at('/pin', n + 1))
  await call('pinned issues', null, 'GET', `${repo}/issues/pinned`)
  await call('the second is moved to the front', owner, 'PATCH', at('/pin/1', n + 1))
  await call('pinned issues after the move', null, 'GET', `${repo}/issues/pinned`)
  await call('may more be pinned', null, 'GET', `${repo}/new_pin_allowed`)
  await call('no such issue to pin', owner, 'POST', at('/pin', 9999))
  await call('the owner unpins', owner, 'DELETE', at('/pin'))

  await call('nobody may not subscribe', null, 'PUT', at(`/subscriptions/${reader}`))
  await call('a reader subscribes', reader, 'PUT', at(`/subscriptions/${reader}`))
  await call('a reader subscribes twice', reader, 'PUT', at(`/subscriptions/${reader}`))
  await call('another may not be subscribed', reader, 'PUT', at(`/subscriptions/${stranger}`))
  await call('the administrator subscribes another', 'admin', 'PUT', at(`/subscriptions/${stranger}`))
  await call('who subscribed', null, 'GET', at('/subscriptions'), undefined, { unordered: true })
  await call('does the reader subscribe', reader, 'GET', at('/subscriptions/check'))
  await call('does the writer subscribe', writer, 'GET', at('/subscriptions/check'))
  await call('a reader does not subscribe any more', reader, 'DELETE', at(`/subscriptions/${reader}`))
  await call('a reader unsubscribes twice', reader, 'DELETE', at(`/subscriptions/${reader}`))

  await call('nobody may not react', null, 'POST', at('/reactions'), { content: '+1' })
  await call('a reaction', reader, 'POST', at('/reactions'), { content: '+1' })
  await call('the same reaction again', reader, 'POST', at('/reactions'), { content: '+1' })
  await call('another reaction', reader, 'POST', at('/reactions'), { content: 'heart' })
  await call('a reaction that is not known', reader, 'POST', at('/reactions'), { content: 'anvil' })
  await call('reactions', null, 'GET', at('/reactions'))
  await call('reactions one to a page', null, 'GET', at('/reactions?limit=1&page=2'))
  await call('a reaction is taken back', reader, 'DELETE', at('/reactions'), { content: '+1' })
  await call('a reaction is taken back twice', reader, 'DELETE', at('/reactions'), { content: '+1' })
  const comment = (await t.stage(author, 'POST', at('/comments'), { body: 'text' })).body.id
  await call('a reaction to a comment', reader, 'POST', `${repo}/issues/comments/${comment}/reactions`, {
    content: 'eyes',
  })
  await call('reactions to a comment', null, 'GET', `${repo}/issues/comments/${comment}/reactions`)
  await call(
    'a reaction to a comment is taken back',
    reader,
    'DELETE',
    `${repo}/issues/comments/${comment}/reactions`,
    { content: 'eyes' },
  )
  await call('a reaction to no comment', reader, 'POST', `${repo}/issues/comments/987654/reactions`, {
    content: 'eyes',
  })

  await call('a reader may not set a deadline', author, 'POST', at('/deadline'), {
    due_date: '2031-05-06T00:00:00Z',
  })
  await call('a deadline', writer, 'POST', at('/deadline'), { due_date: '2031-05-06T00:00:00Z' })
  await call('no deadline', writer, 'POST', at('/deadline'), { due_date: null })
  await call(
    'assignees are added',
    writer,
    'POST',
    at('/assignees'),
    { assignees: [writer, reader] },
    { unordered: true, ignore: ['assignee'] },
  )
  await call('an assignee who is not known', writer, 'POST', at('/assignees'), { assignees: ['issues-none'] })
  await call('an author may not add assignees', author, 'POST', at('/assignees'), { assignees: [author] })
  await call('can one be assigned who is', null, 'GET', at(`/assignees/${reader}`))
  await call('can one be assigned who is not', null, 'GET', at(`/assignees/${stranger}`))
  await call('can one be assigned whom nobody knows', null, 'GET', at('/assignees/issues-none'))
  await call('an assignee is removed', writer, 'DELETE', at('/assignees'), { assignees: [reader] })
  await call('who can be assigned, for nobody', null, 'GET', `${repo}/assignees`)
  await call('who can be assigned', reader, 'GET', `${repo}/assignees`, undefined, { unordered: true })

  await call('nobody may not delete', null, 'DELETE', at(''))
  await call('a reader may not delete', reader, 'DELETE', at(''))
  await call('a writer may not delete', writer, 'DELETE', at(''))
  await call('the owner deletes', owner, 'DELETE', at(''))
  await call('the owner deletes twice', owner, 'DELETE', at(''))
  await call('templates', null, 'GET', `${repo}/issue_templates`)
  await call('configuration of issues', null, 'GET', `${repo}/issue_config`)
  await t.stage(owner, 'PATCH', repo, { archived: true })
  await create('an archived repository: create', owner, { title: 'x' })
  await call('an archived repository: read', null, 'GET', at('', n + 1))
  await t.stage(owner, 'PATCH', repo, { archived: false })
  await t.stage(owner, 'PATCH', repo, { has_issues: false })
  await list('issues switched off: list', null)
}
