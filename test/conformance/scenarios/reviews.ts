/** Reviews of pull requests and the comments in them. */
import type { Expectation, Stage } from '../stage.ts'

const base64 = (text: string) => Buffer.from(text).toString('base64')

export async function play(t: Stage): Promise<void> {
  const [owner, writer, author, reader, stranger] = [
    'reviews-owner',
    'reviews-writer',
    'reviews-author',
    'reviews-reader',
    'reviews-stranger',
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
  await t.stage(owner, 'PUT', `${repo}/collaborators/${writer}`, { permission: 'write' })
  await t.stage(owner, 'PUT', `${repo}/collaborators/${author}`, { permission: 'write' })
  const call = (
    step: string,
    as: string | null,
    method: string,
    path: string,
    body?: unknown,
    expectation: Expectation = {},
  ) => t.call(step, as, method, path, body === undefined ? {} : { body }, expectation)
  await t.stage(author, 'POST', `${repo}/contents/new.md`, {
    content: base64('one\ntwo\nthree\n'),
    branch: 'main',
    new_branch: 'topic',
    message: 'new',
  })
  const n = (await t.stage(author, 'POST', `${repo}/pulls`, { title: 'a pull', head: 'topic', base: 'main' }))
    .body.number
  await t.until(owner, `${repo}/pulls/${n}`, (answer) => answer.body.mergeable === true)
  const path = `${repo}/pulls/${n}/reviews`
  const review = (step: string, as: string | null, body: unknown, where = path) =>
    call(step, as, 'POST', where, body)

  await call('no reviews', null, 'GET', path)
  await review('nobody may not review', null, { event: 'APPROVED' })
  await review('no such pull request', writer, { event: 'APPROVED' }, `${repo}/pulls/9999/reviews`)
  await review(
    'a stranger does not see the hidden repository',
    stranger,
    { event: 'APPROVED' },
    `/repos/${owner}/vault/pulls/1/reviews`,
  )
  await review('the author may not approve', author, { event: 'APPROVED', body: 'good' })
  await review('the author may not ask for changes', author, { event: 'REQUEST_CHANGES', body: 'bad' })
  await review('a comment without a text', writer, { event: 'COMMENT' })
  await review('changes without a text', writer, { event: 'REQUEST_CHANGES' })
  await review('nothing at all', writer, {})
  await review('a comment', reader, { event: 'COMMENT', body: 'a remark' })
  await review('a comment of the author', author, { event: 'COMMENT', body: 'an answer' })
  await review('approved without a text', reader, { event: 'APPROVED' })
  const good = (await review('approved by a writer', writer, { event: 'APPROVED', body: 'good' })).body.id
  const bad = (await review('changes are asked for', writer, { event: 'REQUEST_CHANGES', body: 'bad' })).body
    .id
  const head = (await t.stage(owner, 'GET', `${repo}/pulls/${n}`)).body.head.sha
  const lines = (
    await review('with comments on lines', owner, {
      event: 'COMMENT',
      body: 'on lines',
      commit_id: head,
      comments: [
        { path: 'new.md', body: 'on the second line', new_position: 2, old_position: 0 },
        { path: 'new.md', body: 'on the third', new_position: 3 },
      ],
    })
  ).body.id
  await review('a comment on a file that is not there', owner, {
    event: 'COMMENT',
    body: 'x',
    comments: [{ path: 'none.md', body: 'x', new_position: 1 }],
  })
  const pending = (
    await review('not sent yet', stranger, {
      event: 'PENDING',
      body: 'wait',
      comments: [{ path: 'new.md', body: 'pending on a line', new_position: 1 }],
    })
  ).body.id

  await call('reviews for nobody', null, 'GET', path)
  await call('reviews for the one whose review waits', stranger, 'GET', path)
  await call('reviews two to a page', null, 'GET', `${path}?limit=2`)
  await call('reviews, second page', null, 'GET', `${path}?limit=2&page=2`)
  await call('reviews of no pull request', null, 'GET', `${repo}/pulls/9999/reviews`)
  await call('one review', null, 'GET', `${path}/${good}`)
  await call('no such review', null, 'GET', `${path}/987654`)
  await call('a waiting review for another', writer, 'GET', `${path}/${pending}`)
  await call('a waiting review for its author', stranger, 'GET', `${path}/${pending}`)
  await call('comments of a review', null, 'GET', `${path}/${lines}/comments`, undefined, { unordered: true })
  await call('comments of a review without any', null, 'GET', `${path}/${good}/comments`)
  await call('comments of no review', null, 'GET', `${path}/987654/comments`)

  const send = (step: string, as: string | null, id: number, body: unknown) =>
    call(step, as, 'POST', `${path}/${id}`, body)
  await send('another may not send it', writer, pending, { event: 'APPROVED', body: 'x' })
  await send('sent without a decision', stranger, pending, { event: 'PENDING' })
  await send('sent', stranger, pending, { event: 'APPROVED', body: 'now' })
  await send('sent twice', stranger, pending, { event: 'APPROVED', body: 'x' })
  await send('no such review to send', stranger, 987654, { event: 'APPROVED' })

  const dismiss = (step: string, as: string | null, id: number, what: string, body?: unknown) =>
    call(step, as, 'POST', `${path}/${id}/${what}`, body)
  await dismiss('nobody may not dismiss', null, bad, 'dismissals', { message: 'x' })
  await dismiss('a writer may not dismiss', writer, bad, 'dismissals', { message: 'x' })
  await dismiss('the owner dismisses', owner, bad, 'dismissals', { message: 'not so bad' })
  await dismiss('dismissed twice', owner, bad, 'dismissals', { message: 'not so bad' })
  await dismiss('a comment is not dismissed', owner, lines, 'dismissals', { message: 'x' })
  await dismiss('no such review to dismiss', owner, 987654, 'dismissals', { message: 'x' })
  await dismiss('a writer may not take that back', writer, bad, 'undismissals')
  await dismiss('the owner takes that back', owner, bad, 'undismissals')
  await dismiss('with all earlier ones', owner, bad, 'dismissals', { message: 'all', priors: true })
  await call('reviews after that', null, 'GET', path)

  const comments = (await t.stage(owner, 'GET', `${path}/${lines}/comments`)).body
    .sort((a: { position: number }, b: { position: number }) => a.position - b.position)
    .map((comment: { id: number }) => comment.id)
  await call('a reader may not resolve', stranger, 'POST', `${repo}/pulls/comments/${comments[0]}/resolve`)
  await call('the author resolves', author, 'POST', `${repo}/pulls/comments/${comments[0]}/resolve`)
  await call('resolved', null, 'GET', `${path}/${lines}/comments`, undefined, { unordered: true })
  await call('not resolved any more', author, 'POST', `${repo}/pulls/comments/${comments[0]}/unresolve`)
  await call('no such comment to resolve', author, 'POST', `${repo}/pulls/comments/987654/resolve`)
  await call('an answer to a comment', author, 'POST', `${repo}/pulls/${n}/comments/${comments[1]}/replies`, {
    body: 'an answer',
  })
  await call('an empty answer', author, 'POST', `${repo}/pulls/${n}/comments/${comments[1]}/replies`, {
    body: '',
  })
  await call('an answer to no comment', author, 'POST', `${repo}/pulls/${n}/comments/987654/replies`, {
    body: 'x',
  })
  await call('reviews in the timeline', null, 'GET', `${repo}/issues/${n}/timeline`)
  await call('the pull request with its reviews', null, 'GET', `${repo}/pulls/${n}`, undefined, {
    unordered: true,
  })

  await call('another may not delete a review', writer, 'DELETE', `${path}/${lines}`)
  await call('nobody may not delete a review', null, 'DELETE', `${path}/${lines}`)
  await call('who wrote it deletes it', owner, 'DELETE', `${path}/${lines}`)
  await call('deleted twice', owner, 'DELETE', `${path}/${lines}`)
  await t.stage(author, 'POST', `${repo}/contents/more.md`, {
    content: base64('more\n'),
    branch: 'topic',
    message: 'more',
  })
  await t.until(owner, path, (answer) => answer.body.some((one: { stale: boolean }) => one.stale))
  await call('reviews after a push are stale', null, 'GET', path)
  await t.stage(owner, 'PATCH', `${repo}/pulls/${n}`, { state: 'closed' })
  await review('a closed pull request is not approved', writer, { event: 'APPROVED', body: 'x' })
  await review('a closed pull request is commented on', writer, { event: 'COMMENT', body: 'afterwards' })
  await dismiss('a review of a closed pull request is not dismissed', owner, good, 'dismissals', {
    message: 'x',
  })
}
