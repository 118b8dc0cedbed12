/** Operations, asked in this process by whoever serves something else than the interface: pages, feeds. */
import type { Upload } from './route.ts'

/**
 * Operations of the REST interface by their `operationId`. Filled in by what is generated from the contract, so that
 * `ask` knows what it is given and what it gives.
 */
// biome-ignore lint/suspicious/noEmptyInterface: declared elsewhere, one member an operation
export interface Operations {}

export type OperationId = keyof Operations
/** Parameters of path and query together. */
export type ParamsOf<Id extends OperationId> = Operations[Id] extends { given: infer G } ? G : never
export type BodyOf<Id extends OperationId> = Operations[Id] extends { body: infer B } ? B : never
export type ResponseOf<Id extends OperationId> = Operations[Id] extends { answer: infer A } ? A : never
/** Of a list, bare or as `data` of what a search answers. */
export type ItemOf<Id extends OperationId> =
  ResponseOf<Id> extends readonly (infer Item)[]
    ? Item
    : ResponseOf<Id> extends { readonly data: readonly (infer Item)[] }
      ? Item
      : never

export interface Listed<Item> {
  readonly items: readonly Item[]
  /** Of all pages together, as `X-Total-Count` says. */
  readonly total: number
}

/** How a page reads and does: by operations, as whoever looks at it. Refusals are problems, as everywhere. */
export interface Api {
  ask<Id extends OperationId>(id: Id, given: ParamsOf<Id>, body?: BodyOf<Id>, file?: Upload): Promise<ResponseOf<Id>>
  list<Id extends OperationId>(id: Id, given: ParamsOf<Id>): Promise<Listed<ItemOf<Id>>>
  /** Whether it is answered at all: for questions that are answered by yes or not found. */
  exists<Id extends OperationId>(id: Id, given: ParamsOf<Id>): Promise<boolean>
  /** Where an operation that answers elsewhere sends whoever asks it. */
  locationOf<Id extends OperationId>(id: Id, given: ParamsOf<Id>): Promise<string>
  /** Undefined where `ask` would say that it is not found, or that somebody may not see it. */
  maybe<Id extends OperationId>(id: Id, given: ParamsOf<Id>): Promise<ResponseOf<Id> | undefined>
}
