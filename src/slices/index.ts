/**
 * A slice is data: a manifest of its tables, routes, events and jobs. The forge is assembled from a list of slices
 * (`src/cli/forge.ts`), and the architecture test compares each manifest with the code of its folder.
 */
import type { Subject } from '#events'
import type { Consumer } from '#events/consumer'
import type { Handler } from '#events/handler'
import type { Settings } from '#platform/config'
import type { CronTask } from '#platform/cron'
import type { Tables } from '#platform/db'
import type { JobKind } from '#platform/queue'
import type { InternalOperation, RawRoute, Route } from '#platform/rest'
import type { SealedColumn } from '#platform/seal'
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
  /** Only this slice writes them, and only slices with an arrow to it read them. */
  readonly tables: readonly (keyof Tables)[]
  /** Columns of its tables with encrypted secrets, which `bloomery secrets reseal` rewrites. */
  readonly sealed: readonly SealedColumn[]
  readonly routes: readonly Route[]
  /** For the web UI only. */
  readonly internalOperations: readonly InternalOperation[]
  /** For protocols other than JSON. */
  readonly rawRoutes: readonly RawRoute[]
  /** The events it emits. Its handlers and consumers name the events it receives. */
  readonly emits: readonly Subject[]
  /** Run in the transaction of the emitter. */
  readonly handlers: readonly Handler[]
  /** Run later by the queue, at least once. */
  readonly consumers: readonly Consumer[]
  /** Consumers built from the manifests of all slices, for slices that forward events, such as webhooks and feeds. */
  readonly consumersFor: (slices: readonly Slice[]) => readonly Consumer[]
  /** Webhook payloads for its events. */
  readonly webhooks: readonly Webhook[]
  /** Feed activities for its events. */
  readonly activities: readonly Activity[]
  /** Its records that can have attachments, with their access checks. */
  readonly attachables: readonly Attachable[]
  /** Its records whose pages update live. */
  readonly topics: readonly Topic[]
  /** Resolve references in texts to its records. */
  readonly linkers: readonly Linker[]
  /** Follow moves of repositories' branches. */
  readonly followers: readonly RefFollower[]
  readonly jobs: readonly JobKind[]
  readonly tasks: readonly CronTask[]
  readonly settings: Settings
}

/** Omitted fields are empty. */
export function defineSlice(slice: Pick<Slice, 'name'> & Partial<Slice>): Slice {
  return {
    tables: [],
    sealed: [],
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
