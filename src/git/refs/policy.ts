/** The policy of the owner of a storage for ref updates: whether they are allowed, and what happens along with them. */
import type { Context, TxContext } from '#platform/context'
import type { Problem } from '#platform/problem'
import type { Storage } from '../tables.ts'
import type { RefUpdate } from './update.ts'

/** Passed in by writers. Packs are the business of git storage alone. */
export interface RefPolicy {
  /** Absent: every update is allowed, and nothing else happens. */
  decide?(ctx: Context, updates: readonly RefUpdate[], openObjects: OpenObjects): Promise<Decision>
  /** For pushes only. */
  readonly magicRefs?: MagicRefs
  /** Lines of text for the pusher after the push. */
  tell?(ctx: Context, moved: readonly RefUpdate[]): Promise<readonly string[]>
}

/** Decided before the transaction, with the work to do in it: the policy keeps no state in between. */
export interface Decision {
  /** By ref name. */
  readonly refusals: ReadonlyMap<string, Problem>
  readonly together?: Together
}

/**
 * Runs in the transaction that moves the refs, under the storage lock: its effects are committed if and only if the refs
 * move.
 */
export type Together = (ctx: TxContext, moved: MovedRefs) => Promise<void>

/**
 * A push to a magic ref such as `refs/for/main/topic`: no such ref is written, but the push acts on something else in the
 * same transaction.
 */
export interface MagicRefs {
  /** Whether a name is a magic ref. */
  matches(name: string): boolean
  /** Before the transaction, so it may run git. Returns refusals by name, and the work to do for the others. */
  prepare(
    ctx: Context,
    magicRefs: readonly RefUpdate[],
    asked: { readonly options: readonly string[]; readonly openObjects: OpenObjects },
  ): Promise<PreparedMagicRefs>
}

export interface PreparedMagicRefs {
  readonly refusals: ReadonlyMap<string, Problem>
  /** In the transaction, after the packs are named. Returns the real ref for each name. */
  apply(ctx: TxContext): Promise<ReadonlyMap<string, string>>
}

/** The path of a repository that has the new objects. Opened on first use. */
export type OpenObjects = () => Promise<string>

export interface MovedRefs {
  readonly storage: Storage
  readonly updates: readonly RefUpdate[]
  /** Bytes added to the repository. */
  readonly bytes: number
}

/** Allows everything. */
export function allowing(together: Together): RefPolicy {
  return { decide: async () => ({ refusals: new Map(), together }) }
}

/** The same policy with further work at the end of its transaction. */
export function alongWith(policy: RefPolicy, more: Together): RefPolicy {
  return around(policy, (together) => async (ctx, moved) => {
    await together?.(ctx, moved)
    await more(ctx, moved)
  })
}

/** The same policy with work before everything else in its transaction. */
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
