/** An administrator ends all sessions and tokens of a user, on every node. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setPassword } from '#domains/people/users'
import { type Forge, startForge, waitForLock } from '#testing'

const PASSWORD = 'a long password'
const basic = (login: string, password = PASSWORD) => ({
  authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`,
})

let forge: Forge
before(async () => {
  forge = await startForge({ nodes: 2, config: { 'log.level': 'silent' } })
  await forge.person('root', { is_admin: true })
  for (const login of ['ann', 'bob', 'cem', 'dee'])
    await setPassword(forge.ctx, await forge.person(login), PASSWORD)
})
after(() => forge[Symbol.asyncDispose]())

const end = (login: string, as = 'root') => forge.call(as, 'DELETE', `/admin/users/${login}/sessions`)
const make = (login: string, name: string, password?: string) =>
  forge.call(null, 'POST', `/users/${login}/tokens`, { name, scopes: ['all'] }, basic(login, password))
const by = (token: string, path = '/user') =>
  forge.call(null, 'GET', path, undefined, { authorization: `token ${token}` })

test('sessions, tokens and tokens of tokens end at the next request on every node, and those of others stay', async () => {
  const browser = await forge.browserOf('ann')
  assert.equal((await browser.get('/user/settings')).status, 200)
  const parent = (await make('ann', 'parent')).body.sha1
  const bearer = { authorization: `token ${parent}` }
  const child = (await forge.call(null, 'POST', '/token/narrowed', { seconds: 600 }, bearer)).body.sha1
  assert.equal((await by(child)).status, 200)
  assert.equal((await end('ann')).status, 204)
  for (let node = 0; node < 2; node++) {
    for (const token of [parent, child, forge.tokenOf('ann')]) {
      assert.equal((await by(token)).status, 401)
      assert.equal((await by(token)).status, 401)
    }
    assert.equal((await browser.get('/user/settings')).status, 303)
  }
  assert.equal((await by(forge.tokenOf('bob'))).status, 200)
  assert.equal((await make('ann', 'after')).status, 201, 'the password still works')
})

test('only site administrators end sessions of others', async () => {
  assert.equal((await end('ann', 'bob')).status, 403)
  assert.equal((await end('nobody')).status, 404)
  assert.equal((await by(forge.tokenOf('bob'))).status, 200)
})

test('a token that is made while they end does not survive', async () => {
  const token = forge.tokenOf('cem')
  const issuing = await forge.db.transaction().execute(async (tx) => {
    // Holds the account, so that the new token waits before it is inserted, with its credential already checked.
    await tx.selectFrom('account').select('id').where('login', '=', 'cem').forUpdate().execute()
    const issuing = make('cem', 'late', token)
    await waitForLock(forge.db)
    await tx
      .deleteFrom('access_token')
      .where('name', '=', 'test')
      .where('account_id', 'in', (eb) => eb.selectFrom('account').select('id').where('login', '=', 'cem'))
      .execute()
    return { issuing }
  })
  assert.equal((await issuing.issuing).status, 401)
  const left = await forge.db
    .selectFrom('access_token')
    .innerJoin('account', 'account.id', 'account_id')
    .select('name')
    .where('login', '=', 'cem')
    .execute()
  assert.deepEqual(left, [])
})

test('the page of a user has a button for it, which asks for the password again', async () => {
  const browser = await forge.browserOf('root')
  assert.equal((await browser.submit('/-/admin/users/dee', 'end-access', {})).status, 303)
  assert.equal((await by(forge.tokenOf('dee'))).status, 401)
})
