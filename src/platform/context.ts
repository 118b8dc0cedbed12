/** What one request, job or command carries with it. Made at the edge, passed first, never global. */
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
import type { Visitor } from './visitor.ts'

export type { Visitor }

/** Who acts. Roles are those of the moment the request came in; inside a transaction, of the moment it began. */
export interface Actor {
  readonly id: number
  readonly login: string
  readonly isAdmin: boolean
  readonly isRestricted: boolean
  /** The credential is limited to what everybody may see. */
  readonly publicOnly: boolean
  /** How the caller proved it: HTTP Basic, a token of its own, a session of a browser, or being this process. */
  readonly via: 'basic' | 'token' | 'session' | 'process'
  readonly tokenId: number | null
}

/** What one process shares between all it does. Put together once, in main. */
export interface World {
  readonly db: Db
  /** Connections apart, so that transactions that wait for each other keep nobody from reading: see `transact`. */
  readonly transactions: Db
  /** PostgreSQL's time, on which all nodes agree: see `clock`. */
  readonly now: () => Date
  readonly clock: Clock
  /** Whether PostgreSQL has failed over since something was kept: see `timeline`. */
  readonly timeline: Timeline
  readonly log: Logger
  readonly config: Config
  readonly site: Site
  readonly seal: Seal
  readonly store: ObjectStore
  readonly outbound: OutboundClient
  readonly bus: Bus
  readonly telemetry: Telemetry
  /** The consumers of each subject; `emit` names them in the job that hands the event over. */
  readonly subscribers: ReadonlyMap<string, readonly Subscriber[]>
}

export interface Subscriber {
  readonly name: string
  /** False for an event that it never acts on. */
  hears?(event: object): boolean
}

export interface Context extends World {
  readonly actor: Actor | null
  /** Absent in jobs and commands: what the forge does for itself. */
  readonly visitor?: Visitor
  readonly signal: AbortSignal
  /** What one look at a page has asked already: see `once`. Absent for whoever changes something. */
  readonly memo?: Map<string, Promise<unknown>>
  /** What would be done is only told: see `asDryRun`. */
  readonly isDryRun?: boolean
  /**
   * Asks once more what let the caller in, and gives who they are now; throws where they would be refused. A minute
   * or an hour lies between a request and what it does. Jobs and commands were let in by nobody.
   */
  readonly reopen?: (ctx: Context) => Promise<Actor | null>
}

/**
 * A page asks several operations, and each opens the same repository: within one look it is looked up once, so a page also
 * shows one moment of it. Never in a transaction, which asks for itself.
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

/** The same context inside a transaction: `db` is the transaction, so nothing can slip outside it. */
export interface TxContext extends Context {
  readonly db: Tx
}

/** COMMIT was sent, and what became of it was not heard: it may have been carried out, or not. */
export class OutcomeUnknown extends Problem {
  override readonly cause: unknown

  constructor(cause: unknown) {
    super('unavailable', 'outcome is unknown: check whether it was done before you try again')
    this.cause = cause
  }
}

/** Something would have been changed now, and nothing was. */
export class NotInDryRun extends Problem {
  constructor() {
    super('precondition', 'nothing is changed in a dry run')
  }
}

/** The same context for somebody who only goes through what they would do: it reads, and changes nothing. */
export function asDryRun(ctx: Context): Context {
  return { ...ctx, isDryRun: true, db: readOnly(ctx.db, () => new NotInDryRun()) }
}

/** For so long a decision is good for reading. What is changed is decided in its transaction. */
export const FRESH_MS = 1_000

/**
 * PostgreSQL gave one of two up so that the other can go on: trying again is all that is asked. And a foreign key that is
 * violated leads to a row that was deleted since it was looked up: the next try does not find the row, and says so.
 */
const GIVEN_UP = new Set(['40001', '40P01', FOREIGN_KEY_VIOLATION])
const TRIES_MAX = 4

/**
 * Runs `work` in one transaction, joining the caller's if there is one.
 * Name its parameter `ctx`: the shadow hides the outer handle, so no query can miss the transaction.
 * A deadlock is tried again, and so is a reference to a row that was deleted meanwhile, so `work` must do nothing that a
 * rollback does not undo.
 * Invariant: whoever lost the right to do it since they came in is refused here, so no verb can forget to ask.
 */
export async function transact<T>(ctx: Context, work: (ctx: TxContext) => Promise<T>): Promise<T> {
  if (ctx.isDryRun) throw new NotInDryRun()
  if (isInTransaction(ctx)) return work(ctx)
  for (let tries = 1; ; tries++) {
    let isCommitting = false
    const acts: Act[] = []
    const last: (() => Promise<void>)[] = []
    try {
      const result = await ctx.transactions.transaction().execute(async (tx) => {
        afterwards.set(tx, acts)
        before.set(tx, last)
        const result = await work(await reopened({ ...ctx, db: tx }))
        for (const write of last) await write()
        isCommitting = true
        return result
      })
      for (const act of acts) act()
      return result
    } catch (error) {
      if (isCommitting && !isAnswered(error)) throw new OutcomeUnknown(error)
      if (tries === TRIES_MAX || !isWorthATry(error)) throw error
    }
  }
}

type Act = () => void
/** What waits for a transaction to be committed. */
const afterwards = new WeakMap<Tx, Act[]>()

/**
 * For hints to others: `act` runs when what it tells of is there for everybody, and never when it was rolled back. It may be
 * lost with this process, and must not throw.
 */
export function afterCommit(ctx: TxContext, act: Act): void {
  afterwards.get(ctx.db)?.push(act)
}

/** What waits for the end of a transaction, inside of it. */
const before = new WeakMap<Tx, (() => Promise<void>)[]>()

/** For what one transaction writes once, however often it is asked to: `write` runs when all else is done. */
export function beforeCommit(ctx: TxContext, write: () => Promise<void>): void {
  const last = before.get(ctx.db)
  if (last === undefined) throw new Error('this transaction was not begun by transact')
  last.push(write)
}

/** Nothing was done, and nothing stands in the way of doing it now. */
function isWorthATry(error: unknown): boolean {
  return GIVEN_UP.has((error as { code?: string }).code ?? '') || isOutdated(error)
}

/**
 * Whether PostgreSQL itself said that it did not: with a code, and not that of a session that is being ended, which may
 * be waiting for a standby with the transaction done.
 */
function isAnswered(error: unknown): boolean {
  if (error instanceof AbortedTransactionError) return true
  const state = sqlStateOf(error)
  return state !== undefined && !/^(08|57P)/.test(state)
}

/** Each transaction asks for itself: what the first of a request was allowed says nothing about the next. */
async function reopened(ctx: TxContext): Promise<TxContext> {
  return ctx.reopen === undefined ? ctx : { ...ctx, actor: await ctx.reopen(ctx) }
}

function isInTransaction(ctx: Context): ctx is TxContext {
  return ctx.db.isTransaction
}
