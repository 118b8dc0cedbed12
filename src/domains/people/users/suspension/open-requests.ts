/**
 * Requests and sessions in progress on this node, by account. Each request checks access when it begins and before it
 * changes something; a download, a stream of events or an SSH session may last for hours in between. Every two seconds
 * one statement asks for all of their accounts, and ends those of accounts that may not act any more.
 */
import { sql } from 'kysely'
import type { Db } from '#platform/db'
import { aside, type Logger } from '#platform/log'

declare module '#platform/context' {
  interface World {
    readonly openRequests: OpenRequests
  }
}

const CHECK_MS = 2_000
/** Shorter ones end by themselves. */
const LASTING_MS = 1_000

interface Entry {
  readonly accountId: number
  readonly begunAt: number
  readonly end: () => void
}

export class OpenRequests {
  readonly #db: Db
  readonly #log: Logger
  readonly #open = new Set<Entry>()
  readonly #timer: NodeJS.Timeout
  #isChecking = false

  /** `db`: connections that requests never exhaust. */
  constructor(db: Db, log: Logger) {
    this.#db = db
    this.#log = log
    this.#timer = setInterval(() => aside(log, this.#check()), CHECK_MS).unref()
  }

  close(): void {
    clearInterval(this.#timer)
  }

  /** Returns how to leave. `end` is called at most once, and disconnects the client. */
  enter(accountId: number, end: () => void): () => void {
    const entry = { accountId, begunAt: performance.now(), end }
    this.#open.add(entry)
    return () => {
      this.#open.delete(entry)
    }
  }

  async #check(): Promise<void> {
    const before = performance.now() - LASTING_MS
    const lasting = [...this.#open].filter(({ begunAt }) => begunAt < before)
    if (lasting.length === 0 || this.#isChecking) return
    this.#isChecking = true
    try {
      const stopped = await this.#findStopped([...new Set(lasting.map(({ accountId }) => accountId))])
      for (const entry of lasting) {
        if (!stopped.has(entry.accountId) || !this.#open.delete(entry)) continue
        this.#log.info({ account: { id: entry.accountId } }, 'request ended: account may not act any more')
        entry.end()
      }
    } finally {
      this.#isChecking = false
    }
  }

  async #findStopped(ids: readonly number[]): Promise<ReadonlySet<number>> {
    const { rows } = await sql<{ id: number }>`
      select id from unnest(${[...ids]}::bigint[]) as asked (id) where not exists (select from account
        where account.id = asked.id and is_active and not prohibits_login and not is_suspended)`.execute(
      this.#db,
    )
    return new Set(rows.map(({ id }) => Number(id)))
  }
}
