/** Comments on issues and pull requests, and the timeline. */
import type { Expectation, Stage } from '../stage.ts'

export async function play(t: Stage): Promise<void> {
  const [owner, writer, author, reader, stranger] = [
    'issue-comments-owner',
    'issue-comments-writer',
    'issue-comments-author',
    'issue-comments-reader',
    'issue-comments-stranger',
  ]
  for (const name of [owner, writer, author, reader, stranger]) await t.person(name)
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
  }
  const repo = `/repos/${owner}/forge`
  const vault = `/repos/${owner}/vault`
  const n = (await t.stage(author, 'POST', `${repo}/issues`, { title: 'talk' })).body.number
  const other = (await t.stage(owner, 'POST', `${repo}/issues`, { title: 'other talk' })).body.number
  await t.stage(owner, 'POST', `${vault}/issues`, { title: 'hidden talk' })
  await t.stage(owner, 'POST', `${repo}/contents/new.md`, {
    content: 'bmV3Cg==',
    new_branch: 'topic',
    branch: 'main',
    message: 'new',
  })
  const pull = (
    await t.stage(owner, 'POST', `${repo}/pulls`, { title: 'a pull', head: 'topic', base: 'main' })
  ).body.number
  const comments = (number: number, where = repo) => `${where}/issues/${number}/comments`
  const say = (
    step: string,
    as: string | null,
    body: unknown,
    path = comments(n),
    expectation: Expectation = {},
  ) => t.call(step, as, 'POST', path, { body }, expectation)

  await say('nobody may not comment', null, { body: 'x' })
  await say('no such issue', owner, { body: 'x' }, comments(9999), { decision: 'D13', status: 404 })
  await say('no such repository', owner, { body: 'x' }, comments(1, `/repos/${owner}/none`))
  await say('a stranger does not see the hidden repository', stranger, { body: 'x' }, comments(1, vault))
  await say('no text', owner, {})
  await say('an empty text', owner, { body: '' })
  await say('a number as text', owner, { body: 7 })
  await t.call('no body', owner, 'POST', comments(n))
  await t.call('comments when there are none', null, 'GET', comments(n))
  await say('blanks are a text', author, { body: '   ' })
  const first = await say('anybody who reads may comment', stranger, { body: 'a *first* comment' })
  const second = await say('a writer comments', writer, { body: `see #${other} and @${reader}` })
  await t.call('a comment as a form', author, 'POST', comments(n), {
    raw: { type: 'application/x-www-form-urlencoded', data: 'body=from+a+form' },
  })
  const onPull = await say('a comment on a pull request', reader, { body: 'on a pull' }, comments(pull))
  await say('a comment in the hidden repository', writer, { body: 'hidden' }, comments(1, vault))

  await t.call('comments of the issue', null, 'GET', comments(n))
  await t.call('comments of the pull request', null, 'GET', comments(pull))
  await t.call('comments since the far future', null, 'GET', `${comments(n)}?since=2099-01-01T00:00:00Z`)
  await t.call('comments before the far past', null, 'GET', `${comments(n)}?before=1999-01-01T00:00:00Z`)
  await t.call(
    'comments between',
    null,
    'GET',
    `${comments(n)}?since=1999-01-01T00:00:00Z&before=2099-01-01T00:00:00Z`,
  )
  await t.call('comments since a word', null, 'GET', `${comments(n)}?since=yesterday`)
  await t.call('comments before a word', null, 'GET', `${comments(n)}?before=yesterday`)
  await t.call('limit is not heard', null, 'GET', `${comments(n)}?limit=1`)
  await t.call(
    'comments of a missing issue',
    owner,
    'GET',
    comments(9999),
    {},
    { decision: 'D13', status: 404 },
  )
  await t.call('comments in the hidden repository for a stranger', stranger, 'GET', comments(1, vault))
  await t.call('comments of the repository', null, 'GET', `${repo}/issues/comments`)
  await t.call('comments of the repository, two to a page', null, 'GET', `${repo}/issues/comments?limit=2`)
  await t.call('comments of the repository, last page', null, 'GET', `${repo}/issues/comments?limit=2&page=3`)
  await t.call(
    'comments of the repository since the far future',
    null,
    'GET',
    `${repo}/issues/comments?since=2099-01-01T00:00:00Z`,
  )
  await t.call(
    'comments of the repository before the far future',
    null,
    'GET',
    `${repo}/issues/comments?before=2099-01-01T00:00:00Z`,
  )
  await t.call('comments of the repository before a word', null, 'GET', `${repo}/issues/comments?before=x`)

  const one = (id: number, where = repo) => `${where}/issues/comments/${id}`
  await t.call('one comment', null, 'GET', one(first.body.id))
  await t.call('one comment of a pull request', null, 'GET', one(onPull.body.id))
  await t.call('a comment that is not there', null, 'GET', one(987654))
  await t.call('a comment by the path of another repository', owner, 'GET', one(first.body.id, vault))

  const edit = (
    step: string,
    as: string | null,
    id: number,
    body: unknown,
    where = repo,
    expectation: Expectation = {},
  ) => t.call(step, as, 'PATCH', one(id, where), { body }, expectation)
  await edit('nobody may not edit', null, first.body.id, { body: 'x' })
  await edit('another reader may not edit', reader, first.body.id, { body: 'x' })
  await edit('the author of the issue may not edit', author, first.body.id, { body: 'x' })
  await edit('no text to edit', stranger, first.body.id, {})
  await edit('who wrote it edits it', stranger, first.body.id, { body: 'edited' })
  await edit('a writer edits it', writer, first.body.id, { body: 'edited by a writer' })
  // The reference omits the user when nothing changes.
  await edit('the same text again', writer, first.body.id, { body: 'edited by a writer' }, repo, {
    ignore: ['user'],
  })
  await edit('edit a comment that is not there', writer, 987654, { body: 'x' })
  await edit('edit by the path of another repository', owner, first.body.id, { body: 'x' }, vault)
  await t.call('edit by the older path', stranger, 'PATCH', `${comments(n)}/${first.body.id}`, {
    body: { body: 'by the older path' },
  })

  await t.stage(owner, 'PATCH', `${repo}/issues/${n}`, { title: 'talk more', state: 'closed' })
  await say('a comment on a closed issue', reader, { body: 'after all' })
  await t.call('the timeline', null, 'GET', `${repo}/issues/${n}/timeline`)
  await t.call('the timeline, two to a page', null, 'GET', `${repo}/issues/${n}/timeline?limit=2`)
  await t.call('the timeline, second page', null, 'GET', `${repo}/issues/${n}/timeline?limit=2&page=2`)
  await t.call(
    'the timeline since the far future',
    null,
    'GET',
    `${repo}/issues/${n}/timeline?since=2099-01-01T00:00:00Z`,
  )
  await t.call('the timeline before a word', null, 'GET', `${repo}/issues/${n}/timeline?before=x`)
  await t.call('the timeline of the issue that was named', null, 'GET', `${repo}/issues/${other}/timeline`)
  await t.call(
    'the timeline of a missing issue',
    owner,
    'GET',
    `${repo}/issues/9999/timeline`,
    {},
    { decision: 'D13', status: 404 },
  )
  const closing = (await t.stage(owner, 'GET', `${repo}/issues/${n}/timeline`)).body.find(
    (entry: { type: string }) => entry.type === 'close',
  )
  await t.call('an entry that is no comment', owner, 'GET', one(closing.id))
  await edit('an entry that is no comment is edited', owner, closing.id, { body: 'x' })
  await t.call('an entry that is no comment is deleted', owner, 'DELETE', one(closing.id))

  await t.call('nobody may not delete', null, 'DELETE', one(first.body.id))
  await t.call('another reader may not delete', reader, 'DELETE', one(first.body.id))
  await t.call('who wrote it deletes it', stranger, 'DELETE', one(first.body.id))
  await t.call('deleted twice', stranger, 'DELETE', one(first.body.id))
  await t.call(
    'a writer deletes what he wrote, by the older path',
    writer,
    'DELETE',
    `${comments(n)}/${second.body.id}`,
  )
  await t.call('the owner deletes what another wrote', owner, 'DELETE', one(onPull.body.id))
  await t.call('the number of comments after that', null, 'GET', `${repo}/issues/${n}`)

  await t.stage(owner, 'PUT', `${repo}/issues/${n}/lock`, { lock_reason: 'Too heated' })
  await say('a locked issue: a reader', reader, { body: 'x' })
  await say('a locked issue: its author', author, { body: 'x' })
  await say('a locked issue: a writer', writer, { body: 'still' })
  await say('a locked issue: an administrator', 'admin', { body: 'still' })
  await t.stage(owner, 'DELETE', `${repo}/issues/${n}/lock`)
  await t.stage(owner, 'PUT', `/user/blocks/${stranger}`)
  await say('one whom the owner blocked', stranger, { body: 'x' })

  const token = async (name: string, scopes: string[]) =>
    `token ${(await t.stage(writer, 'POST', `/users/${writer}/tokens`, { name, scopes })).body.sha1}`
  await t.call('a token that may only read issues', writer, 'POST', comments(n), {
    body: { body: 'x' },
    headers: { authorization: await token('reads', ['read:issue']) },
  })
  await t.call('a token that may write issues', writer, 'POST', comments(n), {
    body: { body: 'by token' },
    headers: { authorization: await token('writes', ['write:issue']) },
  })
  await t.call(
    'a token for public things only, in the hidden repository',
    writer,
    'POST',
    comments(1, vault),
    {
      body: { body: 'x' },
      headers: { authorization: await token('public', ['write:issue', 'public-only']) },
    },
  )

  const last = (await t.stage(writer, 'POST', comments(n), { body: 'last' })).body.id
  await t.stage(owner, 'PATCH', repo, { archived: true })
  await say('an archived repository', writer, { body: 'x' })
  await edit('an archived repository: edit', writer, last, { body: 'x' })
  await t.call('an archived repository: comments', null, 'GET', one(last))
  await t.call('an archived repository: delete', writer, 'DELETE', one(last))
}
