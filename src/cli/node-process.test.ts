/**
 * Nodes as separate processes: one that does not start leaves nothing behind, several share one port, and an idle one is
 * small.
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdtemp, open, readdir, readFile, rm, stat } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startForge } from '#testing'
import { settingsBeside } from '#testing/settings-beside'
import { ensureLoginUser, isRoot } from '../ssh/login-user.ts'
import { findFreePorts } from './free-ports.ts'
import { startNode } from './node-process.ts'

const HOST = '127.0.0.1'
const SSH_USER = isRoot() ? 'git' : userInfo().username
const WAIT_MS_MAX = 120_000
const REST_MS = 10_000
const REST_MIB_MAX = 200

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bloomery-node-'))
})
after(() => rm(folder, { recursive: true, force: true }))

test('a node that is not ready in time is stopped', async () => {
  // A database that accepts connections and never answers.
  const calls: Socket[] = []
  const silent = createServer((socket) => void calls.push(socket)).listen(0, HOST)
  await once(silent, 'listening')
  const { port } = silent.address() as { port: number }
  const settings = {
    'http.host': HOST,
    'http.port': await findFreePorts(1),
    'database.url': `postgres://nobody@${HOST}:${port}/nothing`,
    'database.connect_timeout_ms': 60_000,
    'store.folder': join(folder, 'objects'),
    'git.cache_folder': join(folder, 'cache'),
    'secrets.keys': randomBytes(32).toString('hex'),
  }
  await assert.rejects(startNode(settings, { readyMs: 500 }), /timed out while starting/)
  assert.deepEqual(await listNodes(), [])
  for (const socket of calls) socket.destroy()
  silent.close()
})

test('two processes share one port, and one that dies is replaced and leaves a line', async () => {
  await using forge = await startForge()
  await using log = await open(join(folder, 'log'), 'w+')
  const node = await startNode(await settingsBeside(forge.world, folder), {
    args: ['--workers', '2'],
    log: log.fd,
  })
  try {
    const workers = await untilTwo(node.pid)
    for (const silent of workers) {
      process.kill(silent, 'SIGSTOP')
      await untilAnswered(node.url)
      process.kill(silent, 'SIGCONT')
    }
    process.kill(workers[0], 'SIGKILL')
    assert.ok((await untilTwo(node.pid, workers[0])).includes(workers[1]))
    const [line = ''] = (await readFile(join(folder, 'log'), 'utf8')).split('\n')
    const { msg, ...facts } = JSON.parse(line)
    assert.equal(msg, 'process of node exited')
    assert.deepEqual([facts['process.pid'], facts['process.signal']], [workers[0], 'SIGKILL'])
    process.kill(workers[1], 'SIGKILL')
    const successors = await untilTwo(node.pid, workers[1])
    for (const pid of successors) await untilOpened(pid)
    // A new process reuses the folder of a dead one, so dying processes leave nothing behind.
    const folders = (await readdir(join(folder, 'cache'))).filter((name) => name.startsWith('process-'))
    assert.deepEqual(folders, ['process-2'])
    assert.deepEqual(await openToOthers(join(folder, 'cache')), [])
  } finally {
    await node.stop()
  }
  assert.deepEqual(await listNodes(), [])
})

test('a node with another store or other keys than the first one does not start', async () => {
  await using forge = await startForge()
  const settings = await settingsBeside(forge.world, folder)
  await (await startNode(settings)).stop()
  for (const other of [
    { 'store.folder': join(folder, 'other') },
    { 'secrets.keys': randomBytes(32).toString('hex') },
  ])
    await assert.rejects(startNode({ ...settings, ...other }), /failed to start/)
  await (await startNode(settings)).stop()
})

test('a node with SSH starts with all its folders in a new one, as by default', async () => {
  await using forge = await startForge()
  if (isRoot()) await ensureLoginUser(SSH_USER)
  await chmod(folder, 0o711)
  const data = join(folder, 'data')
  const settings = {
    ...(await settingsBeside(forge.world, folder)),
    'store.folder': join(data, 'objects'),
    'git.cache_folder': join(data, 'cache'),
    'ssh.folder': join(data, 'ssh'),
    'ssh.user': SSH_USER,
    'ssh.listen_port': await findFreePorts(1),
  }
  await (await startNode(settings)).stop()
  for (const name of ['objects', 'cache']) assert.equal((await stat(join(data, name))).mode & 0o077, 0)
})

test('an idle node takes less memory than promised', async () => {
  await using forge = await startForge()
  const settings = await settingsBeside(forge.world, folder)
  // The first start may have to strip types, which takes memory; later starts use its compile cache.
  await (await startNode(settings)).stop()
  const node = await startNode(settings)
  try {
    await sleep(REST_MS)
    const status = await readFile(`/proc/${node.pid}/status`, 'utf8')
    const residentMib = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
    assert.ok(residentMib < REST_MIB_MAX, `${residentMib} MiB`)
  } finally {
    await node.stop()
  }
})

/** Waits for two processes of a node, excluding a killed one. */
async function untilTwo(pid: number, gone?: number): Promise<[number, number]> {
  for (let waited = 0; waited < WAIT_MS_MAX; waited += 50) {
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
    const [first, second] = children.trim().split(' ').map(Number)
    if (first && second && first !== gone && second !== gone) return [first, second]
    await sleep(50)
  }
  throw new Error('there are no two processes')
}

/** The spawner's perl starts after the cache folder was claimed. */
async function untilOpened(pid: number): Promise<void> {
  for (let waited = 0; waited < WAIT_MS_MAX; waited += 50) {
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
    const commands = await Promise.all(
      children.split(' ').map((child) => readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => '')),
    )
    if (commands.some((command) => command.includes('spawner.pl'))) return
    await sleep(50)
  }
  throw new Error('the process does not come up')
}

/** Files and folders that other users of the machine could read. */
async function openToOthers(path: string): Promise<string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  const paths = [path, ...entries.map((it) => join(it.parentPath, it.name))]
  const modes = await Promise.all(
    paths.map((it) =>
      stat(it).then(
        ({ mode }) => mode,
        () => 0,
      ),
    ),
  )
  return paths.filter((_, i) => ((modes[i] ?? 0) & 0o077) !== 0)
}

/** Each request on its own connection: one that a stopped process got is not answered. */
async function untilAnswered(url: string): Promise<void> {
  for (let waited = 0; waited < WAIT_MS_MAX; waited += 2_000) {
    const isAnswered = await fetch(`${url}/healthz`, {
      headers: { connection: 'close' },
      signal: AbortSignal.timeout(2_000),
    }).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isAnswered) return
  }
  throw new Error('nobody answers')
}

/** All processes started with a folder of this test. */
async function listNodes(): Promise<string[]> {
  const found: string[] = []
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')
    if (environment.includes(folder)) found.push(pid)
  }
  return found
}
