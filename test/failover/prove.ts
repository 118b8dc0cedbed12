/**
 * The leader of a Patroni cluster is killed under load of pushes, merges, issues, uploads and jobs. With a synchronous
 * standby no acknowledged write is lost; with asynchronous ones what was lost is counted, `bloomery doctor` tells of it, and
 * nothing else is broken.
 *
 * FAILOVERS is the number of failovers, FAILOVER_MODE `synchronous` or `asynchronous`, FAILOVER_MEMBERS the number of
 * PostgreSQL servers, FAILOVER_TTL that of Patroni (30 or 20), FAILOVER_FOLDER a folder that is kept.
 */
import assert from 'node:assert/strict'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { until } from '../attacks/kit/faults.ts'
import { checkWhole } from './check.ts'
import { Cluster, type Mode } from './cluster.ts'
import { failOver, type Measured, type Way } from './failover.ts'
import { Forge } from './forge.ts'
import { type Deed, Ledger } from './ledger.ts'
import { Load } from './load.ts'

const FAILOVERS = Number(process.env.FAILOVERS ?? 2)
const MODE = (process.env.FAILOVER_MODE ?? 'synchronous') as Mode
const MEMBERS = Number(process.env.FAILOVER_MEMBERS ?? 3)
const KEPT = process.env.FAILOVER_FOLDER
/** Seconds until a leader that vanished is replaced: 30, or 20, which a busy machine may not keep up with. */
const TTL = Number(process.env.FAILOVER_TTL ?? 30)
const QUICK = { ttl: 20, loop_wait: 4, retry_timeout: 8 }
/** Every so many failovers the leader is not killed: it stands still, and goes on later. */
const PAUSED_EVERY = 5
/** Standbys that lack a second of work are still promoted. */
const LOST_MIN = 5
const LAG_MAX = 64 * 1024 * 1024

test(`${FAILOVERS} failovers to a ${MODE} standby`, { timeout: 7_200_000 }, async (t) => {
  await using stack = new AsyncDisposableStack()
  const folder = KEPT ?? (await mkdtemp(join(tmpdir(), 'bloomery-failover-')))
  if (KEPT === undefined) stack.defer(() => rm(folder, { recursive: true, force: true }))
  else await mkdir(folder)
  // PostgreSQL runs as its own user, which must be able to traverse to its folder.
  await chmod(folder, 0o711)
  const lagMax = MODE === 'asynchronous' ? LAG_MAX : undefined
  const cluster = stack.use(
    await Cluster.open({
      folder,
      mode: MODE,
      members: MEMBERS,
      ...(lagMax && { lagMax }),
      ...(TTL < 30 && { timing: QUICK }),
    }),
  )
  const forge = stack.use(await Forge.open(join(folder, 'forge'), (database) => cluster.url(database)))
  const ledger = new Ledger()
  const load = new Load(forge, ledger)
  await load.start()
  const all: Measured[] = []
  try {
    for (let i = 0; i < FAILOVERS; i++) {
      const way: Way = i % PAUSED_EVERY === 1 ? 'paused' : 'killed'
      const measured = await failOver({ cluster, forge, ledger, load }, way, () =>
        fallBehind(cluster, ledger),
      )
      all.push(measured)
      t.diagnostic(describe(measured))
    }
  } finally {
    await load.stop()
  }
  t.diagnostic(`acknowledged: ${ledger.counts()}`)
  t.diagnostic(
    `not acknowledged: ${[...ledger.refusals].map(([what, count]) => `${count} × ${what}`).join(', ')}`,
  )
  t.diagnostic(`longest wait for an answer: ${(ledger.waitedMsMax / 1000).toFixed(1)} s`)
  t.diagnostic(`writes went on after ${spread(all.map(({ writesS }) => writesS))}`)
  t.diagnostic(`all nodes were ready after ${spread(all.map(({ readyS }) => readyS))}`)
  const nodes = forge.nodes.map(({ url }) => url)
  const lost = await ledger.findLost(nodes)
  t.diagnostic(`lost: ${ledger.counts(lost)}`)
  const doctor = await checkWhole(forge)
  t.diagnostic(doctor.stdout)
  assert.deepEqual(ledger.faults, [])
  assert.equal(doctor.code, 0, doctor.stdout)
  const names = lost.map(({ kind, name }) => `${kind} ${name}`)
  if (MODE === 'synchronous') assert.deepEqual(names, [])
  else assertTold(doctor.stdout, lost)
})

/** `bloomery doctor` knows at least of the lost operations that clients know of; reports of runners it does not keep. */
function assertTold(said: string, lost: readonly Deed[]): void {
  assert.ok(lost.length > 0, 'nothing was lost: the test proved nothing')
  const [, told = '0'] = /^warning failovers: .* (\d+) of \d+ operations/m.exec(said) ?? []
  const audited = lost.filter(({ kind }) => kind !== 'task').length
  assert.ok(Number(told) >= audited, `${told} told, ${audited} lost`)
}

/** Asynchronous standbys on one machine lack next to nothing, so the leader stops sending before some writes. */
async function fallBehind(cluster: Cluster, ledger: Ledger): Promise<void> {
  if (MODE === 'synchronous') return
  await (await cluster.leader()).stopSending()
  const before = ledger.deeds.length
  await until('writes are acknowledged that no standby has', () => ledger.deeds.length > before + LOST_MIN)
}

function describe({ way, writesS, readyS, joinedS, machine }: Measured): string {
  const told = [
    `writes after ${writesS.toFixed(1)} s`,
    `all nodes ready after ${readyS.toFixed(1)} s`,
    `former leader follows after ${joinedS.toFixed(1)} s`,
  ]
  return `leader ${way}: ${told.join(', ')} (load ${machine.toFixed(1)})`
}

function spread(seconds: readonly number[]): string {
  const sorted = seconds.toSorted((one, other) => one - other)
  const [least, most] = [sorted[0] ?? 0, sorted.at(-1) ?? 0]
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0
  return `${least.toFixed(1)} to ${most.toFixed(1)} s, median ${median.toFixed(1)} s`
}
