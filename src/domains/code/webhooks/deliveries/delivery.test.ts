/** Deliveries to a local receiver that fails, hangs and sends garbage: each arrives, under a stable uuid. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { startWorker } from '#jobs'
import { type Forge, startForge, until } from '#testing'
import { type Behaviour, hang, later, Receiver, refuse, welcome } from '#testing/slices/webhooks'
import { FAILURES_BEFORE_REST, KEPT_MS, REST_MIN_MS, TRIED_FOR_MS } from '../limits.ts'
import { sendDue } from './send.ts'
import { enqueueLate, sweepDeliveries } from './tasks.ts'

const HOUR_MS = 3_600_000

/** ann, whose hook subscribes to all her repositories. */
async function startWithHook(receiver: Receiver, extra: object = {}, config: object = {}) {
  const forge = await startForge({ config: { 'outbound.allow_private': true, ...config } })
  await forge.person('ann')
  return { forge, hook: await addHook(forge, receiver.url, extra) }
}

async function addHook(forge: Forge, url: string, extra: object = {}): Promise<number> {
  const { status, body } = await forge.call('ann', 'POST', '/user/hooks', {
    type: 'gitea',
    active: true,
    events: ['repository'],
    ...extra,
    config: { url, content_type: 'json', ...(extra as { config?: object }).config },
  })
  assert.equal(status, 201)
  return body.id
}

let made = 0
async function happen(forge: Forge, times = 1): Promise<void> {
  for (let i = 0; i < times; i++) {
    made += 1
    const { status } = await forge.call('ann', 'POST', '/user/repos', { name: `repo-${made}` })
    assert.equal(status, 201)
  }
}

async function deliveries(forge: Forge, hook: number) {
  const { status, body } = await forge.call('ann', 'GET', `/user/hooks/${hook}/deliveries?limit=50`)
  assert.equal(status, 200)
  return body as { id: number; uuid: string; state: string; attempts: number; error: string }[]
}

test('a delivery has event headers, payload, signatures and authorization', async () => {
  await using receiver = await Receiver.open()
  const { forge, hook } = await startWithHook(receiver, {
    config: { secret: 'sesame' },
    authorization_header: 'Bearer ours',
  })
  await using _ = forge
  await happen(forge)
  await forge.runJobs()
  const [got] = receiver.received
  assert.ok(got)
  assert.equal(got.method, 'POST')
  assert.equal(got.headers['content-type'], 'application/json')
  assert.equal(got.headers.authorization, 'Bearer ours')
  const { action, repository, sender, organization } = JSON.parse(got.body)
  assert.equal(action, 'created')
  assert.match(repository.full_name, /^ann\/repo-/)
  assert.deepEqual(repository.permissions, { admin: true, push: true, pull: true })
  assert.deepEqual([sender.login, organization.login], ['ann', 'ann'])

  const [told] = await deliveries(forge, hook)
  for (const family of ['gitea', 'gogs', 'github']) {
    assert.equal(got.headers[`x-${family}-delivery`], told?.uuid)
    assert.equal(got.headers[`x-${family}-event`], 'repository')
    assert.equal(got.headers[`x-${family}-event-type`], 'repository')
  }
  assert.equal(got.headers['x-gitea-hook-installation-target-type'], 'user')
  const signature = (digest: string) => createHmac(digest, 'sesame').update(got.body).digest('hex')
  assert.equal(got.headers['x-gitea-signature'], signature('sha256'))
  assert.equal(got.headers['x-gogs-signature'], signature('sha256'))
  assert.equal(got.headers['x-hub-signature-256'], `sha256=${signature('sha256')}`)
  assert.equal(got.headers['x-hub-signature'], `sha1=${signature('sha1')}`)
  assert.equal(told?.state, 'delivered')

  const { body } = await forge.call('ann', 'GET', `/user/hooks/${hook}/deliveries/${told?.id}`)
  assert.equal(body.request.body, got.body)
  assert.equal(body.request.headers.authorization, '******')
  assert.doesNotMatch(JSON.stringify(body), /sesame|Bearer ours/)
  assert.deepEqual([body.response.status_code, body.response.body], [200, 'thanks'])
})

test('a form delivery has the JSON in one field, and the signature covers the JSON', async () => {
  await using receiver = await Receiver.open()
  const { forge } = await startWithHook(receiver, { config: { secret: 's', content_type: 'form' } })
  await using _ = forge
  await happen(forge)
  await forge.runJobs()
  const [got] = receiver.received
  assert.equal(got?.headers['content-type'], 'application/x-www-form-urlencoded')
  const text = new URLSearchParams(got?.body).get('payload') ?? ''
  assert.equal(JSON.parse(text).action, 'created')
  const signature = createHmac('sha256', 's').update(text).digest('hex')
  assert.equal(got?.headers['x-gitea-signature'], signature)
})

test('every delivery arrives despite errors, garbage and timeouts, with one uuid for all attempts', async () => {
  const moods: Behaviour[] = [
    refuse,
    (response) => void response.socket?.destroy(),
    (response) => void response.socket?.end('this is no HTTP\r\n\r\n'),
    (response) => void response.writeHead(301, { location: '/elsewhere' }).end(),
    (response) => {
      response.writeHead(200, { 'content-length': '10' }).write('short')
      setTimeout(() => response.socket?.destroy(), 20)
    },
    (response) => void response.writeHead(502, { 'x-odd': '\u00ff' }).end(Buffer.from([0, 0xff, 0xd8])),
  ]
  let accepted: string[] = []
  await using receiver = await Receiver.open((response, got, count) => {
    const mood = count === 2 ? hang : moods[count % (moods.length + 1)]
    if (mood !== undefined) return mood(response, got, count)
    accepted.push(String(got.headers['x-gitea-delivery']))
    response.writeHead(204).end()
  })
  const { forge, hook } = await startWithHook(receiver)
  await using _ = forge
  await happen(forge, 12)
  for (let i = 0; i < 200 && accepted.length < 12; i++) await later(forge, 10 * 60_000)
  const told = await deliveries(forge, hook)
  assert.deepEqual(new Set(accepted), new Set(told.map(({ uuid }) => uuid)))
  assert.equal(new Set(receiver.uuids).size, 12, 'an attempt never has a name of its own')
  assert.ok(told.every(({ state }) => state === 'delivered'))
  assert.ok(told.some(({ attempts }) => attempts > 1))
  accepted = []
  await later(forge, HOUR_MS)
  assert.deepEqual(accepted, [], 'and what has arrived is not sent again')
})

test('a delivery is sent again with the same uuid when the sender dies before recording the response', async () => {
  await using receiver = await Receiver.open()
  const { forge, hook } = await startWithHook(receiver)
  await using _ = forge
  await happen(forge)
  await forge.runJobs()
  // Resets the row to its state before the delivery.
  await sql`update webhook_delivery set state = 'waiting', attempts = 0`.execute(forge.db)
  receiver.received.length = 0
  const death = new AbortController()
  const { outbound } = forge.ctx
  const request: typeof outbound.request = async (it) => {
    await outbound.request(it)
    death.abort(new Error('killed'))
    throw death.signal.reason
  }
  const dying = { ...forge.ctx, signal: death.signal, outbound: { ...outbound, request } }
  await assert.rejects(sendDue(dying, { webhook_id: hook }), /killed/)
  await sendDue(forge.ctx, { webhook_id: hook })
  assert.equal(receiver.uuids.length, 2)
  assert.equal(new Set(receiver.uuids).size, 1)
  assert.equal((await deliveries(forge, hook))[0]?.state, 'delivered')
})

test('a dead target does not delay another hook and gets few requests', async () => {
  await using dead = await Receiver.open(hang)
  await using alive = await Receiver.open()
  const { forge, hook } = await startWithHook(dead, {}, { 'webhooks.concurrency': 2 })
  await using _ = forge
  const other = await addHook(forge, alive.url)
  await happen(forge, 20)
  const worker = await startWorker(forge.ctx, forge.pool, forge.work)
  try {
    await until(() => alive.received.length === 20)
    await until(async () => (await deliveries(forge, other)).every(({ state }) => state === 'delivered'))
    await until(async () => (await deliveries(forge, hook)).some(({ attempts }) => attempts > 0))
  } finally {
    await worker.stop()
  }
  assert.equal(dead.mostAtOnce, 1, 'one request at a time is enough to know that it hangs')
  assert.ok(dead.received.length <= FAILURES_BEFORE_REST)
  const late = await deliveries(forge, hook)
  assert.ok(late.every(({ state }) => state === 'waiting'))
})

test('hanging receivers occupy only the workers of webhooks', async () => {
  await using receiver = await Receiver.open(hang)
  const { forge, hook } = await startWithHook(
    receiver,
    {},
    { 'jobs.concurrency': 1, 'webhooks.concurrency': 2 },
  )
  await using _ = forge
  for (let i = 0; i < 3; i++) await addHook(forge, receiver.url)
  await happen(forge)
  const worker = await startWorker(forge.ctx, forge.pool, forge.work)
  try {
    await until(() => receiver.mostAtOnce === 2)
    await happen(forge)
    await until(async () => (await deliveries(forge, hook)).length === 2)
  } finally {
    await worker.stop()
  }
  assert.equal(receiver.mostAtOnce, 2)
})

test('an open circuit lets one probe through, and all deliveries arrive when the target recovers', async () => {
  await using receiver = await Receiver.open(refuse)
  const { forge, hook } = await startWithHook(receiver)
  await using _ = forge
  await happen(forge, 20)
  await forge.runJobs()
  assert.equal(receiver.received.length, FAILURES_BEFORE_REST)
  await later(forge, REST_MIN_MS - 1_000)
  assert.equal(receiver.received.length, FAILURES_BEFORE_REST, 'it still rests')
  await later(forge, 2_000)
  assert.equal(receiver.received.length, FAILURES_BEFORE_REST + 1, 'one was tried')
  await later(forge, REST_MIN_MS)
  assert.equal(receiver.received.length, FAILURES_BEFORE_REST + 1, 'the second rest is longer')

  receiver.behaviour = welcome
  for (let i = 0; i < 5; i++) await later(forge, HOUR_MS)
  const told = await deliveries(forge, hook)
  assert.ok(told.every(({ state }) => state === 'delivered'))
})

test('hooks on an unreachable host share a circuit; error responses open only the hook’s own circuit', async () => {
  await using receiver = await Receiver.open((response, got) =>
    response.writeHead(got.path === '/bad' ? 500 : 200).end(),
  )
  const gone = await Receiver.open()
  await gone[Symbol.asyncDispose]()
  const { forge } = await startWithHook(receiver)
  await using _ = forge
  const bad = new URL('/bad', receiver.url).href
  for (let i = 0; i < 10; i++) await addHook(forge, `${gone.url}/${i}`)
  for (let i = 0; i < 10; i++) await addHook(forge, bad)
  await happen(forge)
  await forge.runJobs()
  const { rows } = await sql<{ url: string; attempts: number }>`
    select url, attempts from webhook_delivery join webhook on webhook.id = webhook_id`.execute(forge.db)
  const attempts = (part: string) =>
    rows.filter(({ url }) => url.includes(part)).reduce((sum, row) => sum + row.attempts, 0)
  assert.equal(attempts(new URL(gone.url).host), FAILURES_BEFORE_REST)
  assert.equal(attempts('/bad'), 10)
  assert.equal(attempts('/hook'), 1 + FAILURES_BEFORE_REST)
})

test('a delivery fails after 72 hours and can be redelivered', async () => {
  await using receiver = await Receiver.open(refuse)
  const { forge, hook } = await startWithHook(receiver)
  await using _ = forge
  await happen(forge)
  await forge.runJobs()
  for (let passed = 0; passed < TRIED_FOR_MS; passed += HOUR_MS) await later(forge, HOUR_MS)
  const [told] = await deliveries(forge, hook)
  assert.equal(told?.state, 'failed')
  assert.ok((told?.attempts ?? 0) > 60, `only ${told?.attempts} attempts`)
  const before = receiver.received.length
  await later(forge, HOUR_MS)
  assert.equal(receiver.received.length, before)

  receiver.behaviour = welcome
  const path = `/user/hooks/${hook}/deliveries/${told?.id}`
  const again = await forge.call('ann', 'POST', `${path}/attempts`)
  assert.equal(again.status, 202)
  assert.equal(again.body.redelivery, true)
  assert.notEqual(again.body.uuid, told?.uuid)
  await later(forge, HOUR_MS)
  assert.equal(receiver.uuids.at(-1), again.body.uuid)
  assert.equal(receiver.received.at(-1)?.body, receiver.received.at(0)?.body)
})

test('a delivery to a private address fails at once unless private addresses are allowed', async () => {
  await using receiver = await Receiver.open()
  const { forge, hook } = await startWithHook(receiver, {}, { 'outbound.allow_private': false })
  await using _ = forge
  const hosts = ['127.0.0.1:1', '169.254.169.254', '[::1]', '10.0.0.1', '0x7f000001', 'localhost']
  const hooks = [hook]
  for (const host of hosts) hooks.push(await addHook(forge, `http://${host}/x`))
  await happen(forge)
  await forge.runJobs()
  for (const id of hooks) {
    const [told] = await deliveries(forge, id)
    assert.deepEqual([told?.state, told?.attempts], ['failed', 1])
    assert.match(told?.error ?? '', /not allowed/)
  }
  assert.equal(receiver.received.length, 0)
})

test('deliveries of an inactive hook wait until it is active again', async () => {
  await using receiver = await Receiver.open(refuse)
  const { forge, hook } = await startWithHook(receiver)
  await using _ = forge
  await happen(forge)
  await forge.runJobs()
  const edit = (active: boolean) =>
    forge.call('ann', 'PATCH', `/user/hooks/${hook}`, { active, events: ['repository'] })
  await edit(false)
  receiver.behaviour = welcome
  await later(forge, HOUR_MS)
  assert.equal(receiver.received.length, 1)
  await edit(true)
  await forge.runJobs()
  assert.equal(receiver.received.length, 2)
})

test('deliveries without a job get a new one, and old deliveries are swept', async () => {
  await using receiver = await Receiver.open(refuse)
  const { forge, hook } = await startWithHook(receiver)
  await using _ = forge
  await happen(forge, 2)
  await forge.runJobs()
  await sql`delete from job`.execute(forge.db)
  receiver.behaviour = welcome
  forge.advance(HOUR_MS)
  await enqueueLate(forge.ctx)
  await forge.runJobs()
  assert.ok((await deliveries(forge, hook)).every(({ state }) => state === 'delivered'))

  forge.advance(KEPT_MS - 2 * HOUR_MS)
  await sweepDeliveries(forge.ctx)
  assert.equal((await deliveries(forge, hook)).length, 2)
  forge.advance(2 * HOUR_MS)
  await sweepDeliveries(forge.ctx)
  assert.equal((await deliveries(forge, hook)).length, 0)
})
