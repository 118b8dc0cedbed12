/** What the owner of a storage has to say when its refs move: whether they may, and what moves with them. */
import type { Context, TxContext } from '#platform/context'
import type { Problem } from '#platform/problem'
import type { Storage } from '../tables.ts'
import type { RefUpdate } from './update.ts'

/** A writer hands one in; whatever is to be done about packs is done by git itself. */
export interface RefPolicy {
  /** Absent: nobody is asked, and nothing else happens. */
  decide?(ctx: Context, updates: readonly RefUpdate[], openObjects: OpenObjects): Promise<Decision>
  /** Of pushes only. */
  readonly magicRefs?: MagicRefs
  /** What a pusher is told when all is done: lines of text. */
  tell?(ctx: Context, moved: readonly RefUpdate[]): Promise<readonly string[]>
}

/** What was decided before the transaction, and what is to be done in it: nobody keeps anything in between. */
export interface Decision {
  /** By the name of the ref. */
  readonly refusals: ReadonlyMap<string, Problem>
  readonly together?: Together
}

/** Part of the transaction that moves the refs, under the lock of the storage: true if and only if they moved. */
export type Together = (ctx: TxContext, moved: MovedRefs) => Promise<void>

/**
 * A push to a name that is no ref, such as `refs/for/main/topic`: nothing is written there, but something is done about
 * it in the same transaction.
 */
export interface MagicRefs {
  /** Whether a name is one of them. */
  matches(name: string): boolean
  /** Before the transaction: git may be asked. Refusals by the name, and what is to be done about the others. */
  prepare(
    ctx: Context,
    magicRefs: readonly RefUpdate[],
    asked: { readonly options: readonly string[]; readonly openObjects: OpenObjects },
  ): Promise<PreparedMagicRefs>
}

export interface PreparedMagicRefs {
  readonly refusals: ReadonlyMap<string, Problem>
  /** In the transaction, when the packs are there. Gives back which ref stands for a name now. */
  apply(ctx: TxContext): Promise<ReadonlyMap<string, string>>
}

/** The path of a repository that has the objects which refs are to point to. It is opened when it is asked for. */
export type OpenObjects = () => Promise<string>

export interface MovedRefs {
  readonly storage: Storage
  readonly updates: readonly RefUpdate[]
  /** How much larger the repository is by it. */
  readonly bytes: number
}

/** Refuses nothing. */
export function allowing(together: Together): RefPolicy {
  return { decide: async () => ({ refusals: new Map(), together }) }
}

/** The same policy, with more at the end of its transaction. */
export function alongWith(policy: RefPolicy, more: Together): RefPolicy {
  return around(policy, (together) => async (ctx, moved) => {
    await together?.(ctx, moved)
    await more(ctx, moved)
  })
}

/** The same policy, with something before all else that it does in its transaction. */
export function precededBy(policy: RefPolicy, first: Together): RefPolicy {
  return around(policy, (together) => async (ctx, moved) => {
    await first(ctx, moved)
    await together?.(ctx, moved)
  })
}

function around(policy: RefPolicy, wrap: (together: Together | undefined) => Together): RefPolicy {
  return {
    ...policy,
    decide: async (ctx, updates, openObjects) => {
      const decision = await policy.decide?.(ctx, updates, openObjects)
      return { refusals: decision?.refusals ?? new Map(), together: wrap(decision?.together) }
    },
  }
}
