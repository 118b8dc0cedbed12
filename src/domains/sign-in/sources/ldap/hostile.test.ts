/** Directories that attack: none of them gets a password in plain text, and none keeps a node waiting or fills its memory. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { createServer as createTlsServer } from 'node:tls'
import { type Forge, makeCertificate, startForge } from '#testing'

const SECRET = 'the password of the forge'
const PASSWORD = 'the password of mia'
/** LDAPResult with this code, as an answer to message 1: an ExtendedResponse. */
const extended = (code: number) => Buffer.from([0x30, 0x0c, 2, 1, 1, 0x78, 7, 0x0a, 1, code, 4, 0, 4, 0])
/** A BindResponse of success. */
const BOUND = Buffer.from([0x30, 0x0c, 2, 1, 1, 0x61, 7, 0x0a, 1, 0, 4, 0, 4, 0])
const TIMEOUT_MS = 3_000

const certificate = makeCertificate('localhost')
let forge: Forge
before(async () => {
  const config = { 'sources.private_hosts': ['localhost'], 'sources.timeout_ms': TIMEOUT_MS }
  forge = await startForge({ config: { 'log.level': 'silent', ...config } })
  await forge.person('root', { is_admin: true })
})
after(() => forge[Symbol.asyncDispose]())

interface Outcome {
  readonly status: number
  readonly isIn: boolean
  /** Everything that the server has received, decrypted. */
  readonly received: string
  readonly connections: number
}

/** Signs mia in at a server that handles its connections thus. */
async function signInAt(security: 'ldaps' | 'starttls', handle: (socket: Socket) => void): Promise<Outcome> {
  const received: Buffer[] = []
  let connections = 0
  const serve = (socket: Socket) => {
    connections++
    socket.on('error', () => undefined).on('data', (bytes: Buffer) => received.push(bytes))
    handle(socket)
  }
  const server: Server = security === 'ldaps' ? createTlsServer(certificate, serve) : createServer(serve)
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => sockets.add(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { body } = await forge.call('root', 'POST', '/admin/auths', {
    name: 'evil',
    secret: SECRET,
    ldap: {
      host: 'localhost',
      port: (server.address() as AddressInfo).port,
      security,
      ca_certificate: certificate.cert,
      bind_dn: 'cn=forge',
      base_dn: 'dc=company,dc=test',
      user_filter: '(uid=%s)',
    },
  })
  try {
    const browser = forge.browser()
    const sent = { user_name: 'mia', password: PASSWORD }
    const { status } = await browser.submit('/user/login/evil', 'sign-in', sent)
    const text = Buffer.concat(received).toString('latin1')
    return { status, isIn: browser.cookies.has('session'), received: text, connections }
  } finally {
    await forge.call('root', 'DELETE', `/admin/auths/${body.id}`)
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  }
}

function assertNothingTold({ status, isIn, received }: Outcome): void {
  assert.deepEqual([status, isIn], [503, false])
  assert.ok(!received.includes(SECRET) && !received.includes(PASSWORD))
}

const answers: readonly (readonly [string, Buffer])[] = [
  ['refuses StartTLS', extended(2)],
  ['sends a message behind its answer to StartTLS', Buffer.concat([extended(0), BOUND])],
  [
    'sends the beginning of a message behind its answer to StartTLS',
    Buffer.concat([extended(0), BOUND.subarray(0, 13)]),
  ],
  ['answers another request', Buffer.concat([Buffer.from([0x30, 0x0c, 2, 1, 9]), extended(0).subarray(5)])],
  ['answers StartTLS with a bind', BOUND],
  ['answers StartTLS with noise', Buffer.from('HTTP/1.1 200 OK\r\n\r\n')],
  ['promises a long answer to StartTLS', Buffer.from([0x30, 0x84, 0x7f, 0xff, 0xff, 0xff])],
]
for (const [what, answer] of answers)
  test(`a directory that ${what} gets no password`, async () => {
    assertNothingTold(await signInAt('starttls', (socket) => socket.once('data', () => socket.write(answer))))
  })

test('a directory that continues without TLS gets no password', async () => {
  assertNothingTold(
    await signInAt('starttls', (socket) => {
      socket.once('data', () => {
        socket.write(extended(0))
        socket.once('data', () => socket.write(BOUND))
      })
    }),
  )
})

test('a directory that says nothing is given up', async () => {
  assertNothingTold(await signInAt('starttls', () => undefined))
})

test('a directory that closes the connection is not asked again on another one', async () => {
  const outcome = await signInAt('ldaps', (socket) => socket.once('data', () => socket.end()))
  assert.deepEqual([outcome.status, outcome.isIn, outcome.connections], [503, false, 1])
  assert.ok(!outcome.received.includes(PASSWORD))
})

test('a directory that answers for ever is given up', async () => {
  const { status, isIn } = await signInAt('ldaps', (socket) =>
    socket.once('data', () => {
      socket.write(BOUND)
      socket.once('data', () => {
        // A message of 2 GiB.
        socket.write(Buffer.from([0x30, 0x84, 0x7f, 0xff, 0xff, 0xff]))
        const more = () => {
          while (socket.writable && socket.write(Buffer.alloc(65_536)));
        }
        socket.on('drain', more)
        more()
      })
    }),
  )
  assert.deepEqual([status, isIn], [503, false])
})

test('a directory that sends a hundred thousand empty messages does not end the node', async () => {
  const { status, isIn } = await signInAt('ldaps', (socket) =>
    socket.once('data', () => socket.write(Buffer.concat(Array.from({ length: 100_000 }, () => BOUND)))),
  )
  assert.deepEqual([status, isIn], [503, false])
  assert.equal((await forge.call('root', 'GET', '/user')).status, 200)
})

test('a directory that sends noise is refused', async () => {
  const { status, isIn } = await signInAt('ldaps', (socket) =>
    socket.once('data', () => socket.write(Buffer.alloc(10_000, 0xff))),
  )
  assert.deepEqual([status, isIn], [503, false])
})
