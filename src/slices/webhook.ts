/**
 * What webhooks are told. A slice says which webhook events an event of its own makes, and how each is built; the slice
 * `webhooks` finds out who subscribed, and enqueues, builds and sends. So neither knows the other.
 */
import type { Events, Subject } from '#events'
import type { Context, TxContext } from '#platform/context'
import type { WebhookType } from './webhook-types.ts'

declare module '#platform/context' {
  interface World {
    /** How webhook payloads are built, by their type. */
    readonly payloads: ReadonlyMap<string, WebhookPayload>
  }
}

/** What a payload is built from, some time after the event: ids, and what nobody can look up later. */
export interface WebhookFacts {
  readonly repository_id: number
  readonly actor_id: number
  /** Whose hooks are told besides the repository's. Looked up when absent; needed where the repository is gone. */
  readonly owner_id?: number
}

export interface WebhookEvent<Type extends WebhookType = WebhookType> {
  readonly type: Type
  /** The full name of the branch or tag, for hooks with a branch filter. */
  readonly ref?: string
  readonly facts: WebhookFacts
}

/** Facts are written by the same slice that reads them: whoever keeps them in between forgets their type. */
export interface WebhookPayload<
  Type extends WebhookType = WebhookType,
  Facts extends WebhookFacts = WebhookFacts,
  Content extends object = object,
> {
  readonly type: Type
  /** Compat: how far the JSON is indented. */
  readonly indent: 1 | 2
  /** Null: there is nothing left to tell, because what it was about is gone. */
  build(ctx: Context, facts: Facts): Promise<Content | null>
  /** For people in a chat; null when it is not worth a message. Without it a chat is told the type. */
  describe?(content: Content): ChatText | null
  /** The facts of one that somebody tries a hook out with; undefined when there is nothing to show. */
  sample?(ctx: Context, of: WebhookSample): Promise<Facts | undefined>
}

export interface WebhookSample {
  readonly repository_id: number
  readonly actor_id: number
  /** A branch, tag or commit that was asked for. */
  readonly ref: string | undefined
}

export interface ChatText {
  /** Plain words, one line. */
  readonly title: string
  /** That of the repository when absent. */
  readonly url?: string
  readonly lines?: readonly ChatLine[]
  readonly color?: 'green' | 'red'
}

/** Something to click on, and what to say about it. */
export interface ChatLine {
  readonly label: string
  readonly url: string
  readonly text: string
}

/** An event of a slice, and the webhook events it makes. */
export interface Webhook<S extends Subject = Subject> {
  readonly subject: S
  readonly payloads: readonly WebhookPayload[]
  eventsOf(ctx: TxContext, event: Events[S]): Promise<readonly WebhookEvent[]>
}

export function payload<Type extends WebhookType, Facts extends WebhookFacts, Content extends object>(
  it: WebhookPayload<Type, Facts, Content>,
): WebhookPayload<Type, Facts, Content> {
  return it
}

/** The events are of the types of its payloads and of no other. */
export function webhook<S extends Subject, Type extends WebhookType>(
  subject: S,
  payloads: readonly WebhookPayload<Type>[],
  eventsOf: (ctx: TxContext, event: Events[S]) => Promise<readonly WebhookEvent<Type>[]>,
): Webhook<S> {
  return { subject, payloads, eventsOf }
}

/** Whether a webhook may tell of an event at all: those of pull requests tell of no issues, and the other way round. */
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

/** Two payloads of one type would be told in each other's place. */
export function payloadsByType(webhooks: readonly Webhook[]): ReadonlyMap<string, WebhookPayload> {
  const byType = new Map<string, WebhookPayload>()
  for (const it of webhooks.flatMap(({ payloads }) => payloads)) {
    if ((byType.get(it.type) ?? it) !== it) throw new Error(`two payloads tell of ${it.type}`)
    byType.set(it.type, it)
  }
  return byType
}
