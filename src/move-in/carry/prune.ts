/** Deletes rows that are gone from the source since the last pass, the last steps first: others refer to the first. */
import { sql } from 'kysely'
import { transact } from '#platform/context'
import type { Carry, Move, Step } from './carry.ts'
import { fromOf, isThere } from './run-step.ts'

const RANGE = 5_000

export async function prune(move: Move, steps: readonly Step[]): Promise<void> {
  const carries = steps.filter((step) => step.kind === 'carry' && isPrunable(step)) as Carry[]
  const tables = Map.groupBy(carries, ({ into }) => into)
  for (const [table, group] of [...tables].reverse()) await pruneTable(move, table, group)
}

/** Rows under an id of the source. A carry that only completes rows of another one writes none. */
function isPrunable({ key, isReplaced, name }: Carry): boolean {
  return key === undefined && !isReplaced && !name.includes('.')
}

async function pruneTable(move: Move, table: string, carries: readonly Carry[]): Promise<void> {
  const sources = carries.filter((it) => isThere(move, it))
  for (let after = 0; ; ) {
    const { rows } = await sql<{ id: number }>`
      select id from ${sql.table(table)} where id > ${after} order by id limit ${RANGE}`.execute(move.ctx.db)
    const ids = rows.map(({ id }) => Number(id))
    const last = ids.at(-1)
    if (last === undefined) return
    const there = new Set<number>()
    for (const { from } of sources) {
      const found = await move.source.rows(
        `select part.id from ${fromOf(from)} where part.id > ${after} and part.id <= ${last}`,
      )
      for (const { id } of found) there.add(Number(id))
    }
    const gone = ids.filter((id) => !there.has(id))
    if (gone.length > 0)
      await transact(move.ctx, async (ctx) => {
        await sql`delete from ${sql.table(table)} where id = any(${gone}::bigint[])`.execute(ctx.db)
      })
    after = last
  }
}
