/** Members of organizations over REST, on a real database. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startForge } from '#testing'

const forge = await startForge()
after(() => forge[Symbol.asyncDispose]())

for (const name of ['ann', 'bob', 'cid', 'dan', 'eve']) await forge.person(name)
await forge.person('root', { is_admin: true })
await forge.person('cam', {}, ['public-only', 'write:organization'])
await forge.call('ann', 'POST', '/orgs', { username: 'guild' })
await forge.call('ann', 'POST', '/orgs', { username: 'hidden-guild', visibility: 'private' })
const owners = (await forge.call('ann', 'GET', '/orgs/guild/teams')).body[0].id
const smiths = await team('smiths')
const cooks = await team('cooks')
for (const name of ['bob', 'cid', 'cam']) await put(smiths, name)

test('members see all members, others only public members', async () => {
  const members = async (as: string) => {
    const { body, headers } = await forge.call(as, 'GET', '/orgs/guild/members')
    assert.equal(headers.get('x-total-count'), String(body.length))
    return body.map((user: { login: string }) => user.login)
  }
  const all = ['ann', 'bob', 'cid', 'cam'].sort(byNumber)
  assert.deepEqual(await members('bob'), all)
  assert.deepEqual(await members('root'), all)
  assert.deepEqual(await members('eve'), [])
  await forge.call('bob', 'PUT', '/orgs/guild/public_members/bob')
  assert.deepEqual(await members('eve'), ['bob'])
  assert.deepEqual(await members('cam'), ['bob'], 'the token is for public things')
  await forge.call('bob', 'DELETE', '/orgs/guild/public_members/bob')
  assert.equal((await forge.call(null, 'GET', '/orgs/guild/members')).status, 401)
})

test('a non-member’s membership check redirects to public_members', async () => {
  const ask = (as: string | null, whom: string) => forge.call(as, 'GET', `/orgs/guild/members/${whom}`)
  assert.equal((await ask('ann', 'bob')).status, 204)
  assert.equal((await ask('ann', 'eve')).status, 404)
  assert.equal((await ask('ann', 'nobody')).status, 404)
  assert.equal((await ask('eve', 'eve')).status, 404, 'about oneself there is nothing to hide')
  assert.equal((await ask(null, 'bob')).status, 401)
  const sent = await ask('eve', 'BOB')
  assert.equal(sent.status, 303)
  assert.equal(sent.headers.get('location'), '/api/v1/orgs/guild/public_members/bob')
})

for (const { as, whom, status } of [
  { as: null, whom: 'bob', status: 401 },
  { as: 'eve', whom: 'eve', status: 403 },
  { as: 'cid', whom: 'bob', status: 403 },
  { as: 'ann', whom: 'eve', status: 404 },
  { as: 'ann', whom: 'nobody', status: 404 },
  { as: 'bob', whom: 'bob', status: 204 },
  { as: 'ann', whom: 'bob', status: 204 },
  { as: 'root', whom: 'bob', status: 204 },
])
  test(`${as ?? 'anonymous'} publicizes and conceals ${whom}: ${status}`, async () => {
    const path = `/orgs/guild/public_members/${whom}`
    for (const [method, isShown] of [['PUT', 204] as const, ['DELETE', 404] as const]) {
      assert.equal((await forge.call(as, method, path)).status, status)
      if (status === 204) assert.equal((await forge.call(null, 'GET', path)).status, isShown)
    }
  })

for (const path of ['members', 'public_members', 'members/ann', 'public_members/ann'])
  test(`GET /orgs/…/${path} of a private organization is 404 for non-members`, async () => {
    assert.equal((await forge.call(null, 'GET', `/orgs/hidden-guild/${path}`)).status, 404)
    assert.equal((await forge.call('eve', 'GET', `/orgs/hidden-guild/${path}`)).status, 404)
    assert.notEqual((await forge.call('ann', 'GET', `/orgs/hidden-guild/${path}`)).status, 403)
  })

test('a user is a member while any team has them, and is counted once', async () => {
  const before = await membersOf('guild')
  await put(smiths, 'dan')
  await put(cooks, 'dan')
  await put(cooks, 'dan')
  assert.equal(await membersOf('guild'), before + 1)
  assert.equal((await forge.call('ann', 'DELETE', `/teams/${smiths}/members/dan`)).status, 204)
  assert.equal(await membersOf('guild'), before + 1)
  for (let i = 0; i < 2; i++)
    assert.equal((await forge.call('ann', 'DELETE', `/teams/${cooks}/members/dan`)).status, 204)
  assert.equal(await membersOf('guild'), before)
  assert.equal((await forge.call('ann', 'GET', '/orgs/guild/members/dan')).status, 404)
})

test('only an owner can remove a member, from all teams at once', async () => {
  const before = await membersOf('guild')
  await put(smiths, 'dan')
  await put(cooks, 'dan')
  const remove = (as: string | null, whom = 'dan') => forge.call(as, 'DELETE', `/orgs/guild/members/${whom}`)
  assert.equal((await remove(null)).status, 401)
  assert.equal((await remove('eve')).status, 403)
  assert.equal((await remove('cid')).status, 403)
  assert.equal((await remove('ann', 'nobody')).status, 404)
  for (let i = 0; i < 2; i++) assert.equal((await remove('ann')).status, 204)
  assert.equal(await membersOf('guild'), before)
  assert.equal((await forge.call('ann', 'GET', `/teams/${cooks}/members/dan`)).status, 404)
})

test('the last owner can leave neither the owners’ team nor the organization; one of two can', async () => {
  assert.equal((await forge.call('ann', 'DELETE', '/orgs/guild/members/ann')).status, 422)
  assert.equal((await forge.call('ann', 'DELETE', `/teams/${owners}/members/ann`)).status, 422)
  assert.equal((await forge.call('root', 'DELETE', '/orgs/guild/members/ann')).status, 422)
  await put(owners, 'bob')
  assert.equal((await forge.call('bob', 'DELETE', `/teams/${owners}/members/ann`)).status, 204)
  assert.equal((await forge.call('bob', 'DELETE', '/orgs/guild/members/bob')).status, 422)
  assert.equal((await forge.call('ann', 'PATCH', '/orgs/guild', {})).status, 403)
  assert.equal((await forge.call('bob', 'PUT', `/teams/${owners}/members/ann`)).status, 204)
  assert.equal((await forge.call('bob', 'DELETE', '/orgs/guild/members/bob')).status, 204)
  await put(smiths, 'bob')
})

test('a blocked user cannot be added, and a member cannot be blocked', async () => {
  const block = (as: string | null, method: 'GET' | 'PUT' | 'DELETE', whom: string) =>
    forge.call(as, method, `/orgs/guild/blocks/${whom}?note=noise`)
  assert.equal((await block(null, 'PUT', 'eve')).status, 401)
  assert.equal((await block('cid', 'PUT', 'eve')).status, 403)
  assert.equal((await block('ann', 'PUT', 'nobody')).status, 404)
  assert.equal((await block('ann', 'PUT', 'hidden-guild')).status, 400)
  assert.equal((await block('ann', 'PUT', 'bob')).status, 400, 'bob is a member')
  assert.equal((await block('ann', 'PUT', 'eve')).status, 204)
  assert.equal((await block('ann', 'GET', 'eve')).status, 204)
  const { body, headers } = await forge.call('ann', 'GET', '/orgs/guild/blocks')
  assert.deepEqual(
    body.map((user: { login: string }) => user.login),
    ['eve'],
  )
  assert.equal(headers.get('x-total-count'), '1')
  assert.equal((await forge.call('ann', 'PUT', `/teams/${smiths}/members/eve`)).status, 403)
  assert.equal((await block('ann', 'DELETE', 'eve')).status, 204)
  assert.equal((await block('ann', 'DELETE', 'eve')).status, 400)
  assert.equal((await block('ann', 'GET', 'eve')).status, 404)
})

async function team(name: string): Promise<number> {
  const { body } = await forge.call('ann', 'POST', '/orgs/guild/teams', { name, units: ['repo.code'] })
  return body.id
}

async function put(id: number, login: string): Promise<void> {
  assert.equal((await forge.call('ann', 'PUT', `/teams/${id}/members/${login}`)).status, 204)
}

/** Orders logins by account id, as lists of members do. */
function byNumber(a: string, b: string): number {
  const order = ['ann', 'bob', 'cid', 'dan', 'eve', 'root', 'cam']
  return order.indexOf(a) - order.indexOf(b)
}

/** The counter, after comparing it with the rows. */
async function membersOf(login: string): Promise<number> {
  const { members, rows } = await forge.db
    .selectFrom('account')
    .innerJoin('account_count', 'account_count.account_id', 'account.id')
    .select((eb) => [
      'members',
      eb
        .selectFrom('membership')
        .whereRef('organization_id', '=', 'account.id')
        .select((it) => it.fn.countAll<number>().as('rows'))
        .as('rows'),
    ])
    .where('login_key', '=', login)
    .executeTakeFirstOrThrow()
  assert.equal(members, rows, 'the counter and the rows agree')
  return members
}
