/** `bloomery serve`: the forge, or one role of it. */
import cluster from 'node:cluster'
import { planTasks } from '#domains/admin'
import { buildApp } from '#http'
import { queueDepth, startWorker } from '#jobs'
import { type Config, loadConfig } from '#platform/config'
import type { Context } from '#platform/context'
import { schemaRefusal } from '#platform/migrate'
import { probeObjectStore } from '#platform/object-store'
import { consumers, routes, tasks } from '../forge.ts'
import { identity } from '../identity.ts'
import { type OpenWorld, openWorld } from '../open-world.ts'

export interface ServeOptions {
  readonly role?: 'http' | 'worker'
  readonly workers: number
}

/** After this, whoever is still being served is cut off. */
const DRAIN_MS = 30_000
const RESTART_PAUSE_MS = 1_000

export async function serve(file: string | undefined, options: ServeOptions): Promise<void> {
  const config = loadConfig(file === undefined ? {} : { file }).values
  if (options.workers > 1 && cluster.isPrimary) return supervise(options.workers)
  const listening = { host: config['http.host'], port: config['http.port'] }
  const open = await openWorld(config, { listening })
  try {
    await assertUsable(open)
  } catch (error) {
    await open.close()
    throw error
  }
  const ctx: Context = { ...open.world, actor: null, signal: new AbortController().signal }
  await planTasks(ctx, tasks)
  const stops: (() => Promise<void>)[] = [() => open.close()]
  if (options.role !== 'http') {
    const worker = await startWorker(ctx, open.pool, { consumers, tasks })
    stops.unshift(() => worker.stop())
  }
  if (options.role !== 'worker') {
    const drain = await listen(open, config)
    stops.unshift(drain)
  }
  observeQueue(open)
  open.world.log.info({ 'http.url': open.world.site.url, role: options.role ?? 'all' }, 'serving')
  onEnd(async () => {
    for (const stop of stops) await stop()
  })
}

/** A node refuses to serve on a schema or a store that it could not keep its promises on. */
async function assertUsable(open: OpenWorld): Promise<void> {
  const refusal = await schemaRefusal(open.pool)
  if (refusal !== undefined) throw new Error(refusal)
  await probeObjectStore(open.world.store)
}

async function listen(open: OpenWorld, config: Config): Promise<() => Promise<void>> {
  let isDraining = false
  const app = buildApp({
    world: open.world,
    routes,
    identity,
    isReady: async () => (isDraining ? 'draining' : schemaRefusal(open.pool)),
  })
  await app.listen({ host: config['http.host'], port: config['http.port'] })
  return async () => {
    isDraining = true
    const cutOff = setTimeout(() => app.server.closeAllConnections(), DRAIN_MS)
    await app.close()
    clearTimeout(cutOff)
  }
}

function observeQueue({ world }: OpenWorld): void {
  world.telemetry.observe('bloomery_jobs', 'jobs in the queue', async () => {
    const { waiting, dead } = await queueDepth(world.db)
    return [
      { value: waiting, attributes: { state: 'waiting' } },
      { value: dead, attributes: { state: 'dead' } },
    ]
  })
}

/** Ends once, in order, on a signal or when the process that started this one is gone. */
function onEnd(end: () => Promise<void>): void {
  let isEnding = false
  const once = () => {
    if (isEnding) return
    isEnding = true
    end().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
  process.on('SIGTERM', once)
  process.on('SIGINT', once)
  process.on('disconnect', once)
}

/** Keeps a number of processes alive that share the port. */
function supervise(workers: number): void {
  let isEnding = false
  for (let i = 0; i < workers; i++) cluster.fork()
  cluster.on('exit', () => {
    if (!isEnding) setTimeout(() => !isEnding && cluster.fork(), RESTART_PAUSE_MS)
  })
  const end = () => {
    isEnding = true
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGTERM')
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
}
