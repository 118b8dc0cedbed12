/** Loads pull requests with everything shown of them: a fixed number of queries, no git. */

import { loadInOrder, type Repository } from '#domains/code/repositories'
import { may } from '#domains/people/access'
import { findOrgsById, findTeams } from '#domains/people/orgs'
import { findAccountsById } from '#domains/people/users'
import { findIssuesById, findRequested, showIssues } from '#domains/work/issues'
import { findTips, HEADS } from '#git'
import type { Context } from '#platform/context'
import { must } from '#platform/must'
import type { PullRow } from '../tables.ts'
import { type PullRequest, presentPull, tipKey } from './wire.ts'

export async function showPulls(
  ctx: Context,
  repo: Repository,
  pulls: readonly PullRow[],
): Promise<PullRequest[]> {
  const issueIds = pulls.map(({ issue_id }) => issue_id)
  const rows = issueIds.length === 0 ? [] : await findIssuesById(ctx.db, issueIds)
  const issues = new Map((await showIssues(ctx, repo, rows)).map((issue) => [issue.id, issue]))
  const requested = await findRequested(ctx.db, issueIds)
  const teams = await findTeams(ctx.db, [...requested.teamIds.values()].flat())
  const orgs = await findOrgsById(
    ctx.db,
    [...teams.values()].map(({ organization_id }) => organization_id),
  )
  const heads = await loadHeads(ctx, repo, pulls)
  const around = {
    repo,
    issues,
    heads,
    reviewerIds: requested.userIds,
    orgs,
    teams: new Map(
      [...requested.teamIds].map(([id, ids]) => [id, ids.flatMap((teamId) => teams.get(teamId) ?? [])]),
    ),
    accounts: await findAccountsById(ctx.db, [
      ...pulls.flatMap(({ merged_by_id }) => merged_by_id ?? []),
      ...[...requested.userIds.values()].flat(),
    ]),
    tips: await loadTips(ctx, repo, heads, pulls),
    site: ctx.site,
  }
  return pulls.map((pull) =>
    presentPull(pull, must(issues.get(pull.issue_id), 'a pull request has an issue'), around),
  )
}

export async function showPull(ctx: Context, repo: Repository, pull: PullRow): Promise<PullRequest> {
  const [shown] = await showPulls(ctx, repo, [pull])
  return must(shown, 'one is shown for each')
}

async function loadHeads(
  ctx: Context,
  repo: Repository,
  pulls: readonly PullRow[],
): Promise<Map<number, Repository>> {
  const ids = new Set(pulls.flatMap(({ head_repository_id }) => head_repository_id ?? []))
  ids.delete(repo.id)
  const others = await loadInOrder(ctx, [...ids])
  const seen = others.filter((other) => may(other.access, 'see'))
  return new Map([repo, ...seen].map((it) => [it.id, it]))
}

async function loadTips(
  ctx: Context,
  repo: Repository,
  heads: ReadonlyMap<number, Repository>,
  pulls: readonly PullRow[],
): Promise<Map<string, string>> {
  const places = pulls.flatMap((pull) => {
    const head = heads.get(pull.head_repository_id ?? 0)
    const base = { storageId: repo.storage_id, name: HEADS + pull.base_branch }
    return head === undefined
      ? [base]
      : [base, { storageId: head.storage_id, name: HEADS + pull.head_branch }]
  })
  const tips = await findTips(ctx.db, places)
  return new Map(tips.map((tip) => [tipKey(tip.storage_id, tip.name.slice(HEADS.length)), tip.oid]))
}
