/** Records of sign-ins: all of them, and refused ones up to a bound. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setPassword } from '#domains/people/users'
import { type Forge, startForge } from '#testing'

const PASSWORD = 'Gr8-passphrase'

let forge: Forge
before(async () => {
  forge = await startForge({
    config: { 'sign_in.address_failures_max': 1_000, 'sign_in.account_failures_max': 1_000 },
  })
  await setPassword(forge.ctx, await forge.person('ann'), PASSWORD, async () => undefined)
})
after(() => forge[Symbol.asyncDispose]())

async function recordsOf(work: () => Promise<unknown>) {
  const [{ last }] = (await forge.pool.query('select coalesce(max(id), 0) as last from audit_record')).rows
  await work()
  return forge.db.selectFrom('audit_record').selectAll().where('id', '>', last).orderBy('id').execute()
}

const withBasic = (password: string) =>
  forge.call(null, 'GET', '/user', undefined, { authorization: `Basic ${btoa(`ann:${password}`)}` })
const signIn = (password: string) =>
  forge.browser().submit('/user/login', 'sign-in', { user_name: 'ann', password })

test('a sign-in with a browser is recorded with its account, and a refused one too', async () => {
  const good = await recordsOf(() => signIn(PASSWORD))
  assert.deepEqual(
    good.map(({ operation, outcome, account }) => [operation, outcome, account]),
    [['signInByPassword', 'done', 'ann']],
  )
  const bad = await recordsOf(() => signIn('wrong-passphrase'))
  assert.deepEqual(
    bad.map(({ operation, outcome, problem, account, address }) => [
      operation,
      outcome,
      problem,
      account,
      address,
    ]),
    [['signInByPassword', 'refused', 'unauthenticated', 'ann', '127.0.0.1']],
  )
  assert.doesNotMatch(JSON.stringify(bad), /wrong-passphrase/)
})

test('wrong passwords and tokens of requests are recorded, and right ones are not', async () => {
  forge.advance(60_000)
  assert.deepEqual(await recordsOf(() => withBasic(PASSWORD)), [])
  const bad = await recordsOf(async () => {
    await withBasic('wrong')
    await forge.call(null, 'GET', '/user', undefined, { authorization: `token ${'a'.repeat(40)}` })
  })
  assert.deepEqual(
    bad.map(({ operation, outcome, via }) => [operation, outcome, via]),
    [
      ['signIn', 'refused', 'basic'],
      ['signIn', 'refused', 'token'],
    ],
  )
})

test('beyond ten refused sign-ins of an address in a minute, one record counts the others', async () => {
  forge.advance(60_000)
  const records = await recordsOf(async () => {
    for (let i = 0; i < 25; i++)
      await forge.call(null, 'GET', '/user', undefined, { authorization: `token ${'b'.repeat(40)}` })
    await forge.runTask('record_refused_sign_ins')
  })
  assert.equal(records.length, 10)
  const later = await recordsOf(async () => {
    forge.advance(60_000)
    await forge.runTask('record_refused_sign_ins')
    await forge.runTask('record_refused_sign_ins')
  })
  assert.deepEqual(
    later.map(({ operation, times, address }) => [operation, times, address]),
    [['signIn', 15, '127.0.0.1']],
  )
  assert.deepEqual(await forge.db.selectFrom('audit_refusal').selectAll().execute(), [])
})
