/** What the HTTP server is put together from. */
import type { World } from '#platform/context'
import type { Answer, RawRoute, Route } from '#platform/rest'
import type { Budgets } from './edge/budgets.ts'

export interface Parts {
  readonly world: World
  readonly routes: readonly Route[]
  readonly rawRoutes: readonly RawRoute[]
  /** Sees every answer of a route before it is sent; tests hold it against the route's schema here. */
  readonly onAnswer?: (route: Route, answer: Answer) => void
  readonly isReady: () => Promise<string | undefined>
}

/** With what the server adds itself. */
export interface ServedParts extends Parts {
  readonly budgets: Budgets
  /** Aborts when the server begins to close. */
  readonly draining: AbortSignal
}
