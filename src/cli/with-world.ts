/** For commands that need the forge briefly: opens it, runs them, closes it. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Context } from '#platform/context'
import { schemaRefusal } from '#platform/migrate'
import { OperatorError } from '#platform/operator-error'
import type { Pool } from '#platform/pool'
import { openCommandLog } from './command-log.ts'
import { loadConfig } from './load-config.ts'
import { openWorld } from './open-world.ts'

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
