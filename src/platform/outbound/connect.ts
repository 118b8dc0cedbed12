/** Connects to one pinned address, whatever the URL says; the URL's host name is kept for the TLS handshake. */
import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { buildConnector } from 'undici'

export interface ConnectBounds {
  readonly timeoutMs: number
  /** Aborts an attempt in progress; undici handles aborts only after the connection is made. */
  readonly signal: AbortSignal
}

export function connectTo(address: string, { timeoutMs, signal }: ConnectBounds): buildConnector.connector {
  return ({ protocol, hostname, port }, callback) => {
    const isSecure = protocol === 'https:'
    const socket = isSecure ? secure(address, port, hostname) : plain(address, port)
    const late = Object.assign(new Error('connection timed out'), { code: 'ETIMEDOUT' })
    const timer = setTimeout(() => socket.destroy(late), timeoutMs)
    const giveUp = () => socket.destroy(signal.reason)
    const fail = (error: Error) => {
      release()
      callback(error, null)
    }
    const release = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', giveUp)
      socket.off('error', fail)
    }
    signal.addEventListener('abort', giveUp)
    socket.setNoDelay(true)
    socket.once('error', fail)
    socket.once(isSecure ? 'secureConnect' : 'connect', () => {
      release()
      callback(null, socket)
    })
  }
}

function plain(address: string, port: string): Socket {
  return connectTcp({ host: address, port: Number(port || 80) })
}

/** A literal address has no server name; its certificate must then name the address. */
function secure(address: string, port: string, hostname: string): Socket {
  const name = isIP(hostname) === 0 ? { servername: hostname } : {}
  return connectTls({ host: address, port: Number(port || 443), ALPNProtocols: ['http/1.1'], ...name })
}
