/** Collaborators over REST, on a real database. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { transact } from '#platform/context'
import { assertIndexed, type Forge, insertMany, startForge } from '#testing'
import { leaveRepositories } from './collaborators.ts'
import { selectCollaborators, selectPeople } from './collaborators-store.ts'

let forge: Forge
before(async () => {
  forge = await startForge()
  for (const login of ['ann', 'admin', 'writer', 'reader', 'stranger', 'mate']) await forge.person(login)
  await forge.person('root', { is_admin: true })
  await forge.person('gone', { is_active: false })
  await forge.call('ann', 'POST', '/orgs', { username: 'ironworks' })
  await forge.call('ann', 'POST', '/user/repos', { name: 'closed', private: true })
  await forge.call('ann', 'POST', '/user/repos', { name: 'open' })
  await forge.call('ann', 'POST', '/orgs/ironworks/repos', { name: 'mill', private: true })
  for (const name of ['closed', 'open'])
    for (const [login, permission] of [
      ['admin', 'admin'],
      ['writer', 'write'],
      ['reader', 'read'],
    ])
      await forge.call('ann', 'PUT', `/repos/ann/${name}/collaborators/${login}`, { permission })
})
after(() => forge[Symbol.asyncDispose]())

const loginsOf = (body: { login: string }[]) => body.map(({ login }) => login).sort()

for (const [as, closed, open] of [
  ['ann', 204, 204],
  ['admin', 204, 204],
  ['root', 204, 204],
  ['writer', 403, 403],
  ['reader', 403, 403],
  ['stranger', 404, 403],
  [null, 404, 401],
] as const)
  test(`${as ?? 'anonymous'} changes collaborators: ${closed} of a private repository, ${open} of a public one`, async () => {
    const put = (name: string) =>
      forge.call(as, 'PUT', `/repos/ann/${name}/collaborators/reader`, { permission: 'read' })
    assert.equal((await put('closed')).status, closed)
    assert.equal((await put('open')).status, open)
    const remove = await forge.call(as, 'DELETE', '/repos/ann/open/collaborators/mate')
    assert.equal(remove.status, open)
  })

for (const [who, body, status] of [
  ['mate', { permission: 'owner' }, 422],
  ['mate', { permission: 'nonsense' }, 422],
  ['nowhere', {}, 422],
  ['gone', {}, 422],
  ['ironworks', {}, 204],
  ['ann', { permission: 'read' }, 204],
] as const)
  test(`adding ${who} as a collaborator with ${JSON.stringify(body)}: ${status}, and no collaboration is stored`, async () => {
    const put = await forge.call('ann', 'PUT', `/repos/ann/closed/collaborators/${who}`, body)
    assert.equal(put.status, status)
    const all = await forge.call('ann', 'GET', '/repos/ann/closed/collaborators')
    assert.deepEqual(loginsOf(all.body), ['admin', 'reader', 'writer'])
    assert.equal(all.headers.get('x-total-count'), '3')
  })

test('a user who blocked the owner cannot be added as a collaborator', async () => {
  await forge.call('mate', 'PUT', '/user/blocks/ann')
  const put = () => forge.call('ann', 'PUT', '/repos/ann/closed/collaborators/mate', {})
  assert.equal((await put()).status, 403)
  await forge.call('mate', 'DELETE', '/user/blocks/ann')
  assert.equal((await put()).status, 204)
})

test('a collaborator’s level is changed, and only they and administrators can read it', async () => {
  const put = (permission: string) =>
    forge.call('admin', 'PUT', '/repos/ann/closed/collaborators/mate', { permission })
  for (const level of ['read', 'admin', 'write']) {
    await put(level)
    const asked = (as: string | null) =>
      forge.call(as, 'GET', '/repos/ann/closed/collaborators/MATE/permission')
    for (const as of ['mate', 'ann', 'admin', 'root']) assert.equal((await asked(as)).body.permission, level)
    assert.equal((await asked('reader')).status, 403)
    assert.equal((await asked('stranger')).status, 404)
  }
})

test('a removed collaborator stops watching a repository they can no longer see', async () => {
  const watchers = async () => (await forge.call('ann', 'GET', '/repos/ann/closed')).body.watchers_count
  await forge.call('ann', 'PUT', '/repos/ann/closed/collaborators/mate', {})
  await forge.call('mate', 'PUT', '/repos/ann/closed/subscription')
  await forge.call('mate', 'PUT', '/repos/ann/open/subscription')
  assert.equal(await watchers(), 2)
  for (const name of ['closed', 'open']) {
    const path = `/repos/ann/${name}/collaborators/mate`
    assert.equal((await forge.call('ann', 'DELETE', path)).status, 204)
    assert.equal((await forge.call('ann', 'DELETE', path)).status, 204, 'twice is no mistake')
  }
  assert.equal(await watchers(), 1)
  assert.equal((await forge.call('mate', 'GET', '/repos/ann/closed')).status, 404)
  const watched = await forge.call('mate', 'GET', '/user/subscriptions')
  assert.deepEqual(
    watched.body.map((repo: { full_name: string }) => repo.full_name),
    ['ann/open'],
  )
})

test('assignees and reviewers come from collaborations, teams and the owner', async () => {
  const team = async (name: string, member: string, rights: object) => {
    const { body } = await forge.call('ann', 'POST', '/orgs/ironworks/teams', { name, ...rights })
    await forge.call('ann', 'PUT', `/teams/${body.id}/members/${member}`)
    await forge.call('ann', 'PUT', `/teams/${body.id}/repos/ironworks/mill`)
  }
  await team('writers', 'writer', { permission: 'none', units_map: { 'repo.code': 'write' } })
  await team('readers', 'reader', { permission: 'none', units_map: { 'repo.pulls': 'read' } })
  await team('others', 'mate', { permission: 'none', units_map: { 'repo.wiki': 'read' } })
  const listed = async (path: string) => loginsOf((await forge.call('ann', 'GET', path)).body)
  assert.deepEqual(await listed('/repos/ironworks/mill/assignees'), ['ann', 'reader', 'writer'])
  assert.deepEqual(await listed('/repos/ironworks/mill/reviewers'), ['ann', 'reader'])
  assert.deepEqual(await listed('/repos/ann/closed/assignees'), ['admin', 'ann', 'writer'])
  assert.deepEqual(await listed('/repos/ann/closed/reviewers'), ['admin', 'ann', 'reader', 'writer'])
  const status = async (as: string | null, path: string) => (await forge.call(as, 'GET', path)).status
  assert.equal(await status('stranger', '/repos/ann/open/reviewers'), 403)
  assert.equal(await status(null, '/repos/ann/open/reviewers'), 401)
  assert.equal(await status('ann', '/repos/ironworks/mill/assignees/reader'), 204)
  assert.equal(await status('ann', '/repos/ironworks/mill/assignees/mate'), 404)
  assert.equal(await status('ann', '/repos/ironworks/mill/assignees/nowhere'), 404)
})

for (const [as, status] of [
  ['ann', 204],
  ['admin', 403],
  ['reader', 403],
  ['stranger', 404],
  [null, 404],
] as const)
  test(`${as ?? 'anonymous'} adds a team to a repository and removes it: ${status}`, async () => {
    await forge.call('ann', 'PUT', '/repos/ironworks/mill/collaborators/admin', { permission: 'admin' })
    await forge.call('ann', 'POST', '/orgs/ironworks/teams', { name: 'night', permission: 'read' })
    for (const method of ['PUT', 'DELETE'] as const) {
      const reply = await forge.call(as, method, '/repos/ironworks/mill/teams/night')
      assert.equal(reply.status, status)
    }
  })

test('with repo_admin_change_team_access, repository administrators change its teams', async () => {
  await forge.call('ann', 'PATCH', '/orgs/ironworks', { repo_admin_change_team_access: true })
  const call = async (method: 'PUT' | 'DELETE', team: string) =>
    (await forge.call('admin', method, `/repos/ironworks/mill/teams/${team}`)).status
  assert.deepEqual([await call('PUT', 'night'), await call('PUT', 'night')], [204, 422])
  assert.deepEqual([await call('DELETE', 'night'), await call('DELETE', 'night')], [204, 422])
  assert.equal(await call('PUT', 'nobodies'), 404)
  assert.equal((await forge.call('ann', 'PUT', '/repos/ann/open/teams/night')).status, 405)
  assert.equal((await forge.call('ann', 'GET', '/repos/ann/open/teams')).status, 405)
})

test('leaving all repositories deletes a user’s stars, watches and collaborations, and updates the counters', async () => {
  const leaver = await forge.person('leaver')
  await forge.call('ann', 'PUT', '/repos/ann/open/collaborators/leaver', {})
  await forge.call('leaver', 'PUT', '/repos/ann/open/subscription')
  await forge.call('leaver', 'PUT', '/user/starred/ann/open')
  const counts = async () => {
    const { body } = await forge.call('ann', 'GET', '/repos/ann/open')
    return [body.stars_count, body.watchers_count]
  }
  const [stars = 0, watchers = 0] = await counts()
  await transact(forge.ctx, (ctx) => leaveRepositories(ctx, leaver.id))
  assert.deepEqual(await counts(), [stars - 1, watchers - 1])
  assert.equal((await forge.call('ann', 'GET', '/repos/ann/open/collaborators/leaver')).status, 404)
})

test('lists take as many queries for many users as for one, and use indexes', async () => {
  await forge.call('ann', 'POST', '/user/repos', { name: 'few' })
  await forge.call('ann', 'POST', '/user/repos', { name: 'many' })
  await insertMany(
    forge.db,
    sql`insert into account (kind, login, login_key, created_at, updated_at)
    select 'user', 'crowd' || i, 'crowd' || i, now(), now() from generate_series(1, 20000) as i`,
  )
  await insertMany(
    forge.db,
    sql`insert into account_count (account_id) select id from account where login_key like 'crowd%'`,
  )
  await insertMany(
    forge.db,
    sql`insert into collaboration (repository_id, user_id, level, created_at)
    select repository.id, account.id, 'write', now() from repository, account
    where login_key like 'crowd%' and (repository.name = 'many' or
      repository.name = 'few' and login_key = 'crowd7')`,
  )
  await sql`analyze`.execute(forge.db)
  for (const list of ['collaborators', 'assignees', 'reviewers', 'subscribers', 'stargazers']) {
    const cost = (name: string) =>
      forge.countQueries(() => forge.call('ann', 'GET', `/repos/ann/${name}/${list}?limit=50`))
    assert.equal(await cost('many'), await cost('few'), list)
  }
  const few = await forge.db
    .selectFrom('repository')
    .select(['id', 'owner_id'])
    .where('name', '=', 'few')
    .executeTakeFirstOrThrow()
  await assertIndexed(forge.db, selectCollaborators(forge.db, few.id), 'collaboration')
  const people = selectPeople(forge.db, few, ['write'], sql<boolean>`true`)
  await assertIndexed(forge.db, people, 'collaboration')
  await assertIndexed(forge.db, people, 'account')
})
