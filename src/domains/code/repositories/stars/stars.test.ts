/** Stars and watches over REST, on a real database. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { assertIndexed, type Forge, insertMany, startForge } from '#testing'
import { selectTied } from '../record/ties-store.ts'

let forge: Forge
before(async () => {
  forge = await startForge()
  for (const login of ['ann', 'bob', 'cid']) await forge.person(login)
  await forge.person('root', { is_admin: true })
  await forge.person('shy', { visibility: 'private' })
  for (const name of ['open', 'second']) await forge.call('ann', 'POST', '/user/repos', { name })
  await forge.call('ann', 'POST', '/user/repos', { name: 'closed', private: true })
})
after(() => forge[Symbol.asyncDispose]())

const star = (as: string | null, method: 'GET' | 'PUT' | 'DELETE', name = 'open') =>
  forge.call(as, method, `/user/starred/ann/${name}`)
const watch = (as: string | null, method: 'GET' | 'PUT' | 'DELETE', name = 'open') =>
  forge.call(as, method, `/repos/ann/${name}/subscription`)
const countsOf = async () => {
  const { body } = await forge.call('ann', 'GET', '/repos/ann/open')
  return { stars: body.stars_count, watchers: body.watchers_count }
}
const namesOf = (body: { name: string }[]) => body.map(({ name }) => name).sort()
const toldOf = async (subject: string) =>
  (await forge.db.selectFrom('event').select('id').where('subject', '=', subject).execute()).length

test('starring and unstarring are idempotent, update both counters and emit one event', async () => {
  const starred = async () => (await forge.call('bob', 'GET', '/user')).body.starred_repos_count
  assert.equal((await star('bob', 'GET')).status, 404)
  for (let i = 0; i < 2; i++) assert.equal((await star('bob', 'PUT')).status, 204)
  assert.equal((await star('bob', 'GET')).status, 204)
  assert.deepEqual([(await countsOf()).stars, await starred()], [1, 1])
  assert.equal(await toldOf('repository.starred'), 1)
  for (let i = 0; i < 2; i++) assert.equal((await star('bob', 'DELETE')).status, 204)
  assert.deepEqual([(await countsOf()).stars, await starred()], [0, 0])
})

test('watching and unwatching are idempotent, update the counter and emit one event', async () => {
  const before = await countsOf()
  const first = await watch('bob', 'PUT')
  assert.deepEqual([first.status, first.body.subscribed, first.body.ignored], [200, true, false])
  assert.equal(first.body.repository_url, 'http://forge.test/api/v1/repos/ann/open')
  forge.advance(60_000)
  assert.deepEqual((await watch('bob', 'PUT')).body, first.body, 'since the first time')
  assert.equal((await countsOf()).watchers, before.watchers + 1)
  assert.equal(await toldOf('repository.watched'), 1)
  for (let i = 0; i < 2; i++) assert.equal((await watch('bob', 'DELETE')).status, 204)
  assert.equal((await watch('bob', 'GET')).status, 404)
  assert.deepEqual(await countsOf(), before)
})

test('fifty concurrent stars and watches of one user count as one each', async () => {
  const before = await countsOf()
  await Promise.all(Array.from({ length: 50 }, () => Promise.all([star('cid', 'PUT'), watch('cid', 'PUT')])))
  assert.deepEqual(await countsOf(), { stars: before.stars + 1, watchers: before.watchers + 1 })
  await star('cid', 'DELETE')
  await watch('cid', 'DELETE')
})

for (const [as, name, starring, watching] of [
  [null, 'open', 401, 401],
  [null, 'closed', 401, 404],
  ['bob', 'closed', 404, 404],
  ['bob', 'missing', 404, 404],
  ['ann', 'closed', 204, 200],
] as const)
  test(`${as ?? 'anonymous'} stars and watches ${name}: ${starring} and ${watching}`, async () => {
    assert.equal((await star(as, 'PUT', name)).status, starring)
    assert.equal((await watch(as, 'PUT', name)).status, watching)
  })

test('a user blocked by the owner can neither star nor watch', async () => {
  await forge.call('ann', 'PUT', '/user/blocks/cid')
  assert.equal((await star('cid', 'PUT')).status, 403)
  assert.equal((await watch('cid', 'PUT')).status, 403)
  await forge.call('ann', 'DELETE', '/user/blocks/cid')
})

test('another user’s starred and watched lists show public repositories only', async () => {
  for (const name of ['open', 'closed']) await star('ann', 'PUT', name)
  const seen = async (as: string, path: string) => {
    const { body, headers } = await forge.call(as, 'GET', path)
    assert.equal(headers.get('x-total-count'), String(body.length))
    return namesOf(body)
  }
  assert.deepEqual(await seen('ann', '/user/starred'), ['closed', 'open'])
  assert.deepEqual(await seen('ann', '/users/ANN/starred'), ['closed', 'open'])
  for (const as of ['bob', 'root']) assert.deepEqual(await seen(as, '/users/ann/starred'), ['open'])
  assert.deepEqual(await seen('ann', '/users/ann/subscriptions'), ['closed', 'open', 'second'])
  for (const as of ['bob', 'root'])
    assert.deepEqual(await seen(as, '/users/ann/subscriptions'), ['open', 'second'])
  const { body } = await forge.call('bob', 'GET', '/users/ann/subscriptions')
  assert.equal(body[0].permissions.admin, true, 'of her who watches')
  for (const list of ['starred', 'subscriptions']) {
    assert.equal((await forge.call(null, 'GET', `/users/ann/${list}`)).status, 401)
    assert.equal((await forge.call('bob', 'GET', `/users/shy/${list}`)).status, 404)
    assert.equal((await forge.call('bob', 'GET', `/users/nowhere/${list}`)).status, 404)
  }
})

test('with a public-only token, the caller’s own starred and watched lists show public repositories only', async () => {
  const { id } = await forge.person('careful', {}, ['public-only', 'read:user', 'read:repository'])
  await forge.call('ann', 'PUT', '/repos/ann/closed/collaborators/careful', { permission: 'read' })
  for (const table of ['star', 'watch'])
    await insertMany(
      forge.db,
      sql`insert into ${sql.table(table)} (user_id, repository_id, created_at)
      select ${id}, id, now() from repository where name in ('open', 'closed')`,
    )
  for (const path of ['/user/starred', '/user/subscriptions', '/users/careful/subscriptions'])
    assert.deepEqual(namesOf((await forge.call('careful', 'GET', path)).body), ['open'], path)
})

test('stargazers and watchers omit users who are invisible to the caller', async () => {
  for (const as of ['bob', 'shy']) {
    await star(as, 'PUT', 'second')
    await watch(as, 'PUT', 'second')
  }
  for (const [list, others] of [
    ['stargazers', []],
    ['subscribers', ['ann']],
  ] as const) {
    const seen = async (as: string | null) => {
      const { body, headers } = await forge.call(as, 'GET', `/repos/ann/second/${list}`)
      assert.equal(headers.get('x-total-count'), String(body.length))
      assert.equal(headers.get('link'), null)
      return body.map(({ login }: { login: string }) => login).sort()
    }
    assert.deepEqual(await seen(null), [...others, 'bob'])
    assert.deepEqual(await seen('cid'), [...others, 'bob'])
    assert.deepEqual(await seen('root'), [...others, 'bob', 'shy'])
    assert.equal((await forge.call('bob', 'GET', `/repos/ann/closed/${list}`)).status, 404)
  }
})

test('deleting a repository removes its stars from the users’ counters', async () => {
  await forge.call('ann', 'POST', '/user/repos', { name: 'brief' })
  await star('bob', 'PUT', 'brief')
  const starred = async () => (await forge.call('bob', 'GET', '/user')).body.starred_repos_count
  const before = await starred()
  await forge.call('ann', 'DELETE', '/repos/ann/brief')
  assert.equal(await starred(), before - 1)
})

test('deleting a user removes their stars and watches from the counters', async () => {
  const before = await countsOf()
  await forge.person('guest')
  await star('guest', 'PUT')
  await watch('guest', 'PUT')
  assert.deepEqual(await countsOf(), { stars: before.stars + 1, watchers: before.watchers + 1 })
  assert.equal((await forge.call('root', 'DELETE', '/admin/users/guest')).status, 204)
  assert.deepEqual(await countsOf(), before)
})

test('listing fifty stars or watches takes as many queries as listing one, and uses indexes', async () => {
  await forge.person('fan')
  await forge.person('devotee')
  await insertMany(
    forge.db,
    sql`insert into account (kind, login, login_key, created_at, updated_at)
    select 'user', 'crowd' || i, 'crowd' || i, now(), now() from generate_series(1, 20000) as i`,
  )
  await insertMany(
    forge.db,
    sql`insert into account_count (account_id) select id from account where login_key like 'crowd%'`,
  )
  for (let i = 0; i < 50; i++) await forge.call('ann', 'POST', '/user/repos', { name: `r${i}` })
  for (const table of ['star', 'watch'])
    await insertMany(
      forge.db,
      sql`insert into ${sql.table(table)} (user_id, repository_id, created_at)
      select account.id, repository.id, now() from account, repository
      where login = 'devotee' and repository.name like 'r%' or login = 'fan' and repository.name = 'r7'
        or login like 'crowd%' and repository.name in ('r1', 'r2', 'r3')`,
    )
  await sql`analyze`.execute(forge.db)
  for (const list of ['starred', 'subscriptions']) {
    const cost = (login: string) =>
      forge.countQueries(() => forge.call('bob', 'GET', `/users/${login}/${list}?limit=50`))
    assert.equal((await forge.call('bob', 'GET', `/users/devotee/${list}?limit=50`)).body.length, 50)
    assert.equal(await cost('devotee'), await cost('fan'), list)
  }
  const { id } = await forge.db
    .selectFrom('repository')
    .select('id')
    .where('name', '=', 'r7')
    .executeTakeFirstOrThrow()
  await assertIndexed(forge.db, selectTied(forge.ctx, 'star', id), 'star')
  await assertIndexed(forge.db, selectTied(forge.ctx, 'watch', id), 'watch')
})

test('a new team member watches the team’s repositories and can unwatch them', async () => {
  await forge.person('mate')
  await forge.call('ann', 'POST', '/orgs', { username: 'joined' })
  await forge.call('ann', 'POST', '/orgs/joined/repos', { name: 'mill' })
  const crew = { name: 'crew', permission: 'read', units: ['repo.code'] }
  const { id } = (await forge.call('ann', 'POST', '/orgs/joined/teams', crew)).body
  await forge.call('ann', 'PUT', `/teams/${id}/repos/joined/mill`)
  const join = () => forge.call('ann', 'PUT', `/teams/${id}/members/mate`)
  const watchers = async () =>
    (await forge.call('ann', 'GET', '/repos/joined/mill')).body.watchers_count as number
  const before = await watchers()
  await join()
  assert.equal(await watchers(), before + 1)
  await forge.call('mate', 'DELETE', '/repos/joined/mill/subscription')
  await join()
  assert.equal(await watchers(), before)
})
