/** Email addresses over REST: the caller's own and those of all users. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startForge } from '#testing'
import { EMAILS_MAX } from './emails.ts'

const forge = await startForge()
after(() => forge[Symbol.asyncDispose]())

await forge.person('root', { is_admin: true })
const ann = await forge.person('ann', { full_name: 'Emmeline Ann' })
await forge.person('bob')
await forge.person('guild', { kind: 'organization' })

test('email addresses are added, listed and deleted', async () => {
  const added = await forge.call('ann', 'POST', '/user/emails', { emails: ['Second@Example.Test'] })
  assert.equal(added.status, 201)
  const nobody = { user_id: 0, username: '' }
  const primary = { email: 'ann@example.test', verified: true, primary: true, ...nobody }
  const second = { email: 'Second@Example.Test', verified: true, primary: false, ...nobody }
  assert.deepEqual(added.body, [primary, second])
  assert.deepEqual((await forge.call('ann', 'GET', '/user/emails')).body, [primary, second])
  const removed = await forge.call('ann', 'DELETE', '/user/emails', { emails: ['second@example.test'] })
  assert.equal(removed.status, 204)
  assert.deepEqual((await forge.call('ann', 'GET', '/user/emails')).body, [primary])
})

for (const { what, emails, status } of [
  { what: 'none', emails: [], status: 422 },
  { what: 'a text that is none', emails: ['ann'], status: 422 },
  { what: 'one that could be taken for a flag', emails: ['-ann@example.test'], status: 422 },
  { what: 'one of somebody else', emails: ['fresh@example.test', 'BOB@example.test'], status: 422 },
  { what: 'one twice', emails: ['twice@example.test', 'Twice@example.test'], status: 422 },
])
  test(`adding ${what} is refused, and no address is added`, async () => {
    assert.equal((await forge.call('ann', 'POST', '/user/emails', { emails })).status, status)
    assert.equal((await forge.call('ann', 'GET', '/user/emails')).body.length, 1)
  })

for (const { what, emails, status } of [
  { what: 'the primary one', emails: ['spare@example.test', 'ann@example.test'], status: 422 },
  { what: 'one that is not there', emails: ['spare@example.test', 'none@example.test'], status: 404 },
  { what: 'one of somebody else', emails: ['spare@example.test', 'bob@example.test'], status: 404 },
])
  test(`deleting ${what} is refused, and no address is deleted`, async () => {
    await forge.call('ann', 'POST', '/user/emails', { emails: ['spare@example.test'] })
    assert.equal((await forge.call('ann', 'DELETE', '/user/emails', { emails })).status, status)
    assert.equal((await forge.call('ann', 'GET', '/user/emails')).body.length, 2)
    await forge.call('ann', 'DELETE', '/user/emails', { emails: ['spare@example.test'] })
  })

test('a user has at most EMAILS_MAX email addresses', async () => {
  await forge.person('hoarder')
  const emails = Array.from({ length: EMAILS_MAX - 1 }, (_, i) => `hoarder-${i}@example.test`)
  assert.equal((await forge.call('hoarder', 'POST', '/user/emails', { emails })).status, 201)
  const more = await forge.call('hoarder', 'POST', '/user/emails', { emails: ['one-more@example.test'] })
  assert.equal(more.status, 422)
  assert.equal((await forge.call('hoarder', 'GET', '/user/emails')).body.length, EMAILS_MAX)
  await forge.db.deleteFrom('account').where('login', '=', 'hoarder').execute()
})

test('of two concurrent requests for the same addresses one gets all, the other none', async () => {
  await forge.person('one')
  await forge.person('two')
  const emails = Array.from({ length: 10 }, (_, i) => `both-${i}@example.test`)
  const replies = await Promise.all([
    forge.call('one', 'POST', '/user/emails', { emails }),
    forge.call('two', 'POST', '/user/emails', { emails: [...emails].reverse() }),
  ])
  assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 422])
  await forge.db.deleteFrom('account').where('login', 'in', ['one', 'two']).execute()
})

for (const [as, status] of [
  [null, 401],
  ['ann', 403],
  ['root', 200],
] as const)
  test(`${as ?? 'anonymous'} lists the addresses of all users: ${status}`, async () => {
    assert.equal((await forge.call(as, 'GET', '/admin/emails')).status, status)
    assert.equal((await forge.call(as, 'GET', '/admin/emails/search?q=ann')).status, status)
  })

test('administrators list users’ addresses in order, without those of organizations', async () => {
  await forge.call('ann', 'POST', '/user/emails', { emails: ['Aardvark@example.test'] })
  const all = await forge.call('root', 'GET', '/admin/emails')
  assert.deepEqual(
    all.body.map((it: { email: string }) => it.email),
    ['Aardvark@example.test', 'ann@example.test', 'bob@example.test', 'root@example.test'],
  )
  assert.deepEqual(all.body[0], {
    email: 'Aardvark@example.test',
    verified: true,
    primary: false,
    user_id: ann.id,
    username: 'ann',
  })
  const page = await forge.call('root', 'GET', '/admin/emails?limit=3&page=2')
  assert.equal(page.headers.get('x-total-count'), '4')
  assert.equal(page.body.length, 1)
})

for (const [keyword, emails] of [
  ['AARD', ['Aardvark@example.test']],
  ['ann', ['Aardvark@example.test', 'ann@example.test']],
  [' emmeline ', ['Aardvark@example.test', 'ann@example.test']],
  ['guild', []],
  ['_', []],
] as const)
  test(`searching addresses for «${keyword}» finds ${emails.length}`, async () => {
    const reply = await forge.call('root', 'GET', `/admin/emails/search?q=${encodeURIComponent(keyword)}`)
    assert.deepEqual(
      reply.body.map((it: { email: string }) => it.email),
      emails,
    )
    assert.equal(reply.headers.get('x-total-count'), String(emails.length))
  })
