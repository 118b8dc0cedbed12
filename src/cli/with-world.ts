/** For commands that need the forge, or only its database or store, briefly: opens it, runs them, closes it. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Config } from '#platform/config'
import type { Context } from '#platform/context'
import { openLog } from '#platform/log'
import { schemaRefusal } from '#platform/migrate'
import { type ObjectStore, openObjectStore } from '#platform/object-store'
import { OperatorError } from '#platform/operator-error'
import { openPool, type Pool } from '#platform/pool'
import { openCommandLog } from './command-log.ts'
import { loadConfig } from './load-config.ts'
import { databaseOptions } from './open-database.ts'
import { openWorld, storeOptions } from './open-world.ts'

export async function withWorld<T>(
  file: string | undefined,
  work: (ctx: Context, pool: Pool) => Promise<T>,
): Promise<T> {
  const config = loadConfig(file === undefined ? {} : { file }).values
  const listening = { host: config['http.host'], port: config['http.port'] }
  // A node may be running with the configured folder.
  const cacheFolder = await mkdtemp(join(tmpdir(), 'bloomery-command-'))
  const open = await openWorld(config, { listening, cacheFolder, log: openCommandLog(config) })
  try {
    const refusal = await schemaRefusal(open.database.pool)
    if (refusal !== undefined) throw new OperatorError(refusal)
    await open.world.clock.start()
    return await work(
      { ...open.world, actor: null, signal: new AbortController().signal },
      open.database.pool,
    )
  } finally {
    await open.close()
    await rm(cacheFolder, { recursive: true, force: true })
  }
}

export async function withDatabase<T>(
  config: Config,
  work: (pool: Pool) => Promise<T>,
  poolMax = 1,
): Promise<T> {
  const pool = openPool({ ...databaseOptions(config, openLog('silent')), poolMax })
  try {
    return await work(pool)
  } finally {
    await pool.end()
  }
}

export async function withStore<T>(config: Config, work: (store: ObjectStore) => Promise<T>): Promise<T> {
  const store = await openObjectStore(storeOptions(config))
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}
