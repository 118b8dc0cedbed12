/**
 * A slice is data: what it owns, serves, tells and hears, in one manifest at its door. The forge is put together from a
 * list of them (`src/cli/forge.ts`), and the architecture test holds each against the code of its folder.
 */
import type { Subject } from '#events'
import type { Consumer } from '#events/consumer'
import type { Handler } from '#events/handler'
import type { Settings } from '#platform/config'
import type { CronTask } from '#platform/cron'
import type { Tables } from '#platform/db'
import type { JobKind } from '#platform/queue'
import type { RawRoute, Route } from '#platform/rest'

export interface Slice {
  readonly name: string
  /** Nobody else writes them, and only slices with an arrow to this one read them. */
  readonly tables: readonly (keyof Tables)[]
  readonly routes: readonly Route[]
  /** Of protocols that are not JSON. */
  readonly rawRoutes: readonly RawRoute[]
  /** What it emits. What it hears is said by its handlers and consumers. */
  readonly emits: readonly Subject[]
  /** In the transaction of whoever emits. */
  readonly handlers: readonly Handler[]
  /** Afterwards, by the queue, at least once. */
  readonly consumers: readonly Consumer[]
  readonly jobs: readonly JobKind[]
  readonly tasks: readonly CronTask[]
  readonly settings: Settings
}

/** What is left out is nothing. */
export function defineSlice(slice: Pick<Slice, 'name'> & Partial<Slice>): Slice {
  return {
    tables: [],
    routes: [],
    rawRoutes: [],
    emits: [],
    handlers: [],
    consumers: [],
    jobs: [],
    tasks: [],
    settings: {},
    ...slice,
  }
}
