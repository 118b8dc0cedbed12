/** HTTPS to a pinned address: the host name of the URL is sent by SNI and must be in the certificate. */
import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls'
import { Problem } from '#platform/problem'
import { makeCertificate } from '#testing'
import { openOutbound } from './index.ts'

const ADDRESS = '127.0.0.2'
const trusted = makeCertificate('secure.test')
const stranger = makeCertificate('secure.test')

let known: Server
let unknown: Server
let asked: (string | false | null)[] = []
const client = openOutbound({
  allowPrivate: true,
  timeoutMs: 20_000,
  connectTimeoutMs: 10_000,
  answerBytesMax: 1_000,
  redirectsMax: 0,
  lookup: async () => [{ address: ADDRESS, family: 4 }],
})

before(async () => {
  setDefaultCACertificates([...getCACertificates('default'), trusted.cert])
  known = await listen(trusted)
  unknown = await listen(stranger)
})

after(async () => {
  await client.close()
  for (const server of [known, unknown]) {
    server.closeAllConnections()
    server.close()
  }
})

test('the handshake and the request both carry the host name of the URL', async () => {
  asked = []
  const got = await client.request({ method: 'GET', url: at(known, 'secure.test') })
  assert.equal(got.body.toString(), `host ${new URL(at(known, 'secure.test')).host}`)
  assert.equal(got.address, ADDRESS)
  assert.deepEqual(asked, ['secure.test'])
})

for (const { host, why, code } of [
  { host: 'other.test', why: 'a certificate for another name', code: 'ERR_TLS_CERT_ALTNAME_INVALID' },
  { host: ADDRESS, why: 'a certificate without the address', code: 'ERR_TLS_CERT_ALTNAME_INVALID' },
]) {
  test(`${why} is refused for https://${host}`, async () => {
    assert.equal(await failureCode(at(known, host)), code)
  })
}

test('a certificate without a trusted issuer is refused', async () => {
  assert.equal(await failureCode(at(unknown, 'secure.test')), 'DEPTH_ZERO_SELF_SIGNED_CERT')
})

async function failureCode(url: string): Promise<unknown> {
  const error = await client.request({ method: 'GET', url }).catch((error: unknown) => error)
  assert(error instanceof Problem)
  assert.equal(error.kind, 'unavailable')
  return error.details.code
}

function at(server: Server, host: string): string {
  return `https://${host}:${(server.address() as AddressInfo).port}/`
}

async function listen(credentials: { key: string; cert: string }): Promise<Server> {
  const server = createServer(credentials, (request, response) => {
    asked.push((request.socket as TLSSocket).servername)
    response.end(`host ${request.headers.host}`)
  })
  server.on('tlsClientError', () => {})
  await new Promise<void>((resolve) => server.listen(0, ADDRESS, resolve))
  return server
}
