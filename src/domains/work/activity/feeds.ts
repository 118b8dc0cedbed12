/** Feeds: which acts a caller is shown for a user, repository, organization or team. */
import { sql } from 'kysely'
import { loadInOrder, type Repository, type Visible } from '#domains/code/repositories'
import { may, type Unit } from '#domains/people/access'
import type { VisibleOrg, VisibleTeam } from '#domains/people/orgs'
import { type Account, findAccountsById, type VisibleAccount, viewerValues } from '#domains/people/users'
import { type Comment, showCommentsOf } from '#domains/work/issues'
import type { Context } from '#platform/context'
import type { Db, Paged } from '#platform/db'
import { Statement } from '#platform/db/statement'
import type { Page } from '#platform/rest'
import type { Operation } from '#slices'
import { type Day, ENTRIES, type Entry, type FeedFilter, type Feeding, selectHeat, TOTAL } from './queries.ts'
import type { ActivityRow } from './tables.ts'

export interface ShownAct {
  readonly act: ActivityRow
  readonly actor: Account
  readonly repo: Repository
  readonly comment: Comment | null
}

export type Feed = Paged<ShownAct>

const NOTHING: Feed = { items: [], total: 0 }

export async function feedOfUser(
  ctx: Context,
  user: VisibleAccount,
  { day, isOwnOnly }: { day: Day | null; isOwnOnly: boolean },
  page: Page,
): Promise<Feed> {
  const isPrivy = isPrivyTo(ctx, user)
  if (user.hides_activity && !isPrivy) return NOTHING
  const filter = { day, includesPrivate: isPrivy && !ctx.actor?.publicOnly }
  return load(ctx, { recipientId: user.id, isOwnOnly }, filter, page)
}

export function feedOfRepository(ctx: Context, repo: Visible, day: Day | null, page: Page): Promise<Feed> {
  const filter = { day, includesPrivate: !ctx.actor?.publicOnly }
  return load(ctx, { repositoryId: repo.id }, filter, page)
}

/** Private acts are shown to members only. */
export function feedOfOrg(ctx: Context, org: VisibleOrg, day: Day | null, page: Page): Promise<Feed> {
  const isInside = org.role !== 'stranger' || ctx.actor?.isAdmin === true
  const filter = { day, includesPrivate: isInside && !ctx.actor?.publicOnly }
  return load(ctx, { recipientId: org.id, isOwnOnly: false }, filter, page)
}

/** The acts of the organization's feed that are in the team's repositories. */
export function feedOfTeam(
  ctx: Context,
  { team, org }: VisibleTeam,
  day: Day | null,
  page: Page,
): Promise<Feed> {
  const filter = { day, includesPrivate: !ctx.actor?.publicOnly, teamId: team.id }
  return load(ctx, { recipientId: org.id, isOwnOnly: false }, filter, page)
}

export async function heatOf(
  ctx: Context,
  account: VisibleAccount,
): Promise<{ timestamp: number; contributions: number }[]> {
  if (account.hides_activity && !isPrivyTo(ctx, account)) return []
  return (await selectHeat(ctx, account).execute(ctx.db)).rows
}

function isPrivyTo({ actor }: Context, account: Account): boolean {
  return actor !== null && (actor.isAdmin || actor.id === account.id)
}

/** Loads ids, then rows, then related records: a fixed number of queries. */
async function load(
  ctx: Context,
  of: Feeding,
  { day, ...filter }: FeedFilter,
  { limit, offset }: Page,
): Promise<Feed> {
  const values = { ...of, ...filter, ...day, ...viewerValues(ctx) }
  const entries = await ENTRIES.rows(ctx.db, { ...values, limit, offset })
  const isPastEnd = entries.length === 0 && offset > 0
  const [counted] = isPastEnd ? await TOTAL.rows(ctx.db, values) : entries
  return { items: await complete(ctx, entries), total: counted?.total ?? 0 }
}

async function complete(ctx: Context, entries: readonly Entry[]): Promise<ShownAct[]> {
  const acts = await findActs(ctx, entries)
  const ids = new Set(entries.map(({ repository_id }) => repository_id))
  const repos = new Map((await loadInOrder(ctx, [...ids])).map((repo) => [repo.id, repo]))
  const actors = await findAccountsById(
    ctx.db,
    [...acts.values()].map(({ actor_id }) => actor_id),
  )
  const comments = await showCommentsOf(
    ctx,
    repos,
    [...acts.values()].flatMap(({ comment_id }) => comment_id ?? []),
  )
  return entries.flatMap(({ id, repository_id }) => {
    const act = acts.get(id)
    const repo = repos.get(repository_id)
    const actor = act && actors.get(act.actor_id)
    if (act === undefined || repo === undefined || actor === undefined) return []
    const comment = comments.get(act.comment_id ?? 0) ?? null
    // An act whose comment was deleted is not shown.
    const isTakenBack = act.comment_id !== null && comment === null
    return mayKnow(repo, act.op_type) && !isTakenBack ? [{ act, repo, actor, comment }] : []
  })
}

async function findActs(ctx: Context, entries: readonly Entry[]): Promise<Map<number, ActivityRow>> {
  if (entries.length === 0) return new Map()
  const repositoryIds = entries.map(({ repository_id }) => repository_id)
  const found = await ACTS.rows(ctx.db, { repositoryIds, ids: entries.map(({ id }) => id) })
  return new Map(found.map((act) => [act.id, act]))
}

export const ACTS = new Statement(
  (db: Db, { repositoryIds, ids }: { repositoryIds: readonly number[]; ids: readonly number[] }) =>
    db
      .selectFrom('activity')
      .selectAll()
      .where(
        sql<boolean>`(repository_id, id) in (select * from unnest(${repositoryIds}::bigint[], ${ids}::bigint[]))`,
      ),
)

/** A user who may see a repository may still lack access to a unit, and then does not see its acts. */
function mayKnow(repo: Repository, operation: Operation): boolean {
  const unit = UNIT_OF[operation]
  return unit === undefined || may(repo.access, 'read', unit)
}

const UNIT_OF: Partial<Record<Operation, Unit>> = {
  commit_repo: 'code',
  push_tag: 'code',
  delete_tag: 'code',
  delete_branch: 'code',
  mirror_sync_push: 'code',
  mirror_sync_create: 'code',
  mirror_sync_delete: 'code',
  publish_release: 'releases',
  create_issue: 'issues',
  comment_issue: 'issues',
  close_issue: 'issues',
  reopen_issue: 'issues',
  create_pull_request: 'pulls',
  merge_pull_request: 'pulls',
  auto_merge_pull_request: 'pulls',
  close_pull_request: 'pulls',
  reopen_pull_request: 'pulls',
  approve_pull_request: 'pulls',
  reject_pull_request: 'pulls',
  comment_pull: 'pulls',
  pull_review_dismissed: 'pulls',
  pull_request_ready_for_review: 'pulls',
}
