/** One failover under load: the leader dies or stands still, another takes its place, and the old one joins again. */
import assert from 'node:assert/strict'
import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../attacks/kit/faults.ts'
import type { Cluster } from './cluster.ts'
import type { Forge } from './forge.ts'
import type { Ledger } from './ledger.ts'
import type { Load } from './load.ts'
import type { Member } from './member.ts'

export type Way = 'killed' | 'paused'

export interface Measured {
  readonly way: Way
  /** From the fault until the answer to the first write that began after it. */
  readonly writesS: number
  /** From the fault until every node was ready. */
  readonly readyS: number
  /** From the fault until the former leader followed the new one. */
  readonly joinedS: number
  /** The load average of the machine. */
  readonly machine: number
}

export interface Scene {
  readonly cluster: Cluster
  readonly forge: Forge
  readonly ledger: Ledger
  readonly load: Load
}

const WARM_MS_MAX = 120_000
const WORKED = 20
const TAKEN_OVER_MS_MAX = 300_000
const PROBE_MS = 250
const PROBES_MAX = 8
/** Time for a former leader that goes on to be asked, before it is asked about. */
const WATCH_MS = 5_000

export async function failOver(scene: Scene, way: Way, beforehand: () => Promise<void>): Promise<Measured> {
  const { cluster, forge, ledger } = scene
  const before = ledger.deeds.length
  await until('the forge works', () => ledger.deeds.length > before + WORKED, WARM_MS_MAX)
  const old = await cluster.leader()
  await beforehand()
  await (way === 'killed' ? old.kill() : old.pause())
  const moment = performance.now()
  const probing = probe(scene, moment)
  const isWriting = () => ledger.firstSince(moment) !== undefined
  await until('writes go on', isWriting, TAKEN_OVER_MS_MAX)
  const writesS = ((ledger.firstSince(moment)?.endedAt ?? 0) - moment) / 1000
  await probing
  assert.notEqual((await cluster.leader()).name, old.name, 'another member leads')
  await until('every node is ready', () => forge.areReady(), TAKEN_OVER_MS_MAX)
  const readyS = secondsSince(moment)
  if (way === 'killed') old.start()
  else await comeBack(cluster, old)
  await cluster.untilJoined()
  return { way, writesS, readyS, joinedS: secondsSince(moment), machine: loadavg()[0] ?? 0 }
}

/** Somebody tries to write again and again, without waiting for answers that take long. */
async function probe({ load, ledger }: Scene, moment: number): Promise<void> {
  const open = new Set<Promise<void>>()
  while (ledger.firstSince(moment) === undefined) {
    if (open.size < PROBES_MAX) {
      const one: Promise<void> = load.writeIssue().finally(() => open.delete(one))
      open.add(one)
    }
    await sleep(PROBE_MS)
  }
  await Promise.all(open)
}

/** The former leader stood still, and knows nothing of the new one: no connection of the forge may lead to it. */
async function comeBack(cluster: Cluster, old: Member): Promise<void> {
  await old.goOn()
  const leader = await cluster.leader()
  for (const end = performance.now() + WATCH_MS; performance.now() < end; ) {
    const [row] = await leader.ask<{ port: number; standby: boolean }>(
      cluster.url('postgres'),
      'select inet_server_port() as port, pg_is_in_recovery() as standby',
    )
    assert.deepEqual(row, { port: leader.port, standby: false }, 'HAProxy leads to the new leader')
  }
}

function secondsSince(moment: number): number {
  return (performance.now() - moment) / 1000
}
