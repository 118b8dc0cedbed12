/** What pushes cost: counted by PostgreSQL, by the nodes and by /proc, since the forge started. */
import type { RatedForge, Usage } from '../queue-rate/rated-forge.ts'

/** Sums of all nodes. */
export interface Costs {
  readonly usage: Usage
  readonly jobs: number
  readonly walBytes: number
  /** Of tables and indexes, with space that deleted rows have left. */
  readonly databaseBytes: number
  /** Inserted and not deleted. */
  readonly rows: number
  /** Operations of the object store by name. */
  readonly store: Readonly<Record<string, number>>
  readonly gitProcesses: number
  /** Calls of each statement, if PostgreSQL counts them. */
  readonly calls: ReadonlyMap<string, number>
}

/** `ports`: the operations ports of the nodes. */
export async function readCosts(forge: RatedForge, ports: readonly number[]): Promise<Costs> {
  const { meter, queue } = forge
  const texts = await Promise.all(
    ports.map(async (port) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()),
  )
  const lines = texts.flatMap((text) => text.split('\n'))
  const store: Record<string, number> = {}
  for (const line of lines) {
    const [, operation, count] = /^bloomery_store_seconds_count\{operation="(\w+)"\} (\S+)/.exec(line) ?? []
    if (operation !== undefined) store[operation] = (store[operation] ?? 0) + Number(count)
  }
  const [database] = await meter.query<{ wal: number; size: number; rows: number }>(
    `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as wal,
        pg_database_size(current_database())::float8 as size,
        (select sum(n_tup_ins - n_tup_del)::float8 from pg_stat_user_tables) as rows`,
  )
  return {
    usage: await forge.usage(),
    jobs: await queue.countFinished(),
    walBytes: database?.wal ?? 0,
    databaseBytes: database?.size ?? 0,
    rows: database?.rows ?? 0,
    store,
    gitProcesses: sumOf(lines, /^bloomery_git_processes_total\S* (\S+)/),
    calls: await meter.countCalls(),
  }
}

function sumOf(lines: readonly string[], pattern: RegExp): number {
  return lines.reduce((sum, line) => sum + Number(pattern.exec(line)?.[1] ?? 0), 0)
}
