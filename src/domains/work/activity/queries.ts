/**
 * Feed queries: which acts, newest first, and their number. A feed reads at most `ENTRIES_MAX` entries for
 * every caller, however few of them are visible. So the count and every page cost one index range; older acts are found
 * by date.
 */
import { type RawBuilder, sql } from 'kysely'
import { isVisibleTo } from '#domains/code/repositories'
import { type Viewer, type ViewerValues, viewerIn, visibleTo } from '#domains/people/users'
import type { Context } from '#platform/context'
import type { Db, PageRange } from '#platform/db'
import { Statement } from '#platform/db/statement'

/** Key of an act in a feed. */
export interface Entry {
  readonly repository_id: number
  readonly id: number
}

export interface Day {
  readonly start: Date
  readonly end: Date
}

export interface FeedFilter {
  readonly day: Day | null
  /** Includes acts from when the repository was private. */
  readonly includesPrivate: boolean
  /** Only acts in the repositories of this team. */
  readonly teamId?: number | undefined
}

/** Whose feed: of an account, what it received or only what it did; or of a repository. */
export type Feeding =
  | { readonly recipientId: number; readonly isOwnOnly: boolean }
  | { readonly repositoryId: number }

type Candidates = RawBuilder<unknown>

const ENTRIES_MAX = 5_000
const SLOT_S = 900
const HEAT_DAYS = 366
const DAY_MS = 86_400_000

/** The feed that an account receives. */
export function receivedBy(recipientId: number, { day }: FeedFilter): Candidates {
  return fromFeed(sql`recipient_id = ${recipientId}`, day)
}

/** The account's own acts. */
export function doneBy(recipientId: number, { day }: FeedFilter): Candidates {
  return fromFeed(sql`recipient_id = ${recipientId} and actor_id = recipient_id`, day)
}

/** Acts in a repository. */
export function doneIn(repositoryId: number, { day }: FeedFilter): Candidates {
  return sql`select repository_id, id, actor_id, is_private, created_at from activity
    where repository_id = ${repositoryId} and ${isOn(day)}
    order by created_at desc, id desc limit ${sql.lit(ENTRIES_MAX)}`
}

function fromFeed(wanted: RawBuilder<unknown>, day: Day | null): Candidates {
  return sql`select repository_id, activity_id as id, actor_id, is_private, created_at from activity_feed
    where ${wanted} and ${isOn(day)}
    order by created_at desc, activity_id desc limit ${sql.lit(ENTRIES_MAX)}`
}

function isOn(day: Day | null): RawBuilder<unknown> {
  return day === null ? sql`true` : sql`created_at >= ${day.start} and created_at < ${day.end}`
}

type Values = Omit<FeedFilter, 'day'> &
  ViewerValues &
  Feeding & { readonly start?: Date; readonly end?: Date }

/** One page. */
export const ENTRIES = new Statement((_db: Db, { limit, offset, ...values }: Values & PageRange) => {
  const filter = filterIn(values)
  return selectEntries(viewerIn(values), candidatesIn(values, filter), filter, { limit, offset })
})

/** The total for a page past the end. */
export const TOTAL = new Statement((_db: Db, values: Values) => {
  const filter = filterIn(values)
  return countEntries(viewerIn(values), candidatesIn(values, filter), filter)
})

function filterIn({ includesPrivate, teamId, start, end }: Values): FeedFilter {
  const day = start === undefined || end === undefined ? null : { start, end }
  return { includesPrivate, teamId, day }
}

function candidatesIn(of: Feeding, filter: FeedFilter): Candidates {
  if ('repositoryId' in of) return doneIn(of.repositoryId, filter)
  return (of.isOwnOnly ? doneBy : receivedBy)(of.recipientId, filter)
}

interface Caller {
  readonly actor: Viewer | null
}

/** Each row carries the total. */
export function selectEntries(
  caller: Caller,
  candidates: Candidates,
  filter: FeedFilter,
  page: PageRange,
): RawBuilder<Entry & { total: number }> {
  return sql<Entry & { total: number }>`with candidate as materialized (${candidates})
    select repository_id, id, count(*) over () as total from candidate where ${isShown(caller, filter)}
    order by created_at desc, id desc limit ${page.limit} offset ${page.offset}`
}

export function countEntries(
  caller: Caller,
  candidates: Candidates,
  filter: FeedFilter,
): RawBuilder<{ total: number }> {
  return sql<{ total: number }>`with candidate as materialized (${candidates})
    select count(*) as total from candidate where ${isShown(caller, filter)}`
}

/** Acts of the last year, counted per quarter of an hour. */
export function selectHeat(
  ctx: Context,
  account: { readonly id: number; readonly kind: string },
): RawBuilder<{ timestamp: number; contributions: number }> {
  const now = ctx.now()
  const day = { start: new Date(now.getTime() - HEAT_DAYS * DAY_MS), end: new Date(now.getTime() + DAY_MS) }
  const filter = { day, includesPrivate: ctx.actor?.publicOnly !== true }
  // Compat: for an organization, counts all acts in its repositories.
  const candidates =
    account.kind === 'organization' ? receivedBy(account.id, filter) : doneBy(account.id, filter)
  return sql<{ timestamp: number; contributions: number }>`with candidate as materialized (${candidates})
    select floor(extract(epoch from created_at) / ${sql.lit(SLOT_S)})::bigint * ${sql.lit(SLOT_S)} as timestamp,
      count(*) as contributions
    from candidate where ${isShown(ctx, filter)} group by 1 order by 1`
}

/** Checks each repository and actor once, however many entries name it. */
function isShown(caller: Caller, { includesPrivate, teamId }: FeedFilter): RawBuilder<boolean> {
  const isOpen = includesPrivate ? sql`true` : sql`not is_private`
  const isTheirs = sql`repository_id in (select repository_id from team_repository where team_id = ${teamId})`
  return sql<boolean>`${isOpen} and ${teamId === undefined ? sql`true` : isTheirs}
    and repository_id in (select repository.id from repository
      where repository.id in (select repository_id from candidate) and ${isVisibleTo(caller)})
    and actor_id in (select account.id from account
      where account.id in (select actor_id from candidate) and ${isActive(caller)})`
}

/** Actors whose acts may be shown: visible, and not hiding their activity. */
function isActive({ actor }: Caller): RawBuilder<boolean> {
  if (actor?.isAdmin) return sql<boolean>`true`
  const isOpen = sql`not account.hides_activity and ${visibleTo(actor)}`
  return actor === null ? sql<boolean>`(${isOpen})` : sql<boolean>`(account.id = ${actor.id} or (${isOpen}))`
}
