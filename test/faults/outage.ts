/** The bus fails and recovers: hints are delayed meanwhile, and everything else works. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { WAITING_HINT } from '#domains/actions/runs'
import { openBus } from '#platform/bus'
import { openLog } from '#platform/log'
import { type Message, SimulatedRunner } from '#testing/slices/runners'
import { base64 } from '../attacks/kit/calls.ts'
import { until } from '../attacks/kit/faults.ts'
import type { ChaosForge } from '../chaos/chaos-forge.ts'
import type { ChaosNode } from '../chaos/chaos-node.ts'
import { untilTold } from '../chaos/quiet.ts'
import type { Nats } from './nats.ts'
import { must, newPlace, type Scene } from './scene.ts'
import { type Place, Work } from './work.ts'

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const LABEL = 'anvil'
const FETCH_MS = 20_000
/** Hints published while there is no connection, and how much memory they may take. */
const HINTS = 20_000
const KEPT_BYTES_MAX = 8 * 1024 * 1024
const LINES_MAX = 5
const BACK_MS_MAX = 60_000

export async function playOutage(scene: Scene, nats: Nats): Promise<string[]> {
  const { forge, dice } = scene
  const [here, there] = forge.nodes
  assert.ok(here && there)
  const clients = forge.nodes.length + 1
  await until('all nodes are on the bus', async () => (await nats.countConnections()) === clients)
  const place = await newPlace(scene)
  const { number } = await open(scene, place)
  const runner = await registerRunner(scene, here)
  using ear = await Ear.open(forge, here, place, number)
  const lines: string[] = []
  const log = openLog('info', { write: (line: string) => void lines.push(line) })
  await using bus = Object.assign(await openBus({ url: nats.url, log }), {
    [Symbol.asyncDispose]: () => bus.close(),
  })
  // The server counts a connection before its client knows that it is connected.
  await until(
    'the bus of the test is there',
    async () => bus.isConnected() && (await nats.countConnections()) === clients + 1,
  )
  await nats.kill()
  // Hints published before a node notices wait in its socket.
  await until('the bus of the test is known to be away', () =>
    lines.some((it) => it.includes('disconnected')),
  )

  const task = runner.fetch(FETCH_MS)
  const [keptBytes, complaint] = await Promise.all([tellNobody(bus), diagnose(forge, nats.url)])
  assert.ok(keptBytes < KEPT_BYTES_MAX, `${keptBytes} bytes are kept for a bus that is away`)
  assert.match(complaint, /^error {3}bus: .*cannot be reached/m)
  for (const { url } of forge.nodes) assert.equal((await fetch(`${url}/readyz`)).status, 200)
  await addWorkflow(scene, there, place)
  await must(scene, 'POST', `/repos/${place.owner}/${place.name}/issues/${number}/comments`, { body: 'hot' })
  assert.ok(await takeTask(runner, task), 'a runner that waited was given no job')
  await until('a page that waited is told of a comment', () => ear.text.includes('issue-changed'))
  const work = new Work(forge, dice.fork(), place)
  let isOver = false
  const working = work.goOn(() => isOver)
  await until('all work is acknowledged', () => !Object.values(work.acknowledged).includes(0))
  isOver = true
  await working
  assert.deepEqual(work.faults, [])
  assert.deepEqual(await untilTold(forge), [])

  await nats.start()
  const began = performance.now()
  await until(
    'everybody is back on the bus',
    async () => (await nats.countConnections()) === clients + 1,
    BACK_MS_MAX,
  )
  let heard = 0
  bus.subscribe(WAITING_HINT, () => {
    heard += 1
  })
  await until('hints flow again', async () => {
    await addWorkflow(scene, there, place)
    return heard > 0
  })
  assert.ok(lines.length <= LINES_MAX, `${lines.length} lines were logged: ${lines.join('')}`)
  assert.match(await diagnose(forge, nats.url), /^ok {6}bus: /m)
  const backMs = Math.round(performance.now() - began)
  return [`${keptBytes} bytes kept of ${HINTS} hints, ${lines.length} lines logged, back after ${backMs} ms`]
}

/** How much memory hints take that cannot be sent. */
async function tellNobody(bus: Awaited<ReturnType<typeof openBus>>): Promise<number> {
  const text = 'x'.repeat(1_000)
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  const before = process.memoryUsage().heapUsed + process.memoryUsage().external
  for (let i = 0; i < HINTS; i++) bus.publish('faults.nobody', { text, i })
  await new Promise((resolve) => setImmediate(resolve))
  collect()
  return process.memoryUsage().heapUsed + process.memoryUsage().external - before
}

/** The output of `bloomery doctor` with only the bus configured. */
function diagnose(forge: ChaosForge, url: string): Promise<string> {
  const env = { ...process.env, BLOOMERY_BUS_NATS_URL: url }
  return new Promise((resolve) => {
    // Its exit code is 1 when anything is wrong, which its output states.
    execFile(process.execPath, [MAIN, 'doctor'], { cwd: forge.folder, env }, (_, output) => resolve(output))
  })
}

async function open(scene: Scene, { owner, name }: Place): Promise<{ number: number }> {
  const answer = await scene.forge.call(
    await scene.forge.pickNode(scene.dice),
    'POST',
    `/repos/${owner}/${name}/issues`,
    { title: 'hot' },
  )
  assert.equal(answer.status, 201)
  return (await answer.json()) as { number: number }
}

async function registerRunner({ forge }: Scene, node: ChaosNode): Promise<SimulatedRunner> {
  const answer = await forge.call(node, 'POST', '/admin/actions/runners/registration-token')
  const { token } = (await answer.json()) as { token: string }
  return SimulatedRunner.register(node.url, token, { labels: [LABEL] })
}

/** A push with a workflow, which starts a run. */
async function addWorkflow({ forge }: Scene, node: ChaosNode, { owner, name }: Place): Promise<void> {
  const text = `on: push\njobs:\n  build:\n    runs-on: ${LABEL}\n    steps:\n      - run: make\n`
  const file = `.gitea/workflows/w-${performance.now()}.yml`
  const body = { content: base64(text), branch: 'main', message: 'a workflow' }
  const answer = await forge.call(node, 'POST', `/repos/${owner}/${name}/contents/${file}`, body)
  assert.equal(answer.status, 201, await answer.text())
}

async function takeTask(
  runner: SimulatedRunner,
  first: Promise<Message | undefined>,
): Promise<Message | undefined> {
  return (await first) ?? (await runner.fetch(FETCH_MS))
}

/** An open page that waits for updates of an issue. */
class Ear implements Disposable {
  text = ''
  private readonly controller = new AbortController()

  static async open(
    forge: ChaosForge,
    node: ChaosNode,
    { owner, name }: Place,
    number: number,
  ): Promise<Ear> {
    const ear = new Ear()
    const { signal } = ear.controller
    const answer = await forge.send(node, `/user/events?issue=${owner}/${name}/${number}`, { signal })
    assert.equal(answer.status, 200)
    ear.listen(answer).catch(() => undefined)
    return ear
  }

  private async listen(answer: Response): Promise<void> {
    for await (const bytes of answer.body ?? []) this.text += Buffer.from(bytes).toString()
  }

  [Symbol.dispose](): void {
    this.controller.abort()
  }
}
