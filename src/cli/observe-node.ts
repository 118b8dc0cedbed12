/** Registers every metric of a node that is read at a scrape. */
import { setTimeout as sleep } from 'node:timers/promises'
import { observeRunners } from '#domains/actions/runners'
import { observeSources } from '#domains/sign-in/sources'
import { observeGit } from '#git'
import { observeQueue } from '#jobs'
import { observeProcess } from '#platform/process-metrics'
import type { Database } from './open-database.ts'
import type { OpenWorld } from './open-world.ts'

/** Less than a scrape waits for a metric. */
const READY_MS_MAX = 2_000

export function observeNode(
  { world, database }: OpenWorld,
  refusal: () => Promise<string | undefined>,
): void {
  const { telemetry, bus } = world
  observeProcess(telemetry)
  telemetry.observe(
    { bloomery_ready: { kind: 'gauge', help: '1 when the node takes traffic', across: 'min' } },
    async () => ({ bloomery_ready: (await isReady(refusal)) ? 1 : 0 }),
  )
  observePools(world.telemetry, database)
  telemetry.observe(
    {
      bloomery_bus_connected: { kind: 'gauge', help: '1 when NATS is connected', across: 'min' },
      bloomery_bus_messages_total: { kind: 'counter', help: 'hints by direction' },
    },
    () => ({
      bloomery_bus_connected:
        bus.kind === 'nats' ? [{ value: bus.isConnected() ? 1 : 0, attributes: {} }] : [],
      bloomery_bus_messages_total: [
        { value: bus.counts.sent, attributes: { direction: 'sent' } },
        { value: bus.counts.received, attributes: { direction: 'received' } },
      ],
    }),
  )
  observeQueue(world)
  observeGit(world)
  observeRunners(world)
  observeSources(world)
}

/** Also false when the database gives no answer in time: a metric that takes longer is left out of the scrape. */
async function isReady(refusal: () => Promise<string | undefined>): Promise<boolean> {
  const late = new AbortController()
  const timeout = sleep(READY_MS_MAX, 'no answer', { signal: late.signal, ref: false })
  try {
    return (await Promise.race([refusal(), timeout])) === undefined
  } catch {
    return false
  } finally {
    late.abort()
    timeout.catch(() => undefined)
  }
}

function observePools(telemetry: OpenWorld['world']['telemetry'], { pools }: Database): void {
  telemetry.observe(
    {
      bloomery_database_connections: { kind: 'gauge', help: 'connections to PostgreSQL by pool and state' },
      bloomery_database_connections_max: { kind: 'gauge', help: 'most connections of a pool' },
      bloomery_database_waiting: { kind: 'gauge', help: 'callers waiting for a connection' },
    },
    () => ({
      bloomery_database_connections: Object.entries(pools).flatMap(([pool, { totalCount, idleCount }]) => [
        { value: totalCount - idleCount, attributes: { pool, state: 'in_use' } },
        { value: idleCount, attributes: { pool, state: 'idle' } },
      ]),
      bloomery_database_connections_max: Object.entries(pools).map(([pool, { options }]) => ({
        value: options.max,
        attributes: { pool },
      })),
      bloomery_database_waiting: Object.entries(pools).map(([pool, { waitingCount }]) => ({
        value: waitingCount,
        attributes: { pool },
      })),
    }),
  )
}
