/** The protocol of runners: JSON and protobuf messages, compression, and errors. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import { type Forge, startForge } from '#testing'
import { callProcedure, SimulatedRunner } from '#testing/slices/runners'
import { PingRequestSchema, PingResponseSchema } from './gen/ping/v1/messages_pb.ts'
import {
  DeclareRequestSchema,
  DeclareResponseSchema,
  RegisterRequestSchema,
  RegisterResponseSchema,
} from './gen/runner/v1/messages_pb.ts'

let forge: Forge
let token: string
before(async () => {
  forge = await startForge({ config: { 'runners.wait_ms': 50, 'runners.max': 5 } })
  await forge.person('root', { is_admin: true })
  token = (await forge.call('root', 'POST', '/admin/actions/runners/registration-token')).body.token
})
after(() => forge[Symbol.asyncDispose]())

function send(path: string, body: Uint8Array, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${forge.base}/api/actions/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/proto', 'connect-protocol-version': '1', ...headers },
    body: Buffer.from(body),
  })
}

test('protobuf messages are accepted, plain and gzipped', async () => {
  const hello = toBinary(PingRequestSchema, create(PingRequestSchema, { data: 'Ann' }))
  const gzip = { 'content-encoding': 'gzip', 'accept-encoding': 'identity' }
  for (const [body, headers] of [
    [hello, {}],
    [gzipSync(hello), gzip],
  ] as const) {
    const response = await send('ping.v1.PingService/Ping', body, headers)
    assert.equal(response.headers.get('content-type'), 'application/proto')
    const said = fromBinary(PingResponseSchema, new Uint8Array(await response.arrayBuffer()))
    assert.equal(said.data, 'Hello, Ann!')
  }
})

test('a runner registers and declares itself in protobuf messages', async () => {
  const wish = { name: 'smith', token, version: 'v1.0.8', labels: ['ubuntu-latest:host', 'arm'] }
  const body = toBinary(RegisterRequestSchema, create(RegisterRequestSchema, wish))
  const response = await send('runner.v1.RunnerService/Register', body)
  const { runner } = fromBinary(RegisterResponseSchema, new Uint8Array(await response.arrayBuffer()))
  assert.deepEqual([runner?.name, runner?.labels], ['smith', ['ubuntu-latest', 'arm']])
  const declared = create(DeclareRequestSchema, {
    version: 'v2',
    labels: ['one'],
    capabilities: ['cancelling'],
  })
  const identity = { 'x-runner-uuid': runner?.uuid ?? '', 'x-runner-token': runner?.token ?? '' }
  const answer = await send(
    'runner.v1.RunnerService/Declare',
    toBinary(DeclareRequestSchema, declared),
    identity,
  )
  const said = fromBinary(DeclareResponseSchema, new Uint8Array(await answer.arrayBuffer()))
  assert.deepEqual([said.runner?.version, said.runner?.labels, said.runner?.token], ['v2', ['one'], ''])
  const { body: shown } = await forge.call('root', 'GET', `/admin/actions/runners/${runner?.id}`)
  assert.deepEqual([shown.status, shown.labels[0].name], ['online', 'one'])
})

test('a caller that is not a registered runner gets the Connect error unauthenticated', async () => {
  const runner = await SimulatedRunner.register(forge.base, token)
  const stranger = { ...runner.identity, 'x-runner-token': token }
  for (const identity of [{}, stranger, { ...stranger, 'x-runner-uuid': 'nobody' }]) {
    const { status, body } = await callProcedure(forge.base, 'FetchTask', {}, identity)
    assert.deepEqual([status, body], [401, { code: 'unauthenticated', message: 'unregistered runner' }])
  }
  await forge.call('root', 'DELETE', `/admin/actions/runners/${runner.id}`)
  assert.equal((await runner.call('FetchTask', {})).status, 401)
  assert.equal((await runner.call('Declare', {})).status, 401)
})

test('a wrong token, too many labels and too many runners are refused', async () => {
  const register = (wish: object) => callProcedure(forge.base, 'Register', { name: 'x', token, ...wish })
  assert.deepEqual(
    [(await register({ token: 'no' })).body.code, (await register({ name: '' })).body.code],
    ['not_found', 'invalid_argument'],
  )
  const labels = Array.from({ length: 101 }, (_, i) => `label-${i}`)
  assert.equal((await register({ labels })).body.code, 'invalid_argument')
  for (let i = 0; i < 4; i++) await register({})
  assert.equal((await register({})).body.message, 'too many runners')
})

test('malformed and oversized messages are refused, also when they are compressed', async () => {
  const bomb = gzipSync(Buffer.alloc(1_000_000))
  assert.ok(gunzipSync(bomb).length > bomb.length)
  const answers = [
    await send('ping.v1.PingService/Ping', Buffer.from('nonsense')),
    await send('ping.v1.PingService/Ping', bomb, { 'content-encoding': 'gzip' }),
    await send('ping.v1.PingService/Ping', Buffer.alloc(100_000)),
  ]
  for (const answer of answers) {
    assert.ok(answer.status >= 400 && answer.status < 500, String(answer.status))
    assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
  }
  assert.equal((await send('runner.v1.RunnerService/Steal', Buffer.alloc(0))).status, 404)
})
