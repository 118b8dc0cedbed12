/**
 * Three nodes behind HAProxy and nginx are restarted one by one while users push, clone, call the API and open pages:
 * no request fails.
 *
 * RESTARTS is the number of restarts, RESTARTS_USERS the number of users at each proxy; without them each node is restarted
 * once, and each proxy has one user.
 */
import assert from 'node:assert/strict'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Forge, startForge } from '#testing'
import { run } from '#testing/ssh'
import { findFreePorts } from '../../src/cli/free-ports.ts'
import { type Node, startNode } from '../../src/cli/node-process.ts'
import { ensureLoginUser, isRoot } from '../../src/ssh/login-user.ts'
import { type Counts, type Place, workAll } from './load.ts'
import { LOGIN_USER, nodeSettings, sshCommandWith } from './nodes.ts'
import { startProxies } from './proxies.ts'

const RESTARTS = Number(process.env.RESTARTS ?? 3)
const USERS = Number(process.env.RESTARTS_USERS ?? 1)
const NODES = 3
const HOST = '127.0.0.1'
const NOTICED_MS = 2_000

test(`${RESTARTS} restarts under load fail no request`, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'bloomery-restarts-'))
  await chmod(folder, 0o711)
  if (isRoot()) await ensureLoginUser(LOGIN_USER)
  await using forge = await startForge({ config: { 'log.level': 'silent' } })
  const ports = await findFreePorts(2 * NODES)
  const nodePorts = Array.from({ length: NODES }, (_, i) => ({ http: ports + i, ssh: ports + NODES + i }))
  const { config } = forge.world
  const shared = {
    'database.url': config['database.url'],
    'store.folder': config['store.folder'],
    'secrets.keys': config['secrets.keys'],
  }
  const settings = nodePorts.map((own, i) => nodeSettings(shared, folder, own, i))
  const nodes = await Promise.all(settings.map((it) => startNode(it)))
  const over = new AbortController()
  try {
    await using proxies = await startProxies(folder, nodePorts)
    const counts: Counts = new Map()
    const places: Place[] = []
    for (let i = 0; i < USERS * proxies.urls.length; i++) {
      const url = proxies.urls[i % proxies.urls.length] ?? ''
      places.push(await settle(forge, folder, { login: `person-${i}`, url, sshPort: proxies.sshPort }))
    }
    const working = Promise.all(places.map((place) => workAll(place, counts, over.signal)))
    try {
      await restartAll(nodes, settings)
    } finally {
      over.abort()
      await working
    }
    for (const [what, { requests, failures }] of counts)
      t.diagnostic(`${what}: ${requests} requests, ${failures.length} failures`)
    const all = [...counts.values()]
    t.diagnostic(`${all.reduce((sum, { requests }) => sum + requests, 0)} requests, ${RESTARTS} restarts`)
    assert.equal(counts.size, 7, 'every kind of request was sent')
    assert.deepEqual(
      all.flatMap(({ failures }) => failures),
      [],
    )
  } finally {
    for (const node of nodes) await node.stop()
    await rm(folder, { recursive: true, force: true })
  }
})

async function restartAll(
  nodes: Node[],
  settings: readonly Parameters<typeof startNode>[0][],
): Promise<void> {
  for (let i = 0; i < RESTARTS; i++) {
    const at = i % NODES
    await nodes[at]?.stop()
    nodes[at] = await startNode(settings[at] ?? {})
    // Proxies send requests to this node again before the next one stops.
    await sleep(NOTICED_MS)
  }
}

/** A user with a key and a repository. */
async function settle(
  forge: Forge,
  folder: string,
  { login, url, sshPort }: { login: string; url: string; sshPort: number },
): Promise<Place> {
  await forge.person(login)
  const file = join(folder, login)
  await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file])
  const key = await readFile(`${file}.pub`, 'utf8')
  assert.equal((await forge.call(login, 'POST', '/user/keys', { title: login, key })).status, 201)
  const repo = { name: 'site', auto_init: true, default_branch: 'main' }
  assert.equal((await forge.call(login, 'POST', '/user/repos', repo)).status, 201)
  return {
    url,
    sshUrl: `ssh://${LOGIN_USER}@${HOST}:${sshPort}/${login}/site.git`,
    login,
    token: forge.tokenOf(login),
    folder: await mkdtemp(join(folder, 'work-')),
    sshCommand: sshCommandWith(file),
  }
}
