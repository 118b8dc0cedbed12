/** Moderation over REST: reports, quarantine and suspensions. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Forge, startForge } from '#testing'

const SPAM = 'advertises watches'
let forge: Forge
before(async () => {
  forge = await startForge()
  await forge.person('root', { is_admin: true })
  for (const login of ['ann', 'eve']) await forge.person(login)
  await forge.call('ann', 'POST', '/user/repos', { name: 'site' })
})
after(() => forge[Symbol.asyncDispose]())

test('a site administrator reads a report and closes it', async () => {
  const ann = await forge.browserOf('ann')
  const sent = await ann.submit('/-/report?about=/eve', 'report', { category: 'spam', body: SPAM })
  assert.equal(sent.status, 200)
  const open = await forge.call('root', 'GET', '/admin/reports')
  assert.equal(open.headers.get('x-total-count'), '1')
  const [{ id, created_at: _, ...report }] = open.body
  assert.deepEqual(report, {
    reporter: 'ann',
    path: '/eve',
    account: 'eve',
    repository: null,
    category: 'spam',
    body: SPAM,
    outcome: null,
  })
  const close = (outcome: string) => forge.call('root', 'POST', `/admin/reports/${id}/close`, { outcome })
  assert.equal((await close('forgotten')).status, 422)
  assert.equal((await close('acted')).status, 204)
  assert.deepEqual((await forge.call('root', 'GET', '/admin/reports')).body, [])
  assert.equal((await forge.call('root', 'GET', '/admin/reports?closed=true')).body[0].outcome, 'acted')
})

test('a quarantined repository is listed with its reason, and hidden until the quarantine ends', async () => {
  const quarantine = '/admin/quarantine/ann/site'
  assert.equal((await forge.call('root', 'PUT', quarantine, { reason: SPAM })).status, 204)
  assert.equal((await forge.call('eve', 'GET', '/repos/ann/site')).status, 404)
  const workflow = 'on: workflow_dispatch\njobs: { smelt: { runs-on: any, steps: [{ run: true }] } }\n'
  const content = Buffer.from(workflow).toString('base64')
  const path = '/repos/ann/site/contents/.gitea/workflows/run.yml'
  assert.equal((await forge.call('root', 'POST', path, { content })).status, 201)
  const dispatch = '/repos/ann/site/actions/workflows/run.yml/dispatches'
  assert.equal((await forge.call('root', 'POST', dispatch, { ref: 'main' })).status, 403)
  const { body } = await forge.call('root', 'GET', '/admin/quarantine')
  assert.deepEqual(
    body.map(({ owner, name, reason }: Record<string, string>) => [owner, name, reason]),
    [['ann', 'site', SPAM]],
  )
  assert.equal((await forge.call('root', 'DELETE', quarantine)).status, 204)
  assert.equal((await forge.call('eve', 'GET', '/repos/ann/site')).status, 200)
})

test('a suspended user is listed with reason and appeal, and signs in again after it is lifted', async () => {
  const suspension = '/admin/users/eve/suspension'
  assert.equal((await forge.call('root', 'PUT', suspension, { reason: SPAM })).status, 204)
  assert.equal((await forge.call('eve', 'GET', '/user')).status, 403)
  const [listed] = (await forge.call('root', 'GET', '/admin/suspensions')).body
  assert.deepEqual([listed.username, listed.type, listed.reason, listed.appeal], ['eve', 'user', SPAM, null])
  assert.equal(
    (await forge.call('root', 'PUT', '/admin/users/root/suspension', { reason: SPAM })).status,
    422,
  )
  assert.equal((await forge.call('root', 'DELETE', suspension)).status, 204)
  assert.equal((await forge.call('root', 'DELETE', suspension)).status, 422)
  assert.equal((await forge.call('eve', 'GET', '/user')).status, 200)
})

test('users and tokens without the scope of administration moderate nothing', async () => {
  const calls = [
    ['GET', '/admin/reports'],
    ['POST', '/admin/reports/1/close', { outcome: 'dismissed' }],
    ['GET', '/admin/quarantine'],
    ['PUT', '/admin/quarantine/ann/site', { reason: SPAM }],
    ['DELETE', '/admin/quarantine/ann/site'],
    ['GET', '/admin/suspensions'],
    ['PUT', '/admin/users/ann/suspension', { reason: SPAM }],
    ['DELETE', '/admin/users/ann/suspension'],
  ] as const
  for (const [method, path, body] of calls) {
    assert.equal((await forge.call('eve', method, path, body)).status, 403, `${method} ${path}`)
    assert.equal((await forge.call(null, method, path, body)).status, 401, `${method} ${path}`)
  }
})
