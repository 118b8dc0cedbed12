/** What the HTTP server is put together from. */
import type { World } from '#platform/context'
import type { Answer, Route } from '#platform/rest'
import type { Budgets } from './budgets.ts'
import type { Identity } from './enter.ts'

export interface Parts {
  readonly world: World
  readonly routes: readonly Route[]
  readonly identity: Identity
  /** Sees every answer of a route before it is sent; tests hold it against the route's schema here. */
  readonly onAnswer?: (route: Route, answer: Answer) => void
  readonly isReady: () => Promise<string | undefined>
}

/** With what the server adds itself. */
export interface ServedParts extends Parts {
  readonly budgets: Budgets
}
