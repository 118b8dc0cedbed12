/**
 * Feeds, for reading: which acts, newest first, and how many there are.
 *
 * A feed looks back over a bounded number of entries, whoever asks and however many of them they may see. So the count
 * and every page cost a range of one index, and what is older is found by its day.
 */
import { type RawBuilder, sql } from 'kysely'
import { isVisibleTo } from '#domains/code/repositories'
import { visibleTo } from '#domains/people/users'
import type { Context } from '#platform/context'
import type { Page } from '#platform/rest'

/** An act in a feed, by its numbers. */
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
  /** Also what was done while the repository was private. */
  readonly includesPrivate: boolean
  /** Only what was done in the repositories of this team. */
  readonly teamId?: number
}

type Candidates = RawBuilder<unknown>

const ENTRIES_MAX = 5_000
const SLOT_S = 900
const HEAT_DAYS = 366
const DAY_MS = 86_400_000

/** What somebody is told. */
export function receivedBy(recipientId: number, { day }: FeedFilter): Candidates {
  return fromFeed(sql`recipient_id = ${recipientId}`, day)
}

/** What somebody has done. */
export function doneBy(recipientId: number, { day }: FeedFilter): Candidates {
  return fromFeed(sql`recipient_id = ${recipientId} and actor_id = recipient_id`, day)
}

/** What was done in a repository. */
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

/** A page, and with each of its entries how many there are in all. */
export function selectEntries(
  ctx: Context,
  candidates: Candidates,
  filter: FeedFilter,
  page: Page,
): RawBuilder<Entry & { total: number }> {
  return sql<Entry & { total: number }>`with candidate as materialized (${candidates})
    select repository_id, id, count(*) over () as total from candidate where ${isShown(ctx, filter)}
    order by created_at desc, id desc limit ${page.limit} offset ${page.offset}`
}

/** For a page past the end. */
export function countEntries(
  ctx: Context,
  candidates: Candidates,
  filter: FeedFilter,
): RawBuilder<{ total: number }> {
  return sql<{ total: number }>`with candidate as materialized (${candidates})
    select count(*) as total from candidate where ${isShown(ctx, filter)}`
}

/** Acts in quarters of an hour over the last year. */
export function selectHeat(
  ctx: Context,
  account: { readonly id: number; readonly kind: string },
): RawBuilder<{ timestamp: number; contributions: number }> {
  const now = ctx.now()
  const day = { start: new Date(now.getTime() - HEAT_DAYS * DAY_MS), end: new Date(now.getTime() + DAY_MS) }
  const filter = { day, includesPrivate: ctx.actor?.publicOnly !== true }
  // Compat: of an organization all is counted that was done in its repositories.
  const candidates =
    account.kind === 'organization' ? receivedBy(account.id, filter) : doneBy(account.id, filter)
  return sql<{ timestamp: number; contributions: number }>`with candidate as materialized (${candidates})
    select floor(extract(epoch from created_at) / ${sql.lit(SLOT_S)})::bigint * ${sql.lit(SLOT_S)} as timestamp,
      count(*) as contributions
    from candidate where ${isShown(ctx, filter)} group by 1 order by 1`
}

/** Repositories and people are judged once, however many entries name them. */
function isShown(ctx: Context, { includesPrivate, teamId }: FeedFilter): RawBuilder<boolean> {
  const isOpen = includesPrivate ? sql`true` : sql`not is_private`
  const isTheirs = sql`repository_id in (select repository_id from team_repository where team_id = ${teamId})`
  return sql<boolean>`${isOpen} and ${teamId === undefined ? sql`true` : isTheirs}
    and repository_id in (select repository.id from repository
      where repository.id in (select repository_id from candidate) and ${isVisibleTo(ctx)})
    and actor_id in (select account.id from account
      where account.id in (select actor_id from candidate) and ${isActive(ctx)})`
}

/** Whose acts may be shown: of those who can be seen and do not hide what they do. */
function isActive({ actor }: Context): RawBuilder<boolean> {
  if (actor?.isAdmin) return sql<boolean>`true`
  const isOpen = sql`not account.hides_activity and ${visibleTo(actor)}`
  return actor === null ? sql<boolean>`(${isOpen})` : sql<boolean>`(account.id = ${actor.id} or (${isOpen}))`
}
