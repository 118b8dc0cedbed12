/** The edge: the order of refusals, and tolerance for what clients really send. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Type } from 'typebox'
import { notFound, Problem } from '#platform/problem'
import { asAnybody, asSignedIn, created, listed, ok, pageFields, pageOf, route } from '#platform/rest'
import { type Forge, startForge } from '#testing'

const Note = Type.Object({ text: Type.String({ maxLength: 20 }), loud: Type.Optional(Type.Boolean()) })
const facts = { tag: 'test', summary: 'for tests', scopes: ['user'] }

/** A route that refuses at each of its steps, selected by the name in the path. */
const ladder = route({
  ...facts,
  method: 'POST',
  path: '/ladder/:thing',
  operationId: 'ladder',
  params: Type.Object({ thing: Type.String() }),
  body: Note,
  answers: { 201: Note },
  open: (visit) => {
    if (visit.params.thing === 'hidden') throw notFound('thing', 'hidden')
    const actor = asSignedIn(visit)
    if (visit.params.thing === 'locked') throw new Problem('locked', 'it is archived')
    return actor
  },
  handle: async ({ body, params }) => {
    if (params.thing === 'taken') throw new Problem('conflict', 'it is taken')
    return created(body)
  },
})
const echo = route({
  ...facts,
  method: 'GET',
  path: '/echo',
  operationId: 'echo',
  scopes: [],
  query: Type.Object({
    ...pageFields,
    q: Type.Optional(Type.String()),
    tag: Type.Optional(Type.Array(Type.String())),
    flag: Type.Optional(Type.Boolean()),
  }),
  answers: { 200: Type.Array(Type.Unknown()) },
  open: asAnybody,
  handle: async (visit) => listed(visit, [visit.query, pageOf(visit.ctx, visit.query)], 95),
})
const broken = route({
  ...facts,
  method: 'DELETE',
  path: '/broken/:id',
  operationId: 'broken',
  scopes: [],
  params: Type.Object({ id: Type.Integer() }),
  answers: { 200: Type.Object({ id: Type.Integer() }) },
  open: asAnybody,
  handle: async ({ params }) => {
    if (params.id === 7) throw new Error('a secret of the house')
    return ok({ id: params.id })
  },
})

let forge: Forge
before(async () => {
  forge = await startForge({
    routes: [ladder, echo, broken],
    config: { 'http.body_bytes_max': 2_000, 'log.level': 'silent' },
  })
  await forge.person('ann')
  await forge.person('off', { is_active: false })
  await forge.person('narrow', {}, ['read:user'])
})
after(() => forge[Symbol.asyncDispose]())

const wrong = { authorization: 'token 0123456789012345678901234567890123456789' }

test('refusals come in their order: credentials, account, scope, lookup, sign-in, state, body, object', async () => {
  const post = (as: string | null, thing: string, body: unknown, headers = {}) =>
    forge.call(as, 'POST', `/ladder/${thing}`, body, headers)
  assert.equal((await post(null, 'hidden', '{', wrong)).status, 401, 'wrong credentials before everything')
  assert.equal((await post('off', 'hidden', '{')).status, 403, 'the account before the scope')
  assert.equal((await post('narrow', 'hidden', '{')).status, 403, 'the scope before the lookup')
  assert.equal((await post(null, 'hidden', '{')).status, 404, 'the lookup before the sign-in')
  assert.equal((await post(null, 'locked', '{')).status, 401, 'the sign-in before the state')
  assert.equal((await post('ann', 'locked', '{')).status, 423, 'the state before the body')
  assert.equal((await post('ann', 'taken', '{')).status, 422, 'the body before the object')
  assert.equal((await post('ann', 'taken', { text: 'x' })).status, 409)
  assert.equal((await post('ann', 'free', { text: 'x' })).status, 201)
})

test('404 and 409 have no body and give the reason in headers; other refusals give it in the body', async () => {
  const missing = await forge.call('ann', 'POST', '/ladder/hidden', {})
  assert.equal(missing.body, null)
  assert.equal(missing.headers.get('message'), 'thing does not exist')
  assert.equal(missing.headers.get('url'), 'http://forge.test/api/swagger')
  const refused = await forge.call(null, 'POST', '/ladder/free', {})
  assert.deepEqual(refused.body, { message: 'token is required', url: 'http://forge.test/api/swagger' })
})

for (const [what, body, status] of [
  ['nothing', undefined, 422],
  ['an empty text with a content type', '', 422],
  ['broken JSON', '{"text":', 422],
  ['a wrong type', { text: 7 }, 422],
  ['a text that is too long', { text: 'x'.repeat(21) }, 422],
  ['a null character', { text: 'a\0b' }, 422],
  ['half of a surrogate pair', { text: 'a\ud800b' }, 201],
  ['an unknown field', { text: 'x', shoe_size: 44 }, 201],
  ['null for what may be absent', { text: 'x', loud: null }, 201],
  ['a body over the limit', { text: 'x'.repeat(3_000) }, 413],
] as const)
  test(`a body that is ${what}: ${status}`, async () => {
    assert.equal((await forge.call('ann', 'POST', '/ladder/free', body)).status, status)
  })

test('a lone surrogate becomes U+FFFD, in values and in names', async () => {
  const answer = await forge.call('ann', 'POST', '/ladder/free', { text: '\udc00 \ud83d\ude00 \ud800' })
  assert.deepEqual(answer.body, { text: '\ufffd \u{1f600} \ufffd' })
})

test('a form body is accepted like JSON', async () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const answer = await forge.call('ann', 'POST', '/ladder/free', 'text=hello&loud=true', headers)
  assert.deepEqual(answer.body, { text: 'hello', loud: true })
})

for (const [query, page] of [
  ['', { number: 1, limit: 30, offset: 0 }],
  ['?page=0&limit=0', { number: 1, limit: 30, offset: 0 }],
  ['?page=-2&limit=-7', { number: 1, limit: 30, offset: 0 }],
  ['?page=x&limit=y', { number: 1, limit: 30, offset: 0 }],
  ['?page=3&limit=1000', { number: 3, limit: 50, offset: 100 }],
  ['?page=2&page=9&limit=10', { number: 2, limit: 10, offset: 10 }],
] as const)
  test(`paging parameters «${query}» are never an error`, async () => {
    const answer = await forge.call(null, 'GET', `/echo${query}`)
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.body[1], page)
  })

test('links lead to the next, last, first and previous page, and keep the other parameters', async () => {
  const answer = await forge.call(null, 'GET', '/echo?q=a%20b&limit=10&page=3')
  const link = (page: number, rel: string) =>
    `<http://forge.test/api/v1/echo?limit=10&page=${page}&q=a+b>; rel="${rel}"`
  assert.equal(
    answer.headers.get('link'),
    [link(4, 'next'), link(10, 'last'), link(1, 'first'), link(2, 'prev')].join(','),
  )
  assert.equal(answer.headers.get('x-total-count'), '95')
})

test('repeated keys, unusual booleans, extra slashes and HEAD are accepted', async () => {
  const answer = await forge.call(null, 'GET', '//api//v1/echo/?q=one&q=two&tag=a&tag=b&flag=T')
  assert.deepEqual(answer.body[0], { q: 'one', tag: ['a', 'b'], flag: true })
  const head = await forge.call(null, 'HEAD', '/echo')
  assert.equal(head.status, 200)
  assert.equal(head.body, null)
})

test('an unknown path is 404, a known one with another method 405, whatever the credentials', async () => {
  assert.equal((await forge.call(null, 'GET', '/no/such/path', undefined, wrong)).status, 404)
  assert.equal((await forge.call(null, 'POST', '/echo', undefined, wrong)).status, 405)
})

test('an invalid number in a path is read as 0', async () => {
  assert.deepEqual((await forge.call(null, 'DELETE', '/broken/nonsense')).body, { id: 0 })
  assert.deepEqual((await forge.call(null, 'DELETE', '/broken/99999999999999999999')).body, { id: 0 })
})

test('an internal error is logged, and its details are not sent to the client', async () => {
  const answer = await forge.call(null, 'DELETE', '/broken/7')
  assert.equal(answer.status, 500)
  assert.doesNotMatch(JSON.stringify(answer.body), /secret/)
})

test('every answer carries the request id, taken from the proxy if it sent one', async () => {
  assert.match((await forge.call(null, 'GET', '/version')).headers.get('x-request-id') ?? '', /^[\w-]{36}$/)
  const given = await forge.call(null, 'GET', '/version', undefined, { 'x-request-id': 'from-the-proxy' })
  assert.equal(given.headers.get('x-request-id'), 'from-the-proxy')
})

test('documents and health are served to anonymous clients, and metrics are not', async () => {
  assert.equal((await forge.call(null, 'GET', '//openapi.json')).body.openapi, '3.1.0')
  assert.equal((await forge.call(null, 'GET', '//swagger.v1.json')).body.swagger, '2.0')
  assert.match((await forge.call(null, 'GET', '//api/swagger')).body, /<!doctype html>/)
  assert.equal((await forge.call(null, 'GET', '//healthz')).status, 200)
  assert.equal((await forge.call(null, 'GET', '//readyz')).status, 200)
  assert.equal((await forge.call(null, 'GET', '//metrics')).status, 404)
})

test('the reference page runs no scripts and cannot be framed', async () => {
  const { headers, body } = await forge.call(null, 'GET', '//api/swagger')
  const policy = headers.get('content-security-policy') ?? ''
  assert.match(policy, /^default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'/)
  assert.match(body, /<style>/)
})
