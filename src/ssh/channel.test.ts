/** The channel and the program at its other end: every byte, both ways, in order, and the right exit code. */
import assert from 'node:assert/strict'
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PassThrough } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Channel } from './channel.ts'

const PROGRAM = fileURLToPath(new URL('./session-socket.pl', import.meta.url))
const LARGE = 8 * 1_048_576

let work: string
let stallMsMax = 60_000
let server: Server
let path: string
let serve: (channel: Channel, socket: Socket) => Promise<void>

before(async () => {
  work = await mkdtemp(join(tmpdir(), 'bloomery-channel-'))
  path = join(work, 'socket')
  server = createServer({ allowHalfOpen: true }, async (socket) => {
    socket.on('error', () => undefined)
    await serve(await Channel.open(socket, stallMsMax), socket)
  }).listen(path)
  await once(server, 'listening')
})

after(async () => {
  server.close()
  await rm(work, { recursive: true, force: true })
})

test('the arguments and environment arrive, and the exit code is returned', async () => {
  serve = async (channel) => {
    assert.deepEqual(channel.words, ['session', 'a key', "git 'é'\n;", 'version=2', ''])
    await channel.exit(42)
  }
  const child = start(['session', 'a key'], { SSH_ORIGINAL_COMMAND: "git 'é'\n;", GIT_PROTOCOL: 'version=2' })
  assert.equal(await codeOf(child), 42)
})

test('both directions can be full at once, and nothing is lost or changed', async () => {
  serve = async (channel) => {
    // Input is read only after all output was taken.
    await pipeline(async function* () {
      for (let i = 0; i < LARGE; i += 65_536) yield Buffer.alloc(65_536, i / 65_536)
      yield digest(await buffer(channel.input))
    }, channel.output)
    await channel.exit(0)
  }
  const child = start()
  const sent = randomBytes(LARGE)
  child.stdin.end(sent)
  const got = await buffer(child.stdout)
  assert.equal(got.length, LARGE + 32)
  assert.ok(got.subarray(0, LARGE).every((byte, i) => byte === ((i / 65_536) | 0) % 256))
  assert.deepEqual(got.subarray(LARGE), digest(sent))
  assert.equal(await codeOf(child), 0)
})

test('the exit code waits for a client that reads slowly', async () => {
  serve = async (channel) => {
    // All output is still buffered here when the channel exits.
    for (let i = 0; i < 64; i++) channel.output.write(randomBytes(65_536))
    await channel.exit(7)
  }
  const child = start()
  assert.equal((await buffer(child.stdout)).length, 64 * 65_536)
  assert.equal(await codeOf(child), 7)
})

test('a client that still sends when the session ends receives the output', async () => {
  const child = start()
  serve = async (channel, socket) => {
    // Until all buffers in between are full.
    while (!(channel.input as PassThrough).writableNeedDrain) await sleep(10)
    child.kill('SIGSTOP')
    channel.say('no')
    await channel.exit(9)
    if (!socket.closed) await once(socket, 'close')
    child.kill('SIGCONT')
  }
  child.stdin.on('error', () => undefined)
  child.stdin.write(Buffer.alloc(LARGE))
  assert.equal(await text(child.stderr), 'bloomery: no\n')
  assert.equal(await codeOf(child), 9)
})

test('a client that does not read is disconnected; one that has nothing to read is not', async () => {
  stallMsMax = 200
  const gone = Promise.withResolvers<void>()
  serve = async (channel) => {
    channel.signal.addEventListener('abort', () => gone.resolve())
    // There is nothing to read, so the client is not stalled.
    await sleep(1_000)
    assert.equal(channel.isGone, false)
    child.kill('SIGSTOP')
    for (let i = 0; i < 64; i++) channel.output.write(randomBytes(65_536))
  }
  const child = start()
  await Promise.race([
    gone.promise,
    sleep(30_000, undefined, { ref: false }).then(() => assert.fail('held on')),
  ])
  child.kill('SIGKILL')
  stallMsMax = 60_000
})

test('control characters in messages do not reach the terminal', async () => {
  serve = async (channel) => {
    channel.say('a\x1b[2J\r\nb\x9b')
    await channel.exit(0)
  }
  assert.equal(await text(start().stderr), 'bloomery: a?[2J??b?\n')
})

test('a lost connection to the forge and an unreachable forge are reported to the client', async () => {
  serve = async (_channel, socket) => void socket.destroy()
  const lost = start()
  assert.match(await text(lost.stderr), /connection to the forge was lost/)
  assert.equal(await codeOf(lost), 1)
  const absent = start(['session'], {}, join(work, 'nothing'))
  assert.match(await text(absent.stderr), /server is unavailable/)
  assert.equal(await codeOf(absent), 1)
})

test('when the client disconnects, the signal aborts at the next write', async () => {
  const gone = Promise.withResolvers<void>()
  serve = async (channel) => {
    // Git also writes something every few seconds.
    const timer = setInterval(() => channel.output.write('x'), 20)
    channel.signal.addEventListener('abort', () => {
      clearInterval(timer)
      gone.resolve()
    })
  }
  const child = start()
  await once(child.stdout, 'data')
  child.stdout.destroy()
  await gone.promise
  assert.equal(await codeOf(child), 1)
})

function start(words = ['session'], environment = {}, socket = path): ChildProcessWithoutNullStreams {
  return spawn('/usr/bin/perl', [PROGRAM, socket, ...words], { env: environment })
}

async function codeOf(child: ChildProcessWithoutNullStreams): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return child.exitCode
}

function digest(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest()
}
