/** The bus, in process and over a real NATS server that is started and stopped. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { after, afterEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openLog } from '#platform/log'
import { findFreePorts } from '../../cli/free-ports.ts'
import { until } from '../../testing/pace.ts'
import { type Bus, HINT_BYTES_MAX, type Hint, openBus } from './bus.ts'

const PATIENCE_MS = 60_000
const UNREACHED = 'NATS cannot be reached; start it, or correct bus.nats_url'

let lines: { level: string; msg: string; err?: { message: string } }[] = []
const log = openLog('info', { write: (line: string) => void lines.push(JSON.parse(line)) })
const buses: Bus[] = []
const servers: ChildProcess[] = []

afterEach(async () => {
  for (const bus of buses.splice(0)) await bus.close()
  lines = []
})

after(async () => {
  for (const server of servers) await stop(server)
})

test('a hint reaches every subscriber of its subject in the process, and no others', async () => {
  const bus = await open()
  assert.equal(bus.kind, 'in-process')
  const [first, second, other] = [listen(bus, 'jobs.wake'), listen(bus, 'jobs.wake'), listen(bus, 'jobs')]
  bus.publish('jobs.wake', { queue: 'mail', count: 2 })
  bus.publish('jobs.wake')
  assert.deepEqual(first.heard, [], 'who publishes does not wait for who hears')
  await until(() => first.heard.length === 2)
  assert.deepEqual(first.heard, [{ queue: 'mail', count: 2 }, {}])
  assert.deepEqual(second.heard, first.heard)
  assert.deepEqual(other.heard, [])

  first.end()
  first.end()
  bus.publish('jobs.wake')
  await until(() => second.heard.length === 3)
  assert.equal(first.heard.length, 2)
})

test('a failing subscriber is logged once and does not affect others', async () => {
  const bus = await open()
  bus.subscribe('wake', () => {
    throw new Error('at once')
  })
  bus.subscribe('wake', async () => {
    await sleep(1)
    throw new Error('later')
  })
  const good = listen(bus, 'wake')
  for (let n = 0; n < 3; n++) bus.publish('wake', { n })
  await until(() => good.heard.length === 3 && lines.length === 2)
  await sleep(50)
  assert.deepEqual(
    lines.map(({ msg }) => msg),
    ['bus subscriber failed', 'bus subscriber failed'],
  )
})

test('a hint that cannot be sent is logged, never thrown', async () => {
  const bus = await open()
  const { heard } = listen(bus, 'wake')
  const circle: Record<string, unknown> = {}
  circle.self = circle
  bus.publish('wake', circle)
  bus.publish('wake', { text: 'x'.repeat(HINT_BYTES_MAX) })
  bus.publish('wake', { id: 1n })
  for (const subject of ['', 'a b', 'a.', 'a..b', 'a.*', '>', 'a\r\nPUB b 0']) bus.publish(subject)
  assert.equal(lines.length, 10)
  const room = HINT_BYTES_MAX - JSON.stringify({ text: '' }).length
  bus.publish('wake', { text: 'x'.repeat(room) })
  await until(() => heard.length === 1)
})

test('a closed bus delivers nothing', async () => {
  const bus = await open()
  const { heard, end } = listen(bus, 'wake')
  bus.publish('wake')
  await bus.close()
  bus.publish('wake')
  bus.subscribe('wake', () => {})
  await sleep(20)
  end()
  assert.deepEqual(heard, [])
})

test("two nodes receive each other's hints and their own, each once", async () => {
  const server = await startServer()
  const [one, two] = [await open(server.url), await open(server.url)]
  assert.equal(one.kind, 'nats')
  const [atOne, atTwo] = [listen(one, 'refs.moved'), listen(two, 'refs.moved')]
  await flows(one, two)
  await flows(two, one)
  one.publish('refs.moved', { repository: 1 })
  two.publish('refs.moved', { repository: 2 })
  await until(() => atOne.heard.length >= 2 && atTwo.heard.length >= 2)
  await sleep(100)
  assert.deepEqual(ids(atOne.heard), [1, 2])
  assert.deepEqual(ids(atTwo.heard), [1, 2])

  atTwo.end()
  const again = listen(two, 'refs.moved')
  await flows(one, two)
  one.publish('refs.moved', { repository: 3 })
  await until(() => again.heard.length > 0)
  assert.deepEqual(ids(again.heard), [3])
  assert.equal(atTwo.heard.length, 2)
})

test('malformed messages on the NATS server are dropped and logged', async () => {
  const server = await startServer()
  const bus = await open(server.url)
  const { heard } = listen(bus, 'wake')
  const sender = await open(server.url)
  await flows(sender, bus)
  const socket = connect(server.port, '127.0.0.1')
  socket.on('error', () => {})
  const words = ['{', '[]', 'null', '"x"', '', JSON.stringify({ text: 'x'.repeat(HINT_BYTES_MAX) })]
  socket.write('CONNECT {"verbose":false}\r\n')
  for (const word of words) socket.write(`PUB bloomery.wake ${word.length}\r\n${word}\r\n`)
  socket.write('PUB bloomery.wake 10\r\n{"good":1}\r\n')
  await until(() => heard.length > 0)
  socket.destroy()
  assert.deepEqual(heard, [{ good: 1 }])
  assert.equal(lines.filter(({ msg }) => msg === 'bus message could not be parsed').length, words.length)
})

test('a node starts without the server; hints flow once it is up, and again after it was killed', async () => {
  const port = await findFreePorts()
  const [one, two] = [await open(`nats://127.0.0.1:${port}`), await open(`nats://127.0.0.1:${port}`)]
  const { heard } = listen(one, 'local')
  one.publish('local', { n: 1 })
  await until(() => heard.length === 1)
  const unreached = () => lines.filter(({ msg }) => msg === UNREACHED)
  await until(() => unreached().length === 2)
  assert.match(unreached()[0]?.err?.message ?? '', /refused/)

  const first = await startServer(port)
  await flows(one, two)
  await flows(two, one)

  await stop(first.process)
  await until(() => lines.filter(({ msg }) => msg === 'bus disconnected').length === 2)
  const late = listen(two, 'subscribed.meanwhile')
  for (let n = 0; n < 1_000; n++) one.publish('subscribed.meanwhile', { n })
  one.publish('local', { n: 2 })
  await until(() => heard.length === 2)

  await startServer(port)
  await flows(one, two)
  await flows(two, one)
  const told = lines.map(({ msg }) => msg)
  for (const message of [UNREACHED, 'bus connected', 'bus disconnected', 'bus reconnected'])
    assert.equal(told.filter((it) => it === message).length, 2, `${message}, once for each node`)
  assert.equal(told.length, 8)
  assert.deepEqual(late.heard, [], 'hints are not kept for later')
  one.publish('subscribed.meanwhile', { n: -1 })
  await until(() => late.heard.length === 1)
})

test('a bus that never reached its server can be closed and stops retrying', async () => {
  const port = await findFreePorts()
  const bus = await open(`nats://127.0.0.1:${port}`)
  await until(() => lines.some(({ msg }) => msg === UNREACHED))
  await bus.close()
  let knocks = 0
  const server = createServer(() => knocks++).listen(port, '127.0.0.1')
  await once(server, 'listening')
  // Longer than the pause before the next attempt.
  await sleep(2_000)
  server.close()
  assert.equal(knocks, 0)
})

test('credentials in the URL are used, and wrong ones are named once', async () => {
  const server = await startServer(undefined, ['--user', 'forge', '--pass', 'p@ss'])
  const wrong = await open(server.url.replace('://', '://forge:wrong@'))
  await until(() => lines.length === 1)
  assert.match(lines[0]?.err?.message ?? '', /authorization/i)
  await wrong.close()
  const url = server.url.replace('://', '://forge:p%40ss@')
  const [one, two] = [await open(url), await open(url)]
  await flows(one, two)
})

async function open(url?: string): Promise<Bus> {
  const bus = await openBus({ url, log })
  buses.push(bus)
  return bus
}

function listen(bus: Bus, subject: string): { heard: Hint[]; end: () => void } {
  const heard: Hint[] = []
  return { heard, end: bus.subscribe(subject, (data) => void heard.push(data)) }
}

function ids(heard: Hint[]): number[] {
  return heard.map(({ repository }) => Number(repository)).sort()
}

/** Publishes from `from` until `to` receives a hint; before that hints may be lost. */
async function flows(from: Bus, to: Bus): Promise<void> {
  const { heard, end } = listen(to, 'test.flows')
  await until(() => {
    from.publish('test.flows')
    return heard.length > 0
  })
  end()
}

async function startServer(wanted?: number, more: string[] = []) {
  const port = wanted ?? (await findFreePorts())
  const process = spawn('nats-server', ['-a', '127.0.0.1', '-p', String(port), ...more], { stdio: 'ignore' })
  servers.push(process)
  await once(process, 'spawn')
  await untilListening(port)
  return { process, port, url: `nats://127.0.0.1:${port}` }
}

async function untilListening(port: number): Promise<void> {
  const started = performance.now()
  while (performance.now() - started < PATIENCE_MS) {
    const socket = connect(port, '127.0.0.1')
    const isThere = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isThere) return
    await sleep(20)
  }
  assert.fail('nats-server did not start')
}

async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const gone = once(server, 'exit')
  server.kill('SIGKILL')
  await gone
}
