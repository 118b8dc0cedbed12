/** What every payload is: facts that an event left behind, made into what receivers are told. */
import type { Context } from '#platform/context'

export interface Payload<Facts extends object> {
  /** Null: there is nothing left to tell, because what it was about is gone. */
  build(ctx: Context, facts: Facts): Promise<object | null>
  /** Compat: how far the JSON is indented. */
  readonly indent: 1 | 2
}

/** Facts are written by the same code that reads them; whoever keeps them forgets their type. */
export type AnyPayload = Payload<never>
