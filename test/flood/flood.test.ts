/**
 * A hundred anonymous clients request what costs most, concurrently and from a hundred addresses, while ten users work:
 * everything the users do succeeds, and the memory of the node and its git processes stays below the configured limits.
 *
 * FLOOD_SECONDS is its length; without it a short run.
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { type Forge, GitClient, startForge } from '#testing'
import { findFreePorts } from '../../src/cli/free-ports.ts'
import { startNode } from '../../src/cli/node-process.ts'
import { attack } from './attackers.ts'
import { watchMemory } from './memory.ts'
import { type Deed, type Person, percentile, work } from './people.ts'

const SECONDS = Number(process.env.FLOOD_SECONDS ?? 15)
const STRANGERS = 100
const PEOPLE = 10
const REFS = 20_000
const MIB = 1024 * 1024
const SMALL = {
  'git.cache_bytes_max': 256 * MIB,
  'git.places_max': 16,
  'git.places_nobody_max': 6,
  // The flood meets the limits of a node, not the ration of its address.
  'git.nobody_seconds_max': 1_000_000,
  'git.places_visitor_max': 4,
  'git.waiting_max': 64,
  'git.waiting_ms_max': 5_000,
  'git.process_memory_bytes_max': 128 * MIB,
  'git.transfer_memory_bytes_max': 256 * MIB,
  'jobs.concurrency': 2,
  'http.stall_timeout_ms': 5_000,
} as const
/** An idle node takes 200 MiB; each request that it serves takes a few. */
const NODE_BYTES_MAX = 800 * MIB
/** Each slot and each job has one process that packs or unpacks; the others are small. */
const GIT_BYTES_MAX =
  (SMALL['git.places_max'] + SMALL['jobs.concurrency']) * SMALL['git.transfer_memory_bytes_max']

test(`${STRANGERS} hostile anonymous clients do not keep ${PEOPLE} users from their work`, async () => {
  await using forge = await startForge({ config: { 'log.level': 'silent' } })
  const tip = await prepare(forge)
  const people = Array.from({ length: PEOPLE }, (_, i) => `person-${i}`)
  for (const login of people) await settle(forge, login)
  await using node = await serve(forge)
  using watch = watchMemory(node.pid)
  const over = AbortSignal.timeout(SECONDS * 1_000)
  const push = { repo: 'eve/options', token: forge.tokenOf('eve') }
  const attacking = attack({ url: node.url, repo: 'eve/large', tip, push }, STRANGERS, over)
  const workers = people.map((login): Person => ({ login, token: forge.tokenOf(login), url: node.url }))
  const records = (await Promise.all(workers.map((it) => work(it, over)))).flat()
  const asked = await attacking
  tell(records, asked, watch.peak)
  assert.deepEqual(
    records.flatMap(({ failure }) => failure ?? []),
    [],
  )
  assert.ok(records.length >= PEOPLE * 5, 'everybody has done everything at least once')
  assert.ok(asked > STRANGERS, 'nobody was attacked')
  assert.ok(watch.peak.nodeBytes < NODE_BYTES_MAX, `the node took ${watch.peak.nodeBytes} bytes`)
  assert.ok(watch.peak.gitBytes < GIT_BYTES_MAX, `git took ${watch.peak.gitBytes} bytes`)
})

function tell(
  records: readonly Deed[],
  asked: number,
  peak: { nodeBytes: number; gitBytes: number; gitProcesses: number },
): void {
  for (const what of ['rest', 'clone', 'push'] as const) {
    const own = records.filter((it) => it.what === what)
    console.log(
      `${what}: ${own.length} times, p50 ${percentile(own, 0.5)} ms, p99 ${percentile(own, 0.99)} ms`,
    )
  }
  const mib = (bytes: number) => `${Math.round(bytes / MIB)} MiB`
  console.log(`strangers asked ${asked} times`)
  console.log(`node ${mib(peak.nodeBytes)} of ${mib(NODE_BYTES_MAX)}`)
  console.log(`git ${mib(peak.gitBytes)} of ${mib(GIT_BYTES_MAX)}, ${peak.gitProcesses} processes`)
}

/** A repository with everything the attackers request; returns the id of its tip. */
async function prepare(forge: Forge): Promise<string> {
  await forge.person('eve')
  for (const name of ['large', 'options']) await forge.call('eve', 'POST', '/user/repos', { name })
  await using eve = await GitClient.open(forge, 'eve', 'eve/large')
  const lines = Buffer.alloc(20 * MIB, '\n')
  await writeFile(join(eve.folder, 'lines'), lines)
  await writeFile(join(eve.folder, 'zeros'), Buffer.alloc(60 * MIB))
  await writeFile(join(eve.folder, 'noise'), randomBytes(15 * MIB))
  await eve.commit('file', 'one')
  await writeFile(join(eve.folder, 'lines'), Buffer.concat([Buffer.from('a'), lines]))
  const tip = await eve.commit('file', 'two')
  await eve.ok('push', '--quiet', 'origin', 'main')
  await eve.ok('push', '--quiet', new URL(eve.remote.replace('large', 'options')).href, 'main')
  await sql`insert into git_ref (storage_id, name, oid, peeled_oid, generation)
    select storage_id, 'refs/tags/' || repeat('long', 50) || i, ${tip}, null, 1
    from repository, generate_series(1, ${REFS}::int) i where repository.name = 'large'`.execute(forge.db)
  await sql`update git_storage set generation = generation + 1`.execute(forge.db)
  return tip
}

async function settle(forge: Forge, login: string): Promise<void> {
  await forge.person(login)
  // On a public repository git starts anonymous, until it is challenged.
  const isPrivate = !/[05]$/.test(login)
  const repo = { name: 'own', private: isPrivate, auto_init: true, default_branch: 'main' }
  await forge.call(login, 'POST', '/user/repos', repo)
}

/** A node as a separate process, with the same database and store, that trusts client addresses in headers. */
async function serve(forge: Forge) {
  const folder = await mkdtemp(join(tmpdir(), 'bloomery-flooded-'))
  const { config } = forge.world
  const node = await startNode({
    ...SMALL,
    'http.host': '127.0.0.1',
    'http.port': await findFreePorts(),
    'http.trusted_proxies': ['127.0.0.1'],
    'database.url': config['database.url'],
    'store.folder': config['store.folder'],
    'secrets.keys': config['secrets.keys'],
    'git.cache_folder': join(folder, 'cache'),
    'ssh.folder': join(folder, 'ssh'),
    'log.level': 'silent',
  })
  const dispose = async () => {
    await node.stop()
    await rm(folder, { recursive: true, force: true })
  }
  return { ...node, [Symbol.asyncDispose]: dispose }
}
