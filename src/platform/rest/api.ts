/** Operations called in this process, by pages and feeds. */
import type { Upload } from './route.ts'

/** Operations of the REST API by `operationId`. Filled in by the generated contract, so that `ask` is typed. */
// biome-ignore lint/suspicious/noEmptyInterface: declared elsewhere, one member an operation
export interface Operations {}

export type OperationId = keyof Operations
/** Parameters of path and query together. */
export type ParamsOf<Id extends OperationId> = Operations[Id] extends { given: infer G } ? G : never
export type BodyOf<Id extends OperationId> = Operations[Id] extends { body: infer B } ? B : never
export type ResponseOf<Id extends OperationId> = Operations[Id] extends { answer: infer A } ? A : never
/** Item type of a list, bare or as `data` of a search result. */
export type ItemOf<Id extends OperationId> =
  ResponseOf<Id> extends readonly (infer Item)[]
    ? Item
    : ResponseOf<Id> extends { readonly data: readonly (infer Item)[] }
      ? Item
      : never

export interface Listed<Item> {
  readonly items: readonly Item[]
  /** Of all pages together, as in `X-Total-Count`. */
  readonly total: number
}

/** How a page reads and writes: by operations, as the current visitor. Refusals are problems. */
export interface Api {
  ask<Id extends OperationId>(
    id: Id,
    given: ParamsOf<Id>,
    body?: BodyOf<Id>,
    file?: Upload,
  ): Promise<ResponseOf<Id>>
  list<Id extends OperationId>(id: Id, given: ParamsOf<Id>): Promise<Listed<ItemOf<Id>>>
  /** Whether the operation succeeds: for operations that answer 204 or 404. */
  exists<Id extends OperationId>(id: Id, given: ParamsOf<Id>): Promise<boolean>
  /** The Location of an operation that redirects. */
  locationOf<Id extends OperationId>(id: Id, given: ParamsOf<Id>): Promise<string>
  /** Undefined where `ask` would answer not found or forbidden. */
  maybe<Id extends OperationId>(id: Id, given: ParamsOf<Id>): Promise<ResponseOf<Id> | undefined>
}
