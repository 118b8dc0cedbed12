/**
 * The record of one operation: written in the first of its transactions that commits, so that record and effect are one;
 * after an operation without such a transaction, with the reason.
 */
import { hostname } from 'node:os'
import type { AuditEntry, TransactionEnd, World } from '#platform/context'
import type { Tx } from '#platform/db'
import { Problem, type ProblemKind } from '#platform/problem'
import type { Outcome } from '../tables.ts'
import { insertIfWritten, insertRecord, insertRefusal, type NewRecord } from './insert.ts'
import { isSignIn, UNAUDITED } from './operations.ts'
import { paramsText, targetOf } from './target.ts'

/** Who asks, with which credential. Undefined accounts: an anonymous client, or a machine with a key of its own. */
export interface Caller {
  readonly via: string
  readonly credential: string | null
  readonly account?: { readonly id: number; readonly login: string } | undefined
  /** The account that an administrator acts as. */
  readonly as?: { readonly id: number; readonly login: string } | undefined
}

/** Where the request came from. */
export interface Origin {
  readonly address: string | null
  /** The unit in which refused sign-ins are bounded. */
  readonly network: string
  readonly requestId: string | null
  /** The operations of a page have records of their own: the page has one only if it is refused or writes itself. */
  readonly isPage?: boolean
}

const ANONYMOUS: Caller = { via: 'anonymous', credential: null }
const TEXT_MAX = 200

export class OperationEntry implements AuditEntry {
  readonly #world: World
  readonly #operation: string
  readonly #origin: Origin
  #caller: Caller
  #target = targetOf(undefined)
  #hasProof = false
  #params = '{}'
  #problem: ProblemKind | undefined
  /** `unknown`: the transaction with the record may have been committed, so no other writes one. */
  #state: 'due' | 'written' | 'unknown' | 'over' = 'due'
  /** The transaction that has inserted the record and not ended, and those that wait for it. */
  #holder: Tx | undefined
  #inserted: NewRecord | undefined
  #waiting = Promise.withResolvers<void>()

  constructor(world: World, operation: string, origin: Origin, caller = ANONYMOUS) {
    this.#world = world
    this.#operation = operation
    this.#origin = origin
    this.#caller = caller
  }

  by(caller: Caller): void {
    this.#caller = caller
  }

  identify({ id, login }: { readonly id: number; readonly login: string }): void {
    if (this.#caller.account === undefined) this.#caller = { ...this.#caller, account: { id, login } }
  }

  refuse(kind: ProblemKind): void {
    this.#problem ??= kind
  }

  passed(seen: object): void {
    if (!this.#hasProof) this.#target = targetOf(seen)
  }

  about(opened: unknown, params?: unknown): void {
    const { repository_id, owner_id } = targetOf(opened)
    const known = this.#target
    // Some proofs name a repository without its owner, and some nothing at all.
    const isKnown = repository_id === known.repository_id && owner_id === null
    if (!isKnown) this.#target = { repository_id, owner_id }
    this.#hasProof = true
    if (params !== undefined) this.#params = paramsText(params)
  }

  of(operation: string): OperationEntry | undefined {
    if (UNAUDITED.has(operation)) return undefined
    return new OperationEntry(this.#world, operation, { ...this.#origin, isPage: false }, this.#caller)
  }

  /** Two transactions of one operation may run at once: the second waits for the COMMIT of the first. */
  async writeIn(tx: Tx): Promise<void> {
    while (this.#holder !== undefined) await this.#waiting.promise
    if (this.#state !== 'due') return
    this.#holder = tx
    const record = this.#record('done')
    if (await insertIfWritten(tx, record)) this.#inserted = record
    else this.#release()
  }

  ended(tx: Tx, end: TransactionEnd): void {
    if (this.#holder !== tx) return
    if (end === 'committed') {
      this.#state = 'written'
      if (this.#inserted !== undefined) this.#world.acknowledged.note(this.#inserted)
    }
    if (end === 'unknown') this.#state = 'unknown'
    this.#release()
  }

  async finish(error?: unknown): Promise<void> {
    if (this.#state !== 'due') return
    this.#state = 'over'
    if (this.#origin.isPage && this.#problem === undefined) return
    const outcome = this.#outcomeOf(error)
    if (error instanceof Problem) this.refuse(error.kind)
    const isRefusedSignIn = outcome === 'refused' && isSignIn(this.#operation)
    const isAnonymous = this.#caller.via === ANONYMOUS.via && this.#caller.account === undefined
    if (isAnonymous && !isRefusedSignIn) return
    try {
      const record = this.#record(outcome)
      if (isRefusedSignIn || this.#origin.isPage)
        await insertRefusal(this.#world.db, record, this.#origin.network)
      else await insertRecord(this.#world.db, record)
    } catch (err) {
      // The answer is not lost for it: nothing was changed.
      this.#world.log.error({ err, 'audit.operation': this.#operation }, 'failed to write audit record')
    }
  }

  #outcomeOf(error: unknown): Outcome {
    if (error instanceof Problem || (error === undefined && this.#problem !== undefined)) return 'refused'
    return error === undefined ? 'unchanged' : 'failed'
  }

  #release(): void {
    this.#holder = undefined
    this.#waiting.resolve()
    this.#waiting = Promise.withResolvers()
  }

  #record(outcome: Outcome): NewRecord {
    const { via, credential, account, as } = this.#caller
    return {
      at: this.#world.now(),
      operation: this.#operation,
      outcome,
      problem: outcome === 'done' ? null : (this.#problem ?? null),
      account_id: account?.id ?? null,
      account: account?.login ?? null,
      as_id: as?.id ?? null,
      as_account: as?.login ?? null,
      via,
      credential: credential?.slice(0, TEXT_MAX) ?? null,
      address: this.#origin.address,
      request_id: this.#origin.requestId,
      node: hostname(),
      ...this.#target,
      target: this.#params,
      times: 1,
    }
  }
}

/** A sign-in that was refused before the operation began, whatever the operation. */
export async function recordRefusedSignIn(
  world: World,
  via: string,
  kind: ProblemKind,
  origin: Origin,
): Promise<void> {
  const entry = new OperationEntry(world, 'signIn', { ...origin, isPage: false }, { via, credential: null })
  await entry.finish(new Problem(kind, 'wrong credentials'))
}
