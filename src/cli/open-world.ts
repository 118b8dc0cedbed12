/** Opens everything one process shares, and closes it again in reverse. */
import { hearersOf } from '#events/consumer'
import { GitCache, Starter } from '#git'
import { openBus } from '#platform/bus'
import type { Config } from '#platform/config'
import type { World } from '#platform/context'
import { type DbOptions, openDb, openPool, type Pool } from '#platform/db'
import { type Logger, openLog } from '#platform/log'
import { type ObjectStoreOptions, openObjectStore } from '#platform/object-store'
import { openOutbound } from '#platform/outbound'
import { openSeal, type Seal } from '#platform/seal'
import { siteOf } from '#platform/site'
import { openTelemetry } from '#platform/telemetry'
import { VERSION } from '#platform/version'
import { consumers as allConsumers } from './forge.ts'

export interface OpenWorld {
  readonly world: World
  readonly pool: Pool
  close(): Promise<void>
}

export interface WorldOptions {
  readonly listening: { host: string; port: number }
  readonly log?: Logger
  readonly now?: () => Date
  readonly consumers?: typeof allConsumers
  readonly onQuery?: (sql: string) => void
  /** Where this process keeps copies of repositories: two processes must not share one. */
  readonly cacheFolder?: string
}

const CONNECT_TIMEOUT_MS = 5_000
const REDIRECTS_MAX = 5

export async function openWorld(config: Config, options: WorldOptions): Promise<OpenWorld> {
  const log = options.log ?? openLog(config['log.level'])
  const telemetry = await openTelemetry({ otlpUrl: config['telemetry.otlp_url'], version: VERSION })
  const pool = openPool(databaseOptions(config, log))
  const db = openDb(pool, (sql, ms) => {
    telemetry.querySeconds.record(ms / 1000)
    options.onQuery?.(sql)
  })
  const store = await openObjectStore(storeOptions(config))
  const bus = await openBus({ log, ...(config['bus.nats_url'] ? { url: config['bus.nats_url'] } : {}) })
  const cache = new GitCache({
    folder: options.cacheFolder ?? config['git.cache_folder'],
    bytesMax: config['git.cache_bytes_max'],
  })
  await cache.open()
  const starter = await Starter.open(log)
  const outbound = openOutbound({
    allowPrivate: config['outbound.allow_private'],
    timeoutMs: config['outbound.timeout_ms'],
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    answerBytesMax: config['outbound.answer_bytes_max'],
    redirectsMax: REDIRECTS_MAX,
  })
  const world: World = {
    db,
    // biome-ignore lint/plugin: the clock of the world is read here and nowhere else
    now: options.now ?? (() => new Date()),
    log,
    config,
    site: siteOf(config, options.listening),
    seal: sealOf(config),
    store,
    outbound,
    bus,
    telemetry,
    cache,
    starter,
    hearers: hearersOf(options.consumers ?? allConsumers),
  }
  return {
    world,
    pool,
    async close() {
      await starter.close()
      await bus.close()
      await outbound.close()
      await store.close()
      await db.destroy()
      await telemetry.close()
    },
  }
}

export function databaseOptions(config: Config, log: Logger): DbOptions {
  return {
    url: config['database.url'],
    poolMax: config['database.pool_max'],
    connectTimeoutMs: config['database.connect_timeout_ms'],
    statementTimeoutMs: config['database.statement_timeout_ms'],
    onError: (error) => log.warn({ err: error }, 'database connection broke'),
  }
}

export function sealOf(config: Config): Seal {
  return openSeal(config['secrets.keys'].split(',').filter((key) => key !== ''))
}

export function storeOptions(config: Config): ObjectStoreOptions {
  if (config['store.driver'] === 'disk') return { driver: 'disk', folder: config['store.folder'] }
  return {
    driver: 's3',
    endpoint: config['store.endpoint'],
    region: config['store.region'],
    bucket: config['store.bucket'],
    accessKeyId: config['store.access_key_id'],
    secretAccessKey: config['store.secret_access_key'],
    requestTimeoutMs: config['store.timeout_ms'],
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
  }
}
