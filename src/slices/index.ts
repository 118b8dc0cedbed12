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
import type { InternalOperation, RawRoute, Route } from '#platform/rest'
import type { Activity } from './activity.ts'
import type { Attachable } from './attachable.ts'
import type { RefFollower } from './follower.ts'
import type { Linker } from './links.ts'
import type { Topic } from './topic.ts'
import type { Webhook } from './webhook.ts'

export {
  type Act,
  type Activity,
  type Acts,
  activity,
  activityOfGit,
  OPERATIONS,
  type Operation,
} from './activity.ts'
export { type Attachable, type AttachableKind, attachablesByKind } from './attachable.ts'
export { type Follow, followAll, type Moving, type MovingRef, type RefFollower } from './follower.ts'
export type { Link, Linker, NamedInText } from './links.ts'
export { hintTopic, TOPIC_HINT, type Topic, type TopicKind } from './topic.ts'
export {
  type ChatLine,
  type ChatText,
  concerns,
  payload,
  payloadsByType,
  type Webhook,
  type WebhookEvent,
  type WebhookFacts,
  type WebhookPayload,
  type WebhookSample,
  webhook,
  webhookEvent,
} from './webhook.ts'
export {
  type Interest,
  ISSUE_DETAILS,
  PULL_DETAILS,
  REVIEWS,
  SINGLE,
  type WebhookType,
} from './webhook-types.ts'

export interface Slice {
  readonly name: string
  /** Nobody else writes them, and only slices with an arrow to this one read them. */
  readonly tables: readonly (keyof Tables)[]
  readonly routes: readonly Route[]
  /** For pages alone. */
  readonly internalOperations: readonly InternalOperation[]
  /** Of protocols that are not JSON. */
  readonly rawRoutes: readonly RawRoute[]
  /** What it emits. What it hears is said by its handlers and consumers. */
  readonly emits: readonly Subject[]
  /** In the transaction of whoever emits. */
  readonly handlers: readonly Handler[]
  /** Afterwards, by the queue, at least once. */
  readonly consumers: readonly Consumer[]
  /** Consumers made from what all slices bring: for those who tell on, and know nobody by name. */
  readonly consumersFor: (slices: readonly Slice[]) => readonly Consumer[]
  /** Which events webhooks are told of, and what. */
  readonly webhooks: readonly Webhook[]
  /** Which events feeds are told of, and what. */
  readonly activities: readonly Activity[]
  /** What of its own files can be attached to, and who may read them there. */
  readonly attachables: readonly Attachable[]
  /** What of its own people look at while it changes. */
  readonly topics: readonly Topic[]
  /** Where the words of texts lead that name something of its own. */
  readonly linkers: readonly Linker[]
  /** What of its own follows the branches of repositories. */
  readonly followers: readonly RefFollower[]
  readonly jobs: readonly JobKind[]
  readonly tasks: readonly CronTask[]
  readonly settings: Settings
}

/** What is left out is nothing. */
export function defineSlice(slice: Pick<Slice, 'name'> & Partial<Slice>): Slice {
  return {
    tables: [],
    routes: [],
    internalOperations: [],
    rawRoutes: [],
    emits: [],
    handlers: [],
    consumers: [],
    consumersFor: () => [],
    webhooks: [],
    activities: [],
    attachables: [],
    topics: [],
    linkers: [],
    followers: [],
    jobs: [],
    tasks: [],
    settings: {},
    ...slice,
  }
}

export function consumersOf(slices: readonly Slice[]): Consumer[] {
  return slices.flatMap(({ consumers, consumersFor }) => [...consumers, ...consumersFor(slices)])
}
