/** The wire format of pull requests. Pure: no database, no clock. */
import { type Static, Type } from 'typebox'
import { presentRepository, type Repository, RepositoryRecord } from '#domains/code/repositories'
import { type OrgRecord, presentTeam, Team, type TeamRecord } from '#domains/people/orgs'
import { type Account, presentUser, User } from '#domains/people/users'
import { type Issue, Issue as IssueSchema, isDraft } from '#domains/work/issues'
import { Time, time } from '#platform/rest'
import type { Site } from '#platform/site'
import { headRef } from '../heads/refs.ts'
import type { PullRow } from '../tables.ts'

const PRBranchInfo = Type.Object(
  {
    label: Type.String(),
    ref: Type.String(),
    sha: Type.String(),
    repo_id: Type.Integer({ description: '-1 when the repository is gone' }),
    repo: Type.Union([RepositoryRecord, Type.Null()]),
  },
  { title: 'PRBranchInfo' },
)

const FROM_ISSUE = IssueSchema.properties

export type PullRequest = Static<typeof PullRequest>
export const PullRequest = Type.Object(
  {
    id: Type.Integer(),
    url: Type.String(),
    number: Type.Integer(),
    user: User,
    title: Type.String(),
    body: Type.String(),
    labels: FROM_ISSUE.labels,
    milestone: FROM_ISSUE.milestone,
    assignee: FROM_ISSUE.assignee,
    assignees: FROM_ISSUE.assignees,
    requested_reviewers: Type.Array(User),
    requested_reviewers_teams: Type.Array(Team),
    state: FROM_ISSUE.state,
    draft: Type.Boolean(),
    is_locked: Type.Boolean(),
    comments: Type.Integer(),
    review_comments: Type.Optional(Type.Integer()),
    additions: Type.Optional(Type.Integer()),
    deletions: Type.Optional(Type.Integer()),
    changed_files: Type.Optional(Type.Integer()),
    html_url: Type.String(),
    diff_url: Type.String(),
    patch_url: Type.String(),
    mergeable: Type.Boolean(),
    merged: Type.Boolean(),
    merged_at: Type.Union([Time, Type.Null()]),
    merge_commit_sha: Type.Union([Type.String(), Type.Null()]),
    merged_by: Type.Union([User, Type.Null()]),
    allow_maintainer_edit: Type.Boolean(),
    base: PRBranchInfo,
    head: PRBranchInfo,
    merge_base: Type.String(),
    due_date: FROM_ISSUE.due_date,
    created_at: Time,
    updated_at: Time,
    closed_at: FROM_ISSUE.closed_at,
    pin_order: Type.Integer(),
    content_version: Type.Integer(),
  },
  { title: 'PullRequest' },
)

/** Everything needed to present pull requests of one repository, besides their issues. */
export interface Around {
  readonly repo: Repository
  readonly issues: ReadonlyMap<number, Issue>
  readonly accounts: ReadonlyMap<number, Account>
  /** Head repositories that the caller may see. */
  readonly heads: ReadonlyMap<number, Repository>
  /** By issue id. */
  readonly reviewerIds: ReadonlyMap<number, readonly number[]>
  readonly teams: ReadonlyMap<number, readonly TeamRecord[]>
  readonly orgs: ReadonlyMap<number, OrgRecord>
  /** Current branch tips, by `tipKey`. */
  readonly tips: ReadonlyMap<string, string>
  readonly site: Site
}

export function tipKey(storageId: number, branch: string): string {
  return `${storageId}:${branch}`
}

export function presentPull(pull: PullRow, issue: Issue, around: Around): PullRequest {
  const { accounts, site } = around
  const tip = around.tips.get(tipKey(around.repo.storage_id, pull.base_branch))
  const people = (around.reviewerIds.get(pull.issue_id) ?? []).flatMap((id) => accounts.get(id) ?? [])
  return {
    id: pull.id,
    url: issue.html_url,
    number: issue.number,
    user: issue.user,
    title: issue.title,
    body: issue.body,
    labels: issue.labels,
    milestone: issue.milestone,
    assignee: issue.assignee,
    assignees: issue.assignees,
    requested_reviewers: people.map((account) => presentUser(account, null, site)),
    requested_reviewers_teams: (around.teams.get(pull.issue_id) ?? []).map((team) =>
      presentTeam(team, around.orgs.get(team.organization_id) ?? null, site),
    ),
    state: issue.state,
    draft: isDraft(issue),
    is_locked: issue.is_locked,
    comments: issue.comments,
    // Compat: omitted if zero.
    ...(pull.review_comments === 0 ? {} : { review_comments: pull.review_comments }),
    ...presentStats(pull),
    html_url: issue.html_url,
    diff_url: `${issue.html_url}.diff`,
    patch_url: `${issue.html_url}.patch`,
    mergeable: isMergeable(pull, tip) && !isDraft(issue),
    ...presentMerge(pull, around),
    allow_maintainer_edit: pull.allows_maintainer_edit,
    base: presentBase(pull, around, tip ?? ''),
    head: presentHead(pull, around),
    merge_base: pull.merge_base,
    due_date: issue.due_date,
    created_at: issue.created_at,
    updated_at: issue.updated_at,
    closed_at: issue.closed_at,
    pin_order: issue.pin_order,
    content_version: issue.content_version,
  }
}

/** A stored result counts only for the current base and head. A merged pull request needs no check. */
export function isMergeable(pull: PullRow, baseTip: string | undefined): boolean {
  if (pull.merged_at !== null) return true
  return isChecked(pull, baseTip) && ['mergeable', 'merged', 'empty'].includes(pull.mergeability)
}

export function isChecked(pull: PullRow, baseTip: string | undefined): boolean {
  return pull.checked_head_oid === pull.head_oid && pull.checked_base_oid === baseTip
}

function presentStats({ additions, deletions, changed_files }: PullRow) {
  if (additions === null || deletions === null || changed_files === null) return {}
  return { additions, deletions, changed_files }
}

function presentMerge(pull: PullRow, { accounts, site }: Around) {
  const merger = accounts.get(pull.merged_by_id ?? 0)
  return {
    merged: pull.merged_at !== null,
    merged_at: time(pull.merged_at),
    merge_commit_sha: pull.merge_commit,
    merged_by: merger === undefined ? null : presentUser(merger, null, site),
  }
}

function presentBase(pull: PullRow, { repo, site }: Around, sha: string) {
  return {
    label: pull.base_branch,
    ref: pull.base_branch,
    sha,
    repo_id: repo.id,
    repo: presentRepository(repo, site),
  }
}

/** Compat: an AGit pull request has the base repository as its head repository. */
function presentHead(pull: PullRow, { heads, tips, repo, site }: Around) {
  const head = pull.flow === 'agit' ? repo : heads.get(pull.head_repository_id ?? 0)
  const isThere =
    pull.flow === 'branch' && head !== undefined && tips.has(tipKey(head.storage_id, pull.head_branch))
  return {
    label: pull.flow === 'agit' ? '' : pull.head_branch,
    ref: isThere ? pull.head_branch : headRef(pull.number),
    sha: pull.head_oid,
    repo_id: head?.id ?? -1,
    repo: head === undefined ? null : presentRepository(head, site),
  }
}
