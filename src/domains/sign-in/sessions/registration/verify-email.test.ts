/** Email addresses count only when verified, and account mail is limited. */
import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { setPassword } from '#domains/people/users'
import { must } from '#platform/must'
import { MailServer, startForge } from '#testing'

const mails = await MailServer.start()
const mail = { 'mail.host': '127.0.0.1', 'mail.port': mails.port, 'mail.tls': 'none' } as const
const bounds = { 'letters.to_address_max': 3, 'letters.by_account_max': 12, 'letters.all_max': 60 } as const
const forge = await startForge({ config: { ...mail, ...bounds, 'registration.mode': 'open' } })
after(async () => {
  await forge[Symbol.asyncDispose]()
  await mails[Symbol.asyncDispose]()
})
const ann = await forge.person('ann')
await setPassword(forge.ctx, ann, 'correct horse')
for (const login of ['bob', 'cid', 'eve', 'dan']) await forge.person(login)
await forge.person('root', { is_admin: true })
await forge.call('ann', 'POST', '/user/repos', { name: 'town', auto_init: true })

beforeEach(() => {
  mails.taken.length = 0
  forge.advance(86_400_001)
})

async function linkTo(address: string): Promise<string> {
  await forge.runJobs()
  const text = mails.of(address).at(-1)?.parts[0]?.content ?? ''
  return must(/http:\/\/forge\.test(\/\S+)/.exec(text)?.[1], `a link in ${text}`)
}

const codeOf = (link: string) => new URL(link, 'http://x').searchParams.get('code') ?? ''
const add = (as: string, email: string) => forge.call(as, 'POST', '/user/emails', { emails: [email] })
const drop = (as: string, email: string) => forge.call(as, 'DELETE', '/user/emails', { emails: [email] })
const opens = async (name: string) => {
  const authorization = `Basic ${Buffer.from(`${name}:correct horse`).toString('base64')}`
  return (await forge.call(null, 'GET', '/user', undefined, { authorization })).status === 200
}
const isVerified = async (login: string, email: string) =>
  (await forge.call(login, 'GET', '/user/emails')).body.find((it: { email: string }) => it.email === email)
    ?.verified
/** The account that a commit with this address is attributed to. */
const authorOf = async (email: string) => {
  const made = await forge.call('ann', 'POST', `/repos/ann/town/contents/${crypto.randomUUID()}`, {
    content: '',
    author: { name: 'x', email },
  })
  const sha = made.body.commit.sha
  return (await forge.call('ann', 'GET', `/repos/ann/town/git/commits/${sha}`)).body.author?.login
}

test('an address has no effect before its link was followed', async () => {
  const added = await add('ann', 'ann@second.test')
  assert.equal(added.status, 201)
  assert.equal(await isVerified('ann', 'ann@second.test'), false)
  const link = await linkTo('ann@second.test')
  assert.equal(await opens('ann@second.test'), false)
  assert.equal(await authorOf('ann@second.test'), undefined)
  await forge.browser().submit('/user/forgot_password', 'ask', { user_name: 'ann@second.test' })
  await forge.runJobs()
  assert.equal(mails.of('ann@example.test').length, 0)

  const browser = await forge.browserOf('ann')
  assert.match((await browser.get(link)).text, /Add ann@second\.test to the account ann\?/)
  assert.equal(await isVerified('ann', 'ann@second.test'), false, 'looking changes nothing')
  const done = await browser.submit('/user/activate_email', 'verify', { code: codeOf(link) })
  assert.equal(done.status, 303)
  assert.equal(await isVerified('ann', 'ann@second.test'), true)
  assert.equal(await opens('ann@second.test'), true)
  assert.equal(await authorOf('ann@second.test'), 'ann')
  const again = await browser.submit('/user/activate_email', 'verify', { code: codeOf(link) })
  assert.equal(again.status, 422, 'a link works once')
})

test('a verification link is not valid for another account, without sign-in, or after a day', async () => {
  await add('bob', 'victim@mail.test')
  const link = await linkTo('victim@mail.test')
  const victim = await forge.browserOf('cid')
  assert.match((await victim.get(link)).text, /belongs to another account/)
  const code = codeOf(link)
  assert.equal((await victim.submit('/user/activate_email', 'verify', { code })).status, 422)
  assert.match((await forge.browser().get(link)).headers.get('location') ?? '', /^\/user\/login/)
  assert.equal((await forge.browser().submit('/user/activate_email', 'verify', { code })).status, 401)
  forge.advance(86_400_001)
  const bob = await forge.browserOf('bob')
  assert.equal((await bob.submit('/user/activate_email', 'verify', { code })).status, 422)
  assert.equal(await isVerified('bob', 'victim@mail.test'), false)
})

test('an unverified address does not prevent other accounts from using it', async () => {
  await add('bob', 'wanted@mail.test')
  const bobs = await linkTo('wanted@mail.test')
  assert.equal((await add('cid', 'wanted@mail.test')).status, 201)
  const code = codeOf(bobs)
  assert.equal(
    (await (await forge.browserOf('bob')).submit('/user/activate_email', 'verify', { code })).status,
    422,
  )
  const cids = codeOf(await linkTo('wanted@mail.test'))
  await (await forge.browserOf('cid')).submit('/user/activate_email', 'verify', { code: cids })
  assert.equal(await isVerified('cid', 'wanted@mail.test'), true)
  assert.equal((await add('bob', 'wanted@mail.test')).status, 422, 'a proven one is taken')
  await add('bob', 'chosen@mail.test')
  const edit = { email: 'chosen@mail.test' }
  assert.equal((await forge.call('root', 'PATCH', '/admin/users/dan', edit)).status, 200)
})

test('without mail an address counts at once', async () => {
  await using quiet = await startForge()
  await quiet.person('ann')
  const { body } = await quiet.call('ann', 'POST', '/user/emails', { emails: ['ann@second.test'] })
  assert.deepEqual(
    body.map(({ verified }: { verified: boolean }) => verified),
    [true, true],
  )
})

test('adding the same address repeatedly sends a limited number of mails', async () => {
  const statuses: number[] = []
  for (let i = 0; i < 6; i++) {
    statuses.push((await add('eve', 'bombed@mail.test')).status)
    await drop('eve', 'bombed@mail.test')
  }
  assert.deepEqual(statuses, [201, 201, 201, 429, 429, 429])
  assert.equal((await add('bob', 'Bombed@mail.test')).status, 429, 'from nobody else either')
  await forge.runJobs()
  assert.equal(mails.of('bombed@mail.test').length, 3)
  forge.advance(86_400_001)
  await forge.runTask('sweep_sessions')
  assert.deepEqual(await forge.db.selectFrom('letter_count').select('key').execute(), [])
  assert.equal((await add('eve', 'bombed@mail.test')).status, 201)
})

test('invitations are limited by address, inviter and instance, and revoking one does not lower the count', async () => {
  await forge.call('eve', 'POST', '/orgs', { username: 'ring' })
  await forge.call('eve', 'POST', '/orgs/ring/teams', {
    name: 'crew',
    permission: 'read',
    units: ['repo.code'],
  })
  const browser = await forge.browserOf('eve')
  const page = '/org/ring/teams/crew'
  const invite = async (email: string) => (await browser.submit(page, 'invite', { email })).status
  for (let i = 0; i < 3; i++) {
    assert.equal(await invite('invited@mail.test'), 303)
    const { id } = await forge.db
      .selectFrom('invitation')
      .select('id')
      .where('email', '=', 'invited@mail.test')
      .executeTakeFirstOrThrow()
    assert.equal((await browser.submit(page, 'revoke', { id: String(id) })).status, 303)
  }
  assert.equal(await invite('INVITED@mail.test'), 429)
  for (let i = 0; i < 9; i++) assert.equal(await invite(`other-${i}@mail.test`), 303, `${i}`)
  assert.equal(await invite('other-9@mail.test'), 429, 'more than one account may')
  const root = await forge.browserOf('root')
  const admit = async (i: number) =>
    (await root.submit('/-/admin/users', 'invite', { email: `all-${i}@mail.test` })).status
  for (let i = 0; i < 48; i++) assert.equal(await admit(i), 200, `${i}`)
  assert.equal(await admit(48), 429, 'more than the instance may')
})

const signUp = (user_name: string, email: string) =>
  forge.browser().submit('/user/sign_up', 'sign-up', { user_name, email, password: 'long enough' })
const scrubbed = (text: string) => text.replaceAll(/[\w-]{16,}/g, '')

test('registration does not reveal which addresses have accounts', async () => {
  for (const [login, email] of [
    ['fresh', 'fresh@mail.test'],
    ['shadow', 'ann@example.test'],
  ] as const) {
    const made = await signUp(login, email)
    assert.equal(made.headers.get('location'), `/user/activate?sent=${encodeURIComponent(email)}`)
    assert.equal((await signUp(login, 'else@mail.test')).status, 422, 'the name is taken')
    const early = await forge
      .browser()
      .submit('/user/login', 'sign-in', { user_name: login, password: 'long enough' })
    assert.equal(early.headers.get('location'), made.headers.get('location'))
    const seen = await forge.call('ann', 'GET', `/users/${login}`)
    assert.equal(seen.body?.email, email)
  }
  await forge.runJobs()
  const [letter] = mails.of('ann@example.test')
  assert.match(letter?.parts[0]?.content ?? '', /belongs to an account there already/)
  assert.doesNotMatch(letter?.parts[0]?.content ?? '', /code=/)
  assert.equal(await opens('ann@example.test'), true, 'the owner keeps the address')
  const asked = await forge.browser().submit('/user/forgot_password', 'ask', { user_name: 'shadow' })
  const other = await forge.browser().submit('/user/forgot_password', 'ask', { user_name: 'fresh' })
  assert.equal(scrubbed(asked.text), scrubbed(other.text))
})

test('a name registered with the address of another account is released in a week', async () => {
  assert.equal((await signUp('spectre', 'ann@example.test')).status, 303)
  forge.advance(9 * 86_400_000)
  await forge.runTask('delete_inactive_accounts')
  assert.equal((await signUp('spectre', 'spectre@mail.test')).status, 303)
  assert.match(await linkTo('spectre@mail.test'), /activate\?code=/)
})

test('a password reset takes the same statements for an existing and a missing account', async () => {
  const ask = (user_name: string) =>
    forge.countQueries(() => forge.browser().submit('/user/forgot_password', 'ask', { user_name }))
  assert.equal(await ask('ann'), await ask('nobody-at-all'))
  const register = (name: string, email: string) => forge.countQueries(() => signUp(name, email))
  assert.equal(await register('vera', 'vera@mail.test'), await register('wim', 'ann@example.test'))
})
