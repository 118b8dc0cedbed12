/** `bloomery migrate`: brings the database up to this version. Safe to run on every node at once. */
import { migrateJobs } from '#jobs'
import { loadConfig } from '#platform/config'
import { openPool } from '#platform/db'
import { openLog } from '#platform/log'
import { migrate } from '#platform/migrate'
import { databaseOptions } from '../open-world.ts'
import { tell } from '../say.ts'

export async function migrateCommand(file: string | undefined): Promise<void> {
  const config = loadConfig(file === undefined ? {} : { file }).values
  const pool = openPool(databaseOptions(config, openLog(config['log.level'])))
  try {
    const applied = await migrate(pool)
    await migrateJobs(pool)
    for (const name of applied) tell(`applied ${name}`)
    tell(applied.length === 0 ? 'the database is up to date' : 'done')
  } finally {
    await pool.end()
  }
}
