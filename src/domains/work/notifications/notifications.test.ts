/** Who is notified of what, and read states, over HTTP and with real jobs. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { assertIndexed, type Forge, insertMany, startForge } from '#testing'
import { concernedBy, these } from './receivers.ts'
import { insertNews, selectThreads, selectUnreadOf, type ThreadFilter } from './store.ts'

let forge: Forge
const PEOPLE = ['ann', 'bob', 'cat', 'dan', 'eve', 'fay'] as const
before(async () => {
  forge = await startForge()
  for (const login of PEOPLE) await forge.person(login)
  await forge.person('root', { is_admin: true })
  await forge.call('ann', 'POST', '/user/repos', { name: 'forge' })
  await forge.call('ann', 'DELETE', '/repos/ann/forge/subscription')
})
after(() => forge[Symbol.asyncDispose]())

const ISSUES = '/repos/ann/forge/issues'
async function issue(as: string, facts: object = {}): Promise<number> {
  const { status, body } = await forge.call(as, 'POST', ISSUES, { title: 'work', ...facts })
  assert.equal(status, 201)
  return body.number
}
const say = (as: string, number: number, body = 'a word') =>
  forge.call(as, 'POST', `${ISSUES}/${number}/comments`, { body })
const edit = (as: string, number: number, facts: object) =>
  forge.call(as, 'PATCH', `${ISSUES}/${number}`, facts)

/** Users with unread threads after all jobs ran; marks them read. */
async function told(): Promise<string[]> {
  await forge.runJobs()
  const names: string[] = []
  for (const login of PEOPLE) {
    if ((await forge.call(login, 'GET', '/notifications/new')).body.new > 0) names.push(login)
    await forge.call(login, 'PUT', '/notifications')
  }
  return names
}

test('author, commenters, assignees, subscribers and watchers are notified, never of their own act', async () => {
  const number = await issue('bob')
  assert.deepEqual(await told(), [])
  await say('ann', number)
  assert.deepEqual(await told(), ['bob'])
  await say('bob', number)
  assert.deepEqual(await told(), ['ann'])
  await edit('ann', number, { assignees: ['cat', 'ann'] })
  assert.deepEqual(await told(), ['cat'], 'nobody is told that they assigned themselves')
  await forge.call('dan', 'PUT', `${ISSUES}/${number}/subscriptions/dan`)
  await forge.call('eve', 'PUT', '/repos/ann/forge/subscription')
  await edit('ann', number, { state: 'closed' })
  assert.deepEqual(await told(), ['bob', 'cat', 'dan', 'eve'])
  await edit('bob', number, { state: 'open' })
  assert.deepEqual(await told(), ['ann', 'cat', 'dan', 'eve'])
  await forge.call('eve', 'DELETE', '/repos/ann/forge/subscription')
  await forge.call('bob', 'DELETE', `${ISSUES}/${number}/subscriptions/bob`)
  await say('ann', number)
  assert.deepEqual(await told(), ['cat', 'dan'], 'who unsubscribed is told no more')
  await edit('ann', number, { title: 'another', body: 'other words', due_date: '2031-05-06T00:00:00Z' })
  assert.deepEqual(await told(), [], 'titles, texts and dates are no news')
})

test('a user who may no longer read an issue gets no notification and sees no old one', async () => {
  await forge.call('ann', 'POST', '/user/repos', { name: 'vault' })
  const { body } = await forge.call('bob', 'POST', '/repos/ann/vault/issues', { title: 'a secret' })
  await forge.call('ann', 'POST', `/repos/ann/vault/issues/${body.number}/comments`, { body: 'one' })
  await forge.runJobs()
  await forge.call('ann', 'PATCH', '/repos/ann/vault', { private: true })
  const [thread] = (await forge.call('bob', 'GET', '/notifications')).body
  assert.deepEqual([thread.repository, thread.subject], [null, null])
  assert.deepEqual(await told(), ['ann', 'bob'])
  await forge.call('ann', 'POST', `/repos/ann/vault/issues/${body.number}/comments`, { body: 'two' })
  assert.deepEqual(await told(), [])
  await forge.call('ann', 'DELETE', '/repos/ann/vault')
  assert.deepEqual(
    (await forge.call('bob', 'GET', '/notifications?all=true&limit=50')).body.filter(isNull),
    [],
  )
})

const isNull = (thread: { repository: unknown }) => thread.repository === null

test('a user is not notified of acts of users they blocked', async () => {
  const number = await issue('fay')
  await forge.call('fay', 'PUT', '/user/blocks/dan')
  assert.equal((await say('dan', number)).status, 403)
  const other = await issue('ann', { body: 'for all' })
  await forge.runJobs()
  await say('fay', other)
  assert.deepEqual(await told(), ['ann'])
  await say('dan', other)
  assert.deepEqual(await told(), ['ann'])
})

test('a transfer offer notifies users who may accept it', async () => {
  await forge.call('ann', 'POST', '/user/repos', { name: 'gift' })
  await forge.call('ann', 'POST', '/repos/ann/gift/transfer', { new_owner: 'bob' })
  await forge.runJobs()
  const [thread] = (await forge.call('bob', 'GET', '/notifications?subject-type=repository')).body
  assert.equal(thread.subject.type, 'Repository')
  assert.equal(thread.subject.title, 'ann/gift')
  assert.deepEqual(await told(), ['bob'])
})

test('an issue has one thread, which becomes unread by news unless it is pinned', async () => {
  const number = await issue('cat')
  await say('ann', number)
  await forge.runJobs()
  const [thread] = (await forge.call('cat', 'GET', '/notifications')).body
  const path = `/notifications/threads/${thread.id}`
  assert.equal(thread.unread, true)
  assert.match(thread.subject.latest_comment_url, /comments\/\d+$/)
  const mark = (as: string | null, status = '') => forge.call(as, 'PATCH', `${path}?to-status=${status}`)
  assert.equal((await mark(null)).status, 401)
  assert.equal((await mark('bob')).status, 403)
  assert.equal((await mark('root')).status, 403, 'D13')
  assert.equal((await forge.call('root', 'GET', path)).status, 200)
  const read = await mark('cat')
  assert.deepEqual([read.status, read.body.id, read.body.unread], [200, thread.id, false])
  await say('ann', number)
  await forge.runJobs()
  assert.equal((await forge.call('cat', 'GET', path)).body.unread, true)
  for (const query of ['status-types=zzz', 'to-status=zzz', 'status-types=unread&status-types=reed'])
    assert.equal((await forge.call('cat', 'PUT', `/notifications?${query}`)).status, 422, query)
  assert.equal((await forge.call('cat', 'GET', path)).body.unread, true)
  assert.equal((await mark('cat', 'PINNED')).status, 200)
  await say('ann', number)
  await forge.runJobs()
  const pinned = (await forge.call('cat', 'GET', path)).body
  assert.deepEqual([pinned.pinned, pinned.unread], [true, false])
  assert.equal((await forge.call('cat', 'GET', '/notifications/threads/987654')).status, 404)
  await forge.call('ann', 'DELETE', `${ISSUES}/${number}`)
  assert.equal((await forge.call('cat', 'GET', path)).status, 404)
})

test('a comment notifies five thousand watchers exactly once, also if delivered twice', async () => {
  await insertMany(
    forge.db,
    sql`insert into account (kind, login, login_key, created_at, updated_at)
    select 'user', 'w' || i, 'w' || i, now(), now() from generate_series(1, 5000) as i`,
  )
  const number = await issue('ann')
  await forge.runJobs()
  await insertMany(
    forge.db,
    sql`insert into watch (user_id, repository_id, created_at)
    select account.id, repository.id, now() from account, repository
    where account.login_key like 'w%' and repository.name = 'forge'`,
  )
  await say('ann', number)
  const again = async () => {
    await forge.runJobs()
    const { rows } = await sql<{
      people: number
      threads: number
    }>`select count(distinct user_id)::int as people,
      count(*)::int as threads from notification join account on account.id = user_id
      where login_key like 'w%'`.execute(forge.db)
    return rows
  }
  assert.deepEqual(await again(), [{ people: 5_000, threads: 5_000 }])
  await sql`update notification set status = 'read'`.execute(forge.db)
  await forge.deliverLate('notify-issue-commented')
  await again()
  const { rows } = await sql`select 1 from notification where status = 'unread'`.execute(forge.db)
  assert.equal(rows.length, 0, 'what was heard before is not news')
})

const MINE: ThreadFilter = {
  userId: 7,
  repositoryId: null,
  statuses: [],
  subjects: [],
  since: null,
  before: null,
}
test('lists need the same few queries, by index among 100,000 threads; receivers are found by index', async () => {
  const cost = (limit: number) =>
    forge.countQueries(() => forge.call('ann', 'GET', `/notifications?all=true&limit=${limit}`))
  assert.equal(await cost(1), await cost(50))
  const { id } = await forge.db
    .selectFrom('repository')
    .select('id')
    .where('name', '=', 'forge')
    .executeTakeFirstOrThrow()
  await insertMany(
    forge.db,
    sql`insert into issue (repository_id, number, is_pull, title, body, is_closed, ref, created_at, updated_at)
    select ${id}, 1000 + i, false, 't', '', false, '', now(), now() from generate_series(1, 20) as i`,
  )
  await insertMany(
    forge.db,
    sql`insert into notification (user_id, repository_id, issue_id, status, created_at, updated_at)
    select account.id, ${id}, issue.id, (array['unread', 'read', 'pinned'])[1 + issue.number % 3], now(), now()
    from account, issue where account.login_key like 'w%' and issue.number > 1000`,
  )
  await sql`analyze`.execute(forge.db)
  for (const filter of [
    MINE,
    { ...MINE, statuses: ['unread', 'pinned'] as const },
    { ...MINE, repositoryId: id },
    { ...MINE, subjects: ['issue'] as const },
  ])
    await assertIndexed(forge.db, selectThreads(forge.db, filter).limit(30), 'notification')
  await assertIndexed(forge.db, selectUnreadOf(forge.db, [7, 8]), 'notification')
  const news = insertNews({
    repositoryId: id,
    issueId: 7,
    actorId: 7,
    tellsActor: false,
    named: [8],
    namedAs: 'mentioned',
    at: forge.ctx.now(),
    receivers: [concernedBy(7, 4711, { withWatchers: true }), these([7, 8])],
    mayRead: sql<boolean>`true`,
  })
  await assertIndexed(forge.db, news, 'account')
})
