/** Registration, password reset and invitations, with real mail. */
import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { setPassword } from '#domains/people/users'
import { must } from '#platform/must'
import { MailServer, startForge } from '#testing'
import { registrationRefusal } from './register.ts'

const mails = await MailServer.start()
const mail = { 'mail.host': '127.0.0.1', 'mail.port': mails.port, 'mail.tls': 'none' } as const
const forge = await startForge({ config: { ...mail, 'registration.mode': 'open' } })
after(async () => {
  await forge[Symbol.asyncDispose]()
  await mails[Symbol.asyncDispose]()
})
const ann = await forge.person('ann')
await setPassword(forge.ctx, ann, 'correct horse')
await forge.person('root', { is_admin: true })

beforeEach(() => {
  mails.taken.length = 0
  forge.advance(180_000)
})

/** The link in the last mail to an address, as a path. */
async function linkTo(address: string): Promise<string> {
  await forge.runJobs()
  const text = mails.of(address).at(-1)?.parts[0]?.content ?? ''
  return must(/http:\/\/forge\.test(\/\S+)/.exec(text)?.[1], `a link in ${text}`)
}

const register = (user_name: string, email: string, more = {}) =>
  forge.browser().submit('/user/sign_up', 'sign-up', { user_name, email, password: 'long enough', ...more })
const signIn = (user_name: string, password: string) =>
  forge.browser().submit('/user/login', 'sign-in', { user_name, password })

test('every page offers to sign up to visitors without an account', async () => {
  assert.match((await forge.browser().get('/explore/repos')).text, /href="\/user\/sign_up">Sign up</)
  assert.doesNotMatch((await (await forge.browserOf('ann')).get('/explore/repos')).text, /Sign up/)
})

test('a new user can sign in only after their address is verified', async () => {
  const made = await register('bob', 'bob@mail.test')
  assert.equal(made.headers.get('location'), '/user/activate?sent=bob%40mail.test')
  const link = await linkTo('bob@mail.test')
  const early = await signIn('bob', 'long enough')
  assert.equal(early.headers.get('location'), '/user/activate?sent=bob%40mail.test')
  assert.deepEqual(early.headers.getSetCookie(), [])
  assert.equal((await forge.call(null, 'GET', '/user', undefined, basic('bob', 'long enough'))).status, 403)
  const code = new URL(link, 'http://x').searchParams.get('code') ?? ''
  const looked = await forge.browser().get(link)
  assert.match(looked.text, /Confirm email address/)
  assert.equal(
    (await signIn('bob', 'long enough')).headers.getSetCookie().length,
    0,
    'looking changes nothing',
  )
  assert.equal((await forge.browser().submit(link, 'activate', { code })).status, 200)
  assert.equal((await forge.browser().submit(link, 'activate', { code })).status, 422, 'a link works once')
  assert.equal((await signIn('bob', 'long enough')).headers.get('location'), '/')
})

test('a name that was never activated is released a week after its last link', async () => {
  const DAY_MS = 86_400_000
  const isThere = async (login: string) => (await forge.call('root', 'GET', `/users/${login}`)).status === 200
  for (const name of ['gone', 'late', 'kept', 'came']) await register(name, `${name}@mail.test`)
  const link = await linkTo('came@mail.test')
  const code = new URL(link, 'http://x').searchParams.get('code') ?? ''
  assert.equal((await forge.browser().submit(link, 'activate', { code })).status, 200)
  forge.advance(DAY_MS)
  await forge.call('root', 'PATCH', '/admin/users/kept', { full_name: 'Kept' })
  await forge.runTask('sweep_sessions')
  forge.advance(6 * DAY_MS)
  await forge.runTask('delete_inactive_accounts')
  assert.equal(await isThere('gone'), true)
  // Sends them another link.
  await signIn('late', 'long enough')
  forge.advance(2 * DAY_MS)
  await forge.runTask('delete_inactive_accounts')
  assert.deepEqual(await Promise.all(['gone', 'late', 'kept', 'came'].map(isThere)), [
    false,
    true,
    true,
    true,
  ])
  assert.equal((await register('gone', 'gone@mail.test')).status, 303)
})

test('a taken, reserved or invalid name is refused, and the form keeps its fields', async () => {
  for (const name of ['ann', 'admin', '-x']) {
    const refused = await register(name, 'new@mail.test')
    assert.equal(refused.status, 422, name)
    assert.match(refused.text, /value="new@mail\.test"/)
  }
})

test('a password is reset by a link, once, and all sessions end', async () => {
  const other = await forge.browserOf('ann')
  const asked = await forge
    .browser()
    .submit('/user/forgot_password', 'ask', { user_name: 'ann@example.test' })
  const nobody = await forge.browser().submit('/user/forgot_password', 'ask', { user_name: 'nobody' })
  assert.equal(asked.status, 200)
  assert.equal(
    nobody.text.replace(/[\w-]{16}/g, ''),
    asked.text.replace(/[\w-]{16}/g, ''),
    'nobody is told who exists',
  )
  const link = await linkTo('ann@example.test')
  const code = new URL(link, 'http://x').searchParams.get('code') ?? ''
  const fields = { code, password: 'battery staple', again: 'battery staple' }
  assert.equal((await forge.browser().submit(link, 'recover', { ...fields, again: 'other' })).status, 422)
  assert.equal((await forge.browser().submit(link, 'recover', fields)).status, 200)
  assert.equal((await forge.browser().submit(link, 'recover', fields)).status, 422)
  assert.equal((await other.get('/user/settings')).status, 303)
  assert.equal((await signIn('ann', 'battery staple')).status, 303)
  assert.equal((await signIn('ann', 'correct horse')).status, 422)
})

test('an account whose identity provider is the only way in gets no password, by no link', async () => {
  await forge.person('olga')
  await forge.call('root', 'PATCH', '/admin/users/olga', { password: 'of root', must_change_password: true })
  const begun = forge.browser()
  await begun.submit('/user/login', 'sign-in', { user_name: 'olga', password: 'of root' })
  assert.ok(begun.cookies.has('step'))
  const link = await askFor('olga')
  const { id } = await forge.db
    .insertInto('authentication_source')
    .values({
      kind: 'oidc',
      name: 'company',
      name_key: 'company',
      settings: '{}',
      sealed_secret: '',
      is_enabled: true,
      is_only_way: true,
      may_register: true,
      created_at: forge.ctx.now(),
      updated_at: forge.ctx.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const confine = (only_source_id: number | null) =>
    forge.db.updateTable('account').set({ only_source_id }).where('login', '=', 'olga').execute()
  await confine(id)
  assert.equal((await useLink(link, 'battery staple')).status, 422)
  // A sign-in that had begun before.
  const changed = { password: 'temporary', again: 'temporary' }
  assert.equal((await begun.submit('/user/settings/change_password', 'change', changed)).status, 422)
  assert.equal(begun.cookies.has('session'), false)
  const before = mails.taken.length
  forge.advance(180_000)
  await forge.browser().submit('/user/forgot_password', 'ask', { user_name: 'olga' })
  await forge.runJobs()
  assert.equal(mails.taken.length, before)
  await confine(null)
  assert.equal((await useLink(await askFor('olga'), 'battery staple')).status, 200)
})

/** Requests a password reset link. */
async function askFor(login: string): Promise<string> {
  forge.advance(180_000)
  await forge.browser().submit('/user/forgot_password', 'ask', { user_name: login })
  return linkTo(`${login}@example.test`)
}

function useLink(link: string, password: string) {
  const code = new URL(link, 'http://x').searchParams.get('code') ?? ''
  return forge.browser().submit(link, 'recover', { code, password, again: password })
}

async function opens(login: string, password: string): Promise<boolean> {
  return (await forge.call(null, 'GET', '/user', undefined, basic(login, password))).status === 200
}

test('the first reset link that is used invalidates all others', async () => {
  await forge.person('lea')
  const older = await askFor('lea')
  const newer = await askFor('lea')
  assert.equal((await useLink(newer, 'by the newer')).status, 200)
  assert.equal((await useLink(older, 'by the older')).status, 422)
  assert.equal(await opens('lea', 'by the newer'), true)
})

test('a reset link is invalidated by any change of the password or the primary address', async () => {
  const mia = await forge.person('mia')
  await setPassword(forge.ctx, mia, 'first words')
  const changes = [
    async () => {
      const fields = { password: 'changed by mia', again: 'changed by mia' }
      const page = await (await forge.browserOf('mia')).submit('/user/settings/account', 'password', fields)
      assert.equal(page.status, 303)
    },
    () => forge.call('root', 'PATCH', '/admin/users/mia', { password: 'given by root' }),
    () => forge.call('root', 'PATCH', '/admin/users/mia', { email: 'mia@elsewhere.test' }),
  ]
  for (const change of changes) {
    const link = await askFor('mia')
    await change()
    assert.equal((await useLink(link, 'by an old mailbox')).status, 422)
    assert.equal(await opens('mia', 'by an old mailbox'), false)
  }
})

test('of concurrent uses of one reset link exactly one sets the password', async () => {
  await forge.person('nia')
  const link = await askFor('nia')
  const words = ['pass-aaaa', 'pass-bbbb', 'pass-cccc', 'pass-dddd']
  const told = await Promise.all(words.map((it) => useLink(link, it)))
  assert.deepEqual(told.map(({ status }) => status).sort(), [200, 422, 422, 422])
  for (const [i, word] of words.entries())
    assert.equal(await opens('nia', word), told[i]?.status === 200, word)
})

test('of several reset links used concurrently one sets the password', async () => {
  await forge.person('ole')
  const links = [await askFor('ole'), await askFor('ole'), await askFor('ole')]
  const told = await Promise.all(links.map((it, i) => useLink(it, `password-${i}`)))
  assert.deepEqual(told.map(({ status }) => status).sort(), [200, 422, 422])
  for (const [i, { status }] of told.entries())
    assert.equal(await opens('ole', `password-${i}`), status === 200, `${i}`)
})

test('of two concurrent changes of an initial password one succeeds', async () => {
  await forge.call('root', 'POST', '/admin/users', {
    username: 'pip',
    email: 'pip@mail.test',
    password: 'given to pip',
    must_change_password: true,
  })
  const browsers = [forge.browser(), forge.browser()]
  for (const browser of browsers)
    await browser.submit('/user/login', 'sign-in', { user_name: 'pip', password: 'given to pip' })
  const change = (word: string) => ({ password: word, again: word, to: '/' })
  const told = await Promise.all(
    browsers.map((it, i) => it.submit('/user/settings/change_password', 'change', change(`password-${i}`))),
  )
  assert.deepEqual(told.map(({ status }) => status).sort(), [303, 422])
  for (const [i, { status }] of told.entries())
    assert.equal(await opens('pip', `password-${i}`), status === 303, `${i}`)
})

test('repeated requests for a password reset send one mail', async () => {
  for (let times = 0; times < 5; times++)
    await forge.browser().submit('/user/forgot_password', 'ask', { user_name: 'ann' })
  await forge.runJobs()
  assert.equal(mails.of('ann@example.test').length, 1)
})

test('a link is sealed while its mail is queued', async () => {
  await register('wren', 'wren@mail.test')
  const { rows } = await sql<{ payload: string }>`
    select payload::text from job`.execute(forge.db)
  assert.ok(rows.some(({ payload }) => payload.includes('sealedLink')))
  assert.ok(!JSON.stringify(rows).includes('/user/activate'))
  assert.match(await linkTo('wren@mail.test'), /^\/user\/activate\?code=/)
})

test('a reset link expires after an hour', async () => {
  const link = await askFor('ann')
  forge.advance(3_700_000)
  assert.match((await forge.browser().get(link)).text, /has expired/)
})

test('an initial password must be changed before anything else', async () => {
  await forge.call('root', 'POST', '/admin/users', {
    username: 'carl',
    email: 'carl@mail.test',
    password: 'given to him',
    must_change_password: true,
  })
  const browser = forge.browser()
  const fields = { user_name: 'carl', password: 'given to him', to: '/explore/repos' }
  const step = await browser.submit('/user/login', 'sign-in', fields)
  const page = '/user/settings/change_password?redirect_to=%2Fexplore%2Frepos'
  assert.equal(step.headers.get('location'), page)
  assert.equal((await browser.get('/user/settings')).status, 303)
  const short = await browser.submit(page, 'change', { password: 'x', again: 'x', to: '/' })
  assert.equal(short.status, 422)
  const done = await browser.submit(page, 'change', {
    password: 'my own word',
    again: 'my own word',
    to: '/',
  })
  assert.equal(done.headers.get('location'), '/')
  assert.equal((await browser.get('/user/settings')).status, 200)
  assert.equal((await signIn('carl', 'given to him')).status, 422)
})

test('an owner invites to a team by mail, and the new user is a member of it', async () => {
  await forge.call('ann', 'POST', '/orgs', { username: 'smithy' })
  await forge.call('ann', 'POST', '/orgs/smithy/teams', {
    name: 'strikers',
    permission: 'read',
    units: ['repo.code'],
  })
  const owner = await forge.browserOf('ann')
  const team = '/org/smithy/teams/strikers'
  const sent = await owner.submit(team, 'invite', { email: 'dora@mail.test' })
  assert.equal(sent.headers.get('location'), team, 'the link goes to the address alone')
  const link = await linkTo('dora@mail.test')
  assert.match((await forge.browser().get(link)).text, /ann invited you to the team strikers of smithy/)
  const invitation = link.split('/').at(-1) ?? ''
  const browser = forge.browser()
  const fields = { user_name: 'dora', password: 'long enough', invitation, email: 'eve@evil.test' }
  const made = await browser.submit(`/user/sign_up?invitation=${invitation}`, 'sign-up', fields)
  assert.equal(made.headers.get('location'), '/')
  assert.equal((await browser.get('/user/settings')).status, 200)
  assert.equal((await forge.call('ann', 'GET', '/orgs/smithy/members/dora')).status, 204)
  const dora = await forge.call('root', 'GET', '/users/dora')
  assert.equal(dora.body.email, 'dora@mail.test', 'the address that was invited, and no other')
  const again = await register('dave', '', { invitation })
  assert.equal(again.status, 422, 'an invitation works once')
})

test('a user with an account accepts an invitation with it, and a revoked invitation is not valid', async () => {
  const owner = await forge.browserOf('ann')
  const team = '/org/smithy/teams/strikers'
  await owner.submit(team, 'invite', { email: 'bob@mail.test' })
  const link = await linkTo('bob@mail.test')
  const browser = await forge.browserOf('bob')
  assert.equal((await browser.submit(link, 'accept', {})).headers.get('location'), '/smithy')
  assert.equal((await forge.call('ann', 'GET', '/orgs/smithy/members/bob')).status, 204)
  const second = await (await forge.browserOf('carl')).submit(link, 'accept', {})
  assert.equal(second.status, 422, 'a link works once, for whoever comes first')
  assert.equal((await forge.call('ann', 'GET', '/orgs/smithy/members/carl')).status, 404)
  await owner.submit(team, 'invite', { email: 'ed@mail.test' })
  const other = await linkTo('ed@mail.test')
  const { id } = await forge.db
    .selectFrom('invitation')
    .select('id')
    .where('email', '=', 'ed@mail.test')
    .executeTakeFirstOrThrow()
  assert.equal((await owner.submit(team, 'revoke', { id: String(id) })).status, 303)
  assert.match((await forge.browser().get(other)).text, /has expired, was revoked/)
})

test('an invitation is not valid after its inviter has lost access', async () => {
  await forge.person('gil')
  await forge.person('hal')
  const [{ id }] = (await forge.call('ann', 'GET', '/orgs/smithy/teams')).body
  await forge.call('ann', 'PUT', `/teams/${id}/members/gil`)
  await (await forge.browserOf('gil')).submit('/org/smithy/teams/strikers', 'invite', {
    email: 'hal@example.test',
  })
  const link = await linkTo('hal@example.test')
  await forge.call('ann', 'DELETE', `/teams/${id}/members/gil`)
  const browser = await forge.browserOf('hal')
  assert.notEqual((await browser.submit(link, 'accept', {})).status, 303)
  assert.equal((await forge.call('ann', 'GET', '/orgs/smithy/members/hal')).status, 404)
})

test('only owners invite to a team, and only administrators to the site', async () => {
  const browser = await forge.browserOf('bob')
  assert.notEqual(
    (await browser.submit('/org/smithy/teams/strikers', 'invite', { email: 'x@mail.test' })).status,
    303,
  )
  assert.equal((await browser.get('/-/admin/users')).status, 403)
  assert.notEqual((await browser.submit('/-/admin/users', 'invite', { email: 'x@mail.test' })).status, 200)
  const admin = await forge.browserOf('root')
  const given = await admin.submit('/-/admin/users', 'invite', { email: 'x@mail.test' })
  assert.match(given.text, /http:\/\/forge\.test\/org\/invite\/[\w-]{43}/)
  const open = await forge.db
    .selectFrom('invitation')
    .select('id')
    .where('email', '=', 'x@mail.test')
    .execute()
  assert.equal(open.length, 1)
})

test('closed registration is shown as closed, and its form is refused', async () => {
  await using shut = await startForge()
  assert.match((await shut.browser().get('/user/sign_up')).text, /Registration is closed/)
  const fields = { user_name: 'eve', email: 'eve@mail.test', password: 'long enough' }
  assert.equal((await shut.browser().submit('/user/sign_up', 'sign-up', fields)).status, 422)
  assert.ok(!(await shut.browser().get('/user/login')).text.includes('/user/sign_up'))
  const modes = ['closed', 'invite', 'open'] as const
  const refusals = modes.flatMap((mode) =>
    [false, true].map((isInvited) => {
      const config = { ...shut.ctx.config, 'registration.mode': mode, 'mail.host': '' }
      return `${mode} ${isInvited}: ${registrationRefusal({ config }, isInvited)}`
    }),
  )
  assert.deepEqual(refusals, [
    'closed false: closed',
    'closed true: closed',
    'invite false: invite',
    'invite true: null',
    'open false: mail',
    'open true: null',
  ])
})

function basic(name: string, password: string): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}` }
}
