/** The guarded client against real servers on loopback, where 127.0.0.2 plays the public internet. */
import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from 'node:net'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { after, before, beforeEach, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { Problem } from '#platform/problem'
import { isAllowedAddress } from './addresses.ts'
import { type ClientOptions, type OutboundClient, openClient } from './client.ts'
import { openOutbound } from './index.ts'
import type { Lookup } from './target.ts'

const OUTSIDE = '127.0.0.2'
const INSIDE = '127.0.0.1'
const LIMITS = { timeoutMs: 20_000, connectTimeoutMs: 10_000, answerBytesMax: 100_000, redirectsMax: 3 }

let outside: Server
let inside: Server
let port: number
let heardOutside: IncomingMessage[]
let heardInside: IncomingMessage[]
let lookups: string[]
const opened: OutboundClient[] = []

before(async () => {
  while (!(await listenTwice()));
})

/** Listens on one port at both addresses; false when the port is taken at the second address. */
async function listenTwice(): Promise<boolean> {
  outside = await listen(OUTSIDE, 0, (request, response) => {
    heardOutside.push(request)
    answer(request, response)
  })
  port = (outside.address() as AddressInfo).port
  try {
    inside = await listen(INSIDE, port, (request, response) => {
      heardInside.push(request)
      response.end('inside')
    })
    return true
  } catch (error) {
    outside.close()
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    return false
  }
}

beforeEach(() => {
  heardOutside = []
  heardInside = []
  lookups = []
})

after(async () => {
  for (const client of opened) await client.close()
  for (const server of [outside, inside]) {
    server.closeAllConnections()
    server.close()
  }
})

const answer: RequestListener = (request, response) => {
  const url = new URL(request.url ?? '/', 'http://outside.test')
  const to = url.searchParams.get('to')
  if (to !== null)
    return response.writeHead(Number(url.searchParams.get('status') ?? 302), { location: to }).end()
  if (url.pathname === '/loop') return response.writeHead(302, { location: '/loop' }).end()
  if (url.pathname === '/bad') return response.writeHead(500).end('bad')
  if (url.pathname === '/silent') return
  if (url.pathname === '/slow') return response.writeHead(200).write('first words')
  if (url.pathname === '/endless') return pour(response)
  if (url.pathname === '/zipped') {
    return response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(1_000_000)))
  }
  if (url.pathname === '/echo') return request.pipe(response)
  return response.writeHead(200, { 'x-hello': 'world' }).end('outside')
}

function pour(response: Parameters<RequestListener>[1]): void {
  const more = () => {
    while (!response.destroyed && response.write(Buffer.alloc(16_384)));
  }
  response.on('drain', more)
  more()
}

test('a request connects to the resolved address, with the original Host header', async () => {
  const client = open()
  const got = await client.request({ method: 'get', url: at('/?q=1'), headers: { Accept: 'text/plain' } })
  assert.equal(got.status, 200)
  assert.equal(got.headers['x-hello'], 'world')
  assert.equal(got.body.toString(), 'outside')
  assert.equal(got.address, OUTSIDE)
  assert.deepEqual(lookups, ['outside.test'])
  assert.equal(heardOutside[0]?.headers.host, `outside.test:${port}`)
  assert.equal(heardOutside[0]?.headers.accept, 'text/plain')
  assert.equal(heardOutside[0]?.url, '/?q=1')
})

test('a body is sent whole, and headers cannot contradict it or the URL', async () => {
  const client = open()
  const headers = { Host: 'inside.test', 'Content-Length': '3', 'Transfer-Encoding': 'chunked' }
  for (const body of ['grüße', Buffer.from('grüße')]) {
    const got = await client.request({ method: 'POST', url: at('/echo'), headers, body })
    assert.equal(got.body.toString(), 'grüße')
  }
  assert.equal(heardOutside[0]?.headers.host, `outside.test:${port}`)
})

test('a name that resolves to an internal address after the check is called at the checked address', async () => {
  const turns = [OUTSIDE, INSIDE]
  const client = open({ lookup: async (host) => seen(host, turns.shift() ?? INSIDE) })
  const got = await client.request({ method: 'GET', url: at('/', 'rebind.test') })
  assert.equal(got.body.toString(), 'outside')
  assert.equal(heardInside.length, 0)
  assert.deepEqual(lookups, ['rebind.test'])

  await refuses(client.request({ method: 'GET', url: at('/', 'rebind.test') }), 'rebind.test', INSIDE)
  assert.equal(heardInside.length, 0)
})

test('one refused address among many refuses the name', async () => {
  const client = open({ lookup: async (host) => [...seen(host, OUTSIDE), ...seen(host, INSIDE)] })
  await refuses(client.request({ method: 'GET', url: at('/', 'both.test') }), 'both.test', INSIDE)
  assert.equal(heardOutside.length + heardInside.length, 0)
})

for (const [to, host, address] of [
  [`http://${INSIDE}:PORT/`, INSIDE, INSIDE],
  ['http://inside.test:PORT/', 'inside.test', INSIDE],
  ['http://2130706433:PORT/', INSIDE, INSIDE],
  ['//[::1]:PORT/', '::1', '::1'],
  ['http://169.254.169.254/latest/meta-data/', '169.254.169.254', '169.254.169.254'],
] as const) {
  test(`a redirect to ${to} is refused`, async () => {
    const client = open()
    const url = at(`/?to=${encodeURIComponent(to.replace('PORT', String(port)))}`)
    await refuses(client.request({ method: 'GET', url }), host, address)
    assert.equal(heardOutside.length, 1)
    assert.equal(heardInside.length, 0)
  })
}

test('a redirect is resolved and checked anew at every hop', async () => {
  const client = open()
  const url = at(`/?to=${encodeURIComponent(at('/', 'elsewhere.test'))}`)
  const got = await client.request({ method: 'GET', url })
  assert.equal(got.body.toString(), 'outside')
  assert.deepEqual(lookups, ['outside.test', 'elsewhere.test'])
})

test('a redirect to another scheme, or with credentials in it, is refused', async () => {
  const client = open()
  for (const to of ['file:///etc/passwd', 'gopher://outside.test/', 'http://user:secret@outside.test/']) {
    const failure = await failureOf(
      client.request({ method: 'GET', url: at(`/?to=${encodeURIComponent(to)}`) }),
    )
    assert.equal(failure.kind, 'invalid')
    assert.doesNotMatch(JSON.stringify(failure.details) + failure.message, /secret/)
  }
})

test('redirects are followed up to their limit; with a limit of 0 they are returned', async () => {
  const client = open()
  const failure = await failureOf(client.request({ method: 'GET', url: at('/loop') }))
  assert.equal(failure.kind, 'unavailable')
  assert.equal(heardOutside.length, 1 + LIMITS.redirectsMax)

  const got = await client.request({ method: 'GET', url: at('/loop'), redirectsMax: 0 })
  assert.equal(got.status, 302)
  assert.equal(got.headers.location, '/loop')
})

test('secret headers are dropped on a redirect to another origin; other headers are kept', async () => {
  const client = open()
  const headers = { Authorization: 'Basic x', Cookie: 'a=b', 'X-Event': 'push' }
  const there = `/?status=307&to=${encodeURIComponent(at('/echo', 'elsewhere.test'))}`
  const url = at(`/?status=307&to=${encodeURIComponent(there)}`)
  const got = await client.request({ method: 'POST', url, headers, body: 'payload' })
  assert.equal(got.body.toString(), 'payload')
  assert.deepEqual(
    heardOutside.map(({ headers: heard }) => [heard.authorization, heard.cookie, heard['x-event']]),
    [
      ['Basic x', 'a=b', 'push'],
      ['Basic x', 'a=b', 'push'],
      [undefined, undefined, 'push'],
    ],
  )
})

for (const path of ['/silent', '/slow']) {
  test(`${path}: an answer that does not end times out`, async () => {
    const client = open()
    const started = performance.now()
    const failure = await failureOf(client.request({ method: 'GET', url: at(path), timeoutMs: 300 }))
    assert.equal(failure.kind, 'unavailable')
    assert.equal(failure.details.timeout_ms, 300)
    assert(performance.now() - started < LIMITS.connectTimeoutMs, 'the deadline ended it, not another bound')
  })
}

test('the deadline also limits a resolver that never answers', async () => {
  const client = open({ lookup: () => new Promise(() => {}), timeoutMs: 200 })
  assert.equal((await failureOf(client.request({ method: 'GET', url: at('/') }))).kind, 'unavailable')
  assert.equal((await failureOf(client.resolve(at('/')))).kind, 'unavailable')
})

test('the deadline and the connect timeout end a handshake that never answers', async (t) => {
  const url = `https://outside.test:${await listenMute(t)}/`
  const started = performance.now()
  const late = await failureOf(open().request({ method: 'GET', url, timeoutMs: 200 }))
  assert.equal(late.details.timeout_ms, 200)
  const unmet = await failureOf(open({ connectTimeoutMs: 200 }).request({ method: 'GET', url }))
  assert.equal(unmet.kind, 'unavailable')
  assert.equal(unmet.details.code, 'ETIMEDOUT')
  assert(performance.now() - started < LIMITS.connectTimeoutMs, 'neither waited for the other bound')
})

test('an endless answer is cut at its limit', async () => {
  const client = open()
  const failure = await failureOf(client.request({ method: 'GET', url: at('/endless') }))
  assert.equal(failure.kind, 'too_large')
  assert.equal(failure.details.bytes_max, LIMITS.answerBytesMax)

  const small = await failureOf(client.request({ method: 'GET', url: at('/'), answerBytesMax: 6 }))
  assert.equal(small.kind, 'too_large')
  assert.equal((await client.request({ method: 'GET', url: at('/'), answerBytesMax: 7 })).status, 200)
})

test('a 200 answer is streamed into its target within the limit, and other answers are returned', async () => {
  const client = open()
  const wanted = (path: string, into: PassThrough) => client.request({ method: 'GET', url: at(path), into })
  const into = new PassThrough()
  const got = await wanted('/', into)
  assert.equal(got.body.length, 0)
  assert.equal(await text(into), 'outside')

  const cut = new PassThrough()
  cut.resume().on('error', () => undefined)
  assert.equal((await failureOf(wanted('/endless', cut))).kind, 'too_large')
  assert(cut.destroyed)

  const unused = new PassThrough()
  const refused = await client.request({ method: 'GET', url: at('/bad'), into: unused })
  assert.equal(refused.status, 500)
  assert.equal(refused.body.toString(), 'bad')
  assert.equal(unused.read(), null)
})

test('a compressed answer stays compressed, so it cannot exceed its limit', async () => {
  const client = open()
  const got = await client.request({ method: 'GET', url: at('/zipped') })
  assert(got.body.length < 10_000)
  assert.equal(gunzipSync(got.body).length, 1_000_000)
})

test('an unreachable host and an unknown name are unavailable', async () => {
  const client = open({
    lookup: async () => {
      throw Object.assign(new Error('who?'), { code: 'ENOTFOUND' })
    },
  })
  const unknown = await failureOf(client.request({ method: 'GET', url: at('/', 'nowhere.test') }))
  assert.equal(unknown.kind, 'unavailable')
  assert.deepEqual(unknown.details, { host: 'nowhere.test', code: 'ENOTFOUND' })

  const closed = await listen(OUTSIDE, 0, () => {})
  const closedPort = (closed.address() as AddressInfo).port
  await new Promise((resolve) => closed.close(resolve))
  const refused = await failureOf(
    open().request({ method: 'GET', url: `http://outside.test:${closedPort}/` }),
  )
  assert.equal(refused.kind, 'unavailable')
  assert.deepEqual(refused.details, { host: 'outside.test', address: OUTSIDE, code: 'ECONNREFUSED' })
})

test('a request with invalid headers or method is refused as invalid', async () => {
  const client = open()
  const headers = { 'x-event': 'push\r\nx-injected: 1' }
  assert.equal((await failureOf(client.request({ method: 'GET', url: at('/'), headers }))).kind, 'invalid')
  assert.equal((await failureOf(client.request({ method: 'GE T', url: at('/') }))).kind, 'invalid')
  assert.equal(heardOutside.length, 0)
})

test('the caller can abort a request, and closing the client aborts all of them', async () => {
  const client = open()
  const mine = new AbortController()
  const given = client.request({ method: 'GET', url: at('/silent'), signal: mine.signal })
  mine.abort(new Error('never mind'))
  await assert.rejects(given, /never mind/)

  const waiting = failureOf(client.request({ method: 'GET', url: at('/silent') }))
  await client.close()
  assert.equal((await waiting).kind, 'unavailable')
  assert.equal((await failureOf(client.request({ method: 'GET', url: at('/') }))).kind, 'unavailable')
})

test('host lists: only allowed hosts are called and blocked ones never, by name or by address', async () => {
  const allowing = open({
    allowedHosts: ['outside.test', '*.friends.test'],
    blockedHosts: ['foe.friends.test'],
  })
  for (const host of ['outside.test', 'OUTSIDE.test', 'outside.test.', 'a.friends.test']) {
    assert.equal((await allowing.request({ method: 'GET', url: at('/', host) })).status, 200, host)
  }
  for (const host of [
    'friends.test',
    'xfriends.test',
    'other.test',
    'foe.friends.test',
    'foe.friends.test.',
  ]) {
    assert.equal((await failureOf(allowing.resolve(at('/', host)))).kind, 'invalid', host)
  }
  const wordy = open({ blockedHosts: ['*.Bücher.test', 'FD00::1'] })
  for (const host of ['foe.bücher.test', 'foe.xn--bcher-kva.test', '[fd00::1]']) {
    assert.equal((await failureOf(wordy.resolve(at('/', host)))).message, 'host is blocked', host)
  }
  const blocking = open({ blockedHosts: [OUTSIDE] })
  await refuses(blocking.resolve(at('/')), 'outside.test', OUTSIDE)
})

test('loopback is refused in every spelling, and allowed with allowPrivate', async (t) => {
  const strict = openOutbound({ ...LIMITS, allowPrivate: false, lookup: localLookup })
  const lax = openOutbound({ ...LIMITS, allowPrivate: true, lookup: localLookup })
  t.after(() => Promise.all([strict.close(), lax.close()]))
  const hosts = [
    '127.0.0.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '127.1',
    '0x7f.1',
    'inside.test',
    '①②⑦.0.0.1',
  ]
  for (const host of hosts) {
    assert.equal((await failureOf(strict.resolve(at('/', host)))).details.address, INSIDE, host)
    assert.equal((await lax.request({ method: 'GET', url: at('/', host) })).body.toString(), 'inside', host)
  }
  for (const url of ['http://[::1]/', 'http://[::ffff:127.0.0.1]/', 'http://10.0.0.1/']) {
    assert.equal((await failureOf(strict.resolve(url))).kind, 'invalid', url)
    assert.equal((await lax.resolve(url)).url.href, url.replace('127.0.0.1', '7f00:1'))
  }
  for (const url of ['http://0/', 'http://169.254.169.254/', 'http://[fe80::1]/', 'http://224.0.0.1/']) {
    assert.equal((await failureOf(lax.resolve(url))).kind, 'invalid', url)
  }
})

test('resolve returns the address that an external program must use', async () => {
  const { url, address, family } = await open().resolve(at('/x.git', 'outside.test'))
  assert.deepEqual([url.href, address, family], [at('/x.git'), OUTSIDE, 4])
})

for (const url of [
  'nonsense',
  '/relative',
  'http://',
  'ftp://outside.test/',
  'javascript:1',
  'http://user@outside.test/',
  'http://:pass@outside.test/',
  'file:///etc/passwd',
]) {
  test(`${url} is refused as a URL`, async () => {
    assert.equal((await failureOf(open().request({ method: 'GET', url }))).kind, 'invalid')
    assert.deepEqual(lookups, [])
  })
}

for (const host of [
  '-outside.test',
  'out_side.test',
  'outside.test,127.0.0.1',
  'a+b.test',
  'a*',
  "a'b",
  '~a',
  '!',
])
  test(`a host called ${host} is refused before it is resolved`, async () => {
    assert.equal((await failureOf(open().request({ method: 'GET', url: at('/', host) }))).kind, 'invalid')
    assert.equal((await failureOf(open().resolve(at('/', host)))).kind, 'invalid')
    assert.deepEqual(lookups, [])
  })

const localLookup: Lookup = async (host) => seen(host, host.startsWith('inside') ? INSIDE : OUTSIDE)

function seen(host: string, address: string) {
  lookups.push(host)
  return [{ address, family: 4 }]
}

/** The client with its real rules, except that 127.0.0.2 counts as public. */
function open(options: Partial<ClientOptions> = {}): OutboundClient {
  const isAllowed = (address: string) => address === OUTSIDE || isAllowedAddress(address, false)
  const rules = { isAllowed, allowedHosts: [], blockedHosts: [], lookup: localLookup }
  const client = openClient({ ...LIMITS, ...rules, ...options })
  opened.push(client)
  return client
}

function at(path: string, host = 'outside.test'): string {
  return `http://${host}:${port}${path}`
}

async function failureOf(work: Promise<unknown>): Promise<Problem> {
  const error = await work.then(
    () => assert.fail('it should have failed'),
    (error: unknown) => error,
  )
  if (error instanceof Problem) return error
  throw error
}

async function refuses(work: Promise<unknown>, host: string, address: string): Promise<void> {
  const failure = await failureOf(work)
  assert.equal(failure.kind, 'invalid')
  assert.deepEqual(failure.details, { host, address })
}

async function listen(host: string, at: number, handler: RequestListener): Promise<Server> {
  const server = createServer(handler)
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(at, host, resolve))
  return server
}

/** A server that accepts connections and never sends anything. */
async function listenMute(t: { after(clean: () => void): void }): Promise<number> {
  const server: TcpServer = createTcpServer((socket) => {
    socket.on('error', () => {})
    t.after(() => socket.destroy())
  })
  t.after(() => server.close())
  await new Promise<void>((resolve) => server.listen(0, OUTSIDE, resolve))
  return (server.address() as AddressInfo).port
}
