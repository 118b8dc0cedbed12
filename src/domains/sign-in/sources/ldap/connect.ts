/**
 * Encrypted connections to directories: to the address that was checked, with a certificate that names the host. StartTLS
 * is done here, before any library reads: bytes that an attacker sent before the handshake are part of no message.
 */
import { once } from 'node:events'
import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import type { Context } from '#platform/context'
import { Problem } from '#platform/problem'
import { outboundTo } from '../outbound.ts'
import type { LdapSettings } from '../records/schemas.ts'
import { BoundedSocket } from './bounded-socket.ts'

/** ExtendedRequest of StartTLS (RFC 4511, section 4.14) as message 1. */
const START_TLS = Buffer.concat([
  Buffer.from([0x30, 0x1d, 0x02, 0x01, 0x01, 0x77, 0x18, 0x80, 0x16]),
  Buffer.from('1.3.6.1.4.1.1466.20037'),
])
/** An ExtendedResponse of success begins thus, behind its length: message 1, resultCode 0. */
const RESPONSE = Buffer.from([0x02, 0x01, 0x01, 0x78])
const SUCCESS = Buffer.from([0x0a, 0x01, 0x00])
const RESPONSE_BYTES_MAX = 0x7f + 2

export async function connectTo(ctx: Context, settings: LdapSettings): Promise<BoundedSocket> {
  const { host, port, security, ca_certificate } = settings
  const timeoutMs = ctx.config['sources.timeout_ms']
  const { address } = await outboundTo(ctx, host).resolve(`https://${isIP(host) === 6 ? `[${host}]` : host}`)
  const signal = AbortSignal.any([ctx.signal, AbortSignal.timeout(timeoutMs)])
  const tcp = connectTcp({ host: address, port })
  try {
    await once(tcp, 'connect', { signal })
    if (security === 'starttls') await startTls(tcp, signal)
    const tls = connectTls({
      socket: tcp,
      ...(isIP(host) === 0 ? { servername: host } : { host }),
      ...(ca_certificate !== '' && { ca: ca_certificate }),
      minVersion: 'TLSv1.2',
    })
    await secured(tls, signal)
    return new BoundedSocket(tls, timeoutMs)
  } catch (error) {
    tcp.destroy()
    throw new Problem('unavailable', 'the directory cannot be reached, please try again later', {
      cause: (error as Error).message,
    })
  }
}

async function secured(tls: TLSSocket, signal: AbortSignal): Promise<void> {
  await once(tls, 'secureConnect', { signal }).catch((error: unknown) => {
    tls.on('error', () => undefined).destroy()
    throw error
  })
}

/** Invariant: nothing but the response has arrived when the handshake begins. */
async function startTls(tcp: Socket, signal: AbortSignal): Promise<void> {
  tcp.write(START_TLS)
  let received = Buffer.alloc(0)
  while (received.length < 2 || received.length < 2 + (received[1] ?? 0)) {
    await once(tcp, 'readable', { signal })
    received = Buffer.concat([received, (tcp.read() as Buffer | null) ?? Buffer.alloc(0)])
    if (received.length > RESPONSE_BYTES_MAX) throw new Error('answer to StartTLS is too long')
  }
  const [tag = 0, length = 0] = received
  const isWhole = tag === 0x30 && length < 0x80 && received.length === 2 + length
  if (!isWhole || !received.subarray(2, 6).equals(RESPONSE) || !received.subarray(7, 10).equals(SUCCESS))
    throw new Error('directory refused StartTLS')
}
