/** Compares the counters of storage with the rows that name the bytes, for some owners. */
import { sql } from 'kysely'
import type { Config } from '#platform/config'
import { openDb } from '#platform/db'
import { findDifferences } from '../usage/stored.ts'
import { withDatabase } from '../with-world.ts'
import { Warning } from './check.ts'

/** Enough to notice a way in that does not count; `bloomery usage recount` looks at all owners. */
const SAMPLE = 100
const NAMED_MAX = 3

export function lookAtUsage(config: Config): Promise<string> {
  return withDatabase(config, async (pool) => {
    const db = openDb(pool)
    const { rows } = await sql<{ id: number }>`
      (select id from account where id >= (select floor(random() * max(id)) from account) order by id limit ${SAMPLE / 2})
      union (select id from account order by id limit ${SAMPLE / 2})`.execute(db)
    const ids = rows.map(({ id }) => id)
    const differences = await findDifferences(db, ids)
    if (differences.length === 0) return `storage of ${ids.length} owners is counted right`
    const shown = differences
      .slice(0, NAMED_MAX)
      .map(({ owner, kind, counted, stored }) => `${kind} of ${owner} (${counted} counted, ${stored} stored)`)
    throw new Warning(
      `bytes are counted wrong: ${shown.join(', ')}; run \`bloomery usage recount\` while no version before this one runs`,
    )
  })
}
