/**
 * Which clients ask for what, over all nodes, for the administration page. Anonymous clients are counted by address range.
 *
 * Each process counts in memory and adds its counts to `client_use` every few seconds, so a request takes no statement.
 * Counts are kept for an hour.
 */
import { sql } from 'kysely'
import type { Db } from '#platform/db'
import { aside, type Logger } from '#platform/log'
import type { Visitor } from '../visitor.ts'

declare module '#platform/db' {
  interface Tables {
    client_use: ClientUseRow & { since: Date }
  }
}

declare module '#platform/context' {
  interface World {
    readonly clientUse: ClientUse
  }
}

interface Counts {
  requests: number
  /** Answered with 401, 403 or 429. */
  refused: number
  git_ms: number
}

interface ClientUseRow extends Counts {
  lane: Visitor['lane']
  client: string
  route: string
}

export interface ClientSum extends Omit<ClientUseRow, 'route'> {
  /** Those that took most git time, then most requests. */
  readonly routes: readonly ({ readonly route: string } & Readonly<Counts>)[]
}

const SAVE_MS = 10_000
/** Pairs of client and route that a process counts and writes each time; all others are counted as one. */
const COUNTED_MAX = 5_000
const WRITTEN_MAX = 200
const OTHERS = { lane: 'nobody', client: 'others', route: 'others' } as const
/** Rows that are over are deleted, so many at a time. */
const SWEPT_MAX = 2_000
const CLIENTS_SHOWN = 50
const ROUTES_SHOWN = 5

export class ClientUse {
  private readonly db: Db
  private unsaved = new Map<string, ClientUseRow>()
  private readonly timer: NodeJS.Timeout

  constructor(db: Db, log: Logger) {
    this.db = db
    this.timer = setInterval(() => aside(log, this.save()), SAVE_MS).unref()
  }

  close(): void {
    clearInterval(this.timer)
  }

  count(visitor: Visitor, added: Partial<Counts>): void {
    const { lane, key, name = key, route = OTHERS.route } = visitor
    const row = this.rowOf({ lane, client: lane === 'nobody' ? rangeOf(key) : name, route })
    row.requests += added.requests ?? 0
    row.refused += added.refused ?? 0
    row.git_ms += added.git_ms ?? 0
  }

  private rowOf(named: Pick<ClientUseRow, 'lane' | 'client' | 'route'>): ClientUseRow {
    const key = `${named.lane} ${named.client} ${named.route}`
    const known = this.unsaved.get(key)
    if (known !== undefined) return known
    if (this.unsaved.size >= COUNTED_MAX && named !== OTHERS) return this.rowOf(OTHERS)
    const row = { ...named, requests: 0, refused: 0, git_ms: 0 }
    this.unsaved.set(key, row)
    return row
  }

  /** Adds the counts of this process to those of all. */
  async save(): Promise<void> {
    if (this.unsaved.size === 0) return
    const rows = mostOf([...this.unsaved.values()])
    this.unsaved = new Map()
    const column = (name: keyof ClientUseRow) => rows.map((row) => row[name])
    const ms = rows.map((row) => Math.round(row.git_ms))
    await sql`with swept as (delete from client_use where (since, lane, client, route) in (
        select since, lane, client, route from client_use where since < now() - interval '80 minutes'
          order by since limit ${SWEPT_MAX} for update skip locked))
      insert into client_use as kept (since, lane, client, route, requests, refused, git_ms)
      select date_bin('10 minutes', now(), '2000-01-01Z'), given.* from unnest(
        ${column('lane')}::text[], ${column('client')}::text[], ${column('route')}::text[],
        ${column('requests')}::bigint[], ${column('refused')}::bigint[], ${ms}::bigint[])
        as given (lane, client, route, requests, refused, git_ms) order by 2, 3, 4
      on conflict (since, lane, client, route) do update set requests = kept.requests + excluded.requests,
        refused = kept.refused + excluded.refused, git_ms = kept.git_ms + excluded.git_ms`.execute(this.db)
  }
}

/** The clients that used most git time in the last hour, then those with most requests. */
export async function listClients(db: Db): Promise<ClientSum[]> {
  const sums = sql`sum(requests)::bigint as requests, sum(refused)::bigint as refused, sum(git_ms)::bigint as git_ms`
  const { rows } = await sql<ClientSum>`
    with used as (select lane, client, route, ${sums} from client_use
      where since > now() - interval '70 minutes' group by lane, client, route),
    most as (select lane, client, ${sums} from used group by lane, client
      order by git_ms desc, requests desc, client limit ${CLIENTS_SHOWN})
    select most.*, (select json_agg(json_build_object('route', route, 'requests', requests,
        'refused', refused, 'git_ms', git_ms) order by git_ms desc, requests desc, route)
      from (select * from used where used.lane = most.lane and used.client = most.client
        order by git_ms desc, requests desc, route limit ${ROUTES_SHOWN}) as those) as routes
    from most order by git_ms desc, requests desc, client`.execute(db)
  return rows
}

/** A /24 of IPv4 or a /48 of IPv6: crawlers use many addresses of one provider. `network` is as `networkOf` gives it. */
export function rangeOf(network: string): string {
  if (!network.includes(':')) return network.replace(/\.\d+$/, '.0/24')
  return `${network.split(':').slice(0, 3).join(':')}::/48`
}

/** The rest is summed up in one row. */
function mostOf(rows: readonly ClientUseRow[]): ClientUseRow[] {
  const sorted = rows.toSorted((a, b) => b.git_ms - a.git_ms || b.requests - a.requests)
  const most = sorted.slice(0, WRITTEN_MAX).filter((row) => row.client !== OTHERS.client)
  const others: ClientUseRow = { ...OTHERS, requests: 0, refused: 0, git_ms: 0 }
  for (const row of rows.filter((it) => !most.includes(it))) {
    others.requests += row.requests
    others.refused += row.refused
    others.git_ms += row.git_ms
  }
  return others.requests + others.git_ms === 0 ? most : [...most, others]
}
