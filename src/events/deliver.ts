/**
 * Delivers events to consumers. The job's row is deleted in the transaction of the effect, so a consumer acts exactly
 * once, however often the job is run: a worker that cannot delete the row does nothing.
 */
import { type Context, type TxContext, transact } from '#platform/context'
import {
  addJobs,
  endWithEffect,
  type HeldJob,
  type NewJob,
  tracedJob,
  UnknownToThisVersion,
} from '#platform/queue'
import type { Consumer, EventMeta, Interest } from './consumer.ts'
import {
  DELIVER_LATE_JOB,
  DELIVER_TO_JOB,
  type Delivery,
  type Events,
  groupOf,
  type Subject,
} from './index.ts'

type Consumers = ReadonlyMap<string, Consumer>

interface Recorded {
  readonly id: number
  readonly payload: Events[Subject]
  readonly meta: EventMeta
}

/** An event and one of its consumers; undefined when only another version of the forge has that consumer. */
interface Handing {
  readonly event: Recorded
  readonly name: string
  readonly consumer: Consumer | undefined
}

interface Parcel {
  readonly job: HeldJob
  readonly handings: readonly Handing[]
}

/** Payload of a `deliver-to` or `deliver-late` job. */
interface Address {
  readonly event_id: number
  readonly consumers: readonly string[]
}

/** Delivers the events of several jobs. A failing job does not affect the others. */
export async function deliverAll(
  ctx: Context,
  consumers: Consumers,
  jobs: readonly HeldJob[],
): Promise<void> {
  const events = await readEvents(
    ctx,
    jobs.flatMap(({ payload }) => (payload as Delivery).events.map(({ id }) => id)),
  )
  const handings = jobs.flatMap((job) =>
    (job.payload as Delivery).events.flatMap(({ id, to }) => {
      const event = events.get(id)
      // A missing event was swept after its retention.
      return event === undefined
        ? []
        : to.map((name) => ({ job, event, name, consumer: consumers.get(name) }))
    }),
  )
  const wanted = Map.groupBy(await keepWanted(ctx, handings), ({ job }) => job)
  const failures: unknown[] = []
  for (const [job, handings] of wanted)
    await tracedJob(ctx, job, () => deliver(ctx, { job, handings })).catch((error: unknown) =>
      failures.push(error),
    )
  if (failures.length > 0) throw failures.length === 1 ? failures[0] : new AggregateError(failures)
}

/**
 * Delivers one event to consumers that query git first, or to one that failed. When one of several fails, each is retried
 * alone.
 */
export async function deliverTo(ctx: Context, consumers: Consumers, job: HeldJob): Promise<void> {
  const { event_id, consumers: names } = job.payload as Address
  const event = (await readEvents(ctx, [event_id])).get(event_id)
  if (event === undefined) return
  const handings = names.map((name) => ({ event, name, consumer: consumers.get(name) }))
  try {
    await handPrepared(ctx, job, handings)
  } catch (error) {
    if (handings.length === 1) throw error
    ctx.log.warn({ err: error, 'job.id': job.id }, 'consumer failed: every consumer is tried alone')
    await endIn(ctx, job, (ctx) => handApart(ctx, handings))
  }
}

async function handPrepared(ctx: Context, job: HeldJob, handings: readonly Handing[]): Promise<void> {
  const ready: { consumer: Consumer; event: Recorded; prepared: unknown }[] = []
  for (const { consumer, event, name } of handings) {
    if (consumer === undefined) throw new UnknownToThisVersion(`unknown consumer ${name}`)
    ready.push({ consumer, event, prepared: await consumer.prepare?.(ctx, event.payload) })
  }
  await endIn(ctx, job, async (ctx) => {
    for (const { consumer, event, prepared } of ready)
      await consumer.handle(ctx, event.payload, event.meta, prepared)
  })
}

async function readEvents(ctx: Context, ids: readonly number[]): Promise<ReadonlyMap<number, Recorded>> {
  const rows = await ctx.db
    .selectFrom('event')
    .select(['id', 'payload', 'created_at'])
    .where('id', 'in', [...ids])
    .execute()
  return new Map(
    rows.map(({ id, payload, created_at }) => [
      id,
      { id, payload: payload as Events[Subject], meta: { at: created_at } },
    ]),
  )
}

/** Calls each interest once for all events, so that uninterested consumers cost nothing for each of them. */
async function keepWanted<H extends Handing>(ctx: Context, handings: readonly H[]): Promise<readonly H[]> {
  const unwanted = new Set<H>()
  const groups = Map.groupBy(handings, ({ consumer }): Interest | undefined => consumer?.interest)
  for (const [interest, some] of groups) {
    if (interest === undefined) continue
    const answers = await interest(
      ctx,
      some.map(({ event }) => event.payload),
    )
    for (const [i, handing] of some.entries()) if (answers[i] === false) unwanted.add(handing)
  }
  return handings.filter((handing) => !unwanted.has(handing))
}

/** All consumers act in one transaction. When one of them fails, each gets its own job. */
async function deliver(ctx: Context, parcel: Parcel): Promise<void> {
  const isDirect = ({ consumer }: Handing) => consumer !== undefined && consumer.prepare === undefined
  const direct = parcel.handings.filter(isDirect)
  const apart = parcel.handings.filter((handing) => !isDirect(handing))
  try {
    await endIn(ctx, parcel.job, async (ctx) => {
      for (const { consumer, event } of direct)
        await consumer?.handle(ctx, event.payload, event.meta, undefined)
      await handApart(
        ctx,
        apart.filter(({ consumer }) => !consumer?.isLate),
      )
      await handLate(
        ctx,
        apart.filter(({ consumer }) => consumer?.isLate),
      )
    })
  } catch (error) {
    ctx.log.warn({ err: error, 'job.id': parcel.job.id }, 'consumer failed: every consumer is tried alone')
    await endIn(ctx, parcel.job, (ctx) => handApart(ctx, parcel.handings))
  }
}

function endIn(ctx: Context, job: HeldJob, act: (ctx: TxContext) => Promise<void>): Promise<void> {
  return transact(ctx, async (ctx) => {
    if (await endWithEffect(ctx.db, job)) await act(ctx)
  })
}

/** One job for each consumer. */
async function handApart(ctx: TxContext, handings: readonly Handing[]): Promise<void> {
  await addJobs(
    ctx,
    handings.map(({ event, name, consumer }) =>
      newJob(ctx, consumer?.isLate ? DELIVER_LATE_JOB : DELIVER_TO_JOB, event, [name]),
    ),
  )
}

/** One job for each event. */
async function handLate(ctx: TxContext, handings: readonly Handing[]): Promise<void> {
  const byEvent = Map.groupBy(handings, ({ event }) => event)
  await addJobs(
    ctx,
    [...byEvent].map(([event, some]) =>
      newJob(
        ctx,
        DELIVER_LATE_JOB,
        event,
        some.map(({ name }) => name),
      ),
    ),
  )
}

function newJob(ctx: TxContext, kind: string, event: Recorded, consumers: readonly string[]): NewJob {
  const payload: Address = { event_id: event.id, consumers }
  return { kind, payload, group: groupOf(event.payload), attemptsMax: ctx.config['jobs.attempts_max'] }
}
