/** Nodes that are stopped: what they still serve, for how long, and what does not delay them. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { Agent, type IncomingMessage, request } from 'node:http'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '#platform/config'
import { type Forge, startForge, until } from '#testing'
import { settingsBeside } from '#testing/settings-beside'
import { run } from '#testing/ssh'
import { ensureLoginUser, isRoot } from '../ssh/login-user.ts'
import { findFreePorts } from './free-ports.ts'
import { type Node, type NodeOptions, startNode } from './node-process.ts'

const HOST = '127.0.0.1'
const USER = isRoot() ? 'git' : userInfo().username
/** A stop takes a second; the machine may be busy. Each thing that must not delay it would take longer. */
const STOP_MS_MAX = 9_000
const DRAIN_MS = 3_000

let forge: Forge
let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bloomery-stopping-'))
  await chmod(folder, 0o711)
  if (isRoot()) await ensureLoginUser(USER)
  forge = await startForge()
  await forge.person('ann')
  await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, 'ann')])
  const key = await readFile(join(folder, 'ann.pub'), 'utf8')
  assert.equal((await forge.call('ann', 'POST', '/user/keys', { title: 'ann', key })).status, 201)
})
after(async () => {
  await forge[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

/** A test that fails leaves no node behind. */
async function start(t: TestContext, settings: Partial<Config>, options?: NodeOptions): Promise<Node> {
  const node = await startNode(settings, options)
  let hasEnded = false
  const ended = node.ended.then(() => {
    hasEnded = true
  })
  t.after(async () => {
    if (!hasEnded) process.kill(node.pid, 'SIGKILL')
    await ended
  })
  return node
}

async function settingsOf(more: Partial<Config>): Promise<Partial<Config>> {
  return { ...(await settingsBeside(forge.world, folder)), ...more }
}

test('a node is not ready before it stops, serves meanwhile, finishes its requests, and waits for no idle connection', async (t) => {
  // A collector of traces that never answers.
  const collector = await listenSilently()
  const settings = await settingsOf({
    'http.drain_ms': DRAIN_MS,
    'telemetry.otlp_url': `http://${HOST}:${collector.port}/v1/traces`,
  })
  const node = await start(t, settings)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const silent = connect(Number(settings['http.port']), HOST)
  t.after(() => {
    for (const socket of [...collector.calls, silent]) socket.destroy()
    collector.server.close()
    agent.destroy()
  })
  await once(silent, 'connect')
  const kept = await ask(node.url, '/api/v1/version', agent)
  assert.deepEqual([kept.statusCode, kept.headers.connection], [200, 'keep-alive'])
  const slow = beginPost(node.url)
  process.kill(node.pid, 'SIGTERM')
  await until(async () => (await ask(node.url, '/readyz')).statusCode === 503)
  const last = await ask(node.url, '/api/v1/version', agent)
  assert.deepEqual([last.statusCode, last.headers.connection], [200, 'close'])
  assert.equal((await ask(node.url, '/api/v1/version')).statusCode, 200)
  await until(() => isRefused(Number(settings['http.port'])))
  const stopsAt = performance.now()
  // The node takes no more connections, and this request has not been sent completely.
  const answer = await slow.end()
  assert.deepEqual([answer.statusCode, answer.headers.connection], [201, 'close'])
  await node.ended
  const stopMs = performance.now() - stopsAt
  assert.ok(stopMs < STOP_MS_MAX, `${stopMs} ms`)
})

test('a second signal ends a node at once', async (t) => {
  const node = await start(t, await settingsOf({ 'http.drain_ms': 600_000 }))
  process.kill(node.pid, 'SIGTERM')
  await until(async () => (await ask(node.url, '/readyz')).statusCode === 503)
  // Ctrl-C may arrive twice at the same moment.
  await sleep(1_500)
  assert.equal((await ask(node.url, '/healthz')).statusCode, 200)
  process.kill(node.pid, 'SIGTERM')
  await node.ended
})

for (const workers of ['1', '2'])
  test(`an SSH connection opened before the stop authenticates after it, with ${workers} processes`, async (t) => {
    const port = await findFreePorts(1)
    const ssh = { 'ssh.listen_port': port, 'ssh.user': USER, 'ssh.folder': join(folder, `ssh-${workers}`) }
    const node = await start(t, await settingsOf(ssh), { args: ['--workers', workers] })
    await until(async () => !(await isRefused(port)))
    const delayed = await holdConnections(port)
    t.after(() => delayed.server.close())
    const session = run('ssh', sshWords(delayed.port))
    await delayed.isOpen
    process.kill(node.pid, 'SIGTERM')
    await until(() => isRefused(port))
    delayed.release()
    const { code, stderr } = await session
    assert.equal(code, 0, stderr)
    await node.ended
  })

function sshWords(port: number): string[] {
  const options = [
    'BatchMode=yes',
    'IdentitiesOnly=yes',
    'IdentityAgent=none',
    'StrictHostKeyChecking=no',
    'UserKnownHostsFile=/dev/null',
    'LogLevel=ERROR',
  ].flatMap((it) => ['-o', it])
  return ['-F', '/dev/null', '-p', String(port), '-i', join(folder, 'ann'), ...options, `${USER}@${HOST}`]
}

/** Passes connections on at once, but what clients send only after `release`. */
async function holdConnections(port: number) {
  const opened = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const server = createServer(async (client) => {
    const served = connect(port, HOST)
    for (const socket of [client, served]) socket.on('error', () => undefined)
    // sshd has accepted the connection when it sends its version.
    served.once('data', (version: Buffer) => {
      client.write(version)
      served.pipe(client)
      opened.resolve()
    })
    await released.promise
    client.pipe(served)
  }).listen(0, HOST)
  await once(server, 'listening')
  return { server, port: portOf(server), isOpen: opened.promise, release: released.resolve }
}

async function listenSilently() {
  const calls: Socket[] = []
  const server = createServer((socket) => void calls.push(socket)).listen(0, HOST)
  await once(server, 'listening')
  return { server, calls, port: portOf(server) }
}

function portOf(server: Server): number {
  return (server.address() as { port: number }).port
}

async function isRefused(port: number): Promise<boolean> {
  const socket = connect(port, HOST)
  try {
    await once(socket, 'connect')
    return false
  } catch {
    return true
  } finally {
    socket.destroy()
  }
}

async function ask(url: string, path: string, agent?: Agent): Promise<IncomingMessage> {
  const sent = request(`${url}${path}`, agent === undefined ? { agent: false } : { agent })
  sent.end()
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  await text(answer)
  return answer
}

/** A request to create a repository of which the last byte is sent by `end`. */
function beginPost(url: string): { end: () => Promise<IncomingMessage> } {
  const body = JSON.stringify({ name: 'slow' })
  const sent = request(`${url}/api/v1/user/repos`, {
    agent: false,
    method: 'POST',
    headers: {
      authorization: `token ${forge.tokenOf('ann')}`,
      'content-type': 'application/json',
      'content-length': body.length,
    },
  })
  sent.write(body.slice(0, -1))
  return {
    async end() {
      sent.end(body.slice(-1))
      const [answer] = (await once(sent, 'response')) as [IncomingMessage]
      await text(answer)
      return answer
    },
  }
}
