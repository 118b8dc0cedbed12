/** Second factors end to end: setup, sign-in, recovery and guessing. */
import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { after, beforeEach, test } from 'node:test'
import { generate } from 'otplib'
import { findAccount, findTotp, setPassword } from '#domains/people/users'
import { must } from '#platform/must'
import { startForge } from '#testing'

const forge = await startForge({ config: { 'sign_in.account_failures_max': 5 } })
after(() => forge[Symbol.asyncDispose]())
const ann = await forge.person('ann')
await setPassword(forge.ctx, ann, 'correct horse')
const SECURITY = '/user/settings/security'
const CREDENTIALS = { user_name: 'ann', password: 'correct horse' }
let secret = ''
let recovery: string[] = []

beforeEach(async () => {
  await forge.db.deleteFrom('sign_in_failure').execute()
  // A code is valid once, so each test gets a new one.
  forge.advance(60_000)
})

const code = () => generate({ secret, epoch: Math.floor(forge.ctx.now().getTime() / 1000) })

/** After the password, before the code. */
async function halfway() {
  const browser = forge.browser()
  const answer = await browser.submit('/user/login', 'sign-in', CREDENTIALS)
  assert.equal(answer.headers.get('location'), '/user/two_factor?redirect_to=%2F')
  return browser
}

test('TOTP is enabled only after a valid code was entered', async () => {
  const browser = await forge.browserOf('ann')
  const begun = await browser.submit(SECURITY, 'totp-begin', {})
  assert.equal(begun.status, 200)
  secret = must(/<code class="secret">([A-Z2-7]+)<\/code>/.exec(begun.text)?.[1], 'a secret')
  const sealed = must(/name="sealed" value="([^"]+)"/.exec(begun.text)?.[1], 'a sealed secret')
  assert.match(begun.text, /<svg role="img" aria-label="QR code/)
  assert.equal(await findTotp(forge.db, ann.id), undefined)
  const wrong = await browser.submit(SECURITY, 'totp-confirm', { sealed, passcode: '000000' })
  assert.equal(wrong.status, 422)
  assert.equal(await findTotp(forge.db, ann.id), undefined)
  const right = await browser.submit(SECURITY, 'totp-confirm', { sealed, passcode: await code() })
  assert.equal(right.status, 200)
  assert.notEqual(await findTotp(forge.db, ann.id), undefined)
  const shown = must(/<pre class="secret">([^<]+)<\/pre>/.exec(right.text)?.[1], 'codes')
  recovery = shown.trim().split('\n')
  assert.equal(new Set(recovery).size, 10)
  assert.match((await browser.get(SECURITY)).text, /10 of 10 left/)
})

test('a sealed TOTP secret is not valid for another account', async () => {
  const eve = await forge.person('eve')
  const browser = await forge.browserOf('eve')
  const mine = await (await forge.browserOf('ann')).submit(SECURITY, 'totp-begin', {})
  const sealed = must(/name="sealed" value="([^"]+)"/.exec(mine.text)?.[1], 'a sealed secret')
  assert.equal((await browser.submit(SECURITY, 'totp-confirm', { sealed, passcode: '123456' })).status, 422)
  assert.equal(await findTotp(forge.db, eve.id), undefined)
})

test('password and code sign in, and a code is valid once', async () => {
  const [first, second] = [await halfway(), await halfway()]
  const passcode = await code()
  assert.equal((await first.submit('/user/two_factor', 'code', { passcode })).status, 303)
  assert.equal((await first.get(SECURITY)).status, 200)
  assert.equal((await second.submit('/user/two_factor', 'code', { passcode })).status, 422)
})

test('a recovery code replaces the TOTP code once, however it is typed', async () => {
  const [written = '', other = ''] = recovery
  const typed = written.toUpperCase().replaceAll('-', ' ')
  assert.equal((await (await halfway()).submit('/user/two_factor', 'code', { passcode: typed })).status, 303)
  assert.equal(
    (await (await halfway()).submit('/user/two_factor', 'code', { passcode: written })).status,
    422,
  )
  const browser = await halfway()
  assert.equal((await browser.submit('/user/two_factor', 'code', { passcode: other })).status, 303)
  assert.match((await browser.get(SECURITY)).text, /8 of 10 left/)
  const rows = await forge.db.selectFrom('recovery_code').selectAll().execute()
  assert.ok(!JSON.stringify(rows).includes(written.replaceAll('-', '')))
})

test('new recovery codes invalidate the old ones', async () => {
  const browser = await forge.browserOf('ann')
  await browser.submit(SECURITY, 'codes', {})
  const [, , third = ''] = recovery
  assert.equal((await (await halfway()).submit('/user/two_factor', 'code', { passcode: third })).status, 422)
})

test('a sign-in step after the password is valid for the code only, and expires', async () => {
  const browser = await halfway()
  const step = must(browser.cookies.get('step'), 'a step')
  assert.equal(browser.cookies.has('session'), false)
  assert.equal((await browser.get(SECURITY)).status, 303)
  const thief = forge.browser()
  thief.cookies.set('session', step)
  assert.equal((await thief.get(SECURITY)).status, 303)
  assert.equal(
    (
      await browser.submit('/user/settings/change_password', 'change', {
        password: 'mine now',
        again: 'mine now',
      })
    ).status,
    422,
  )
  const recovered = { code: step, password: 'mine now', again: 'mine now' }
  assert.equal((await browser.submit(`/user/recover_account?code=${step}`, 'recover', recovered)).status, 422)
  forge.advance(11 * 60_000)
  assert.equal((await browser.submit('/user/two_factor', 'code', { passcode: await code() })).status, 422)
})

test('guessing codes is limited, even if the password is entered again in between', async () => {
  const statuses: number[] = []
  for (let tries = 0; tries < 8; tries++) {
    const browser = forge.browser()
    await browser.submit('/user/login', 'sign-in', CREDENTIALS)
    statuses.push((await browser.submit('/user/two_factor', 'code', { passcode: '000000' })).status)
  }
  const browser = forge.browser()
  await browser.submit('/user/login', 'sign-in', CREDENTIALS)
  statuses.push((await browser.submit('/user/two_factor', 'code', { passcode: await code() })).status)
  assert.ok(!statuses.includes(303), statuses.join())
})

test('disabling TOTP ends other sessions and requires the password', async () => {
  const [browser, other] = [await forge.browserOf('ann'), await forge.browserOf('ann')]
  forge.advance(11 * 60_000)
  assert.equal((await browser.submit(SECURITY, 'totp-drop', {})).status, 403)
  const done = await browser.submit(SECURITY, 'totp-drop', { confirm_password: 'correct horse' })
  assert.equal(done.status, 303)
  assert.equal(await findTotp(forge.db, ann.id), undefined)
  assert.equal((await other.get(SECURITY)).status, 303)
  assert.equal((await browser.get(SECURITY)).status, 200)
})

/** An authenticator that verifies its user: signs challenges as a browser would send them. */
async function deviceOf(login: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const [bx, by] = [Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]
  const hex = (text: string) => Buffer.from(text, 'hex')
  // COSE: an elliptic curve key for ES256 on P-256.
  const cose = Buffer.concat([hex('a5010203262001215820'), bx, hex('225820'), by])
  const id = randomBytes(16).toString('base64url')
  const { id: account_id } = must(await findAccount(forge.db, login), login)
  await forge.db
    .insertInto('passkey')
    .values({
      account_id,
      credential_id: id,
      public_key: cose,
      counter: 0,
      transports: [],
      name: 'device',
      created_at: forge.ctx.now(),
      last_used_at: null,
    })
    .execute()
  return (challenge: string) => {
    const client = { type: 'webauthn.get', challenge, origin: 'http://forge.test', crossOrigin: false }
    const clientData = Buffer.from(JSON.stringify(client))
    const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest()
    const facts = Buffer.concat([sha256('forge.test'), hex('0500000000')])
    const signature = sign('sha256', Buffer.concat([facts, sha256(clientData)]), privateKey)
    const response = {
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: facts.toString('base64url'),
      signature: signature.toString('base64url'),
    }
    return JSON.stringify({ id, rawId: id, type: 'public-key', response, clientExtensionResults: {} })
  }
}

const ask = async () => {
  const offered = await forge.browser().post('/-/passkey', new URLSearchParams())
  return JSON.parse(offered.text) as { step: string; options: { challenge: string } }
}
const countSteps = async () => (await forge.db.selectFrom('sign_in_step').select('id').execute()).length

test('passkey challenges for anonymous users store no rows', async () => {
  const before = await countSteps()
  for (let i = 0; i < 5; i++) await ask()
  await forge.browser().submit('/user/webauthn', 'ask', { to: '/', keep: 'true' })
  assert.equal(await countSteps(), before)
})

test('a passkey challenge is accepted once, within ten minutes, and only unmodified', async () => {
  await forge.person('pia')
  const device = await deviceOf('pia')
  const prove = (step: string, response: string) =>
    forge.browser().submit('/user/webauthn', 'prove', { step, response, to: '/' })
  const { step, options } = await ask()
  const response = device(options.challenge)
  const told = await Promise.all([1, 2, 3].map(() => prove(step, response)))
  assert.deepEqual(told.map(({ status }) => status).sort(), [303, 422, 422])
  assert.equal((await prove(step, response)).status, 422)
  const other = await ask()
  assert.equal((await prove(other.step, response)).status, 422, 'signed for another one')
  assert.equal((await prove(`${other.step}x`, device(other.options.challenge))).status, 422)
  forge.advance(601_000)
  assert.equal((await prove(other.step, device(other.options.challenge))).status, 422)
})

test('a passkey confirms a dangerous form in place of the password, and another account’s does not', async () => {
  await forge.person('ida')
  const [own, foreign] = [await deviceOf('ida'), await deviceOf('pia')]
  const browser = await forge.browserOf('ida')
  forge.advance(601_000)
  const submit = () => browser.submit(SECURITY, 'passkey-begin', { name: 'laptop' })
  const asked = await submit()
  assert.equal(asked.status, 403)
  assert.ok(asked.text.includes(`/user/confirm?redirect_to=${encodeURIComponent(SECURITY)}`))
  const confirm = async (device: typeof own) => {
    const shown = await browser.submit('/user/confirm', 'ask', { to: SECURITY })
    const [, step = ''] = /name="step" value="([^"]+)"/.exec(shown.text) ?? []
    const [, challenge = ''] = /challenge(?:&quot;|&#34;|"):(?:&quot;|&#34;|")([\w-]+)/.exec(shown.text) ?? []
    assert.ok(step !== '' && challenge !== '')
    return browser.submit('/user/confirm', 'prove', { step, response: device(challenge), to: SECURITY })
  }
  assert.equal((await confirm(foreign)).status, 422)
  assert.equal((await submit()).status, 403)
  const before = browser.cookies.get('session')
  const done = await confirm(own)
  assert.deepEqual([done.status, done.headers.get('location')], [303, SECURITY])
  assert.notEqual(browser.cookies.get('session'), before)
  assert.equal((await submit()).status, 200)
})
