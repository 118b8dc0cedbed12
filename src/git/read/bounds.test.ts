/** Anonymous requests take a bounded share of the node: processes, memory, and slots of clients that stop reading. */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Forge, GitClient, startForge } from '#testing'

const PLACES = 2
const WAIT_MS_MAX = 30_000
const MIB = 1024 * 1024

let forge: Forge
const lines = { first: '', second: '' }
before(async () => {
  forge = await startForge({
    config: {
      'log.level': 'silent',
      'http.stall_timeout_ms': 1_500,
      'git.places_nobody_max': PLACES,
      'git.waiting_max': 4,
      'git.waiting_ms_max': 200,
      'git.process_memory_bytes_max': 128 * MIB,
    },
  })
  await forge.person('ann')
  await forge.call('ann', 'POST', '/user/repos', { name: 'site' })
  await using ann = await GitClient.open(forge, 'ann', 'ann/site')
  lines.first = await commit(ann, 'lines', Buffer.alloc(6 * MIB, '\n'))
  lines.second = await commit(ann, 'lines', Buffer.concat([Buffer.from('a'), Buffer.alloc(6 * MIB, '\n')]))
  await commit(ann, 'zeros', Buffer.alloc(40 * MIB))
  await ann.ok('push', 'origin', 'main')
})
after(() => forge[Symbol.asyncDispose]())

async function commit(client: GitClient, file: string, content: Buffer): Promise<string> {
  await writeFile(join(client.folder, file), content)
  await client.ok('add', '--all')
  await client.ok('commit', '--quiet', '--message', file)
  return client.ok('rev-parse', 'HEAD')
}

const RAW = '/repos/ann/site/raw/zeros'

/** Requests the file and reads nothing beyond the start of the response. */
async function readNothing(): Promise<Socket> {
  const socket = connect(Number(new URL(forge.base).port), '127.0.0.1')
  socket.on('error', () => undefined).write(`GET /api/v1${RAW} HTTP/1.1\r\nHost: x\r\n\r\n`)
  await new Promise<void>((resolve) =>
    socket.once('readable', () => {
      assert.match(String(socket.read(12)), /HTTP\/1.1 200/)
      resolve()
    }),
  )
  return socket
}

const askHead = (as: string | null) =>
  fetch(`${forge.base}/api/v1${RAW}`, {
    ...(as !== null && { headers: { authorization: `token ${forge.tokenOf(as)}` } }),
  })

test('anonymous requests above their share of git slots get 503 with Retry-After; a signed-in user is served', async () => {
  const { started } = await forge.watchGit(async () => {
    const readers = [await readNothing(), await readNothing()]
    const refused = await Promise.all(Array.from({ length: 8 }, () => askHead(null)))
    for (const response of refused) {
      assert.equal(response.status, 503)
      assert.match(response.headers.get('retry-after') ?? '', /^\d+$/)
      await response.text()
    }
    const served = await askHead('ann')
    assert.equal(served.status, 200)
    assert.equal((await served.arrayBuffer()).byteLength, 40 * MIB)
    // The git client first requests anonymously, and sends credentials only after a 401.
    await using ann = await GitClient.open(forge, 'ann', 'ann/site')
    await ann.ok('fetch', '--quiet', '--depth=1', 'origin', 'main')
    for (const reader of readers) reader.destroy()
  })
  const isFile = (words: readonly string[]) => words.includes('blob')
  assert.equal(started.filter((it) => isFile(it.words)).length, PLACES + 1)
})

test('a client that stops reading is disconnected, and its slot is free again', async () => {
  await untilServed()
  const readers = [await readNothing(), await readNothing()]
  assert.equal((await askHead(null)).status, 503)
  await untilServed()
  for (const reader of readers) reader.destroy()
})

async function untilServed(): Promise<void> {
  for (const end = performance.now() + WAIT_MS_MAX; performance.now() < end; await sleep(50)) {
    const response = await askHead(null)
    await response.body?.cancel()
    if (response.status === 200) return
  }
  assert.fail('nobody gave a place back')
}

test('a file of millions of lines is not diffed line by line', async () => {
  const compared = await forge.call(null, 'GET', `/repos/ann/site/compare/${lines.first}...${lines.second}`)
  assert.equal(compared.status, 200)
  const listed = await forge.call(null, 'GET', '/repos/ann/site/commits?stat=true&files=true')
  assert.equal(listed.status, 200)
  const [, second] = listed.body as { stats: { additions: number } }[]
  assert.equal(second?.stats.additions, 0)
})
