/** Lists tracked times: of an issue, a repository or the caller. */
import type { Tracker } from '#domains/code/repositories'
import { findVisible } from '#domains/people/users'
import type { Context } from '#platform/context'
import { type Paged, takePage } from '#platform/db'
import { forbidden, notFound } from '#platform/problem'
import { type Page, pageOf, type SignedIn } from '#platform/rest'
import { type Caller, mayRead, mayWrite, openIssue } from '../records/open-issue.ts'
import type { TrackedTimeRow } from '../tables.ts'
import { spanOf } from '../timeline/routes.ts'
import { assertTracked, isTracked } from './open-to-track.ts'
import type { TimesQuery } from './schemas.ts'
import { showTimes } from './show-times.ts'
import { selectOwnTimes, selectTimes } from './store.ts'
import type { TrackedTime } from './wire.ts'

/** Compat: the deprecated list has no pages, and ends here. */
const ALL: Page = { number: 1, limit: 10_000, offset: 0 }

export async function listTimesOfIssue(
  ctx: Context,
  { tracker, actor }: Caller,
  number: number,
  query: TimesQuery,
): Promise<Paged<TrackedTime>> {
  const span = spanOf(query)
  const issue = await openIssue(ctx, tracker, number)
  if (!isTracked(tracker)) throw notFound('tracked times', number)
  const userId = await whose(ctx, actor, mayWrite(tracker, issue.is_pull), query.user)
  const filter = { ...span, in: { issue_id: issue.id }, userId, isPull: null }
  return show(ctx, await takePage(selectTimes(ctx.db, filter), pageOf(ctx, query)))
}

export async function listTimesOfRepository(
  ctx: Context,
  { tracker, actor }: Caller,
  query: TimesQuery,
  page = pageOf(ctx, query),
): Promise<Paged<TrackedTime>> {
  assertTracked(tracker)
  const span = spanOf(query)
  const kinds = [false, true].filter((isPull) => mayRead(tracker, isPull))
  const userId = await whose(ctx, actor, writesAll(tracker, kinds), query.user)
  const isPull = kinds.length === 1 ? (kinds[0] ?? null) : null
  const filter = { ...span, in: { repository_id: tracker.id }, userId, isPull }
  return show(ctx, await takePage(selectTimes(ctx.db, filter), page))
}

export function listTimesOfUser(ctx: Context, caller: Caller, user: string): Promise<Paged<TrackedTime>> {
  return listTimesOfRepository(ctx, caller, { user }, ALL)
}

export async function listOwnTimes(
  ctx: Context,
  actor: SignedIn,
  query: TimesQuery,
): Promise<Paged<TrackedTime>> {
  return show(ctx, await takePage(selectOwnTimes(ctx, actor.id, spanOf(query)), pageOf(ctx, query)))
}

async function show(ctx: Context, { items, total }: Paged<TrackedTimeRow>): Promise<Paged<TrackedTime>> {
  return { items: await showTimes(ctx, items), total }
}

/** Callers without write access see only their own times. null: all users. */
async function whose(
  ctx: Context,
  actor: SignedIn,
  seesAll: boolean,
  login: string | undefined,
): Promise<number | null> {
  if (login === undefined || login === '') return seesAll ? null : actor.id
  const person = await findVisible(ctx, login)
  if (person === undefined) throw notFound('user', login)
  if (!seesAll && person.id !== actor.id) throw forbidden('query by user not allowed; not enough rights')
  return person.id
}

function writesAll(tracker: Tracker, kinds: readonly boolean[]): boolean {
  return kinds.every((isPull) => mayWrite(tracker, isPull))
}
