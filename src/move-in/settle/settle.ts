/** What is computed from the rows, after all of them are here: counters, sequences, jobs that git has to do. */
import { sql } from 'kysely'
import { orderBackfill } from '#domains/review/pulls'
import { orderFollow } from '#domains/review/reviews'
import { type TxContext, transact } from '#platform/context'
import type { Task } from '../carry/carry.ts'
import { COUNTS } from './counts.ts'

const counts: Task = {
  kind: 'task',
  name: 'counters',
  async run({ ctx }) {
    for (const statement of COUNTS)
      await transact(ctx, async (ctx) => {
        await sql.raw(statement).execute(ctx.db)
      })
  },
}

/** New rows get ids above those that were moved in. */
const sequences: Task = {
  kind: 'task',
  name: 'sequences',
  run: ({ ctx }) => transact(ctx, setSequences),
}

async function setSequences({ db }: TxContext): Promise<void> {
  const { rows } = await sql<{ table: string; column: string; sequence: string }>`
    select c.relname as "table", a.attname as "column", pg_get_serial_sequence(c.oid::regclass::text, a.attname) as sequence
    from pg_attribute as a join pg_class as c on c.oid = a.attrelid
    where a.attidentity <> '' and c.relkind = 'r' and c.relnamespace = 'public'::regnamespace`.execute(db)
  for (const { table, column, sequence } of rows)
    await sql`select setval(${sequence}, greatest(last.id, 1), last.id > 0)
      from (select greatest(coalesce(max(${sql.ref(column)}), 0), (select case when is_called then last_value else 0 end from ${sql.raw(sequence)})) as id
        from ${sql.table(table)}) as last`.execute(db)
}

/** Merge bases, sizes and mergeability of pull requests, and the lines that remarks are on now. */
const jobs: Task = {
  kind: 'task',
  name: 'jobs',
  run: ({ ctx }) =>
    transact(ctx, async (ctx) => {
      const pulls = await sql<{
        repository_id: number
      }>`select distinct repository_id from pull_request`.execute(ctx.db)
      for (const { repository_id } of pulls.rows) await orderBackfill(ctx, { repository_id, after: 0 })
      const remarks = await sql<{ issue_id: number }>`
        select distinct issue_id from review_comment where current_head_oid = ''`.execute(ctx.db)
      for (const { issue_id } of remarks.rows) await orderFollow(ctx, issue_id)
    }),
}

export const settle = [counts, sequences, jobs]
