/** Locks, pins, deadlines, reactions and subscriptions of an issue over HTTP. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { assertIndexed, type Forge, insertMany, startForge } from '#testing'
import { selectSubscribers } from '../subscriptions/store.ts'
import { selectReactions } from './store.ts'

let forge: Forge
before(async () => {
  forge = await startForge()
  for (const login of ['ann', 'wes', 'eve', 'sam']) await forge.person(login)
  await forge.person('boss', { is_admin: true })
  await forge.call('ann', 'POST', '/user/repos', { name: 'one' })
  await forge.call('ann', 'POST', '/user/repos', { name: 'vault', private: true })
  await forge.call('ann', 'POST', '/repos/ann/vault/issues', { title: 'hidden' })
  await forge.call('ann', 'PUT', '/repos/ann/one/collaborators/wes', { permission: 'write' })
})
after(() => forge[Symbol.asyncDispose]())

const ROOT = '/repos/ann/one/issues'
const open = async (): Promise<number> =>
  (await forge.call('eve', 'POST', ROOT, { title: 'work' })).body.number
const kinds = async (number: number): Promise<string[]> =>
  (await forge.call(null, 'GET', `${ROOT}/${number}/timeline`)).body.map(({ type }: { type: string }) => type)

test('only administrators lock and delete issues, and a repeated lock adds no timeline entry', async () => {
  const n = await open()
  for (const [as, status] of [
    [null, 401],
    ['eve', 403],
    ['wes', 403],
    ['ann', 204],
    ['ann', 204],
  ] as const)
    assert.equal((await forge.call(as, 'PUT', `${ROOT}/${n}/lock`, { lock_reason: 'Spam' })).status, status)
  assert.equal((await forge.call('eve', 'POST', `${ROOT}/${n}/comments`, { body: 'x' })).status, 403)
  assert.equal((await forge.call('eve', 'POST', `${ROOT}/${n}/reactions`, { content: '+1' })).status, 403)
  assert.equal((await forge.call('ann', 'DELETE', `${ROOT}/${n}/lock`)).status, 204)
  assert.deepEqual(await kinds(n), ['lock', 'unlock'])
  for (const [as, status] of [
    [null, 401],
    ['eve', 403],
    ['wes', 403],
    ['ann', 204],
    ['ann', 404],
  ] as const)
    assert.equal((await forge.call(as, 'DELETE', `${ROOT}/${n}`)).status, status)
  assert.equal((await forge.call(null, 'GET', `${ROOT}/${n}/timeline`)).status, 404)
})

test('at most three issues are pinned, in an order without gaps, also concurrently', async () => {
  const numbers = await Promise.all(Array.from({ length: 6 }, open))
  const answers = await Promise.all(numbers.map((n) => forge.call('ann', 'POST', `${ROOT}/${n}/pin`)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 204, 204, 400, 400, 400])
  const pinned = async () =>
    (await forge.call(null, 'GET', `${ROOT}/pinned`)).body.map(
      ({ number, pin_order }: { number: number; pin_order: number }) => [number, pin_order],
    )
  const [first, second, third] = (await pinned()).map(([number]: [number]) => number)
  assert.equal((await forge.call('ann', 'POST', `${ROOT}/${first}/pin`)).status, 204)
  assert.equal((await forge.call(null, 'GET', '/repos/ann/one/new_pin_allowed')).body.issues, false)
  assert.equal((await forge.call('wes', 'PATCH', `${ROOT}/${third}/pin/1`)).status, 403)
  assert.equal((await forge.call('ann', 'PATCH', `${ROOT}/${third}/pin/1`)).status, 204)
  assert.deepEqual(await pinned(), [
    [third, 1],
    [first, 2],
    [second, 3],
  ])
  assert.equal((await forge.call('ann', 'DELETE', `${ROOT}/${third}/pin`)).status, 204)
  assert.equal((await forge.call('ann', 'DELETE', `${ROOT}/${first}`)).status, 204)
  assert.deepEqual(await pinned(), [[second, 1]])
  assert.deepEqual(await kinds(third), ['pin', 'unpin'])
})

test('a deadline is the end of the given day', async () => {
  const n = await open()
  const due = (as: string, due_date: string | null) =>
    forge.call(as, 'POST', `${ROOT}/${n}/deadline`, { due_date })
  assert.equal((await due('eve', '2031-05-06T00:00:00Z')).status, 403)
  assert.equal((await due('wes', 'tomorrow')).status, 422)
  assert.equal((await due('wes', '2031-05-06T22:30:00-10:00')).body.due_date, '2031-05-06T23:59:59Z')
  assert.equal((await due('wes', null)).body.due_date, null)
  assert.deepEqual(await kinds(n), ['added_deadline', 'removed_deadline'])
})

test('reactions to issues and comments are unique per user, and can be removed', async () => {
  const n = await open()
  const comment = (await forge.call('sam', 'POST', `${ROOT}/${n}/comments`, { body: 'text' })).body.id
  for (const path of [`${ROOT}/${n}/reactions`, `${ROOT}/comments/${comment}/reactions`]) {
    assert.equal((await forge.call(null, 'POST', path, { content: '+1' })).status, 401)
    assert.equal((await forge.call('sam', 'POST', path, { content: 'anvil' })).status, 403)
    const twice = await Promise.all([1, 2].map(() => forge.call('sam', 'POST', path, { content: '+1' })))
    assert.deepEqual(twice.map(({ status }) => status).sort(), [200, 201])
    const { body } = await forge.call(null, 'GET', path)
    assert.deepEqual(
      body.map((it: { user: { login: string }; content: string }) => [it.user.login, it.content]),
      [['sam', '+1']],
    )
    assert.equal((await forge.call('sam', 'DELETE', path, { content: '+1' })).status, 204)
    assert.deepEqual((await forge.call(null, 'GET', path)).body, [])
  }
  await forge.person('pat')
  await forge.call('ann', 'PUT', '/user/blocks/pat')
  assert.equal((await forge.call('pat', 'POST', `${ROOT}/${n}/reactions`, { content: '+1' })).status, 403)
})

test('users subscribe themselves; watchers, the author and commenters are subscribed by default', async () => {
  const n = await open()
  const at = `${ROOT}/${n}/subscriptions`
  const isSubscribed = async (as: string) => (await forge.call(as, 'GET', `${at}/check`)).body.subscribed
  assert.deepEqual(await Promise.all(['ann', 'eve', 'sam'].map(isSubscribed)), [true, true, false])
  await forge.call('sam', 'POST', `${ROOT}/${n}/comments`, { body: 'text' })
  assert.equal(await isSubscribed('sam'), true)
  assert.equal((await forge.call('sam', 'DELETE', `${at}/sam`)).status, 201)
  assert.equal((await forge.call('sam', 'DELETE', `${at}/sam`)).status, 200)
  assert.equal(await isSubscribed('sam'), false)
  assert.equal((await forge.call('sam', 'PUT', `${at}/eve`)).status, 403)
  assert.equal((await forge.call('boss', 'PUT', `${at}/wes`)).status, 201)
  assert.equal((await forge.call('boss', 'PUT', `${at}/nobody-knows`)).status, 404)
  const hidden = '/repos/ann/vault/issues/1/subscriptions/wes'
  assert.equal((await forge.call('boss', 'PUT', hidden)).status, 404)
  const { body } = await forge.call(null, 'GET', at)
  assert.deepEqual(
    body.map(({ login }: { login: string }) => login),
    ['wes'],
  )
})

test('reactions and subscribers are read by index among 100,000', async () => {
  const issue = await forge.db.selectFrom('issue').select('id').limit(1).executeTakeFirstOrThrow()
  await insertMany(
    forge.db,
    sql`insert into account (kind, login, login_key, email, created_at, updated_at)
    select 'user', 'p' || i, 'p' || i, 'p' || i || '@example.test', now(), now() from generate_series(1, 1000) as i`,
  )
  await insertMany(
    forge.db,
    sql`insert into reaction (issue_id, user_id, content, created_at)
    select ${issue.id}, account.id, 'c' || i, now() from account, generate_series(1, 100) as i`,
  )
  await insertMany(
    forge.db,
    sql`insert into issue (repository_id, number, is_pull, title, body, is_closed, ref, created_at, updated_at)
    select (select id from repository where name = 'one'), 1000 + i, false, '', '', false, '', now(), now()
    from generate_series(1, 100) as i`,
  )
  await insertMany(
    forge.db,
    sql`insert into issue_subscription (issue_id, user_id, is_subscribed, updated_at)
    select issue.id, account.id, true, now() from issue, account on conflict do nothing`,
  )
  await sql`analyze reaction, issue_subscription, issue, account`.execute(forge.db)
  const reactions = selectReactions(forge.db, { issue_id: issue.id, comment_id: null })
  await assertIndexed(forge.db, reactions.limit(30), 'reaction')
  await assertIndexed(
    forge.db,
    selectReactions(forge.db, { issue_id: 1, comment_id: 7 }).limit(30),
    'reaction',
  )
  await assertIndexed(forge.db, selectSubscribers(forge.ctx, issue.id).limit(30), 'issue_subscription')
})
