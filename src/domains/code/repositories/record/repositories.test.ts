/** Repositories over REST, on a real database. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { actorOf, findAccount } from '#domains/people/users'
import { assertIndexed, type Forge, startForge } from '#testing'
import { isVisibleTo } from '../access/access-sql.ts'
import { selectByPicture } from '../lifecycle/edit-picture.ts'
import { BY_KEYS, selectRepositories } from './load.ts'
import { BY_NAME, isWorkedOnBy, selectPage } from './queries.ts'

let forge: Forge
before(async () => {
  forge = await startForge()
  await forge.person('ann')
  await forge.person('bob')
  await forge.person('eve', { is_restricted: true })
  await forge.person('root', { is_admin: true })
  await forge.call('ann', 'POST', '/orgs', { username: 'ironworks' })
  await forge.call('ann', 'POST', '/orgs', { username: 'backroom', visibility: 'private' })
})
after(() => forge[Symbol.asyncDispose]())

const create = (as: string, body: object) => forge.call(as, 'POST', '/user/repos', body)

test('creating a repository updates counters and watches and emits one event; deleting it undoes them', async () => {
  const made = await create('ann', { name: 'anvil', description: 'heavy', object_format_name: 'sha256' })
  assert.equal(made.status, 201)
  assert.deepEqual(
    [made.body.full_name, made.body.empty, made.body.watchers_count, made.body.object_format_name],
    ['ann/anvil', true, 1, 'sha256'],
  )
  const count = async () =>
    (
      await forge.db
        .selectFrom('account_count')
        .innerJoin('account', 'id', 'account_id')
        .select('repositories')
        .where('login', '=', 'ann')
        .executeTakeFirstOrThrow()
    ).repositories
  assert.equal(await count(), 1)
  assert.equal((await create('ann', { name: 'ANVIL' })).status, 409, 'names differ in more than case')
  assert.equal((await forge.call('bob', 'DELETE', '/repos/ann/anvil')).status, 403)
  assert.equal((await forge.call('ann', 'DELETE', '/repos/ann/anvil')).status, 204)
  assert.equal((await forge.call('ann', 'GET', '/repos/ann/anvil')).status, 404)
  assert.equal(await count(), 0)
  const told = await forge.db.selectFrom('event').select('subject').orderBy('id').execute()
  assert.deepEqual(
    told.map(({ subject }) => subject).filter((it) => it.startsWith('repository.')),
    ['repository.created', 'repository.deleted'],
  )
})

for (const [name, status] of [
  ['good-name_1.0', 201],
  ['..', 422],
  ['-', 422],
  ['a b', 422],
  ['x.git', 422],
  ['x.wiki', 422],
  ['a..b', 422],
  ['é', 422],
  ['n'.repeat(100), 201],
  ['n'.repeat(101), 422],
] as const)
  test(`creating a repository named «${name.slice(0, 20)}» (${name.length}): ${status}`, async () => {
    assert.equal((await create('bob', { name })).status, status)
  })

for (const [what, body] of [
  ['an unknown object format', { object_format_name: 'md5' }],
  ['a default branch that is no name for one', { default_branch: 'a..b' }],
  ['a default branch that is a flag and more', { default_branch: '~x' }],
] as const)
  test(`creating a repository with ${what} is refused`, async () => {
    assert.equal((await create('bob', { name: 'refused', ...body })).status, 422)
  })

test('visibility for owner, member, other user, restricted user, administrator and anonymous caller', async () => {
  await create('ann', { name: 'open' })
  await create('ann', { name: 'closed', private: true })
  await forge.call('ann', 'POST', '/orgs/backroom/repos', { name: 'open' })
  const seen = async (path: string) => {
    const row: Record<string, number> = {}
    for (const as of ['ann', 'bob', 'eve', 'root', null])
      row[as ?? 'nobody'] = (await forge.call(as, 'GET', path)).status
    return row
  }
  assert.deepEqual(await seen('/repos/ann/open'), { ann: 200, bob: 200, eve: 200, root: 200, nobody: 200 })
  assert.deepEqual(await seen('/repos/ann/closed'), { ann: 200, bob: 404, eve: 404, root: 200, nobody: 404 })
  assert.deepEqual(await seen('/repos/backroom/open'), {
    ann: 200,
    bob: 404,
    eve: 404,
    root: 200,
    nobody: 404,
  })
})

test('a list and a single lookup agree for every caller', async () => {
  for (const as of ['ann', 'bob', 'eve', 'root', null]) {
    const listed = await forge.call(as, 'GET', '/users/ann/repos')
    for (const name of ['open', 'closed']) {
      const found = listed.body.some((repo: { name: string }) => repo.name === name)
      assert.equal(
        found,
        (await forge.call(as, 'GET', `/repos/ann/${name}`)).status === 200,
        `${as}: ${name}`,
      )
    }
    assert.equal(listed.headers.get('x-total-count'), String(listed.body.length))
  }
})

test('listing fifty repositories takes as many queries as listing one', async () => {
  await forge.person('few')
  await forge.person('many')
  await create('few', { name: 'r0' })
  for (let i = 0; i < 50; i++) await create('many', { name: `r${i}` })
  const cost = (login: string) =>
    forge.countQueries(() => forge.call('bob', 'GET', `/users/${login}/repos?limit=50`))
  assert.equal(await cost('many'), await cost('few'))
})

test('listing the caller’s fifty repositories takes as many queries as listing one', async () => {
  const cost = (login: string) => forge.countQueries(() => forge.call(login, 'GET', '/user/repos?limit=50'))
  assert.equal(await cost('many'), await cost('few'))
  const { body } = await forge.call('many', 'GET', '/user/repos?limit=50')
  assert.deepEqual(
    body.map(({ name }: { name: string }) => name),
    Array.from({ length: 50 }, (_, i) => `r${i}`).sort(),
  )
})

test('lookups and lists of an owner use indexes among 100,000 repositories', async () => {
  // In batches, so that no statement reaches its timeout on a busy machine.
  for (let bite = 0; bite < 20; bite++)
    await sql`with storage as (insert into git_storage (object_format, head, created_at)
        select 'sha1', 'refs/heads/main', now() from generate_series(1, 5000) returning id)
      insert into repository (owner_id, storage_id, name, name_key, parent_id, created_at, updated_at)
      select account.id, storage.id, 'bulk' || storage.id, 'bulk' || storage.id,
        case when storage.id % 20 = 0 then (select min(id) from repository) end, now(), now()
      from storage, (select id from account where login = 'root') account`.execute(forge.db)
  await sql`insert into repository_count (repository_id) select id from repository on conflict do nothing`.execute(
    forge.db,
  )
  await sql`analyze repository, repository_count, collaboration, team_repository, membership`.execute(
    forge.db,
  )
  const ann = await forge.db
    .selectFrom('account')
    .select('id')
    .where('login', '=', 'ann')
    .executeTakeFirstOrThrow()
  const ctx = { ...forge.ctx }
  const keys = { viewer: ann.id, owner: 'ann', name: 'open' }
  await assertIndexed(forge.db, BY_KEYS.build(forge.db, keys), 'repository')
  await assertIndexed(
    forge.db,
    selectByPicture(forge.db, '00000000-0000-4000-8000-000000000000'),
    'repository',
  )
  await assertIndexed(
    forge.db,
    selectRepositories(ctx)
      .where('repository.owner_id', '=', ann.id)
      .where(isVisibleTo(ctx))
      .orderBy('repository.id')
      .limit(30),
    'repository',
  )
  const account = await findAccount(forge.db, 'ann')
  assert.ok(account)
  const asAnn = { ...ctx, actor: actorOf(account, { publicOnly: false, via: 'process', tokenId: null }) }
  for (const as of [ctx, asAnn]) {
    await assertIndexed(forge.db, selectPage(as, isWorkedOnBy(ann.id), BY_NAME).limit(30), 'repository')
    await assertIndexed(
      forge.db,
      selectPage(as, sql<boolean>`repository.parent_id = ${ann.id}`),
      'repository',
    )
  }
})
