/** The connection on which a worker is notified of jobs that other processes added. */
import type { Context } from '#platform/context'
import type { Pool, PoolClient } from '#platform/pool'
import { CHANNEL } from './hints.ts'

export class Listener {
  private readonly ctx: Context
  private readonly pool: Pool
  private readonly hear: (kind: string) => void
  private client: PoolClient | undefined

  constructor(ctx: Context, pool: Pool, hear: (kind: string) => void) {
    this.ctx = ctx
    this.pool = pool
    this.hear = hear
  }

  /** Opens the connection, also after it broke. */
  async listen(): Promise<void> {
    if (this.client !== undefined) return
    const client = await this.pool.connect()
    this.client = client
    client.on('error', (error) => this.drop(client, error))
    client.on('notification', ({ payload }) => this.hear(payload ?? ''))
    try {
      await client.query(`listen ${CHANNEL}`)
    } catch (error) {
      this.drop(client, error as Error)
    }
  }

  async stop(): Promise<void> {
    const { client } = this
    if (client !== undefined) this.drop(client)
  }

  private drop(client: PoolClient, error?: Error): void {
    if (this.client !== client) return
    this.client = undefined
    client.removeAllListeners('notification')
    client.release(true)
    if (error) this.ctx.log.warn({ err: error }, 'queue listener lost its connection')
  }
}
