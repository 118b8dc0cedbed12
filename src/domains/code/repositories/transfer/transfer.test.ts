/** Transfers of repositories: at once or accepted, with counters, teams and redirects. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Forge, startForge } from '#testing'

let forge: Forge
let helpers: number
before(async () => {
  forge = await startForge()
  for (const login of ['ann', 'bob', 'eve', 'mate']) await forge.person(login)
  await forge.person('full', { repositories_max: 0 })
  await forge.person('root', { is_admin: true })
  await forge.call('ann', 'POST', '/orgs', { username: 'smithy' })
  await forge.call('bob', 'POST', '/orgs', { username: 'foundry' })
  const team = await forge.call('ann', 'POST', '/orgs/smithy/teams', {
    name: 'helpers',
    permission: 'read',
    units_map: { 'repo.code': 'read' },
  })
  helpers = team.body.id
})
after(() => forge[Symbol.asyncDispose]())

const make = (name: string, body: object = {}, as = 'ann') =>
  forge.call(as, 'POST', '/user/repos', { name, ...body })
const give = (name: string, body: object, as: string | null = 'ann') =>
  forge.call(as, 'POST', `/repos/ann/${name}/transfer`, body)
const answer = (as: string | null, path: string, word: 'accept' | 'reject') =>
  forge.call(as, 'POST', `/repos/${path}/transfer/${word}`)
const owned = async (login: string) =>
  (
    await forge.db
      .selectFrom('account_count')
      .innerJoin('account', 'account.id', 'account_id')
      .select('repositories')
      .where('login', '=', login)
      .executeTakeFirstOrThrow()
  ).repositories

for (const [as, status] of [
  [null, 401],
  ['eve', 403],
  ['bob', 403],
  ['ann', 201],
] as const)
  test(`${as ?? 'anonymous'} transfers a repository of ann: ${status}`, async () => {
    const name = `by-${as ?? 'nobody'}`
    await make(name)
    assert.equal((await give(name, { new_owner: 'bob' }, as)).status, status)
  })

test('accepting a transfer changes owner, counters, redirect and rights together', async () => {
  await make('gift')
  const before = [await owned('ann'), await owned('bob')] as const
  const offered = await give('gift', { new_owner: 'BOB' })
  assert.equal(offered.status, 201)
  assert.equal(offered.body.repo_transfer.recipient.login, 'bob')
  assert.equal((await give('gift', { new_owner: 'eve' })).status, 409, 'one offer at a time')
  assert.equal((await answer('eve', 'ann/gift', 'accept')).status, 403)
  assert.equal((await answer('bob', 'ann/gift', 'accept')).status, 202)
  assert.deepEqual([await owned('ann'), await owned('bob')], [before[0] - 1, before[1] + 1])
  assert.equal(
    (await forge.call(null, 'GET', '/repos/ann/gift')).headers.get('location'),
    '/api/v1/repos/bob/gift',
  )
  assert.equal((await forge.call('ann', 'PATCH', '/repos/bob/gift', { description: 'x' })).status, 403)
  const { body } = await forge.call('bob', 'GET', '/repos/bob/gift')
  assert.deepEqual([body.permissions.admin, body.repo_transfer], [true, null])
  const subjects = (await forge.db.selectFrom('event').selectAll().orderBy('id').execute())
    .filter(({ payload }) => (payload as { name: string }).name === 'gift')
    .map(({ subject }) => subject)
  assert.deepEqual(subjects, ['repository.created', 'repository.offered', 'repository.transferred'])
})

test('the recipient of a transfer sees the private repository until they reject it', async () => {
  await make('closed', { private: true })
  await give('closed', { new_owner: 'bob' })
  assert.equal((await forge.call('eve', 'GET', '/repos/ann/closed')).status, 404)
  const look = await forge.call('bob', 'GET', '/repos/ann/closed')
  assert.deepEqual([look.status, look.body.permissions], [200, { admin: false, push: false, pull: true }])
  const listed = await forge.call('bob', 'GET', '/users/ann/repos')
  assert.ok(
    listed.body.some(({ name }: { name: string }) => name === 'closed'),
    'a list and a look agree',
  )
  assert.equal((await answer('bob', 'ann/closed', 'reject')).status, 200)
  assert.equal((await forge.call('bob', 'GET', '/repos/ann/closed')).status, 404)
  assert.equal((await answer('ann', 'ann/closed', 'accept')).status, 404, 'nothing waits any more')
})

test('of concurrent answers to a transfer one succeeds', async () => {
  await make('rushed')
  await give('rushed', { new_owner: 'foundry' })
  const answers = await Promise.all([
    answer('bob', 'ann/rushed', 'accept'),
    answer('bob', 'ann/rushed', 'reject'),
    answer('bob', 'ann/rushed', 'accept'),
  ])
  const done = answers.filter(({ status }) => status === 200 || status === 202)
  assert.equal(done.length, 1)
  const there = (await forge.call(null, 'GET', '/repos/foundry/rushed')).status === 200
  assert.equal(there, done[0]?.status === 202)
})

test('a transfer to an organization in which the caller may create is immediate and adds the given teams', async () => {
  await make('tongs')
  await forge.db
    .insertInto('collaboration')
    .values({
      repository_id: (await forge.call('ann', 'GET', '/repos/ann/tongs')).body.id,
      user_id: (await forge.call('ann', 'GET', '/user')).body.id,
      level: 'read',
      created_at: forge.ctx.now(),
    })
    .execute()
  const moved = await give('tongs', { new_owner: 'smithy', team_ids: [helpers, helpers] })
  assert.deepEqual([moved.status, moved.body.full_name], [202, 'smithy/tongs'])
  const teams = await forge.call('ann', 'GET', '/repos/smithy/tongs/teams')
  assert.deepEqual(
    teams.body.map(({ name }: { name: string }) => name),
    ['Owners', 'helpers'],
  )
  const { repository_id } = await forge.db
    .selectFrom('team_repository')
    .select('repository_id')
    .where('team_id', '=', helpers)
    .executeTakeFirstOrThrow()
  const left = await forge.db
    .selectFrom('collaboration')
    .select('user_id')
    .where('repository_id', '=', repository_id)
    .execute()
  assert.deepEqual(left, [], 'who belongs to the new owner needs no grant of their own')
  const back = await forge.call('ann', 'POST', '/repos/smithy/tongs/transfer', { new_owner: 'ann' })
  assert.equal(back.status, 202)
  const kept = await forge.db
    .selectFrom('team_repository')
    .selectAll()
    .where('team_id', '=', helpers)
    .execute()
  assert.deepEqual(kept, [], 'the teams of the organization have it no longer')
  assert.equal((await forge.call(null, 'GET', '/repos/smithy/tongs')).status, 301)
  assert.equal((await forge.call(null, 'GET', '/repos/ann/tongs')).status, 200)
})

test('invalid recipients and teams of a transfer are refused', async () => {
  await make('stuck')
  await make('stuck', {}, 'bob')
  for (const [body, status] of [
    [{}, 404],
    [{ new_owner: 'nobody' }, 404],
    [{ new_owner: 'bob' }, 422],
    [{ new_owner: 'ann' }, 422],
    [{ new_owner: 'eve', team_ids: [helpers] }, 422],
    [{ new_owner: 'smithy', team_ids: [999_999] }, 422],
    [{ new_owner: 'foundry', team_ids: [helpers] }, 403],
  ] as const)
    assert.equal((await give('stuck', body)).status, status, JSON.stringify(body))
})

test('a transfer is refused at the recipient’s repository limit and by a recipient who blocked the owner', async () => {
  await make('heavy')
  await give('heavy', { new_owner: 'full' })
  assert.equal((await answer('full', 'ann/heavy', 'accept')).status, 403)
  assert.equal((await forge.call('ann', 'GET', '/repos/ann/heavy')).body.owner.login, 'ann')
  await forge.call('mate', 'PUT', '/user/blocks/ann')
  await make('unwanted')
  assert.equal((await give('unwanted', { new_owner: 'mate' })).status, 403)
})

test('a transfer by a site administrator is immediate', async () => {
  await make('ordered')
  assert.equal((await give('ordered', { new_owner: 'eve' }, 'root')).status, 202)
  assert.equal((await forge.call(null, 'GET', '/repos/eve/ordered')).status, 200)
})
