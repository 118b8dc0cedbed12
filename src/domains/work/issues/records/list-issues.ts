/** Lists the issues of a repository: over REST the latest first, for pages in any order and with counts of states. */
import type { Tracker, Visible } from '#domains/code/repositories'
import { type Account, findVisible } from '#domains/people/users'
import { findMilestoneIds } from '#domains/work/milestones'
import type { Context } from '#platform/context'
import type { Paged } from '#platform/db'
import { notFound } from '#platform/problem'
import { instantOf, pageOf } from '#platform/rest'
import { findUsableByName } from '../labeling/store.ts'
import { hasLabel, hasMilestone, type IssueFilter } from '../search/filter.ts'
import { namesIn } from '../search/search.ts'
import { loadMentions, loadSays } from '../search/text.ts'
import type { IssueRow } from '../tables.ts'
import { seesHidden } from './hidden.ts'
import { mayRead } from './open-issue.ts'
import type { IssuesQuery, SortedQuery } from './schemas.ts'
import { showIssues } from './show-issues.ts'
import { countStates, listIssues, type StateCounts } from './store.ts'
import type { Issue } from './wire.ts'

const NOTHING: Paged<IssueRow> = { items: [], total: 0 }

export async function findIssues(
  ctx: Context,
  tracker: Tracker,
  query: IssuesQuery,
): Promise<Paged<IssueRow>> {
  const filter = await filterOf(ctx, tracker, query)
  return filter === undefined ? NOTHING : listIssues(ctx.db, tracker.id, filter, 'latest', pageOf(ctx, query))
}

export interface SortedIssues extends Paged<Issue> {
  /** In all states that match the other filters. */
  readonly counts: StateCounts
}

export async function showSorted(
  ctx: Context,
  tracker: Tracker,
  { sort = 'latest', ...query }: SortedQuery,
): Promise<SortedIssues> {
  const filter = await filterOf(ctx, tracker, query)
  if (filter === undefined) return { ...NOTHING, items: [], counts: { open: 0, closed: 0 } }
  const { items, total } = await listIssues(ctx.db, tracker.id, filter, sort, pageOf(ctx, query))
  const counts = await countStates(ctx.db, tracker.id, filter)
  return { items: await showIssues(ctx, tracker, items), total, counts }
}

/** Undefined: the caller may read none of the wanted kinds. */
async function filterOf(
  ctx: Context,
  tracker: Tracker,
  query: IssuesQuery,
): Promise<IssueFilter | undefined> {
  const wanted = { issues: query.type !== 'pulls', pulls: query.type !== 'issues' }
  const shows = {
    issues: wanted.issues && mayRead(tracker, false),
    pulls: wanted.pulls && mayRead(tracker, true),
  }
  const labels = await labelIdsOf(ctx, tracker, namesIn(query.labels))
  const milestones = await milestoneIdsOf(ctx, tracker, namesIn(query.milestones))
  const mentioned = await personOf(ctx, query.mentioned_by)
  const text = (query.q ?? '').trim()
  const filter: IssueFilter = {
    isClosed: query.state === 'all' ? null : query.state === 'closed',
    isPull: shows.issues && shows.pulls ? null : shows.pulls,
    authorId: (await personOf(ctx, query.created_by))?.id ?? null,
    assigneeId: (await personOf(ctx, query.assigned_by))?.id ?? null,
    since: instantOf('since', query.since),
    before: instantOf('before', query.before),
    showsHidden: seesHidden(ctx),
    conditions: [
      ...labels.map(hasLabel),
      ...(milestones.length === 0 ? [] : [hasMilestone(milestones)]),
      ...(text === '' ? [] : [await loadSays(ctx.db, text)]),
      ...(mentioned === undefined ? [] : [await loadMentions(ctx.db, mentioned.login)]),
    ],
  }
  return shows.issues || shows.pulls ? filter : undefined
}

/** Compat: unknown names are ignored. Several labels may have the same name. */
async function labelIdsOf(ctx: Context, repo: Visible, names: readonly string[]): Promise<number[][]> {
  if (names.length === 0) return []
  const labels = await findUsableByName(ctx.db, repo, names)
  const named = Map.groupBy(labels, ({ name }) => name)
  return [...named.values()].map((same) => same.map(({ id }) => id))
}

async function milestoneIdsOf(ctx: Context, repo: Visible, names: readonly string[]): Promise<number[]> {
  return names.length === 0 ? [] : findMilestoneIds(ctx.db, repo.id, names)
}

/** The account that a filter names. */
async function personOf(ctx: Context, login = ''): Promise<Account | undefined> {
  if (login === '') return undefined
  const person = await findVisible(ctx, login)
  if (person === undefined) throw notFound('user', login)
  return person
}
