/** OAuth2 applications: secrets are shown once and stored as digests, and redirect URIs are validated. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { type Forge, startForge } from '#testing'

let forge: Forge
before(async () => {
  forge = await startForge({ config: { 'log.level': 'silent' } })
  for (const name of ['ann', 'bob']) await forge.person(name)
})
after(() => forge[Symbol.asyncDispose]())

const path = '/user/applications/oauth2'
const register = (redirect: string, as = 'ann') =>
  forge.call(as, 'POST', path, { name: 'app', redirect_uris: [redirect], confidential_client: true })

test('a client secret is returned on creation, and is stored in no row', async () => {
  const { body: made } = await register('https://app.example.test/back')
  const { body: edited } = await forge.call('ann', 'PATCH', `${path}/${made.id}`, {
    name: 'renamed',
    redirect_uris: ['app.example:/back'],
  })
  assert.match(made.client_secret, /^gto_[0-9a-f]{64}$/)
  assert.notEqual(edited.client_secret, made.client_secret)
  assert.equal(edited.client_id, made.client_id)
  const { rows } = await sql<{
    row: string
  }>`select oauth2_application::text as row from oauth2_application`.execute(forge.db)
  for (const secret of [made.client_secret, edited.client_secret])
    assert.ok(rows.every(({ row }) => !row.includes(secret.slice(4))))
  assert.equal((await forge.call('ann', 'GET', `${path}/${made.id}`)).body.client_secret, '')
  assert.equal((await forge.call('bob', 'GET', `${path}/${made.id}`)).status, 404)
})

test('a developer edits an application on its page, replaces its secret and deletes it', async () => {
  const { body: made } = await register('https://app.example.test/back')
  const page = `/user/settings/applications/oauth2/${made.id}`
  const browser = await forge.browserOf('ann')
  const digest = async () => {
    const row = sql<{
      digest: string
    }>`select secret_digest::text as digest from oauth2_application where id = ${made.id}`
    return (await row.execute(forge.db)).rows[0]?.digest
  }
  assert.ok((await browser.get(page)).text.includes(made.client_id))
  assert.equal((await (await forge.browserOf('bob')).get(page)).status, 404)
  const before = await digest()
  const fields = {
    application_name: 'edited',
    redirect_uris: 'https://app.example.test/new\nhttps://b.example.test/',
  }
  assert.equal((await browser.submit(page, 'edit', fields)).status, 303)
  const { body } = await forge.call('ann', 'GET', `${path}/${made.id}`)
  assert.deepEqual([body.name, body.redirect_uris.length, body.confidential_client], ['edited', 2, false])
  assert.equal(await digest(), before)
  assert.match((await browser.submit(page, 'secret', {})).text, /gto_[0-9a-f]{64}/)
  assert.notEqual(await digest(), before)
  assert.equal((await browser.submit(page, 'delete', {})).status, 303)
  assert.equal((await browser.get(page)).status, 404)
})

for (const redirect of ['javascript:alert(1)', 'data:text/html,x', 'no url', '//app.example.test', ''])
  test(`the redirect URI «${redirect}» is refused`, async () => {
    const { status } = await register(redirect)
    assert.ok(status === 400 || status === 422)
  })

test('a list takes the same number of queries for one as for thirty, and registrations are limited', async () => {
  const ask = () => forge.call('bob', 'GET', `${path}?limit=30`)
  await register('https://app.example.test/back', 'bob')
  const few = await forge.countQueries(ask)
  await sql`insert into oauth2_application (account_id, name, client_id, secret_digest, is_confidential,
      skips_second_authorization, redirect_uris, created_at, updated_at)
    select id, 'app', 'client ' || n, '', true, false, '{}', now(), now()
    from account, generate_series(1, 199) n where login = 'bob'`.execute(forge.db)
  assert.equal((await ask()).body.length, 30)
  assert.equal(await forge.countQueries(ask), few)
  assert.equal((await register('https://app.example.test/back', 'bob')).status, 422)
})
