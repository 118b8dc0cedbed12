/** Slow clients: a push may take long, other requests may not. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { startForge } from '#testing'

test('a request whose body does not arrive times out; a slow push does not', async () => {
  await using forge = await startForge({ config: { 'http.request_timeout_ms': 1_000 } })
  await forge.person('ann')
  assert.equal((await forge.call('ann', 'POST', '/user/repos', { name: 'slow' })).status, 201)
  const begin = async (path: string, type: string, bytes: number): Promise<Socket> => {
    const { hostname, port } = new URL(forge.base)
    const socket = connect(Number(port), hostname)
    const lines = [
      `POST ${path} HTTP/1.1`,
      'host: forge',
      `authorization: token ${forge.tokenOf('ann')}`,
      `content-type: ${type}`,
      `content-length: ${bytes}`,
    ]
    socket.write(`${lines.join('\r\n')}\r\n\r\n`)
    await once(socket, 'connect')
    return socket
  }
  const push = await begin('/ann/slow.git/git-receive-pack', 'application/x-git-receive-pack-request', 4)
  push.write('00')
  const question = await begin('/api/v1/user/repos', 'application/json', 100)
  question.write('{"name": ')
  question.resume()
  await once(question, 'close')
  push.write('00')
  const [answer] = await once(push, 'data')
  assert.match(String(answer), /^HTTP\/1.1 200 /)
  push.destroy()
})
