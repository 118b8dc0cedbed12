import type { Server } from 'node:http'

/**
 * Keeps the addresses of clients for requests that are answered after their client has disconnected: node asks the open
 * connection for its address, and remembers the answer.
 */
export function rememberPeers(server: Server): void {
  server.on('connection', (socket) => {
    // The client has reset a connection without an address before it was accepted.
    if (socket.remoteAddress === undefined) socket.destroy()
  })
}
