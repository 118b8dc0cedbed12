/** Opens everything one process shares, and closes it in reverse order. */

import { Dispatcher } from '#domains/actions/runners'
import { KnownWorkflows } from '#domains/actions/triggers'
import { SignatureChecks } from '#domains/code/contents'
import { TokenUse } from '#domains/code/keys'
import { countLfsBytes } from '#domains/code/lfs'
import { countPacks, describeStorage } from '#domains/code/repositories'
import { Acknowledged, tellLosses } from '#domains/instance/audit'
import { OpenRequests } from '#domains/people/users'
import { HeldBodies } from '#domains/remotes/transport'
import { MergeLines } from '#domains/review/merges'
import { Live } from '#domains/work/notifications'
import { subscribersOf } from '#events/consumer'
import { handlersBySubject } from '#events/handler'
import {
  AdvertisementCache,
  Compactions,
  claimCacheFolder,
  GitCache,
  GitMetrics,
  Places,
  Rations,
  ReadAnswers,
  Spawner,
  Turns,
} from '#git'
import { Hints } from '#jobs'
import { openBus } from '#platform/bus'
import { ClientUse } from '#platform/client-use'
import { Clock } from '#platform/clock'
import type { Config } from '#platform/config'
import type { World } from '#platform/context'
import { openDb } from '#platform/db'
import { type Logger, openLog } from '#platform/log'
import { meterStore, type ObjectStoreOptions, openObjectStore } from '#platform/object-store'
import { OperatorError } from '#platform/operator-error'
import { openOutbound } from '#platform/outbound'
import { keysRefusal, openSeal, type Seal } from '#platform/seal'
import { siteOf } from '#platform/site'
import { openTelemetry, type Telemetry } from '#platform/telemetry'
import { VERSION } from '#platform/version'
import { attachablesByKind, consumersOf, payloadsByType, type Slice } from '#slices'
import { slices as allSlices } from './forge.ts'
import { askTime, type Database, openDatabase } from './open-database.ts'

export interface OpenWorld {
  readonly world: World
  readonly database: Database
  /** What jobs have separately from requests. */
  readonly forJobs: Pick<World, 'db' | 'transactions' | 'turns'>
  close(): Promise<void>
}

export interface WorldOptions {
  readonly listening: { host: string; port: number }
  readonly log?: Logger
  /** In place of PostgreSQL's time. */
  readonly now?: () => Date
  readonly machineClock?: () => number
  /** All slices of the forge when absent. */
  readonly slices?: readonly Slice[]
  readonly onQuery?: (sql: string) => void
  /** Where this process claims its cache folder. */
  readonly cacheFolder?: string
}

const CONNECT_TIMEOUT_MS = 5_000
const REDIRECTS_MAX = 5
const TELEMETRY_CLOSE_MS = 1_000
const FREE_OF_REFS = 2
const S3_NEEDS = ['store.endpoint', 'store.bucket', 'store.access_key_id', 'store.secret_access_key'] as const
/** Jobs have no waiting user. */
const JOB_TURN_MS = 120_000

export async function openWorld(config: Config, options: WorldOptions): Promise<OpenWorld> {
  const { slices = allSlices } = options
  const log = options.log ?? openLog(config['log.level'])
  const telemetry = await openTelemetry({ otlpUrl: config['telemetry.otlp_url'], version: VERSION, log })
  const database = openDatabase(config, log, (sql, ms) => {
    telemetry.querySeconds.record(ms / 1000)
    options.onQuery?.(sql)
  })
  const clock = clockOf(database, log, options)
  const now = options.now ?? (() => clock.now())
  const jobHints = new Hints()
  const store = meterStore(await openObjectStore(storeOptions(config)), telemetry)
  const bus = await openBus({ log, ...(config['bus.nats_url'] ? { url: config['bus.nats_url'] } : {}) })
  const claimed = await claimCacheFolder(options.cacheFolder ?? config['git.cache_folder'])
  const spawner = await Spawner.open(log)
  const outbound = openOutbound(outboundOptions(config, telemetry))
  const world: World = {
    db: database.db,
    transactions: database.transactions,
    now,
    clock,
    timeline: database.timeline,
    log,
    config,
    site: siteOf(config, options.listening),
    seal: sealOf(config),
    store,
    outbound,
    bus,
    telemetry,
    cache: await openCache(claimed.folder, config),
    describeStorage,
    countPacks,
    spawner,
    turns: turnsOf(config, config['database.transactions_max'], config['database.lock_timeout_ms']),
    ...countersOf(config, database, now, log),
    ...emptyMemory(telemetry),
    live: new Live({ bus, db: database.db, config, log, topics: slices.flatMap((it) => it.topics) }),
    dispatcher: new Dispatcher(),
    jobHints,
    subscribers: subscribersOf(consumersOf(slices)),
    handlers: handlersBySubject(slices.flatMap((it) => it.handlers)),
    payloads: payloadsByType(slices.flatMap((it) => it.webhooks)),
    attachables: attachablesByKind(slices.flatMap((it) => it.attachables)),
    linkers: slices.flatMap((it) => it.linkers),
    followers: slices.flatMap((it) => it.followers),
  }
  tellLosses(world)
  return {
    world,
    database,
    forJobs: forJobs(config, database),
    async close() {
      clock.close()
      jobHints.stop()
      closeTimers(world)
      await spawner.close()
      await bus.close()
      await outbound.close()
      await store.close()
      await database.close()
      await closeSoon(telemetry)
      await claimed.close()
    },
  }
}

function closeTimers(world: World): void {
  world.places.close()
  world.openRequests.close()
  world.tokenUse.close()
  world.dispatcher.close()
}

/** A collector that does not answer gets no last spans, and delays no stop. */
async function closeSoon(telemetry: Telemetry): Promise<void> {
  const { promise: isLate, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, TELEMETRY_CLOSE_MS)
  await Promise.race([telemetry.close(), isLate])
  clearTimeout(timer)
}

function forJobs(config: Config, { jobs }: Database): OpenWorld['forJobs'] {
  return { db: jobs, transactions: jobs, turns: turnsOf(config, config['database.jobs_max'], JOB_TURN_MS) }
}

/** The pool of the queue is the one that requests never exhaust. */
function countersOf(config: Config, { queue }: Database, now: () => Date, log: Logger) {
  const db = openDb(queue)
  const clientUse = new ClientUse(db, log)
  return {
    clientUse,
    places: new Places(config, new Rations(config, db, log), clientUse),
    openRequests: new OpenRequests(db, log),
    tokenUse: new TokenUse(db, now, log),
  }
}

/** In-memory state of a node, lost when it ends. */
function emptyMemory(telemetry: Telemetry) {
  return {
    gitMetrics: new GitMetrics(telemetry),
    acknowledged: new Acknowledged(),
    advertisements: new AdvertisementCache(),
    compactions: new Compactions(),
    readAnswers: new ReadAnswers(),
    gitBodies: new HeldBodies(),
    lfsBytes: countLfsBytes(telemetry),
    signatureChecks: new SignatureChecks(),
    mergeLines: new MergeLines(),
    knownWorkflows: new KnownWorkflows(),
  }
}

function clockOf({ pool, timeline }: Database, log: Logger, { machineClock }: WorldOptions): Clock {
  return new Clock({
    ask: () => askTime(pool, timeline),
    log,
    ...(machineClock && { machine: machineClock }),
  })
}

function outboundOptions(config: Config, telemetry: Telemetry): Parameters<typeof openOutbound>[0] {
  return {
    allowPrivate: config['outbound.allow_private'],
    timeoutMs: config['outbound.timeout_ms'],
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    answerBytesMax: config['outbound.answer_bytes_max'],
    redirectsMax: REDIRECTS_MAX,
    traceparent: () => telemetry.traceparent(),
  }
}

async function openCache(folder: string, config: Config): Promise<GitCache> {
  const { 'git.cache_bytes_max': bytesMax, 'git.answers_bytes_max': answersBytesMax } = config
  const cache = new GitCache({ folder, bytesMax, answersBytesMax })
  await cache.open()
  return cache
}

/** Leaves connections for transactions that move no refs, and lets no repository take all the others. */
function turnsOf(config: Config, connections: number, waitMs: number): Turns {
  const atOnce = config['git.writers_max']
  return new Turns({
    atOnce,
    atOnceInAll: Math.max(atOnce + 1, connections - FREE_OF_REFS),
    waitingMax: config['git.writers_waiting_max'],
    waitMs,
  })
}

export function sealOf(config: Config): Seal {
  const keys = keysOf(config)
  const refusal = keysRefusal(keys)
  if (refusal !== undefined) throw new OperatorError(refusal)
  return openSeal(keys)
}

export function keysOf(config: Config): string[] {
  return config['secrets.keys'].split(',').filter((key) => key !== '')
}

export function storeOptions(config: Config): ObjectStoreOptions {
  if (config['store.driver'] === 'disk') return { driver: 'disk', folder: config['store.folder'] }
  for (const name of S3_NEEDS)
    if (config[name] === '') throw new OperatorError(`${name}: is empty; the S3 service needs it`)
  return {
    driver: 's3',
    endpoint: config['store.endpoint'],
    publicEndpoint: config['store.public_endpoint'],
    region: config['store.region'],
    bucket: config['store.bucket'],
    accessKeyId: config['store.access_key_id'],
    secretAccessKey: config['store.secret_access_key'],
    requestTimeoutMs: config['store.timeout_ms'],
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
  }
}
