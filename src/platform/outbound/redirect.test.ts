/** The request after each kind of redirect, as a table. */
import assert from 'node:assert/strict'
import test from 'node:test'
import { type Hop, nextHop, redirectOf } from './redirect.ts'

const hop: Hop = {
  method: 'POST',
  url: new URL('https://one.test/a/b'),
  headers: { accept: '*/*', authorization: 'Basic x', 'content-type': 'text/plain', 'x-event': 'push' },
  body: 'hello',
}

for (const { method, status, becomes } of [
  { method: 'POST', status: 301, becomes: 'GET' },
  { method: 'POST', status: 302, becomes: 'GET' },
  { method: 'POST', status: 303, becomes: 'GET' },
  { method: 'PUT', status: 301, becomes: 'PUT' },
  { method: 'PUT', status: 302, becomes: 'PUT' },
  { method: 'PUT', status: 303, becomes: 'GET' },
  { method: 'HEAD', status: 303, becomes: 'HEAD' },
  { method: 'POST', status: 307, becomes: 'POST' },
  { method: 'POST', status: 308, becomes: 'POST' },
]) {
  test(`after ${status} a ${method} becomes ${becomes}`, () => {
    const next = nextHop({ ...hop, method }, status, new URL('https://one.test/c'))
    const keepsBody = becomes === method
    assert.equal(next.method, becomes)
    assert.equal(next.body, keepsBody ? 'hello' : null)
    assert.equal(next.headers['content-type'], keepsBody ? 'text/plain' : undefined)
    assert.equal(next.headers['x-event'], 'push')
  })
}

const SECRETS = {
  authorization: 'Basic x',
  'proxy-authorization': 'Basic x',
  cookie: 'a=b',
  'private-token': 'x',
  'x-gitea-token': 'x',
  'x-api-key': 'x',
  'x-amz-security-token': 'x',
  'x-auth': 'x',
}

for (const [to, keeps] of [
  ['https://one.test/elsewhere', true],
  ['https://one.test:443/elsewhere', true],
  ['http://one.test/a/b', false],
  ['https://one.test:8443/a/b', false],
  ['https://two.test/a/b', false],
  ['https://sub.one.test/a/b', false],
] as const) {
  test(`from https://one.test to ${to} secrets are ${keeps ? 'kept' : 'dropped'}`, () => {
    const next = nextHop({ ...hop, headers: { ...SECRETS, accept: '*/*' } }, 307, new URL(to))
    assert.deepEqual(next.headers, keeps ? { ...SECRETS, accept: '*/*' } : { accept: '*/*' })
  })
}

test('only a redirect with a usable location is followed', () => {
  assert.equal(redirectOf(hop, 302, '../c?d=e')?.href, 'https://one.test/c?d=e')
  assert.equal(redirectOf(hop, 302, '//two.test/x')?.href, 'https://two.test/x')
  assert.equal(redirectOf(hop, 200, '/c'), undefined)
  assert.equal(redirectOf(hop, 304, '/c'), undefined)
  assert.equal(redirectOf(hop, 302, undefined), undefined)
  assert.equal(redirectOf(hop, 302, 'http://['), undefined)
})
