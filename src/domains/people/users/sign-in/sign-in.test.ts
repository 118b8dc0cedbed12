/** Signing in: throttling, second factor, and changed passwords. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { generate } from 'otplib'
import { transact } from '#platform/context'
import type { SiteAdmin } from '#platform/rest'
import { type Reply, startForge } from '#testing'
import { findAccount } from '../accounts/accounts.ts'
import { createUser } from '../accounts/create-user.ts'
import { editUser } from '../accounts/edit-user.ts'
import type { ManagedUser } from '../accounts/open-user.ts'
import type { Account } from '../tables.ts'
import { isKnownNetwork, networkOf, rememberNetwork } from './known-networks.ts'
import { setPassword } from './passwords.ts'
import { userTasks } from './tasks.ts'
import { dropTotp, enrollTotp } from './totp.ts'

const FAILURES_MAX = 3
const ADDRESS_FAILURES_MAX = 5
const TOTAL_MAX = 8
const WINDOW_S = 600
const STEP_MS = 30_000

const forge = await startForge({
  config: {
    'sign_in.account_failures_max': FAILURES_MAX,
    'sign_in.address_failures_max': ADDRESS_FAILURES_MAX,
    'sign_in.account_total_max': TOTAL_MAX,
    'sign_in.window_s': WINDOW_S,
    'http.trusted_proxies': ['127.0.0.1'],
  },
})
after(() => forge[Symbol.asyncDispose]())

let addresses = 0
/** An address without failures. */
const freshAddress = () => `198.51.100.${++addresses}`

test('a user signs in by name in any case, and by a confirmed email address', async () => {
  await person('ann')
  for (const name of ['ann', 'ANN', 'ann@example.test', 'Ann@Example.Test']) {
    const { status, body } = await tryAs(name, 'right-password')
    assert.equal(status, 200, name)
    assert.equal(body.login, 'ann')
  }
  const unconfirmed = { email: 'new-ann@example.test', email_key: 'new-ann@example.test', is_verified: false }
  const { id } = (await forge.call(null, 'GET', '/users/ann')).body
  await forge.db
    .insertInto('account_email')
    .values({ account_id: id, ...unconfirmed })
    .execute()
  assert.equal((await tryAs('new-ann@example.test', 'right-password')).status, 401)
})

test('repeated failures for one account from one address are refused with 429 until the window ends', async () => {
  await person('bob')
  const address = freshAddress()
  for (const name of ['bob', 'BOB', 'Bob'])
    assert.equal((await tryAs(name, 'wrong', { address })).status, 401)
  const refused = await tryAs('bob', 'right-password', { address })
  assert.equal(refused.status, 429)
  assert.equal(refused.headers.get('retry-after'), String(WINDOW_S))
  assert.equal((await tryAs('ann', 'right-password', { address })).status, 200, 'others are not concerned')

  forge.advance((WINDOW_S - 10) * 1000)
  assert.equal((await tryAs('bob', 'right-password', { address })).headers.get('retry-after'), '10')
  forge.advance(10_000)
  assert.equal((await tryAs('bob', 'right-password', { address })).status, 200)
})

test('guesses from one address do not lock the owner out elsewhere', async () => {
  await person('owner')
  const address = freshAddress()
  for (let i = 0; i < FAILURES_MAX + 1; i++) await tryAs('owner', 'wrong', { address })
  assert.equal((await tryAs('owner', 'right-password', { address })).status, 429)
  assert.equal((await tryAs('owner', 'right-password')).status, 200)
})

test('the right password from a known network is accepted despite any number of failures', async () => {
  const home = freshAddress()
  const kim = await person('kim')
  assert.equal((await tryAs('kim', 'right-password', { address: home })).status, 200)
  for (let i = 0; i < TOTAL_MAX; i++) assert.equal((await tryAs('kim', 'wrong')).status, 401)
  for (let i = 0; i < ADDRESS_FAILURES_MAX; i++) await tryAs(`unknown-${i}`, 'wrong', { address: home })
  // A new password, because the old one was verified recently.
  await setPassword(forge.ctx, kim, 'newer-password')
  assert.equal((await tryAs('kim', 'newer-password')).status, 401, 'from a new address it counts as wrong')
  assert.equal(
    (await tryAs('kim', 'wrong', { address: home })).status,
    429,
    'a wrong one is told as everywhere',
  )
  assert.equal((await tryAs('kim', 'newer-password', { address: home })).status, 200)
  await setPassword(forge.ctx, kim, 'newest-password')
  const page = await forge
    .browser()
    .submit(
      '/user/login',
      'sign-in',
      { user_name: 'kim', password: 'newest-password' },
      { 'x-forwarded-for': home },
    )
  assert.equal(page.status, 303)
})

test('a network is forgotten after 90 days, or when 50 newer ones are known', async () => {
  const lou = await person('lou')
  const home = freshAddress()
  await tryAs('lou', 'right-password', { address: home })
  for (let i = 0; i < 55; i++) {
    forge.advance(61_000)
    await rememberNetwork(forge.ctx, lou.id, `203.0.113.${i}`)
  }
  const known = () =>
    forge.db.selectFrom('known_address').select('digest').where('account_id', '=', lou.id).execute()
  assert.equal((await known()).length, 50)
  assert.equal(await isKnownNetwork(forge.ctx, { accountId: lou.id, address: home }), false)
  assert.equal(await isKnownNetwork(forge.ctx, { accountId: lou.id, address: '203.0.113.54' }), true)
  assert.ok(!JSON.stringify(await known()).includes('203.0.113'))
  forge.advance(91 * 86_400_000)
  assert.equal(await isKnownNetwork(forge.ctx, { accountId: lou.id, address: '203.0.113.54' }), false)
  await forge.runTask('sweep_sign_in_failures')
  assert.equal((await known()).length, 0)
})

for (const [address, network] of [
  ['198.51.100.7', '198.51.100.7'],
  ['::ffff:198.51.100.7', '198.51.100.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:1:2::6', '2001:db8:1:2::/64'],
  ['2001:db8::6', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
] as const)
  test(`${address} is in the network ${network}`, () => assert.equal(networkOf(address), network))

test('failures under one name are not revealed under another name of the account', async () => {
  await person('hidden')
  const address = freshAddress()
  for (let i = 0; i < FAILURES_MAX; i++) await tryAs('hidden', 'wrong', { address })
  assert.equal((await tryAs('hidden', 'wrong', { address })).status, 429)
  // The account is still protected: even the right password is refused.
  for (const [name, password] of [
    ['hidden@example.test', 'right-password'],
    ['nobody-at-all@example.test', 'wrong'],
  ] as const)
    assert.equal((await tryAs(name, password, { address })).status, 401, name)
  forge.advance(WINDOW_S * 1000)
  assert.equal((await tryAs('hidden@example.test', 'right-password', { address })).status, 200)
})

test('failures from many addresses block new networks silently with 401', async () => {
  await person('many')
  for (let i = 0; i < TOTAL_MAX; i++) assert.equal((await tryAs('many', 'wrong')).status, 401)
  assert.equal((await tryAs('many', 'right-password')).status, 401)
  forge.advance(WINDOW_S * 1000)
  assert.equal((await tryAs('many', 'right-password')).status, 200)
})

test('a signed-in user confirms the password on a new network while others guess at the account', async () => {
  await person('mover')
  const browser = forge.browser()
  const home = { 'x-forwarded-for': freshAddress() }
  const fields = { user_name: 'mover', password: 'right-password' }
  assert.equal((await browser.submit('/user/login', 'sign-in', fields, home)).status, 303)
  // Past the time for which the sign-in itself is a confirmation.
  forge.advance(3_600_000)
  for (let i = 0; i < TOTAL_MAX; i++) assert.equal((await tryAs('mover', 'wrong')).status, 401)
  assert.equal((await tryAs('mover', 'right-password')).status, 401, 'a stranger may have guessed it')
  const away = { 'x-forwarded-for': freshAddress() }
  const confirm = (confirm_password: string) =>
    browser.submit('/user/settings/account', 'add', { email: 'moved@example.test', confirm_password }, away)
  for (let i = 0; i < FAILURES_MAX; i++) assert.equal((await confirm('wrong')).status, 403)
  // Guessing stays bounded with a stolen session, too.
  assert.equal((await confirm('right-password')).status, 429)
  forge.advance(WINDOW_S * 1000)
  for (let i = 0; i < TOTAL_MAX; i++) await tryAs('mover', 'wrong')
  assert.equal((await confirm('right-password')).status, 303)
})

test('repeated failures from one address are refused with 429, whatever the account', async () => {
  const address = freshAddress()
  for (let i = 0; i < ADDRESS_FAILURES_MAX; i++)
    assert.equal((await tryAs(`unknown-${i}`, 'wrong', { address })).status, 401)
  const refused = await tryAs('unknown-9', 'wrong', { address })
  assert.equal(refused.status, 429)
  assert.equal(refused.headers.get('retry-after'), String(WINDOW_S))
  assert.equal((await tryAs('unknown-9', 'wrong')).status, 401, 'from elsewhere it is only wrong')
  forge.advance(WINDOW_S * 1000)
  for (let i = 0; i < ADDRESS_FAILURES_MAX; i++)
    assert.equal((await tryAs(`other-${i}`, 'wrong', { address })).status, 401, 'counting begins anew')
})

test('a successful sign-in resets the failures', async () => {
  await person('cid')
  const address = freshAddress()
  for (let round = 0; round < 2; round++) {
    for (let i = 1; i < FAILURES_MAX; i++)
      assert.equal((await tryAs('cid', 'wrong', { address })).status, 401)
    await setPassword(forge.ctx, await account('cid'), `password-${round}`)
    assert.equal((await tryAs('cid', `password-${round}`, { address })).status, 200)
  }
})

test('a right code in flight is refused when the failure limit is reached meanwhile', async () => {
  const flooded = await person('flooded')
  const { secret } = await enrollTotp(forge.ctx, flooded)
  const otp = await generate({ secret, epoch: Math.floor(forge.ctx.now().getTime() / 1000) })
  const right = await transact(forge.ctx, async (ctx) => {
    await ctx.db.selectFrom('account_totp').select('account_id').forUpdate().execute()
    const address = freshAddress()
    const waiting = tryAs('flooded', 'right-password', { otp, address })
    // It has passed the gate by now, and waits for the row lock of its second factor.
    while (!(await isSomebodyWaiting())) await sleep(20)
    for (let i = 0; i < FAILURES_MAX; i++)
      assert.equal((await tryAs('flooded', 'wrong', { address })).status, 401)
    return { waiting }
  })
  assert.equal((await right.waiting).status, 429)
})

test('a recently verified password is accepted while others guess at the account', async () => {
  await person('calm')
  assert.equal((await tryAs('calm', 'right-password')).status, 200)
  const address = freshAddress()
  for (let i = 0; i < FAILURES_MAX; i++) await tryAs('calm', 'wrong', { address })
  assert.equal((await tryAs('calm', 'other', { address })).status, 429)
  const stays = await tryAs('calm', 'right-password', { address })
  assert.equal(stays.status, 200, 'the password was proven a moment ago')
})

test('a changed password invalidates the old one at once, even if recently verified', async () => {
  const dan = await person('dan')
  assert.equal((await tryAs('dan', 'right-password')).status, 200)
  await setPassword(forge.ctx, dan, 'newer-password')
  assert.equal((await tryAs('dan', 'right-password')).status, 401)
  assert.equal((await tryAs('dan', 'newer-password')).status, 200)
})

test('an unknown name takes as long as a wrong password', async () => {
  await person('slow')
  const time = async (name: string) => {
    const startedAt = performance.now()
    await tryAs(name, 'wrong')
    return performance.now() - startedAt
  }
  const known: number[] = []
  const unknown: number[] = []
  for (let i = 0; i < 6; i++) {
    unknown.push(await time('nobody-of-this-name'))
    known.push(await time('slow'))
    forge.advance(WINDOW_S * 1000)
  }
  // Noise only adds time, so the minimum of each series is compared.
  const [fast, least] = [Math.min(...unknown), Math.min(...known)]
  assert(fast > least / 3, `an unknown name is refused in ${fast} ms, a wrong password in ${least} ms`)
})

test('a second factor is required, must be right, and works once', async () => {
  const eve = await person('eve')
  const { secret, uri } = await enrollTotp(forge.ctx, eve)
  assert.match(uri, /^otpauth:\/\/totp\//)
  const code = () => generate({ secret, epoch: Math.floor(forge.ctx.now().getTime() / 1000) })
  const withCode = async (otp: string) => (await tryAs('eve', 'right-password', { otp })).status

  assert.equal((await tryAs('eve', 'right-password')).status, 401, 'without a code')
  assert.equal(await withCode('nonsense'), 401)
  const good = await code()
  assert.equal((await tryAs('eve', 'wrong', { otp: good })).status, 401, 'the password still counts')
  forge.advance(WINDOW_S * 1000)
  const now = await code()
  assert.equal(await withCode(now), 200)
  assert.equal(await withCode(now), 401, 'replayed')
  forge.advance(STEP_MS)
  assert.equal(await withCode(await code()), 200, 'the next code is good')
  assert.equal(await withCode(now), 401, 'the one before is not')

  await dropTotp(forge.ctx, eve.id)
  assert.equal((await tryAs('eve', 'right-password')).status, 200)
})

test('of two concurrent requests with one code one succeeds', async () => {
  const eva = await person('eva')
  const { secret } = await enrollTotp(forge.ctx, eva)
  const otp = await generate({ secret, epoch: Math.floor(forge.ctx.now().getTime() / 1000) })
  const replies = await Promise.all([1, 2].map(() => tryAs('eva', 'right-password', { otp })))
  assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 401])
})

test('guessing codes with the right password is blocked for every network', async () => {
  const gil = await person('gil')
  const home = freshAddress()
  const { secret } = await enrollTotp(forge.ctx, gil)
  const code = () => generate({ secret, epoch: Math.floor(forge.ctx.now().getTime() / 1000) })
  assert.equal((await tryAs('gil', 'right-password', { otp: await code(), address: home })).status, 200)
  forge.advance(STEP_MS)
  // From many addresses, then also from a known one.
  for (let i = 0; i < FAILURES_MAX; i++)
    assert.equal((await tryAs('gil', 'right-password', { otp: '000000' })).status, 401)
  for (const address of [freshAddress(), home])
    assert.equal((await tryAs('gil', 'right-password', { otp: await code(), address })).status, 401)
  forge.advance(WINDOW_S * 1000)
  assert.equal((await tryAs('gil', 'right-password', { otp: await code() })).status, 200)
})

for (const { state, edit, byPassword, byToken } of [
  { state: 'prohibited', edit: { prohibit_login: true }, byPassword: 401, byToken: 403 },
  { state: 'inactive', edit: { active: false }, byPassword: 403, byToken: 403 },
  {
    state: 'bound to change the password',
    edit: { must_change_password: true },
    byPassword: 403,
    byToken: 403,
  },
])
  test(`a user who is ${state} is refused by password and by token`, async () => {
    const login = `state-${byPassword}-${Object.keys(edit)[0]?.slice(0, 2)}`
    const user = await forge.person(login)
    await setPassword(forge.ctx, user, 'right-password')
    await editUser(forge.ctx, {} as SiteAdmin, user as ManagedUser, edit)
    assert.equal((await tryAs(login, 'right-password')).status, byPassword)
    assert.equal((await forge.call(login, 'GET', '/user')).status, byToken)
  })

test('an organization cannot sign in', async () => {
  const guild = await forge.person('guild', { kind: 'organization' })
  await setPassword(forge.ctx, guild, 'right-password')
  assert.equal((await tryAs('guild', 'right-password')).status, 401)
})

test('HTTP Basic does not set last_login', async () => {
  await person('hal')
  assert.equal((await tryAs('hal', 'right-password')).body.last_login, null)
  assert.equal((await tryAs('hal', 'right-password')).body.last_login, null)
})

test('failures of past windows are swept, current ones stay', async () => {
  await tryAs('swept', 'wrong')
  forge.advance(WINDOW_S * 1000 + 1)
  await tryAs('kept', 'wrong')
  const [task] = userTasks
  assert.equal(task?.name, 'sweep_sign_in_failures')
  await task.run(forge.ctx)
  const rows = await forge.db.selectFrom('sign_in_failure').select('key').orderBy('key').execute()
  assert.deepEqual(
    rows.map(({ key }) => key.replace(/198[.\d]*/, 'network')),
    ['address:network', 'name:network:kept'],
  )
})

async function isSomebodyWaiting(): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(forge.db)
  return rows.length > 0
}

function person(username: string): Promise<Account> {
  const email = `${username}@example.test`
  return createUser(forge.ctx, { username, email, password: 'right-password', must_change_password: false })
}

async function account(login: string): Promise<Account> {
  const found = await findAccount(forge.db, login)
  assert(found)
  return found
}

function tryAs(
  name: string,
  password: string,
  { address = freshAddress(), otp }: { address?: string; otp?: string } = {},
): Promise<Reply> {
  return forge.call(null, 'GET', '/user', undefined, {
    authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`,
    'x-forwarded-for': address,
    ...(otp === undefined ? {} : { 'x-gitea-otp': otp }),
  })
}
