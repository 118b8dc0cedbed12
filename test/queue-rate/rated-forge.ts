/** A durable forge with nodes as processes, whose queue, statements and CPU time can be read. */
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { startPostgres } from '../../src/cli/postgres.ts'
import { childrenOf, environmentOf, spentByTreeMs } from '../../tools/bench/processes.ts'
import { type TriedForge, tryForge } from '../try-forge.ts'
import { Meter, STATEMENTS } from './meter.ts'
import { Queue } from './queue.ts'

export interface ForgeOptions {
  readonly nodes: number
  readonly store: 'disk' | 's3'
  /** Other settings of the nodes. */
  readonly settings?: readonly string[]
}

/** Usage since the forge started. */
export interface Usage {
  readonly statements: number
  readonly unit: string
  readonly postgresMs: number
  readonly nodesMs: number
}

export class RatedForge implements AsyncDisposable {
  readonly meter: Meter
  readonly queue: Queue
  readonly tried: TriedForge
  private readonly nodes: readonly number[]
  private readonly postgres: number
  private readonly disposal: AsyncDisposableStack

  static async open({ nodes, store, settings = [] }: ForgeOptions): Promise<RatedForge> {
    await using opening = new AsyncDisposableStack()
    const data = await mkdtemp(join(tmpdir(), 'bloomery-rate-'))
    opening.defer(() => rm(data, { recursive: true, force: true }))
    // PostgreSQL runs as its own user, which must be able to traverse to its folder.
    await chmod(data, 0o711)
    await countStatementsIn(join(data, 'postgres'))
    const flags = ['--data', data, '--nodes', String(nodes), '--store', store, '--log-level', 'error']
    for (const it of settings) flags.push('--set', it)
    const tried = opening.use(await tryForge(flags))
    const pids = await childrenOf(tried.pid, 'serve')
    const [postgres] = await childrenOf(tried.pid, 'postgres')
    if (pids[0] === undefined || postgres === undefined) throw new Error('the forge has no node')
    const { BLOOMERY_DATABASE_URL: url = '' } = await environmentOf(pids[0])
    const meter = opening.use(await Meter.open(url))
    const queue = new Queue(meter)
    return new RatedForge({ meter, queue, tried, nodes: pids, postgres, disposal: opening.move() })
  }

  private constructor(parts: {
    meter: Meter
    queue: Queue
    tried: TriedForge
    nodes: readonly number[]
    postgres: number
    disposal: AsyncDisposableStack
  }) {
    this.meter = parts.meter
    this.queue = parts.queue
    this.tried = parts.tried
    this.nodes = parts.nodes
    this.postgres = parts.postgres
    this.disposal = parts.disposal
  }

  async usage(): Promise<Usage> {
    const { count, unit } = await this.meter.countStatements()
    const nodesMs = await Promise.all(this.nodes.map((pid) => spentByTreeMs(pid)))
    return {
      statements: count,
      unit,
      postgresMs: await spentByTreeMs(this.postgres, [this.meter.pid]),
      nodesMs: nodesMs.reduce((sum, ms) => sum + ms, 0),
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.disposal.disposeAsync()
  }
}

/** The library that counts statements is loaded when the server starts, so the cluster is created first. */
async function countStatementsIn(folder: string): Promise<void> {
  await mkdir(folder)
  const server = await startPostgres({ folder, isDurable: true })
  const client = new Client(server.url('postgres'))
  try {
    await client.connect()
    const found = await client.query('select 1 from pg_available_extensions where name = $1', [STATEMENTS])
    if (found.rowCount !== 0)
      await client.query(`alter system set shared_preload_libraries = '${STATEMENTS}'`)
  } finally {
    await client.end()
    await server.stop()
  }
}
