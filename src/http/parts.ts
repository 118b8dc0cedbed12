/** What the HTTP server is assembled from. */
import type { World } from '#platform/context'
import type { Web } from '#platform/page'
import type { Answer, InternalOperation, RawRoute, Route } from '#platform/rest'
import type { Budgets } from './edge/budgets.ts'
import type { HeldBodies } from './input/held-bodies.ts'
import type { InProcessApi } from './serve/in-process-api.ts'

export interface Parts {
  readonly world: World
  readonly routes: readonly Route[]
  readonly internalOperations: readonly InternalOperation[]
  readonly rawRoutes: readonly RawRoute[]
  /** Pages for browsers. */
  readonly web: Web
  /** Called with every answer of a route before it is sent; tests validate it against the route's schema. */
  readonly onAnswer?: (route: Route, answer: Answer) => void
  readonly isReady: () => Promise<string | undefined>
}

/** With what the server adds itself. */
export interface ServedParts extends Parts {
  /** Operations, for pages that call them. */
  readonly inProcessApi: InProcessApi
  readonly budgets: Budgets
  readonly bodies: HeldBodies
  /** Aborts when the server begins to close. */
  readonly draining: AbortSignal
}
