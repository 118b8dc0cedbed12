/** Requests for each kind of receiver. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pushPayload } from '../../contents/webhooks/push.ts'
import { groupOf, interestsOf } from '../event-types.ts'
import { CHATS } from '../hooks/hook-types.ts'
import { buildRequest } from './build-request.ts'
import type { HookWithSecrets } from './hook-with-secrets.ts'

const HOOK: HookWithSecrets = {
  type: 'gitea',
  url: 'https://hooks.example.test/in',
  content_type: 'json',
  settings: {},
  is_active: true,
  kind: 'repository',
  secret: '',
  authorization: '',
}
const PUSH = {
  ref: 'refs/heads/main',
  compare_url: 'https://forge.test/ann/anvil/compare/a...b',
  total_commits: 2,
  commits: [
    {
      id: 'abcdef0123',
      url: 'https://forge.test/c',
      message: '<!channel> *bold* [x](y)\nmore',
      author: { name: 'A&B' },
    },
  ],
  repository: { full_name: 'ann/anvil', html_url: 'https://forge.test/ann/anvil' },
  sender: { login: 'ann', html_url: 'https://forge.test/ann', avatar_url: 'https://forge.test/a.png' },
}
const NOTICE = { uuid: 'f0e1', type: 'push', body: JSON.stringify(PUSH), describe: pushPayload.describe }

test('without a secret the signature headers are sent empty', () => {
  const { headers = {} } = buildRequest(HOOK, NOTICE).request
  assert.equal(headers['x-gitea-signature'], '')
  assert.equal(headers['x-hub-signature'], 'sha1=')
  assert.equal(headers['x-hub-signature-256'], 'sha256=')
  assert.equal(headers.authorization, undefined)
})

test('credentials in a URL are sent as basic authorization and not shown', () => {
  const hook = { ...HOOK, url: 'https://ann:s%20e@hooks.example.test/in' }
  const { request, shown } = buildRequest(hook, NOTICE)
  assert.equal(String(request.url), 'https://hooks.example.test/in')
  assert.equal(request.headers?.authorization, `Basic ${btoa('ann:s e')}`)
  assert.equal(shown.headers.authorization, '******')
  const explicit = buildRequest({ ...hook, authorization: 'Bearer x' }, NOTICE)
  assert.equal(explicit.request.headers?.authorization, 'Bearer x')
  assert.equal(buildRequest({ ...HOOK, url: 'https://%zz@x.test/' }, NOTICE).request.url, 'https://x.test/')
})

for (const type of CHATS)
  test(`${type} gets a JSON message without markup or mentions from a commit`, () => {
    const settings = { channel: '#forge', username: 'anvil' }
    const { request, shown } = buildRequest({ ...HOOK, type, content_type: 'form', settings }, NOTICE)
    assert.equal(request.headers?.['content-type'], 'application/json')
    assert.equal(shown.body, request.body)
    const text = String(request.body)
    JSON.parse(text)
    if (type === 'packagist') return
    assert.match(text, /2 new commits/)
    assert.match(text, /abcdef0/)
    if (type !== 'feishu' && type !== 'matrix') assert.doesNotMatch(text, /<!channel>/)
    assert.doesNotMatch(text, /more/)
  })

test('a Matrix message uses the delivery’s uuid as its transaction id', () => {
  const { request } = buildRequest({ ...HOOK, type: 'matrix' }, NOTICE)
  assert.equal(request.method, 'PUT')
  assert.equal(String(request.url), 'https://hooks.example.test/in/f0e1')
})

test('a payload without a description is titled with its type', () => {
  const body = '{"repository":{"full_name":"a/b","html_url":""}}'
  const notice = { ...NOTICE, type: 'status', body, describe: undefined }
  assert.match(String(buildRequest({ ...HOOK, type: 'slack' }, notice).request.body), /\[a\/b\] status/)
})

test('groupOf maps detail types to the type of their family', () => {
  assert.equal(groupOf('issue_label'), 'issues')
  assert.equal(groupOf('pull_request_comment'), 'issue_comment')
  assert.equal(groupOf('pull_request_review_approved'), 'pull_request_approved')
  assert.equal(groupOf('push'), 'push')
})

test('events of a hook are single types, families, and push by default', () => {
  assert.deepEqual(interestsOf(undefined), ['push'])
  assert.deepEqual(interestsOf(['sneeze']), [])
  assert.deepEqual(interestsOf(['ISSUES_ONLY', 'fork']), ['fork', 'issues'])
  assert.equal(interestsOf(['pull_request']).length, 8)
})
