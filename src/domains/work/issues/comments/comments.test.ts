/** Comments and the timeline over HTTP, on a real database. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { assertIndexed, type Forge, insertMany, startForge } from '#testing'
import { selectCommentsOf, selectEntries } from '../timeline/store.ts'

let forge: Forge
before(async () => {
  forge = await startForge()
  for (const login of ['ann', 'wes', 'eve', 'sam']) await forge.person(login)
  for (const name of ['one', 'few']) {
    await forge.call('ann', 'POST', '/user/repos', { name })
    await forge.call('eve', 'POST', `/repos/ann/${name}/issues`, { title: 'talk' })
  }
  await forge.call('ann', 'PUT', '/repos/ann/one/collaborators/wes', { permission: 'write' })
})
after(() => forge[Symbol.asyncDispose]())

const ROOT = '/repos/ann/one/issues'
const say = (as: string | null, body: string, at = 1) =>
  forge.call(as, 'POST', `${ROOT}/${at}/comments`, { body })
const one = (id: number) => `${ROOT}/comments/${id}`
const kinds = async (number = 1): Promise<string[]> =>
  (await forge.call(null, 'GET', `${ROOT}/${number}/timeline`)).body.map(({ type }: { type: string }) => type)
const open = async (): Promise<number> =>
  (await forge.call('eve', 'POST', ROOT, { title: 'work' })).body.number

test('any reader may comment, and the issue counts the comment', async () => {
  const n = await open()
  assert.equal((await say(null, 'x', n)).status, 401)
  assert.equal((await say('sam', '', n)).status, 422)
  assert.equal((await say('sam', 'x', 9999)).status, 404)
  const { status, body } = await say('sam', 'hello', n)
  assert.deepEqual([status, body.body, body.user.login], [201, 'hello', 'sam'])
  assert.equal(body.html_url, `http://forge.test/ann/one/issues/${n}#issuecomment-${body.id}`)
  assert.equal((await forge.call(null, 'GET', `${ROOT}/${n}`)).body.comments, 1)
  assert.equal((await forge.call('sam', 'DELETE', one(body.id))).status, 204)
  assert.equal((await forge.call(null, 'GET', `${ROOT}/${n}`)).body.comments, 0)
})

test('a comment is edited and deleted by its author and by writers', async () => {
  const { id } = (await say('sam', 'first')).body
  for (const [as, status] of [
    [null, 401],
    ['eve', 403],
    ['sam', 200],
    ['wes', 200],
  ] as const)
    assert.equal((await forge.call(as, 'PATCH', one(id), { body: `by ${as}` })).status, status)
  const elsewhere = `/repos/ann/few/issues/comments/${id}`
  assert.equal((await forge.call('ann', 'PATCH', elsewhere, { body: 'x' })).status, 404)
  assert.equal((await forge.call('ann', 'GET', elsewhere)).status, 404)
  assert.equal((await forge.call('eve', 'DELETE', one(id))).status, 403)
  assert.equal((await forge.call('wes', 'DELETE', one(id))).status, 204)
  assert.equal((await forge.call('wes', 'DELETE', one(id))).status, 404)
})

test('concurrent comments are all inserted and counted', async () => {
  const n = await open()
  await Promise.all(Array.from({ length: 20 }, (_, i) => say('sam', `${i}`, n)))
  assert.equal((await forge.call(null, 'GET', `${ROOT}/${n}/comments`)).body.length, 20)
  assert.equal((await forge.call(null, 'GET', `${ROOT}/${n}`)).body.comments, 20)
})

test('every change has a timeline entry, in order, and a no-op has none', async () => {
  const n = await open()
  const due_date = '2031-05-06T00:00:00Z'
  await forge.call('wes', 'PATCH', `${ROOT}/${n}`, {
    title: 'other',
    ref: 'refs/heads/main',
    due_date,
    assignees: ['wes'],
    state: 'closed',
  })
  await forge.call('wes', 'PATCH', `${ROOT}/${n}`, { title: 'other', due_date, state: 'closed' })
  await forge.call('wes', 'PATCH', `${ROOT}/${n}`, { state: 'open', assignees: [], unset_due_date: true })
  const { body } = await forge.call(null, 'GET', `${ROOT}/${n}/timeline`)
  assert.deepEqual(
    body.map(({ type }: { type: string }) => type),
    [
      ...['change_title', 'change_issue_ref', 'added_deadline', 'assignees', 'close'],
      ...['removed_deadline', 'assignees', 'reopen'],
    ],
  )
  assert.deepEqual([body[0].old_title, body[0].new_title, body[1].new_ref], ['work', 'other', 'main'])
  assert.deepEqual(
    [body[3].assignee.login, body[3].removed_assignee, body[6].removed_assignee],
    ['wes', false, true],
  )
})

test('a timeline entry that is no comment is not shown as one, and can be neither edited nor deleted', async () => {
  const n = await open()
  await forge.call('wes', 'PATCH', `${ROOT}/${n}`, { state: 'closed' })
  const [{ id }] = (await forge.call(null, 'GET', `${ROOT}/${n}/timeline`)).body
  assert.equal((await forge.call('wes', 'GET', one(id))).status, 204)
  assert.equal((await forge.call('wes', 'PATCH', one(id), { body: 'x' })).status, 204)
  assert.equal((await forge.call('wes', 'DELETE', one(id))).status, 400)
  assert.deepEqual(await kinds(n), ['close'])
})

test('comments are refused on a locked issue, in an archived repository, and from a blocked user', async () => {
  const n = await open()
  await forge.db.updateTable('issue').set({ is_locked: true }).where('number', '=', n).execute()
  assert.equal((await say('eve', 'x', n)).status, 403)
  assert.equal((await say('wes', 'x', n)).status, 201)
  await forge.person('pat')
  await forge.call('eve', 'PUT', '/user/blocks/pat')
  // pat wrote the issue.
  assert.equal((await say('pat', 'x', 1)).status, 403)
  const { id } = (await say('sam', 'last')).body
  await forge.call('ann', 'PATCH', '/repos/ann/one', { archived: true })
  assert.equal((await say('wes', 'x')).status, 423)
  assert.equal((await forge.call('sam', 'PATCH', one(id), { body: 'x' })).status, 423)
  await forge.call('ann', 'PATCH', '/repos/ann/one', { archived: false })
})

test('the total of a repository leaves out what is hidden, and reads no issue for each comment', async () => {
  const n = await open()
  await say('wes', 'seen', n)
  const list = '/repos/ann/one/issues/comments?limit=1'
  const total = async () => Number((await forge.call(null, 'GET', list)).headers.get('x-total-count'))
  const before = await total()
  await forge.db.updateTable('issue').set({ is_hidden: true }).where('number', '=', n).execute()
  assert.equal(await total(), before - 1)
  const statements = await forge.listQueries(total)
  const counts = statements.filter((text) => text.includes('as "page_total" from "issue_comment"'))
  assert.equal(counts.length, 1)
  assert.doesNotMatch(counts[0] ?? '', /count\(\*\) as "total" from "issue_comment" inner join/)
})

test('lists need the same few queries however long, by index among 100,000 entries', async () => {
  await forge.call('sam', 'POST', '/repos/ann/few/issues/1/comments', { body: 'single' })
  for (const list of ['issues/1/comments', 'issues/comments', 'issues/1/timeline']) {
    const cost = (name: string) =>
      forge.countQueries(() => forge.call(null, 'GET', `/repos/ann/${name}/${list}`))
    assert.equal(await cost('few'), await cost('one'), list)
  }
  const { id, repository_id } = await forge.db
    .selectFrom('issue')
    .select(['id', 'repository_id'])
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow()
  await insertMany(
    forge.db,
    sql`insert into issue_comment (issue_id, repository_id, kind, body, created_at, updated_at)
    select ${id}, ${repository_id}, case i % 2 when 0 then 'comment' else 'label' end, 'text', now(), now()
    from generate_series(1, 100000) as i`,
  )
  await sql`analyze issue_comment`.execute(forge.db)
  const span = { since: null, before: null }
  await assertIndexed(forge.db, selectEntries(forge.db, id, span).limit(30), 'issue_comment')
  await assertIndexed(
    forge.db,
    selectCommentsOf(forge.ctx, repository_id, null, span).limit(30),
    'issue_comment',
  )
})
