/** `bloomery serve`: runs a node, with all roles or one of them. */
import cluster from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { planTasks } from '#domains/instance/admin'
import { dropCacheFolders } from '#git'
import { buildApp, Connections, OperationsPort } from '#http'
import { startWorker } from '#jobs'
import type { Config } from '#platform/config'
import type { Context } from '#platform/context'
import { claimIdentity } from '#platform/identity'
import { aside, type Logger, openLog } from '#platform/log'
import { giveBackMemory } from '#platform/memory'
import { schemaRefusal } from '#platform/migrate'
import { openObjectStore, probeObjectStore } from '#platform/object-store'
import { OperatorError } from '#platform/operator-error'
import { siteOf } from '#platform/site'
import { layOutFolder, openSessionSocket, type Sshd, startSsh, startSshd } from '#ssh'
import { cannotListen } from '../explain.ts'
import { internalOperations, rawRoutes, routes, slices, web, workOf } from '../forge.ts'
import { loadConfig } from '../load-config.ts'
import { observeNode } from '../observe-node.ts'
import { killWorkers, listWorkers, onEnd, stopWorkers, tellSshEnded, whenSshEnded } from '../on-end.ts'
import { type OpenWorld, openWorld, sealOf, storeOptions } from '../open-world.ts'
import { answerSupervisor, Processes, SERVES } from '../processes.ts'
import { refuseConnections } from '../refuse-connections.ts'
import { assertGit, assertPostgres } from '../requirements.ts'

export interface ServeOptions {
  readonly role?: 'http' | 'worker'
  readonly workers: number
}

/** After this, requests still in progress are cut off. */
const DRAIN_MS = 30_000
/** The kernel may finish a handshake a moment after the last connection was let in. */
const ACCEPT_MS = 20
const RESTART_PAUSE_MS = 1_000
/** What `node:cluster` calls an address that is neither IPv4 nor IPv6. */
const UNIX_SOCKET = -1

export async function serve(file: string | undefined, options: ServeOptions): Promise<void> {
  // Files written here may be private, by this process or by its children.
  process.umask(0o077)
  const config = loadConfig(file === undefined ? {} : { file }).values
  const operations = cluster.isPrimary ? await OperationsPort.open(config) : undefined
  if (cluster.isPrimary) await dropCacheFolders(config['git.cache_folder'], options.workers)
  if (options.workers > 1 && cluster.isPrimary) return supervise(config, options, operations)
  const open = await openWorld(config, { listening: listeningOf(config) })
  try {
    await assertUsable(open)
  } catch (error) {
    await open.close()
    throw error
  }
  const ctx: Context = { ...open.world, actor: null, signal: new AbortController().signal }
  const work = workOf(slices)
  await planTasks(ctx, work.tasks)
  const stops: (() => Promise<void>)[] = [() => open.close()]
  open.world.jobHints.tellOthers(open.database.queue, open.world.log)
  if (options.role !== 'http') {
    const worker = startWorker({ ...ctx, ...open.forJobs }, open.database.queue, work)
    stops.unshift(() => worker.stop())
  }
  if (options.role !== 'worker') {
    // Before HTTP, whose readiness announces the node.
    const stopSsh = await listenSsh(open)
    const http = await listen(open, config)
    stops.unshift(async () => {
      http.announceEnd()
      await sleep(config['http.drain_ms'])
      await Promise.all([http.stop(), stopSsh()])
    })
  }
  let isEnding = false
  const refusal = async () => (isEnding ? 'draining' : refusalOf(open))
  const { telemetry, log } = open.world
  observeNode(open, refusal)
  operations?.show({ refusal, scrape: () => telemetry.scrape() })
  if (cluster.isWorker) {
    answerSupervisor(telemetry, refusal, log)
    process.send?.(SERVES)
  } else sayServing(log, config, options)
  onEnd(async () => {
    isEnding = true
    for (const stop of stops) await stop()
  })
}

/** A node refuses to serve with a schema or store that does not meet its requirements, or with another forge's store or keys. */
async function assertUsable(open: OpenWorld): Promise<void> {
  await assertGit()
  await assertPostgres(open.database.pool)
  const refusal = await schemaRefusal(open.database.pool)
  if (refusal !== undefined) throw new OperatorError(refusal)
  await open.world.clock.start()
  await probeObjectStore(open.world.store)
  await claimIdentity(open.world)
}

/** Why the node must get no traffic now; undefined when it may. */
async function refusalOf({ world, database }: OpenWorld): Promise<string | undefined> {
  return world.clock.refusal() ?? (await world.cache.room.refusal()) ?? schemaRefusal(database.pool)
}

interface Listening {
  /** Makes the load balancer choose other nodes, while this one still serves every request. */
  announceEnd(): void
  stop(): Promise<void>
}

async function listen(open: OpenWorld, config: Config): Promise<Listening> {
  let isDraining = false
  const app = buildApp({
    world: open.world,
    routes,
    internalOperations,
    rawRoutes,
    web,
    isReady: async () => (isDraining ? 'draining' : refusalOf(open)),
  })
  const connections = new Connections(app.server)
  await app.ready()
  giveBackMemory()
  await app.listen(listeningOf(config)).catch(cannotListen('http'))
  return {
    announceEnd() {
      isDraining = true
      connections.endKept()
    },
    async stop() {
      await refuseConnections(app.server)
      // Node accepts all connections that wait before this resolves.
      await sleep(ACCEPT_MS)
      app.server.close()
      const closed = app.close()
      await connections.close(DRAIN_MS)
      await closed
    },
  }
}

async function listenSsh({ world }: OpenWorld): Promise<() => Promise<void>> {
  if (world.config['ssh.listen_port'] === 0) return async () => undefined
  if (cluster.isPrimary) {
    const stop = await startSsh(world)
    return () => stop(DRAIN_MS)
  }
  // Among several processes the supervisor runs sshd; its sessions are distributed like requests.
  const gate = await openSessionSocket(world)
  const sshdEnded = whenSshEnded()
  return () => gate.stop(DRAIN_MS, sshdEnded)
}

function listeningOf(config: Config): { host: string; port: number } {
  return { host: config['http.host'], port: config['http.port'] }
}

function sayServing(log: Logger, config: Config, { role, workers }: ServeOptions): void {
  const { url } = siteOf(config, listeningOf(config))
  log.info({ 'http.url': url, role: role ?? 'all', processes: workers }, 'serving')
}

/** Keeps a number of processes running that share the ports. */
async function supervise(
  config: Config,
  options: ServeOptions,
  operations: OperationsPort | undefined,
): Promise<void> {
  const { workers, role } = options
  operations?.show(await Processes.open(workers))
  const hasSsh = config['ssh.listen_port'] !== 0 && role !== 'worker'
  const log = openLog(config['log.level'])
  const stopSsh = hasSsh ? await superviseSsh(config, log) : async () => undefined
  let isEnding = false
  // A node is ready when all its processes are: a client that waited for readiness gets an answer from any of them.
  const serving = new Set<number>()
  cluster.on('message', ({ id }, message) => {
    if (message !== SERVES || serving.size === workers) return
    if (serving.add(id).size === workers) sayServing(log, config, options)
  })
  for (let i = 0; i < workers; i++) cluster.fork()
  cluster.on('exit', ({ id, process: { pid } }, code, signal) => {
    const hasServed = serving.size > 0
    if (serving.size < workers) serving.delete(id)
    if (isEnding) return
    // Of a process that fails before any has served, the mistake is in the settings: the next one would make it again.
    if (code === 1 && !hasServed) {
      process.exitCode = 1
      return aside(log, end())
    }
    log.error(
      { 'process.pid': pid, 'process.code': code, 'process.signal': signal },
      'process of node exited',
    )
    setTimeout(() => !isEnding && cluster.fork(), RESTART_PAUSE_MS)
  })
  const end = async () => {
    isEnding = true
    const ended = Promise.all(listWorkers().map((worker) => once(worker, 'exit')))
    stopWorkers()
    aside(log, stopSsh())
    await ended
  }
  onEnd(end, killWorkers)
}

/** Starts sshd as soon as there is a process that answers it. */
async function superviseSsh(config: Config, log: Logger): Promise<() => Promise<void>> {
  const store = await openObjectStore(storeOptions(config))
  await layOutFolder({ config, store, seal: sealOf(config) })
  await store.close()
  const isGate = (address: { addressType: string | number }) => Number(address.addressType) === UNIX_SOCKET
  const { promise: isAnswered, resolve } = Promise.withResolvers<void>()
  cluster.on('listening', (_worker, address) => isGate(address) && resolve())
  let sshd: Sshd | undefined
  const start = async () => {
    await isAnswered
    sshd = await startSshd(config, log)
  }
  start().catch((error: unknown) => {
    log.error({ err: error }, 'sshd start failed')
    process.exitCode = 1
    process.kill(process.pid, 'SIGTERM')
  })
  // The processes wait as long before they stop, and answer sshd until its last connection has ended.
  return async () => {
    await sleep(config['http.drain_ms'])
    await sshd?.stop()
    await sshd?.ended()
    tellSshEnded()
  }
}
