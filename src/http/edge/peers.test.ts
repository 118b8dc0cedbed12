/** Addresses of clients that disconnect. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { test } from 'node:test'
import { rememberPeers } from './peers.ts'

test('the address of a client is known after it has disconnected', async () => {
  const server = createServer()
  rememberPeers(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.write('GET / HTTP/1.1\r\nhost: forge\r\n\r\n')
  const [{ socket }] = (await once(server, 'request')) as [IncomingMessage]
  const closed = once(socket, 'close')
  client.destroy()
  await closed
  assert.equal(socket.remoteAddress, '127.0.0.1')
  server.close()
})
