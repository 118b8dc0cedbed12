/** Users by SCIM, with requests shaped as Entra ID and Okta send them. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Forge, startForge } from '#testing'
import { ScimTestClient } from '#testing/slices/scim'

let forge: Forge
let scim: ScimTestClient
let other: ScimTestClient
before(async () => {
  forge = await startForge()
  await forge.person('root', { is_admin: true })
  await forge.person('local', { email: 'local@corp.example' })
  scim = await ScimTestClient.of(forge, 'root', 'corp')
  other = await ScimTestClient.of(forge, 'root', 'elsewhere')
})
after(() => forge[Symbol.asyncDispose]())

const find = (filter: string) => scim.call('GET', `/Users?filter=${encodeURIComponent(filter)}`)
const accountOf = (login: string) =>
  forge.db.selectFrom('account').selectAll().where('login', '=', login).executeTakeFirst()
const identitiesOf = (subject: string) =>
  forge.db.selectFrom('external_identity').selectAll().where('subject', '=', subject).execute()

test('Entra ID looks a user up, creates it, and finds it by userName and by externalId', async () => {
  assert.equal((await find('userName eq "ada@corp.example"')).body.totalResults, 0)
  const { status, body, headers } = await scim.call('POST', '/Users', {
    schemas: [
      'urn:ietf:params:scim:schemas:core:2.0:User',
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
    ],
    externalId: 'oid-ada',
    userName: 'ada@corp.example',
    active: true,
    emails: [{ primary: true, type: 'work', value: 'ada@corp.example' }],
    meta: { resourceType: 'User' },
    name: { formatted: 'Ada Lovelace', familyName: 'Lovelace', givenName: 'Ada' },
    title: 'not kept',
    'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { department: 'not kept' },
    roles: [],
  })
  assert.equal(status, 201, JSON.stringify(body))
  assert.match(headers.get('content-type') ?? '', /^application\/scim\+json/)
  assert.equal(headers.get('location'), body.meta.location)
  assert.equal(headers.get('etag'), 'W/"1"')
  assert.partialDeepStrictEqual(body, { userName: 'ada@corp.example', externalId: 'oid-ada', active: true })
  assert.equal(body.title, undefined)
  for (const filter of ['userName eq "ADA@corp.example"', 'externalId eq "oid-ada"']) {
    const found = await find(filter)
    assert.deepEqual(
      found.body.Resources.map((it: { id: string }) => it.id),
      [body.id],
      filter,
    )
  }
  const account = await accountOf('ada')
  assert.partialDeepStrictEqual(account, { full_name: 'Ada Lovelace', email: 'ada@corp.example' })
  const [identity] = await identitiesOf('oid-ada')
  assert.equal(identity?.account_id, account?.id)
})

test('PATCH operations of Entra ID: capital letters, texts for booleans, paths with filters', async () => {
  const { id } = await scim.user('bob@corp.example')
  const { status, body } = await scim.patch(
    `/Users/${id}`,
    { op: 'Replace', path: 'displayName', value: 'Robert' },
    { op: 'Add', path: 'emails[type eq "work"].value', value: 'bob@corp.example' },
    { op: 'Add', path: 'name.familyName', value: 'Builder' },
    {
      op: 'Replace',
      path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department',
      value: 'x',
    },
  )
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual(body.emails, [{ value: 'bob@corp.example', type: 'work' }])
  assert.deepEqual(body.name, { familyName: 'Builder' })
  assert.equal((await accountOf('bob'))?.full_name, 'Robert')
  const off = await scim.patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'False' })
  assert.equal(off.body.active, false)
  const on = await scim.patch(`/Users/${id}`, { op: 'Add', value: { active: 'True', displayName: 'Bob' } })
  assert.partialDeepStrictEqual(on.body, { active: true, displayName: 'Bob' })
  const gone = await scim.patch(`/Users/${id}`, { op: 'Remove', path: 'emails[type eq "work"]' })
  assert.equal(gone.body.emails, undefined)
})

test('Okta deactivates with a PATCH without a path, and with PUT; reactivating lifts the suspension', async () => {
  const user = await scim.user('carl')
  const token = await tokenFor('carl')
  const asCarl = () => forge.call(null, 'GET', '/user', undefined, { authorization: `token ${token}` })
  assert.equal((await asCarl()).status, 200)
  await scim.patch(`/Users/${user.id}`, { op: 'replace', value: { active: false } })
  assert.equal((await asCarl()).status, 403)
  const put = await scim.call('PUT', `/Users/${user.id}`, { ...user, active: true })
  assert.equal(put.status, 200)
  assert.equal((await asCarl()).status, 200)
  await scim.call('PUT', `/Users/${user.id}`, { ...user, active: false })
  assert.equal((await asCarl()).status, 403)
  const suspensions = await forge.call('root', 'GET', '/admin/suspensions')
  assert.match(
    suspensions.body.find((it: { username: string }) => it.username === 'carl').reason,
    /authentication source corp/,
  )
})

test('a suspension by SCIM hides nothing that the person wrote', async () => {
  const { id } = await scim.user('dora')
  await scim.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false })
  assert.equal((await forge.call('local', 'GET', '/users/dora')).status, 200)
})

test('active lifts only what SCIM suspended: the suspension of an administrator stays', async () => {
  const { id } = await scim.user('eli')
  await forge.call('root', 'PUT', '/admin/users/eli/suspension', { reason: 'spam' })
  await scim.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false })
  await scim.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: true })
  assert.partialDeepStrictEqual(await accountOf('eli'), { is_suspended: true, prohibits_login: true })
  await forge.call('root', 'DELETE', '/admin/users/eli/suspension')
  assert.equal((await accountOf('eli'))?.prohibits_login, false)
})

test('a client that repeats that a person is inactive suspends them again', async () => {
  const { id } = await scim.user('abe')
  await forge.call('root', 'PUT', '/admin/users/abe/suspension', { reason: 'spam' })
  await scim.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false })
  await forge.call('root', 'DELETE', '/admin/users/abe/suspension')
  assert.equal((await accountOf('abe'))?.prohibits_login, false)
  await scim.patch(`/Users/${id}`, { op: 'replace', path: 'displayName', value: 'Abe' })
  assert.equal((await accountOf('abe'))?.prohibits_login, false)
  await scim.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false })
  assert.equal((await accountOf('abe'))?.prohibits_login, true)
})

test('an administrator who suspends after SCIM takes the suspension over', async () => {
  const { id } = await scim.user('fay')
  await scim.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false })
  await forge.call('root', 'PUT', '/admin/users/fay/suspension', { reason: 'spam' })
  await scim.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: true })
  assert.equal((await accountOf('fay'))?.prohibits_login, true)
})

test('an edit of the account does not end a suspension unseen', async () => {
  const { id } = await scim.user('gus')
  await scim.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false })
  const edit = { source_id: 0, login_name: 'gus', prohibit_login: false }
  assert.equal((await forge.call('root', 'PATCH', '/admin/users/gus', edit)).status, 422)
  assert.equal((await accountOf('gus'))?.prohibits_login, true)
})

test('DELETE suspends the account and hides the user from clients; the same subject comes back to the same account', async () => {
  const { id } = await scim.user('hal')
  const before = await accountOf('hal')
  assert.equal((await scim.call('DELETE', `/Users/${id}`)).status, 204)
  assert.equal((await scim.call('GET', `/Users/${id}`)).status, 404)
  assert.equal((await accountOf('hal'))?.prohibits_login, true)
  const again = await scim.user('hal')
  assert.notEqual(again.id, id)
  assert.partialDeepStrictEqual(await accountOf('hal'), { id: before?.id, prohibits_login: false })
})

test('a user binds to the account that signs in with the subject', async () => {
  const id = await scim.adopt(await forge.person('ian'))
  await scim.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false })
  assert.equal((await accountOf('ian'))?.prohibits_login, true)
})

test('a user never binds by name or by email address', async () => {
  const named = await scim.call('POST', '/Users', { userName: 'local', externalId: 'x-1', active: true })
  assert.partialDeepStrictEqual([named.status, named.body.scimType], [409, 'uniqueness'])
  const { id } = await scim.user('other-name', {
    emails: [{ value: 'local@corp.example', primary: true }],
  })
  await scim.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false })
  assert.equal((await accountOf('local'))?.prohibits_login, false)
  assert.notEqual((await accountOf('other-name'))?.email, 'local@corp.example')
})

test('a subject of another account is refused', async () => {
  await scim.user('jo')
  const { id } = await scim.user('kim')
  const { status, body } = await scim.patch(`/Users/${id}`, {
    op: 'replace',
    path: 'externalId',
    value: 'jo-subject',
  })
  assert.deepEqual([status, body.scimType], [409, 'uniqueness'])
})

test('a site administrator is not suspended, and the answer says why', async () => {
  const { id } = await scim.user('lea')
  await forge.db.updateTable('account').set({ is_admin: true }).where('login', '=', 'lea').execute()
  const { status, body } = await scim.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false })
  assert.equal(status, 403)
  assert.match(body.detail, /site administrator/)
  assert.equal((await scim.call('GET', `/Users/${id}`)).body.active, true)
})

test('clients of another source neither see nor change the users of this one', async () => {
  const { id } = await scim.user('mia')
  assert.equal((await other.call('GET', `/Users/${id}`)).status, 404)
  assert.equal((await other.call('DELETE', `/Users/${id}`)).status, 404)
  assert.equal((await other.call('GET', '/Users')).body.totalResults, 0)
})

test('a change of an old version is refused', async () => {
  const { id } = await scim.user('ned')
  const change = { Operations: [{ op: 'replace', path: 'displayName', value: 'one' }] }
  const path = `/Users/${id}`
  assert.equal((await scim.call('PATCH', path, change, { 'if-match': 'W/"1"' })).status, 200)
  assert.equal((await scim.call('PATCH', path, change, { 'if-match': 'W/"1"' })).status, 412)
  assert.equal((await scim.call('DELETE', path, undefined, { 'if-match': '"7"' })).status, 412)
  assert.equal((await scim.call('GET', path, undefined, { 'if-none-match': 'W/"2"' })).status, 304)
})

test('filters, orders, pages and chosen attributes', async () => {
  const page = async (query: string) => (await other.call('GET', `/Users?${query}`)).body
  for (const [userName, familyName] of [
    ['u1', 'Zed'],
    ['u2', 'Abe'],
    ['u3', 'May'],
  ] as const)
    await other.user(userName, {
      name: { familyName },
      emails: [{ value: `${userName}@a.test`, type: 'work' }],
    })
  const names = (body: { Resources: { userName: string }[] }) => body.Resources.map((it) => it.userName)
  const found = async (filter: string) => names(await page(`filter=${encodeURIComponent(filter)}`))
  assert.deepEqual(await found('userName sw "u" and not (name.familyName eq "zed")'), ['u2', 'u3'])
  assert.deepEqual(await found('emails[type eq "work" and value co "u3@"] or userName eq "u1"'), ['u1', 'u3'])
  assert.deepEqual(await found('emails.value eq "u2@a.test" and active eq true and externalId pr'), ['u2'])
  assert.deepEqual(await found('meta.created gt "2100-01-01T00:00:00Z"'), [])
  assert.deepEqual(await found('userName eq "u1\' or 1=1 --"'), [])
  assert.deepEqual(names(await page('sortBy=name.familyName')), ['u2', 'u3', 'u1'])
  assert.deepEqual(names(await page('sortBy=userName&sortOrder=descending')), ['u3', 'u2', 'u1'])
  assert.partialDeepStrictEqual(await page('startIndex=2&count=1'), {
    totalResults: 3,
    startIndex: 2,
    itemsPerPage: 1,
  })
  assert.equal((await page('count=0')).totalResults, 3)
  const [only] = (await page('attributes=name.familyName&count=1')).Resources
  assert.deepEqual(Object.keys(only).sort(), ['id', 'name', 'schemas'])
  const [without] = (await page('excludedAttributes=emails,meta&count=1')).Resources
  assert.ok(!('emails' in without) && !('meta' in without) && 'userName' in without)
})

for (const [what, filter] of [
  ['an open parenthesis', '(userName eq "a"'],
  ['an unknown operator', 'userName is "a"'],
  ['an unknown attribute', 'password eq "a"'],
  ['a value of another type', 'active eq "maybe"'],
  ['too many terms', Array.from({ length: 60 }, () => 'userName eq "a"').join(' or ')],
  ['too deep a nesting', `${'('.repeat(30)}userName pr${')'.repeat(30)}`],
] as const)
  test(`a filter with ${what} is refused as invalidFilter`, async () => {
    const { status, body } = await find(filter)
    assert.deepEqual([status, body.scimType, body.status], [400, 'invalidFilter', '400'])
  })

test('bodies are bounded, and mistakes have the errors of SCIM', async () => {
  const cases = [
    ['{', 'invalidSyntax'],
    [{ externalId: 'x' }, 'invalidValue'],
    [{ userName: 'x'.repeat(300) }, 'invalidValue'],
    [{ userName: 'x', emails: Array.from({ length: 11 }, (_, i) => ({ value: `${i}@x.test` })) }, 'tooMany'],
  ] as const
  for (const [body, scimType] of cases) {
    const reply = await scim.call('POST', '/Users', body)
    assert.deepEqual([reply.status, reply.body.scimType], [400, scimType])
  }
  const large = await scim.call('POST', '/Users', { userName: 'x', displayName: 'y'.repeat(1_100_000) })
  assert.equal(large.status, 413)
  const { id } = await scim.user('oda')
  const paths = [
    [{ op: 'replace', path: 'emails[', value: 1 }, 'invalidPath'],
    [{ op: 'remove' }, 'noTarget'],
    [{ op: 'remove', path: 'userName' }, 'mutability'],
    [{ op: 'move', path: 'userName' }, 'invalidSyntax'],
  ] as const
  for (const [operation, scimType] of paths) {
    const { status, body } = await scim.patch(`/Users/${id}`, operation)
    assert.deepEqual([status, body.scimType], [400, scimType], JSON.stringify(operation))
  }
})

test('a list costs the same statements for one user as for many', async () => {
  const count = (path: string) => forge.countQueries(() => scim.call('GET', path))
  const one = await count('/Users?count=1')
  assert.equal(await count('/Users?count=100'), one)
  assert.ok(one <= 5, String(one))
})

test('every change has one audit record, which names the token, and the account', async () => {
  const records = async (work: () => Promise<unknown>) => {
    const { rows } = await forge.pool.query('select coalesce(max(id), 0) as id from audit_record')
    await work()
    return forge.db.selectFrom('audit_record').selectAll().where('id', '>', rows[0].id).execute()
  }
  let id = ''
  const create = async () => {
    id = (await scim.user('pia')).id
  }
  const facts = { via: 'key', credential: `scim token ${scim.tokenId}`, outcome: 'done' }
  const steps = [
    ['scimCreateUser', create],
    ['scimPatchUser', () => scim.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false })],
    ['scimReplaceUser', () => scim.call('PUT', `/Users/${id}`, { userName: 'pia', active: true })],
    ['scimDeleteUser', () => scim.call('DELETE', `/Users/${id}`)],
  ] as const
  for (const [operation, work] of steps) {
    const found = await records(work)
    assert.equal(found.length, 1, operation)
    const pia = await accountOf('pia')
    assert.partialDeepStrictEqual(found[0], { ...facts, operation, owner_id: pia?.id })
  }
})

test('only a SCIM token opens SCIM, and it opens nothing else; a revoked one is refused at once', async () => {
  const bare = await forge.call(null, 'GET', '//scim/v2/Users')
  assert.deepEqual([bare.status, bare.headers.get('www-authenticate')], [401, 'Bearer realm="SCIM"'])
  assert.equal((await forge.call('root', 'GET', '//scim/v2/Users')).status, 401)
  const asToken = { authorization: `Bearer ${scim.token}` }
  assert.equal((await forge.call(null, 'GET', '/user', undefined, asToken)).status, 401)
  assert.equal((await forge.call(null, 'GET', '/admin/auths', undefined, asToken)).status, 401)
  const list = await forge.call('root', 'GET', `/admin/auths/${scim.source}/scim_tokens`)
  assert.equal(list.body[0].token, undefined)
  assert.equal(list.body[0].last_used_from, '127.0.0.1')
  assert.equal((await forge.call('local', 'GET', `/admin/auths/${scim.source}/scim_tokens`)).status, 403)
  const made = await forge.call('root', 'POST', `/admin/auths/${scim.source}/scim_tokens`, { name: 'second' })
  const second = { authorization: `Bearer ${made.body.token}` }
  assert.equal((await forge.call(null, 'GET', '//scim/v2/Users', undefined, second)).status, 200)
  await forge.call('root', 'DELETE', `/admin/auths/${scim.source}/scim_tokens/${made.body.id}`)
  assert.equal((await forge.call(null, 'GET', '//scim/v2/Users', undefined, second)).status, 401)
  const { rows } = await forge.pool.query('select digest::text from scim_token')
  assert.doesNotMatch(JSON.stringify(rows), new RegExp(scim.token))
})

async function tokenFor(login: string): Promise<string> {
  const { rows } = await forge.pool.query('select id from account where login = $1', [login])
  const { createHash, randomBytes } = await import('node:crypto')
  const token = randomBytes(20).toString('hex')
  await forge.pool.query(
    `insert into access_token (account_id, name, digest, last_eight, scopes, created_at)
     values ($1, 'test', $2, 'xxxxxxxx', '{all}', now())`,
    [rows[0].id, createHash('sha256').update(token).digest()],
  )
  return token
}
