/**
 * Webhooks. A slice converts its events to webhook events and builds their payloads; the slice `webhooks` finds the
 * subscribers, enqueues and sends. So the slices do not depend on each other.
 */
import type { Events, Subject } from '#events'
import type { Context } from '#platform/context'
import type { WebhookType } from './webhook-types.ts'

declare module '#platform/context' {
  interface World {
    /** Payload builders by type. */
    readonly payloads: ReadonlyMap<string, WebhookPayload>
  }
}

/** The facts for building a payload later: ids, and values that cannot be looked up by then. */
export interface WebhookFacts {
  readonly repository_id: number
  readonly actor_id: number
  /** The owner whose hooks also receive the event. Looked up when absent; required when the repository is gone. */
  readonly owner_id?: number
}

export interface WebhookEvent<Type extends WebhookType = WebhookType> {
  readonly type: Type
  /** The full name of the branch or tag, for hooks with a branch filter. */
  readonly ref?: string
  readonly facts: WebhookFacts
}

/** The same slice writes and reads the facts; the storage in between does not keep their type. */
export interface WebhookPayload<
  Type extends WebhookType = WebhookType,
  Facts extends WebhookFacts = WebhookFacts,
  Content extends object = object,
> {
  readonly type: Type
  /** Compat: the indentation of the JSON. */
  readonly indent: 1 | 2
  /** Null: nothing to send, because the subject of the event is gone. */
  build(ctx: Context, facts: Facts): Promise<Content | null>
  /** The message for chats; null for none. Without it a chat gets the type. */
  describe?(content: Content): ChatText | null
  /** The facts of a test delivery; undefined when there is nothing to send. */
  sample?(ctx: Context, of: WebhookSample): Promise<Facts | undefined>
}

export interface WebhookSample {
  readonly repository_id: number
  readonly actor_id: number
  /** The requested branch, tag or commit. */
  readonly ref: string | undefined
}

export interface ChatText {
  /** Plain text, one line. */
  readonly title: string
  /** The repository's URL when absent. */
  readonly url?: string
  readonly lines?: readonly ChatLine[]
  readonly color?: 'green' | 'red'
}

/** A link with a description. */
export interface ChatLine {
  readonly label: string
  readonly url: string
  readonly text: string
}

/** A subject of events, and the function that converts its events to webhook events. */
export interface Webhook<S extends Subject = Subject> {
  readonly subject: S
  readonly payloads: readonly WebhookPayload[]
  eventsOf(ctx: Context, event: Events[S]): Promise<readonly WebhookEvent[]>
}

export function payload<Type extends WebhookType, Facts extends WebhookFacts, Content extends object>(
  it: WebhookPayload<Type, Facts, Content>,
): WebhookPayload<Type, Facts, Content> {
  return it
}

/** The types of the events are limited to those of the payloads. */
export function webhook<S extends Subject, Type extends WebhookType>(
  subject: S,
  payloads: readonly WebhookPayload<Type>[],
  eventsOf: (ctx: Context, event: Events[S]) => Promise<readonly WebhookEvent<Type>[]>,
): Webhook<S> {
  return { subject, payloads, eventsOf }
}

/** Whether a webhook applies to an event: `pull_request…` payloads apply to pull requests only, others to issues only. */
export function concerns({ payloads }: Webhook, event: object): boolean {
  if (!('is_pull' in event)) return true
  return payloads.some(({ type }) => type.startsWith('pull_request') === event.is_pull)
}

export function webhookEvent<Type extends WebhookType, Facts extends WebhookFacts>(
  { type }: Pick<WebhookPayload<Type, Facts>, 'type' | 'build'>,
  facts: Facts,
  ref?: string,
): WebhookEvent<Type> {
  return { type, facts, ...(ref !== undefined && { ref }) }
}

/** Throws on two payloads of one type, because one would replace the other. */
export function payloadsByType(webhooks: readonly Webhook[]): ReadonlyMap<string, WebhookPayload> {
  const byType = new Map<string, WebhookPayload>()
  for (const it of webhooks.flatMap(({ payloads }) => payloads)) {
    if ((byType.get(it.type) ?? it) !== it) throw new Error(`two payloads tell of ${it.type}`)
    byType.set(it.type, it)
  }
  return byType
}
