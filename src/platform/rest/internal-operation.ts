/**
 * An internal operation is for the pages of this forge alone: clients cannot call it, and it is in no API document. Pages
 * call it like a route, by its id; `open` checks access and `handle` does the work, as in a route.
 */
import type { Static, TObject, TProperties, TSchema } from 'typebox'
import { ok, type Route, type Visit } from './route.ts'

/** An internal operation as the edge sees it, with its types erased. */
export interface InternalOperation
  extends Pick<Route, 'operationId' | 'method' | 'params' | 'query' | 'body' | 'open' | 'handle'> {
  readonly isInternal: true
}

/** With its parameter and answer types, for `InternalOperations`. */
export interface TypedOperation<Id extends string, Params, Body, Response> extends InternalOperation {
  readonly operationId: Id
  /** Never set: for the types alone. */
  readonly types?: { readonly given: Params; readonly body: Body; readonly answer: Response }
}

/** For `interface Operations` of `#platform/page`, so that `ask` knows the operations of a slice. */
export type InternalOperations<List extends readonly InternalOperation[]> = {
  readonly [Operation in List[number] as Operation['operationId']]: Operation extends TypedOperation<
    string,
    infer Params,
    infer Body,
    infer Response
  >
    ? { given: Params; body: Body; answer: Response }
    : never
}

type Nothing = Record<never, TSchema>
/** Numbers in the address of a page are strings. */
type ParamsOrTexts<S> = {
  readonly [Name in keyof S]: S[Name] extends number | undefined ? S[Name] | string : S[Name]
}

interface Spec<
  Id extends string,
  P extends TProperties,
  Q extends TProperties,
  B extends TSchema,
  Opened,
  Response,
> {
  readonly operationId: Id
  /** GET changes nothing. */
  readonly method: 'GET' | 'POST'
  readonly params?: TObject<P>
  readonly query?: TObject<Q>
  readonly body?: B
  readonly open: (
    visit: Pick<Visit<Static<TObject<P>>, Static<TObject<Q>>, never, never>, 'ctx' | 'params' | 'query'>,
  ) => Opened | Promise<Opened>
  readonly handle: (
    visit: Visit<Static<TObject<P>>, Static<TObject<Q>>, Static<B>, Opened>,
  ) => Promise<Response>
}

export function internalOperation<
  const Id extends string,
  Opened,
  Response,
  P extends TProperties = Nothing,
  Q extends TProperties = Nothing,
  B extends TSchema = TObject<Nothing>,
>(
  spec: Spec<Id, P, Q, B, Opened, Response>,
): TypedOperation<Id, ParamsOrTexts<Static<TObject<P>> & Static<TObject<Q>>>, Static<B>, Response> {
  const { operationId, method, params, query, body } = spec
  return {
    isInternal: true,
    operationId,
    method,
    params,
    query,
    body,
    // The edge has validated what it passes by the same schemas.
    open: spec.open as Route['open'],
    handle: async (visit) => ok(await spec.handle(visit as unknown as Parameters<typeof spec.handle>[0])),
  }
}
