/** A check of `bloomery doctor`, and what checks share. */
import type { Config } from '#platform/config'
import { openLog } from '#platform/log'
import { type ObjectStore, openObjectStore } from '#platform/object-store'
import { openPool, type Pool } from '#platform/pool'
import { databaseOptions } from '../open-database.ts'
import { storeOptions } from '../open-world.ts'

export interface Check {
  readonly name: string
  /** Checks without which this one says nothing. */
  readonly needs?: readonly string[]
  /** Returns what is fine; throws an error that names the fault and its remedy, or a `Warning`. */
  readonly look: (config: Config) => Promise<string>
}

/** Worth an operator's attention; the forge works. */
export class Warning extends Error {}

export async function onDatabase<T>(
  config: Config,
  look: (pool: Pool) => Promise<T>,
  poolMax = 1,
): Promise<T> {
  const pool = openPool({ ...databaseOptions(config, openLog('silent')), poolMax })
  try {
    return await look(pool)
  } finally {
    await pool.end()
  }
}

export async function onStore<T>(config: Config, look: (store: ObjectStore) => Promise<T>): Promise<T> {
  const store = await openObjectStore(storeOptions(config))
  try {
    return await look(store)
  } finally {
    await store.close()
  }
}
