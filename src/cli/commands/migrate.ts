/** `bloomery migrate`: migrates the database to this version. Safe to run on every node at once. */
import { migrate } from '#platform/migrate'
import { openPool } from '#platform/pool'
import { openCommandLog } from '../command-log.ts'
import { loadConfig } from '../load-config.ts'
import { databaseOptions } from '../open-database.ts'
import { assertPostgres } from '../requirements.ts'
import { tell } from '../say.ts'

/** A change of a large table takes long; the client must wait as long as the server works. */
const MIGRATION_MS_MAX = 86_400_000

export async function migrateCommand(file: string | undefined): Promise<void> {
  const config = loadConfig(file === undefined ? {} : { file }).values
  const options = databaseOptions(config, openCommandLog(config))
  const pool = openPool({ ...options, statementTimeoutMs: MIGRATION_MS_MAX })
  try {
    await assertPostgres(pool)
    const applied = await migrate(pool, undefined, { onWait: tell })
    for (const name of applied) tell(`applied ${name}`)
    tell(applied.length === 0 ? 'database is up to date' : 'done')
  } finally {
    await pool.end()
  }
}
