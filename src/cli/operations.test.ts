/** The operations port of a node, in every role, and the metrics of several processes. */
import assert from 'node:assert/strict'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Config } from '#platform/config'
import { transact } from '#platform/context'
import { addJobs } from '#platform/queue'
import { type Forge, GitClient, startForge } from '#testing'
import { runCommand } from '#testing/run-command'
import { settingsBeside } from '#testing/settings-beside'
import { ensureLoginUser, isRoot } from '../ssh/login-user.ts'
import { findFreePorts } from './free-ports.ts'
import { type Node, startNode } from './node-process.ts'

const HOST = '127.0.0.1'
const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url))
const TABLE = new URL('../../docs/monitoring/metrics.md', import.meta.url)
const TOKEN = 'scrape-1234'
const REQUESTS = 20
/** Counted after the client has its answer. */
const LATE = ['job_seconds_count', 'git_push_seconds_count', 'git_fetch_seconds_count']
const WAIT_MS_MAX = 120_000

let folder: string
let forge: Forge
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bloomery-operations-'))
  // sshd's session user must be able to traverse to the SSH folder inside it.
  await chmod(folder, 0o711)
  forge = await startForge()
  await forge.person('ann')
})
after(async () => {
  await forge[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

test('a node of two processes has one operations port with the metrics of both', async () => {
  const settings = { ...(await ownSettings()), ...(await sshSettings()) }
  const operations = `http://${HOST}:${settings['operations.port']}`
  await transact(forge.ctx, (ctx) => addJobs(ctx, [{ kind: 'errand', payload: {}, attemptsMax: 1 }]))
  const node = await startNode(settings, { args: ['--workers', '2'] })
  try {
    await untilReady(operations)
    await useGit(node)
    for (let i = 0; i < REQUESTS; i++)
      await fetch(`${node.url}/api/v1/version`, { headers: { connection: 'close' } })

    assert.equal((await fetch(`${node.url}/metrics`)).status, 404)
    assert.equal((await fetch(`${operations}/metrics`)).status, 401)
    assert.deepEqual(await (await fetch(`${operations}/healthz`)).json(), { status: 'alive' })
    const text = await untilScraped(operations, (text) => LATE.every((it) => text.includes(it)))
    assert.equal(countVersions(text), REQUESTS)
    assert.equal(readValue(text, 'bloomery_jobs{kind="errand",state="waiting"}'), 1)
    assert.equal(readValue(text, 'bloomery_processes{state="answering"}'), 2)
    assert.equal(readValue(text, 'bloomery_database_connections_max{pool="reads"}'), 20)
    assert.equal(readValue(text, 'bloomery_git_push_seconds_count{result="ok"}'), 1)
    assert.ok(readValue(text, 'bloomery_git_push_bytes_total') > 1_000)
    assert.equal(readValue(text, 'bloomery_git_fetch_seconds_count'), 1)
    assert.ok(readValue(text, 'bloomery_git_fetch_bytes_total') > 1_000)
    assert.equal(readValue(text, 'bloomery_ready'), 1)
    assert.equal(readValue(text, 'bloomery_bus_connected'), 0)
    await assertDocumented(text)

    const [first = 0, second = 0] = await childrenOf(node.pid)
    process.kill(first, 'SIGSTOP')
    const halved = await scrape(operations)
    process.kill(first, 'SIGCONT')
    assert.equal(readValue(halved, 'bloomery_processes{state="silent"}'), 1)
    assert.equal(countVersions(halved), REQUESTS, 'the last counters of a silent process are kept')
    process.kill(second, 'SIGKILL')
    const ended = await untilScraped(
      operations,
      (text) => readValue(text, 'bloomery_processes_ended_total') === 1,
    )
    assert.equal(countVersions(ended), REQUESTS, 'the counters of a dead process are kept')
  } finally {
    await node.stop()
  }
})

test('a worker has health, readiness and metrics, and another node on its port does not start', async () => {
  const settings = await ownSettings()
  // A worker has no other port on which the helper could wait for its readiness.
  const port = settings['operations.port']
  const worker = await startNode({ ...settings, 'http.port': port }, { args: ['--role', 'worker'] })
  try {
    assert.equal((await fetch(`${worker.url}/healthz`)).status, 200)
    assert.equal((await fetch(`${worker.url}/readyz`)).status, 200)
    assert.match(await scrape(worker.url), /^bloomery_build_info\{version="[^"]+",node="v26[^"]*"\} 1$/m)
    const other = { 'git.cache_folder': join(folder, 'other-cache'), 'operations.port': port }
    const { code, stderr } = await runCommand(forge.world, ['serve'], other)
    assert.equal(code, 1)
    assert.match(stderr, new RegExp(`operations\\.port: ${HOST}:${port} is in use; set another one, or 0`))
  } finally {
    await worker.stop()
  }
})

async function ownSettings(): Promise<Partial<Config> & { 'operations.port': number }> {
  return {
    ...(await settingsBeside(forge.world, folder)),
    'operations.port': await findFreePorts(1),
    'telemetry.metrics_token': TOKEN,
    // Nobody listens on the port for discarded packets.
    'bus.nats_url': `nats://${HOST}:9`,
  }
}

async function sshSettings(): Promise<Partial<Config>> {
  const user = isRoot() ? 'git' : userInfo().username
  if (isRoot()) await ensureLoginUser(user)
  return { 'ssh.listen_port': await findFreePorts(), 'ssh.folder': join(folder, 'ssh'), 'ssh.user': user }
}

async function useGit(node: Node): Promise<void> {
  const headers = { authorization: `token ${forge.tokenOf('ann')}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ name: 'site' })
  assert.equal((await fetch(`${node.url}/api/v1/user/repos`, { method: 'POST', headers, body })).status, 201)
  const url = new URL(`${node.url}/ann/site.git`)
  url.username = forge.tokenOf('ann')
  await using client = await GitClient.open(forge, 'ann', 'ann/site')
  await client.commit('noise', Buffer.from(crypto.getRandomValues(new Uint8Array(2_000))).toString('hex'))
  await client.ok('push', '--quiet', url.href, 'main')
  await client.ok('clone', '--quiet', url.href, 'copy')
}

async function scrape(operations: string): Promise<string> {
  const answer = await fetch(`${operations}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } })
  assert.equal(answer.status, 200)
  return answer.text()
}

function readValue(text: string, series: string): number {
  const line = text.split('\n').find((it) => it.startsWith(`${series} `))
  assert.ok(line !== undefined, `no ${series}`)
  return Number(line.split(' ').at(-1))
}

function countVersions(text: string): number {
  return readValue(text, 'bloomery_http_requests_total{method="GET",route="/api/v1/version",status="200"}')
}

/** The table lists what a node shows, with its type, and nothing else. */
async function assertDocumented(text: string): Promise<void> {
  const shown = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => `${name} ${type}`)
  const table = await readFile(TABLE, 'utf8')
  const listed = [...table.matchAll(/^\| `(\w+)(?:\{[^`]*\})?` \| (\w+) \|/gm)].map(
    ([, name, type]) => `${name} ${type}`,
  )
  assert.deepEqual(listed.toSorted(), shown.toSorted())
}

async function untilReady(operations: string): Promise<void> {
  for (let waited = 0; waited < WAIT_MS_MAX; waited += 50) {
    if ((await fetch(`${operations}/readyz`)).ok) return
    await sleep(50)
  }
  throw new Error('the node does not get ready')
}

async function untilScraped(operations: string, isThere: (text: string) => boolean): Promise<string> {
  for (let waited = 0; waited < WAIT_MS_MAX; waited += 200) {
    const text = await scrape(operations)
    if (isThere(text)) return text
    await sleep(200)
  }
  throw new Error('the metrics do not appear')
}

/** The processes of Node among its children: sshd is another. */
async function childrenOf(pid: number): Promise<number[]> {
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ')
  const commands = await Promise.all(children.map((child) => readFile(`/proc/${child}/cmdline`, 'utf8')))
  return children.filter((_, i) => commands[i]?.includes(MAIN)).map(Number)
}
