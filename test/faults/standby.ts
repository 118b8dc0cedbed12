/** An asynchronous standby of a forge's PostgreSQL: made by pg_basebackup, cut off, promoted. */
import { execFile } from 'node:child_process'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Db, openDb } from '#platform/db'
import { openPool, type Pool } from '#platform/pool'
import { asServerUser, findBinaries, giveToServer, startPostgres } from '../../src/cli/postgres.ts'
import { until } from '../attacks/kit/faults.ts'
import type { ChaosForge } from '../chaos/chaos-forge.ts'

const run = promisify(execFile)
const DATABASE = 'bloomery'
const PREPARED_MAX = 100

export class Standby implements AsyncDisposable {
  /** Direct connection; writable once it is promoted. */
  readonly db: Db
  readonly socket: string
  readonly url: string
  private readonly pool: Pool
  private readonly stop: () => Promise<void>

  private constructor(folder: string, url: string, stop: () => Promise<void>) {
    this.url = url
    this.socket = join(folder, 'run/.s.PGSQL.5432')
    this.pool = openPool({ url, poolMax: 4, connectTimeoutMs: 20_000, statementTimeoutMs: 60_000 })
    this.db = openDb(this.pool, { preparedMax: PREPARED_MAX })
    this.stop = stop
  }

  /** Follows the forge's primary from now on. */
  static async open(forge: ChaosForge): Promise<Standby> {
    const folder = join(forge.folder, 'standby')
    await mkdir(folder)
    await giveToServer(folder)
    const [program, ...args] = asServerUser(join(await findBinaries(), 'pg_basebackup'))
    const primary = join(forge.folder, 'postgres/run')
    const copy = ['-h', primary, '-U', 'postgres', '-D', join(folder, 'data')]
    await run(program, [...args, ...copy, '--write-recovery-conf', '--checkpoint=fast', '--no-sync'])
    const server = await startPostgres({ folder, isDurable: false, mayHaveStandby: true })
    return new Standby(folder, server.url(DATABASE), () => server.stop())
  }

  /** Waits until it has everything the primary has committed. */
  async catchUp(primary: Pool): Promise<void> {
    const { rows } = await primary.query<{ lsn: string }>('select pg_current_wal_lsn()::text as lsn')
    const sql = 'select pg_last_wal_replay_lsn() >= $1::pg_lsn as reached'
    await until('the standby has caught up', async () => {
      const answer = await this.pool.query<{ reached: boolean }>(sql, [rows[0]?.lsn])
      return answer.rows[0]?.reached ?? false
    })
  }

  /** Commits of the primary from now on never arrive here. */
  async cutOff(): Promise<void> {
    await this.pool.query(`alter system set primary_conninfo = ''`)
    await this.pool.query('select pg_reload_conf()')
    await until('the standby follows nobody', async () => {
      const { rows } = await this.pool.query('select 1 from pg_stat_wal_receiver')
      return rows.length === 0
    })
  }

  /** It is the primary from now on. */
  async promote(): Promise<void> {
    await this.pool.query('select pg_promote()')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.db.destroy()
    if (!this.pool.ended) await this.pool.end()
    await this.stop()
  }
}

/** Kills the primary and all its processes with SIGKILL, so that none of them commits anything more. */
export async function killPrimary(forge: ChaosForge): Promise<void> {
  const file = await readFile(join(forge.folder, 'postgres/data/postmaster.pid'), 'utf8')
  const postmaster = Number(file.split('\n')[0])
  const children = await readFile(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8')
  for (const pid of [postmaster, ...children.trim().split(' ').map(Number)])
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has just exited itself.
    }
}
