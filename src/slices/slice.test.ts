/** A new slice with one of everything a manifest can have works without edits elsewhere. */
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { Type } from 'typebox'
import { emit } from '#events'
import { consumer } from '#events/consumer'
import { handler } from '#events/handler'
import { integer, type Settings } from '#platform/config'
import { type Context, transact } from '#platform/context'
import { notFound, Problem } from '#platform/problem'
import { asAnybody, asSignedIn, created, rawRoute, route } from '#platform/rest'
import { activity, payload, payloadsByType, type WebhookFacts, webhook, webhookEvent } from '#slices'
import { type Forge, startForge } from '#testing'
import { Receiver } from '#testing/slices/webhooks'

declare module '#events' {
  interface Events {
    'chime.struck': Chime
  }
}
interface Chime extends WebhookFacts {
  readonly tone: string
}
declare module '#platform/config' {
  interface SettingsOf {
    bells: typeof SETTINGS
  }
}
const SETTINGS = { 'bells.tone_max': integer(10, [1, 100], 'longest tone') } as const satisfies Settings

const ring = route({
  method: 'POST',
  path: '/bells',
  operationId: 'ringBell',
  tag: 'bells',
  summary: 'Ring a bell',
  scopes: ['user'],
  body: Type.Object({ tone: Type.String({ maxLength: 100 }), repository_id: Type.Integer() }),
  answers: { 201: Type.Object({ tone: Type.String() }) },
  open: asSignedIn,
  handle: async ({ ctx, body: { tone, repository_id }, opened }) => {
    if (tone.length > ctx.config['bells.tone_max']) throw new Problem('invalid', 'the tone is too long')
    await transact(ctx, async (ctx) => {
      await sql`insert into bell (tone) values (${tone})`.execute(ctx.db)
      await emit(ctx, 'chime.struck', { tone, repository_id, actor_id: opened.id })
    })
    return created({ tone })
  },
})

/** Passes through every step of both kinds of route. */
const ladder = {
  method: 'POST' as const,
  scopes: ['user'],
  params: Type.Object({ bell: Type.String() }),
  open: ({ ctx, params: { bell } }: { ctx: Context; params: { bell: string } }) => {
    if (bell === 'hidden') throw notFound('bell', bell)
    const actor = asSignedIn({ ctx })
    if (bell === 'archived') throw new Problem('locked', 'it is archived')
    return actor
  },
}
const told = route({
  ...ladder,
  path: '/bells/:bell',
  operationId: 'tellBell',
  tag: 'bells',
  summary: 'Tell a bell',
  answers: { 201: Type.Object({ login: Type.String() }) },
  handle: async ({ opened: { login } }) => created({ login }),
})
const CHALLENGE = 'Basic realm="bells"'
const pealed = rawRoute({
  ...ladder,
  path: '/peals/:bell',
  operationId: 'pealBell',
  challenge: CHALLENGE,
  handle: async ({ opened: { login } }) => ({ status: 201, headers: {}, body: login }),
})
/** A raw route with its own credential, whose bearer has no account, and with a streamed response. */
const pulled = rawRoute({
  method: 'POST',
  path: '/ropes',
  operationId: 'pullRope',
  scopes: [],
  onlyReads: true,
  keepsStream: true,
  authenticate: async (_ctx, { token }) =>
    token?.text === 'rope' && token.scheme === 'basic'
      ? { bearer: { name: 'rope', renew: async () => undefined } }
      : undefined,
  open: asAnybody,
  handle: async ({ ctx, stream, bearer, body }) => {
    const sent = stream === null ? 'nothing' : await buffer(stream)
    const said = `${body.length} ${sent} by ${bearer?.name ?? ctx.actor?.login ?? 'nobody'}`
    return {
      status: 200,
      headers: { 'content-type': 'text/x-peal' },
      body: Readable.from([Buffer.from(said)]),
    }
  },
})

const bellPayload = payload({
  type: 'package',
  indent: 2,
  build: async (_ctx, { tone }: Chime) => ({ bell: { tone } }),
  describe: ({ bell }) => (bell.tone === 'hush' ? null : { title: `a bell rang in ${bell.tone}` }),
})

let forge: Forge
let receiver: Receiver
let tower: number
before(async () => {
  forge = await startForge({
    config: { 'bells.tone_max': 5, 'http.body_bytes_max': 2_000, 'outbound.allow_private': true },
    settings: SETTINGS,
    // Every webhook type belongs to one slice: this slice takes the place of `packages`.
    without: 'packages',
    routes: [ring, told],
    rawRoutes: [pealed, pulled],
    handlers: [
      handler('chime.struck', async (ctx, { tone }) => {
        if (tone === 'flat') throw new Problem('conflict', 'out of tune')
        await sql`update bell set is_checked = true where tone = ${tone}`.execute(ctx.db)
      }),
    ],
    consumers: [
      consumer('bells', 'chime.struck', async (ctx, { tone }) => {
        await sql`update bell set is_heard = true where tone = ${tone}`.execute(ctx.db)
      }),
    ],
    webhooks: [
      webhook('chime.struck', [bellPayload], async (_ctx, event) => [webhookEvent(bellPayload, event)]),
    ],
    activities: [
      activity('chime.struck', async (_ctx, { tone, ...event }) => ({
        ...event,
        acts: [{ op_type: 'create_issue', content: tone }],
      })),
    ],
  })
  await sql`create table bell (tone text primary key, is_checked boolean default false,
    is_heard boolean default false)`.execute(forge.db)
  await forge.person('ann')
  await forge.person('off', { is_active: false })
  await forge.person('narrow', {}, ['read:user'])
  await forge.person('root', { is_admin: true })
  tower = (await forge.call('ann', 'POST', '/user/repos', { name: 'tower' })).body.id
  await forge.runJobs()
  receiver = await Receiver.open()
})
after(async () => {
  await forge[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
})

const strike = (as: string | null, tone: string) =>
  forge.call(as, 'POST', '/bells', { tone, repository_id: tower })

const bells = async () =>
  (await sql<{ tone: string; is_checked: boolean; is_heard: boolean }>`select * from bell`.execute(forge.db))
    .rows

test('its route is served, its handler runs in the transaction, its consumer later', async () => {
  assert.equal((await strike(null, 'a')).status, 401)
  assert.equal((await strike('ann', 'a')).status, 201)
  assert.deepEqual(await bells(), [{ tone: 'a', is_checked: true, is_heard: false }])
  await forge.runJobs()
  assert.deepEqual(await bells(), [{ tone: 'a', is_checked: true, is_heard: true }])
})

test('its handler can refuse the transaction, and its setting bounds the request', async () => {
  assert.equal((await strike('ann', 'flat')).status, 409)
  assert.equal((await strike('ann', 'too long')).status, 422)
  assert.equal((await bells()).length, 1)
})

const wrong = { authorization: 'token 0123456789012345678901234567890123456789' }
const large = 'x'.repeat(3_000)
const STEPS: [
  what: string,
  as: string | null,
  bell: string,
  headers: Record<string, string>,
  status: number,
][] = [
  ['wrong credentials', null, 'hidden', wrong, 401],
  ['an account that may not act', 'off', 'hidden', { sudo: 'nobody' }, 403],
  ['sudo by who is no administrator', 'narrow', 'hidden', { sudo: 'nobody' }, 403],
  ['sudo to nobody', 'root', 'hidden', { sudo: 'nobody' }, 404],
  ['a scope that is lacking', 'narrow', 'hidden', {}, 403],
  ['what is not there', null, 'hidden', {}, 404],
  ['who is nobody', null, 'archived', {}, 401],
  ['a state that forbids it', 'ann', 'archived', {}, 423],
  ['a body that is too large', 'ann', 'free', {}, 413],
]

for (const [what, as, bell, headers, status] of STEPS)
  test(`${what}: a raw route refuses with the same status and body as a JSON route`, async () => {
    const json = await forge.call(as, 'POST', `/bells/${bell}`, large, headers)
    const raw = await forge.call(as, 'POST', `//peals/${bell}`, large, headers)
    assert.equal(json.status, status)
    assert.deepEqual([raw.status, raw.body], [status, json.body])
    for (const name of ['message', 'x-content-type-options', 'ratelimit-policy'])
      assert.equal(raw.headers.get(name), json.headers.get(name), name)
    for (const { headers } of [json, raw]) assert.match(headers.get('x-request-id') ?? '', /^[\w-]{36}$/)
    assert.equal(json.headers.get('www-authenticate'), null)
    assert.equal(raw.headers.get('www-authenticate'), status === 401 ? CHALLENGE : null)
  })

test('a raw route takes sudo from headers, but no token from the query', async () => {
  const { status, body, headers } = await forge.call('root', 'POST', '//peals/free', {}, { sudo: 'ann' })
  assert.deepEqual([status, body, headers.get('ratelimit-policy')], [201, 'ann', '"person";q=60000;w=60'])
  const token = `?token=${forge.tokenOf('ann')}`
  assert.equal((await forge.call(null, 'POST', `/bells/free${token}`, {})).status, 201)
  assert.equal((await forge.call(null, 'POST', `//peals/free${token}`, {})).status, 401)
})

test('a raw route has its own bearers, who count as machines, and bodies of any type and length', async () => {
  const pull = async (headers: Record<string, string>) => {
    const answer = await forge.call(null, 'POST', '//ropes', large, {
      'content-type': 'text/x-rope',
      ...headers,
    })
    return [answer.status, answer.body, answer.headers.get('ratelimit-policy')?.split(';')[0]]
  }
  const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` })
  assert.deepEqual(await pull(basic('x:rope')), [200, `0 ${large} by rope`, '"machine"'])
  assert.deepEqual(await pull({}), [200, `0 ${large} by nobody`, '"nobody"'])
  const narrow = { authorization: `token ${forge.tokenOf('narrow')}` }
  assert.deepEqual(await pull(narrow), [200, `0 ${large} by narrow`, '"person"'])
  assert.equal((await pull({ authorization: 'token rope' }))[0], 401)
  assert.equal((await forge.call(null, 'POST', '//ropes')).body, '0 nothing by nobody')
})

test('webhooks deliver its events with its own payload and description', async () => {
  for (const [type, events] of [
    ['gitea', ['package']],
    ['feishu', ['package']],
    ['gitea', ['push']],
  ]) {
    const config = { url: receiver.url, content_type: 'json' }
    const hook = { type, active: true, events, config }
    assert.equal((await forge.call('ann', 'POST', '/repos/ann/tower/hooks', hook)).status, 201)
  }
  assert.equal((await strike('ann', 'b')).status, 201)
  await forge.runJobs()
  const told = receiver.received.map(({ headers, body }) => [headers['x-gitea-event'], JSON.parse(body)])
  assert.deepEqual(told.sort(), [
    ['package', { bell: { tone: 'b' } }],
    ['package', { msg_type: 'text', content: { text: 'a bell rang in b\n' } }],
  ])
  receiver.received.length = 0
  assert.equal((await strike('ann', 'hush')).status, 201)
  await forge.runJobs()
  assert.deepEqual(
    receiver.received.map(({ body }) => JSON.parse(body)),
    [{ bell: { tone: 'hush' } }],
  )
})

test('its acts appear in feeds beside those of other slices', async () => {
  await forge.runJobs()
  const { body } = await forge.call(null, 'GET', '/repos/ann/tower/activities/feeds')
  const acts = (body as { op_type: string; content: string; act_user: { login: string } }[]).map(
    ({ op_type, content, act_user }) => `${act_user.login} ${op_type} ${content}`.trim(),
  )
  assert.deepEqual(acts.sort(), [
    'ann create_issue a',
    'ann create_issue b',
    'ann create_issue hush',
    'ann create_repo',
  ])
})

test('two payloads of one type throw at startup', () => {
  const say = (it: typeof bellPayload) => webhook('chime.struck', [it], async () => [])
  assert.equal(payloadsByType([say(bellPayload), say(bellPayload)]).size, 1)
  assert.throws(
    () => payloadsByType([say(bellPayload), say({ ...bellPayload })]),
    /two payloads tell of package/,
  )
})
