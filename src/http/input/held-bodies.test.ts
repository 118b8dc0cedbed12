/** Bodies in memory: bounded each, and together for one visitor, for anonymous visitors and for the node. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { type Forge, startForge } from '#testing'

const FORM = 'application/x-www-form-urlencoded'
let forge: Forge
before(async () => {
  // Anonymous visitors have a quarter of it: 256 KiB.
  forge = await startForge({ config: { 'http.held_bytes_max': 1_048_576 } })
  await forge.person('ann')
})
after(() => forge[Symbol.asyncDispose]())

/** A request of which only `sent` bytes are sent. */
async function begin(path: string, length: number, sent: number, headers: string[] = []): Promise<Socket> {
  const { hostname, port } = new URL(forge.base)
  const socket = connect(Number(port), hostname)
  const lines = [`POST ${path} HTTP/1.1`, 'host: forge', `content-type: ${FORM}`, `content-length: ${length}`]
  socket.write(`${[...lines, ...headers].join('\r\n')}\r\n\r\n${'a'.repeat(sent)}`)
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}

const statusOf = async (socket: Socket) => Number(String((await once(socket, 'data'))[0]).split(' ')[1])
const asAnn = () => [`authorization: token ${forge.tokenOf('ann')}`]
const logIn = () =>
  fetch(`${forge.base}/user/login`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': FORM, accept: 'text/html' },
    body: 'user_name=ann&password=wrong',
  })

test('an anonymous form is refused by its Content-Length before its body arrives', async () => {
  const socket = await begin('/user/login', 65_537, 0)
  assert.equal(await statusOf(socket), 413)
  socket.destroy()
  const whole = await begin('/user/login', 65_536, 65_536)
  assert.notEqual(await statusOf(whole), 413)
  whole.destroy()
})

test('a body without Content-Length is cut off at the limit', async () => {
  const body = new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(32_768).fill(97)),
  })
  const sent = fetch(`${forge.base}/user/login`, {
    method: 'POST',
    headers: { 'content-type': FORM },
    body,
    duplex: 'half',
  } as RequestInit)
  assert.equal((await sent).status, 413)
})

test('anonymous clients that stall their forms use only a share of the memory, and others are served', async () => {
  const held = await Promise.all(Array.from({ length: 4 }, () => begin('/user/login', 65_000, 64_000)))
  // One more does not fit once those have arrived.
  let status = 0
  for (let i = 0; i < 100 && status !== 503; i++) {
    const more = await begin('/user/login', 64_000, 64_000)
    status = await statusOf(more)
    more.destroy()
  }
  assert.equal(status, 503)
  assert.equal((await forge.call('ann', 'POST', '/user/repos', { name: 'fits' })).status, 201)
  for (const socket of held) socket.destroy()
  for (let i = 0; i < 100 && status === 503; i++) status = (await logIn()).status
  assert.notEqual(status, 503, 'those who left hold nothing')
})

test('a signed-in user has a limit, too', async () => {
  const held = await Promise.all(
    Array.from({ length: 3 }, () => begin('/api/v1/user/repos', 400_000, 390_000, asAnn())),
  )
  // The third one exceeds the limit of the node.
  const first = await Promise.race(held.map(statusOf))
  assert.equal(first, 503)
  for (const socket of held) socket.destroy()
})
