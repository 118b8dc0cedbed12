/** Users, their profiles and settings over REST, on a real database. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startForge } from '#testing'

const forge = await startForge()
after(() => forge[Symbol.asyncDispose]())

await forge.person('root', { is_admin: true })
const ann = await forge.person('Ann', { full_name: 'Ann Smith', language: 'de-DE', login_name: 'a.smith' })
await forge.person('stranger')
await forge.person('guild', { kind: 'organization', visibility: 'private' })

test('GET /user returns the caller, and 401 for an anonymous caller', async () => {
  const own = await forge.call('Ann', 'GET', '/user')
  assert.equal(own.status, 200)
  assert.equal(own.body.id, ann.id)
  assert.equal(own.body.login, 'Ann')
  assert.equal(own.body.username, 'Ann')
  assert.equal(own.body.created, '2026-01-01T00:00:00Z')
  assert.equal(own.body.last_login, null)
  assert.equal((await forge.call(null, 'GET', '/user')).status, 401)
})

for (const { as, email, isPrivy } of [
  { as: null, email: `${ann.id}+ann@noreply.forge.test`, isPrivy: false },
  { as: 'stranger', email: 'ann@example.test', isPrivy: false },
  { as: 'root', email: 'ann@example.test', isPrivy: true },
  { as: 'Ann', email: 'ann@example.test', isPrivy: true },
])
  test(`${as ?? 'anonymous'} sees ${isPrivy ? 'all' : 'only public'} fields of a user`, async () => {
    const { status, body } = await forge.call(as, 'GET', '/users/ANN')
    assert.equal(status, 200)
    assert.equal(body.email, email)
    assert.equal(body.full_name, 'Ann Smith')
    assert.equal(body.active, isPrivy)
    assert.equal(body.language, isPrivy ? 'de-DE' : '')
    assert.equal(body.login_name, isPrivy ? 'a.smith' : '')
  })

test('a hidden email is shown to its owner and administrators, and not searchable for others', async () => {
  const shy = await forge.person('shy', { hides_email: true, email: 'secret-shy@example.test' })
  const noreply = `${shy.id}+shy@noreply.forge.test`
  assert.equal((await forge.call('stranger', 'GET', '/users/shy')).body.email, noreply)
  assert.equal((await forge.call('shy', 'GET', '/users/shy')).body.email, 'secret-shy@example.test')
  assert.equal((await forge.call('root', 'GET', '/users/shy')).body.email, 'secret-shy@example.test')
  assert.deepEqual(await found('stranger', 'secret-shy'), [])
  assert.deepEqual(await found('shy', 'secret-shy'), ['shy'])
  assert.deepEqual(await found('root', 'secret-shy'), ['shy'])
})

test('search lists exactly the users whom the caller can get', async () => {
  const people = new Map<string, { id: number }>()
  for (const visibility of ['public', 'limited', 'private'] as const)
    people.set(visibility, await forge.person(`seen-${visibility}`, { visibility }))
  const hermit = people.get('private')
  assert(hermit)
  const friend = await forge.person('friend')
  const colleague = await forge.person('colleague')
  await forge.person('warden', { is_restricted: true })
  const guild = (await forge.db.selectFrom('account').select('id').where('login', '=', 'guild').execute())[0]
  assert(guild)
  const now = forge.ctx.now()
  await forge.db
    .insertInto('follow')
    .values({ follower_id: hermit.id, followed_id: friend.id, created_at: now })
    .execute()
  for (const { id } of [hermit, colleague])
    await forge.db.insertInto('membership').values({ organization_id: guild.id, user_id: id }).execute()

  for (const [viewer, sees] of [
    [null, ['public']],
    ['warden', ['public']],
    ['stranger', ['public', 'limited']],
    ['friend', ['public', 'limited', 'private']],
    ['colleague', ['public', 'limited', 'private']],
    ['seen-private', ['public', 'limited', 'private']],
    ['root', ['public', 'limited', 'private']],
  ] as const) {
    for (const visibility of ['public', 'limited', 'private'] as const) {
      const { status } = await forge.call(viewer, 'GET', `/users/seen-${visibility}`)
      const isSeen = (sees as readonly string[]).includes(visibility)
      assert.equal(status, isSeen ? 200 : 404, `${viewer} opens seen-${visibility}`)
    }
    const listed = await found(viewer, 'seen-')
    assert.deepEqual(listed.sort(), sees.map((it) => `seen-${it}`).sort(), `${viewer} searches`)
  }
  assert.equal((await forge.call('colleague', 'GET', '/users/guild')).body.type, 'Organization')
  assert.equal((await forge.call('friend', 'GET', '/users/guild')).status, 404)
})

test('users are found by parts of names and addresses, without wildcards', async () => {
  await forge.person('Percy_Sign', { full_name: 'Ten % Off' })
  assert.deepEqual(await found('stranger', 'RCY_SI'), ['Percy_Sign'])
  assert.deepEqual(await found('stranger', 'n % o'), ['Percy_Sign'])
  assert.deepEqual(await found('stranger', '%'), ['Percy_Sign'])
  assert.deepEqual(await found('stranger', '  percy_sign@example '), ['Percy_Sign'])
  assert.deepEqual(await found(null, 'percy_sign@example'), [], 'nobody is shown an address, nor by a search')
  assert.deepEqual(await found('stranger', 'sign ten'), [], 'a name ends where the next one begins')
  assert.deepEqual(await found('stranger', 'guild'), [], 'organizations are not people')
  const byId = await forge.call(null, 'GET', `/users/search?uid=${ann.id}`)
  assert.deepEqual(
    byId.body.data.map((it: { login: string }) => it.login),
    ['Ann'],
  )
  assert.equal((await forge.call(null, 'GET', `/users/search?q=${'x'.repeat(300)}`)).status, 422)
})

test('a user search is paged in the order of names', async () => {
  for (const name of ['page-b', 'Page-C', 'page-a']) await forge.person(name)
  const first = await forge.call(null, 'GET', '/users/search?q=page-&limit=2')
  assert.equal(first.body.ok, true)
  assert.deepEqual(
    first.body.data.map((it: { login: string }) => it.login),
    ['Page-C', 'page-a'],
  )
  assert.equal(first.headers.get('x-total-count'), '3')
  assert.match(first.headers.get('link') ?? '', /users\/search\?limit=2&page=2&q=page->; rel="next"/)
})

test('settings are changed field by field, and other fields are ignored', async () => {
  await forge.person('sam')
  const body = { full_name: 'Sam', website: 'https://sam.example', hide_email: true, is_admin: true, id: 1 }
  const changed = await forge.call('sam', 'PATCH', '/user/settings', body)
  assert.equal(changed.status, 200)
  const rest = { description: '', location: '', language: '', theme: 'gitea-auto', diff_view_style: '' }
  const settings = { full_name: 'Sam', website: 'https://sam.example', ...rest }
  assert.deepEqual(changed.body, { ...settings, hide_email: true, hide_activity: false })
  const emptied = await forge.call('sam', 'PATCH', '/user/settings', { website: '', language: null })
  assert.deepEqual(emptied.body, { ...settings, website: '', hide_email: true, hide_activity: false })
  assert.deepEqual((await forge.call('sam', 'GET', '/user/settings')).body, emptied.body)
  assert.equal((await forge.call('sam', 'GET', '/user')).body.is_admin, false)
})

for (const [what, body] of [
  ['a website that is none', { website: 'not a website' }],
  ['a script for a website', { website: 'javascript:alert(1)' }],
  ['a place name without end', { location: 'x'.repeat(51) }],
  ['a name without end', { full_name: 'x'.repeat(101) }],
  ['a flag that is none', { hide_email: 'perhaps' }],
] as const)
  test(`editing settings with ${what} is refused`, async () => {
    assert.equal((await forge.call('Ann', 'PATCH', '/user/settings', body)).status, 422)
  })

test('a public-only token reads its owner, but neither settings nor users who are not public', async () => {
  await forge.person('open', {}, ['public-only', 'write:user'])
  await forge.person('half-hidden', { visibility: 'limited' })
  assert.equal((await forge.call('open', 'GET', '/user')).status, 200)
  for (const path of ['/user/settings', '/user/emails', '/user/blocks', '/users/half-hidden'])
    assert.equal((await forge.call('open', 'GET', path)).status, 403, path)
  assert.deepEqual(await found('open', 'half-hidden'), [])
})

test('user routes need the user scope', async () => {
  await forge.person('narrow', {}, ['read:repository'])
  assert.equal((await forge.call('narrow', 'GET', '/user')).status, 403)
  assert.equal((await forge.call('narrow', 'GET', '/users/nobody-there')).status, 403)
})

async function found(as: string | null, keyword: string): Promise<string[]> {
  const reply = await forge.call(as, 'GET', `/users/search?limit=50&q=${encodeURIComponent(keyword)}`)
  assert.equal(reply.status, 200)
  assert.equal(reply.headers.get('x-total-count'), String(reply.body.data.length))
  return reply.body.data.map((user: { login: string }) => user.login)
}
