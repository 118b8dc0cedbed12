/** The context of one request, job or command. Made at the edge, passed first, never global. */
import { AbortedTransactionError } from 'kysely'
import type { Bus } from '#platform/bus'
import type { Clock } from '#platform/clock'
import type { Config } from '#platform/config'
import { type Db, FOREIGN_KEY_VIOLATION, isOutdated, readOnly, sqlStateOf, type Tx } from '#platform/db'
import type { Logger } from '#platform/log'
import type { ObjectStore } from '#platform/object-store'
import type { OutboundClient } from '#platform/outbound'
import { Problem } from '#platform/problem'
import type { Seal } from '#platform/seal'
import type { Site } from '#platform/site'
import type { Telemetry } from '#platform/telemetry'
import type { Timeline } from '#platform/timeline'
import type { AuditEntry, TransactionEnd } from './audit-entry.ts'
import type { Visitor } from './visitor.ts'

export type { AuditEntry, TransactionEnd, Visitor }

/** The acting user. Roles are those at the time of the request; inside a transaction, those at its beginning. */
export interface Actor {
  readonly id: number
  readonly login: string
  readonly isAdmin: boolean
  readonly isRestricted: boolean
  /** The credential is limited to public resources. */
  readonly publicOnly: boolean
  /** How the caller authenticated: HTTP Basic, a token, a browser session, or as this process. */
  readonly via: 'basic' | 'token' | 'session' | 'process'
  readonly tokenId: number | null
}

/** What one process shares between all its requests and jobs. Assembled once, in main. */
export interface World {
  readonly db: Db
  /** Separate connections, so that transactions waiting for each other do not block reads: see `transact`. */
  readonly transactions: Db
  /** PostgreSQL's time, which all nodes share: see `clock`. */
  readonly now: () => Date
  readonly clock: Clock
  /** Detects failovers of PostgreSQL: see `timeline`. */
  readonly timeline: Timeline
  readonly log: Logger
  readonly config: Config
  readonly site: Site
  readonly seal: Seal
  readonly store: ObjectStore
  readonly outbound: OutboundClient
  readonly bus: Bus
  readonly telemetry: Telemetry
  /** The consumers of each subject; `emit` names them in the job that delivers the event. */
  readonly subscribers: ReadonlyMap<string, readonly Subscriber[]>
}

export interface Subscriber {
  readonly name: string
  /** False for an event that the consumer ignores. */
  hears?(event: object): boolean
}

export interface Context extends World {
  readonly actor: Actor | null
  /** Absent in jobs and commands, which act for the forge itself. */
  readonly visitor?: Visitor
  readonly signal: AbortSignal
  /** Lookups already made for this page: see `once`. Absent in requests that change something. */
  readonly memo?: Map<string, Promise<unknown>>
  /** Nothing is changed: see `asDryRun`. */
  readonly isDryRun?: boolean
  /**
   * Checks access again and returns the current actor; throws when access was revoked. Minutes or hours may pass between
   * a request and its effect. Absent in jobs and commands.
   */
  readonly reopen?: (ctx: Context) => Promise<Actor | null>
  /** Hears which rights `open` needs, if a token asks: see `token-use`. */
  readonly needs?: (placeId: number, part: string, level: 'read' | 'write' | 'admin') => void
  /** The audit record of this operation: the first of its transactions that commits contains it. */
  readonly audit?: AuditEntry
}

/**
 * Memoizes lookups for one page view: a page calls several operations that open the same repository, which is then read
 * once and in one state. Never in a transaction, which reads for itself.
 */
export function once<T>(ctx: Context, key: string, ask: () => Promise<T>): Promise<T> {
  const { memo } = ctx
  if (memo === undefined || isInTransaction(ctx)) return ask()
  const known = memo.get(key)
  if (known !== undefined) return known as Promise<T>
  const asked = ask()
  memo.set(key, asked)
  return asked
}

/** The same context inside a transaction: `db` is the transaction, so no query can bypass it. */
export interface TxContext extends Context {
  readonly db: Tx
}

/** COMMIT was sent and no answer received: it may have been carried out, or not. */
export class OutcomeUnknown extends Problem {
  override readonly cause: unknown

  constructor(cause: unknown) {
    super('unavailable', 'outcome is unknown: check whether it was done before you try again')
    this.cause = cause
  }
}

/** The operation would have changed something. */
export class NotInDryRun extends Problem {
  constructor() {
    super('precondition', 'nothing is changed in a dry run')
  }
}

/** The same context for a dry run: it reads, and changes nothing. */
export function asDryRun(ctx: Context): Context {
  return { ...ctx, isDryRun: true, db: readOnly(ctx.db, () => new NotInDryRun()) }
}

/**
 * The same context for a transaction that only prepares the effect of an operation, with rows that are swept if the effect
 * never comes: such a transaction is not what the audit record is about.
 */
export function asPreparation({ audit: _, ...ctx }: Context): Context {
  return ctx
}

/** How long an access decision may be reused for reads. Writes are checked in their transaction. */
export const FRESH_MS = 1_000

/**
 * Serialization failures and deadlocks, which a retry resolves. A foreign key violation refers to a row deleted since it
 * was read: the retry does not find the row, and reports that.
 */
const GIVEN_UP = new Set(['40001', '40P01', FOREIGN_KEY_VIOLATION])
const TRIES_MAX = 4

/**
 * Runs `work` in one transaction, joining the caller's if there is one. Name its parameter `ctx`: the shadow hides the
 * outer handle, so no query can miss the transaction. Deadlocks, and references to rows deleted meanwhile, are retried,
 * so `work` must have no effects that a rollback does not undo. Invariant: a caller whose access was revoked since the
 * request began is refused here, so no verb can forget the check.
 */
export async function transact<T>(ctx: Context, work: (ctx: TxContext) => Promise<T>): Promise<T> {
  if (ctx.isDryRun) throw new NotInDryRun()
  if (isInTransaction(ctx)) return work(ctx)
  for (let tries = 1; ; tries++) {
    const acts: Act[] = []
    try {
      const result = await attempt(ctx, work, acts)
      for (const act of acts) act()
      return result
    } catch (error) {
      if (error instanceof OutcomeUnknown || tries === TRIES_MAX || !isWorthATry(error)) throw error
    }
  }
}

async function attempt<T>(ctx: Context, work: (ctx: TxContext) => Promise<T>, acts: Act[]): Promise<T> {
  let isCommitting = false
  let begun: Tx | undefined
  let end: TransactionEnd = 'rolled back'
  const last: (() => Promise<void>)[] = []
  try {
    const result = await ctx.transactions.transaction().execute(async (tx) => {
      afterwards.set(tx, acts)
      before.set(tx, last)
      begun = tx
      const result = await work(await reopened({ ...ctx, db: tx }))
      for (const write of last) await write()
      await ctx.audit?.writeIn(tx)
      isCommitting = true
      return result
    })
    end = 'committed'
    return result
  } catch (error) {
    if (!isCommitting || isAnswered(error)) throw error
    end = 'unknown'
    throw new OutcomeUnknown(error)
  } finally {
    if (begun !== undefined) ctx.audit?.ended(begun, end)
  }
}

type Act = () => void
/** Callbacks to run after the commit. */
const afterwards = new WeakMap<Tx, Act[]>()

/**
 * For hints: `act` runs once the changes are visible to others, and never after a rollback. It may be lost with this
 * process, and must not throw.
 */
export function afterCommit(ctx: TxContext, act: Act): void {
  afterwards.get(ctx.db)?.push(act)
}

/** Callbacks to run at the end of the transaction, inside it. */
const before = new WeakMap<Tx, (() => Promise<void>)[]>()

/** For writes that a transaction makes once, however often they are requested: `write` runs after everything else. */
export function beforeCommit(ctx: TxContext, write: () => Promise<void>): void {
  const last = before.get(ctx.db)
  if (last === undefined) throw new Error('this transaction was not begun by transact')
  last.push(write)
}

/** The transaction had no effect, and a retry may succeed. */
function isWorthATry(error: unknown): boolean {
  return GIVEN_UP.has((error as { code?: string }).code ?? '') || isOutdated(error)
}

/**
 * Whether PostgreSQL itself reported the failure: with an SQLSTATE other than that of a terminated session, whose
 * transaction may already be committed and waiting for a standby.
 */
function isAnswered(error: unknown): boolean {
  if (error instanceof AbortedTransactionError) return true
  const state = sqlStateOf(error)
  return state !== undefined && !/^(08|57P)/.test(state)
}

/** Every transaction checks access itself: an earlier one of the request proves nothing. */
async function reopened(ctx: TxContext): Promise<TxContext> {
  return ctx.reopen === undefined ? ctx : { ...ctx, actor: await ctx.reopen(ctx) }
}

function isInTransaction(ctx: Context): ctx is TxContext {
  return ctx.db.isTransaction
}
