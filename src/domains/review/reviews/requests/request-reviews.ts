/** Requests reviews of users and teams, and removes requests: all of them or none. */

import { findOfficialReviewers, findOfficialTeams } from '#domains/code/protections'
import { isReviewer, type Repository } from '#domains/code/repositories'
import {
  type JoinedPull,
  openPullToJoin,
  type PullCaller,
  type PullRow,
  type PullTracker,
  pullEvent,
} from '#domains/review/pulls'
import { applyChange, beginChange, type Change, openIssue } from '#domains/work/issues'
import { emit } from '#events'
import { type Context, type TxContext, transact } from '#platform/context'
import type { SignedIn } from '#platform/rest'
import type { RequestEvent } from '../events.ts'
import { tellOfPeople, tellOfTeams } from '../records/reviewers.ts'
import {
  deleteReviews,
  findDecisions,
  insertReview,
  listRequests,
  setOfficial,
  unsetOfficial,
} from '../records/store.ts'
import type { NewReviewRow, ReviewRow } from '../tables.ts'
import {
  type AskedPerson,
  type Asker,
  judgeAsking,
  judgeAskingTeam,
  judgeTakingBack,
  judgeTakingBackTeam,
  mayChoose,
} from './decide.ts'
import { findNamed, type Named, type NamedPerson, type NamedTeam, type Names } from './find-named.ts'

/** A pull request locked with its issue, and the requesting user. */
export interface Asking extends Pick<JoinedPull, 'repo' | 'issue' | 'pull'> {
  readonly actor: SignedIn
}

/** Whether the caller may request reviews. The author may, also without write access. */
export async function mayRequestReviews(
  ctx: Context,
  tracker: PullTracker,
  number: number,
): Promise<boolean> {
  const { db, actor } = ctx
  if (actor === null) return false
  const isOwn = (await openIssue(ctx, tracker, number)).author_id === actor.id
  const worksThere = !isOwn && (await isReviewer(db, tracker, actor.id))
  return mayChoose({ isAuthor: isOwn, worksThere, isArchived: tracker.access.archived })
}

/** Returns the new requests; skips reviewers who are requested already. */
export function requestReviews(
  ctx: Context,
  { tracker, actor }: PullCaller,
  number: number,
  names: Names,
): Promise<ReviewRow[]> {
  return transact(ctx, async (ctx) => {
    const asking = { ...(await openPullToJoin(ctx, tracker, number)), actor }
    const named = await findNamed(ctx, asking.repo, names)
    return addRequests(ctx, asking, named)
  })
}

/** Those who can be requested and have not decided yet. */
export async function keepAskable(ctx: TxContext, asking: Asking, named: Named): Promise<Named> {
  const asker = await askerOf(ctx, asking)
  const { factsOf } = await lookAt(ctx, asking, named.people)
  const isAskable = (facts: AskedPerson) =>
    !facts.hasDecided && judgeAsking(asker, facts, asking.pull.is_open) === undefined
  const isPrivate = asking.repo.is_private
  return {
    people: named.people.filter((person) => isAskable(factsOf(person))),
    teams: named.teams.filter(
      ({ has_repository }) =>
        judgeAskingTeam(asker, { hasRepository: has_repository, isPrivate }) === undefined,
    ),
  }
}

export async function addRequests(ctx: TxContext, asking: Asking, named: Named): Promise<ReviewRow[]> {
  const { pull, repo } = asking
  const asker = await askerOf(ctx, asking)
  const facts = await lookAt(ctx, asking, named.people)
  for (const person of named.people) {
    const refusal = judgeAsking(asker, facts.factsOf(person), pull.is_open)
    if (refusal !== undefined) throw refusal
  }
  for (const team of named.teams) {
    const isPrivate = repo.is_private
    const refusal = judgeAskingTeam(asker, { hasRepository: team.has_repository, isPrivate })
    if (refusal !== undefined) throw refusal
  }
  const people = named.people.filter(({ id }) => !facts.userIds.has(id))
  const teams = named.teams.filter(({ id }) => !facts.teamIds.has(id))
  if (people.length === 0 && teams.length === 0) return []
  const change = beginChange(asking.issue, asking.actor)
  const added = [...(await askPeople(ctx, asking, people)), ...(await askTeams(ctx, asking, teams))]
  for (const review of added) tell(ctx, change, pull, review, false)
  await applyChange(ctx, change)
  return added
}

async function askPeople(
  ctx: TxContext,
  { repo, pull }: Asking,
  people: readonly NamedPerson[],
): Promise<ReviewRow[]> {
  const ids = people.map(({ id }) => id)
  const official = await findOfficialReviewers(ctx.db, repo, pull.base_branch, ids)
  // While a new review is requested, the user's earlier reviews are not official.
  if (official.size > 0) await unsetOfficial(ctx.db, pull.issue_id, [...official])
  const added: ReviewRow[] = []
  for (const id of ids)
    added.push(
      await insertReview(ctx.db, {
        ...newRequest(ctx, pull),
        reviewer_id: id,
        is_official: official.has(id),
      }),
    )
  await tellOfPeople(ctx, pull.issue_id, ids)
  return added
}

async function askTeams(
  ctx: TxContext,
  { repo, pull }: Asking,
  teams: readonly NamedTeam[],
): Promise<ReviewRow[]> {
  const ids = teams.map(({ id }) => id)
  const official = await findOfficialTeams(ctx.db, repo, pull.base_branch, teams)
  const added: ReviewRow[] = []
  for (const id of ids)
    added.push(
      await insertReview(ctx.db, { ...newRequest(ctx, pull), team_id: id, is_official: official.has(id) }),
    )
  await tellOfTeams(ctx, pull.issue_id, ids, true)
  return added
}

function newRequest(ctx: TxContext, { issue_id, version }: PullRow): NewReviewRow {
  return {
    issue_id,
    version,
    reviewer_id: null,
    kind: 'request',
    body: '',
    head_oid: '',
    is_official: false,
    created_at: ctx.now(),
    updated_at: ctx.now(),
  }
}

/** Skips reviewers who are not requested. */
export function withdrawRequests(
  ctx: Context,
  { tracker, actor }: PullCaller,
  number: number,
  names: Names,
): Promise<void> {
  return transact(ctx, async (ctx) => {
    const asking = { ...(await openPullToJoin(ctx, tracker, number)), actor }
    const named = await findNamed(ctx, asking.repo, names)
    const asker = await askerOf(ctx, asking)
    const requests = await listRequests(ctx.db, asking.pull.issue_id)
    const asked = new Set(requests.flatMap(({ reviewer_id }) => reviewer_id ?? []))
    for (const { id } of named.people) {
      const refusal = judgeTakingBack(asker, { id, isRequested: asked.has(id) })
      if (refusal !== undefined) throw refusal
    }
    const refusal = named.teams.length === 0 ? undefined : judgeTakingBackTeam(asker)
    if (refusal !== undefined) throw refusal
    const userIds = new Set(named.people.map(({ id }) => id))
    const teamIds = new Set(named.teams.map(({ id }) => id))
    const gone = requests.filter((it) => userIds.has(it.reviewer_id ?? 0) || teamIds.has(it.team_id ?? 0))
    await dropRequests(ctx, asking, gone)
  })
}

async function dropRequests(
  ctx: TxContext,
  { repo, issue, pull, actor }: Asking,
  gone: readonly ReviewRow[],
): Promise<void> {
  if (gone.length === 0) return
  await deleteReviews(
    ctx.db,
    gone.map(({ id }) => id),
  )
  const userIds = gone.flatMap(({ reviewer_id }) => reviewer_id ?? [])
  await restoreOfficial(ctx, repo, pull, userIds)
  await tellOfPeople(ctx, pull.issue_id, userIds)
  await tellOfTeams(
    ctx,
    pull.issue_id,
    gone.flatMap(({ team_id }) => team_id ?? []),
    false,
  )
  const change = beginChange(issue, actor)
  for (const review of gone) tell(ctx, change, pull, review, true)
  await applyChange(ctx, change)
}

/** Without the request, the earlier decision is official again. */
async function restoreOfficial(
  ctx: TxContext,
  repo: Repository,
  pull: PullRow,
  userIds: readonly number[],
): Promise<void> {
  const official = await findOfficialReviewers(ctx.db, repo, pull.base_branch, userIds)
  const decisions = await findDecisions(ctx.db, pull.issue_id, [...official])
  const ids = [...decisions.values()].filter((it) => !it.is_dismissed).map(({ id }) => id)
  await setOfficial(ctx.db, ids, true)
}

function tell(ctx: TxContext, change: Change, pull: PullRow, review: ReviewRow, isRemoved: boolean): void {
  const { reviewer_id, team_id } = review
  change.entries.push({
    kind: 'review_request',
    payload: {
      ...(isRemoved ? { is_removed: true } : { review_id: review.id }),
      ...(reviewer_id === null ? {} : { assignee_id: reviewer_id }),
      ...(team_id === null ? {} : { assignee_team_id: team_id }),
    },
  })
  const event: RequestEvent = {
    ...pullEvent(pull, change.actor),
    user_id: reviewer_id,
    team_id,
    is_removed: isRemoved,
  }
  change.telling.push(() => emit(ctx, 'review.requested', event))
}

async function askerOf(ctx: TxContext, { repo, issue, actor }: Asking): Promise<Asker> {
  return {
    id: actor.id,
    isAuthor: issue.author_id === actor.id,
    worksThere: await isReviewer(ctx.db, repo, actor.id),
    isArchived: repo.access.archived,
  }
}

/** Facts about the named users, and the current requests. */
async function lookAt(ctx: TxContext, { issue }: Asking, people: readonly NamedPerson[]) {
  const requests = await listRequests(ctx.db, issue.id)
  const userIds = new Set(requests.flatMap(({ reviewer_id }) => reviewer_id ?? []))
  const teamIds = new Set(requests.flatMap(({ team_id }) => team_id ?? []))
  const ids = people.map(({ id }) => id)
  const decisions = await findDecisions(ctx.db, issue.id, ids)
  const factsOf = ({ id, kind, may_read, hears }: NamedPerson): AskedPerson => ({
    id,
    isOrganization: kind === 'organization',
    isAuthor: issue.author_id === id,
    mayRead: may_read,
    isAway: !hears,
    isRequested: userIds.has(id),
    hasDecided: decisions.has(id),
  })
  return { userIds, teamIds, factsOf }
}
