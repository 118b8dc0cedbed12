/** The wire format of issues. Pure: no database, no clock. */
import { type Static, Type } from 'typebox'
import { Attachment, type AttachmentRow, presentAttachment } from '#domains/code/attachments'
import type { Repository } from '#domains/code/repositories'
import { type Account, presentUser, User } from '#domains/people/users'
import { Label, type LabelRow, presentLabel } from '#domains/work/labels'
import { Milestone, type MilestoneRow, presentMilestone } from '#domains/work/milestones'
import { type IssueCount, Project, type ProjectRow, presentProjectsOf } from '#domains/work/projects'
import type { Actor } from '#platform/context'
import { Time, time } from '#platform/rest'
import type { Site } from '#platform/site'
import type { IssueRow } from '../tables.ts'
import { presentAuthor, presentOriginal } from './people.ts'

export const State = Type.Union([Type.Literal('open'), Type.Literal('closed')])
const Nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()])

const RepositoryMeta = Type.Object(
  { id: Type.Integer(), name: Type.String(), owner: Type.String(), full_name: Type.String() },
  { title: 'RepositoryMeta' },
)
const PullRequestMeta = Type.Object(
  {
    draft: Type.Boolean(),
    html_url: Type.String(),
    merged: Type.Boolean(),
    merged_at: Nullable(Time),
  },
  { title: 'PullRequestMeta' },
)

export type Issue = Static<typeof Issue>
export const Issue = Type.Object(
  {
    id: Type.Integer(),
    url: Type.String(),
    html_url: Type.String(),
    number: Type.Integer(),
    user: User,
    original_author: Type.String(),
    original_author_id: Type.Integer(),
    title: Type.String(),
    body: Type.String(),
    ref: Type.String(),
    assets: Type.Array(Attachment),
    labels: Type.Array(Label),
    milestone: Nullable(Milestone),
    projects: Type.Array(Project),
    assignee: Nullable(User),
    assignees: Type.Array(User),
    state: State,
    is_locked: Type.Boolean(),
    comments: Type.Integer(),
    created_at: Time,
    updated_at: Time,
    closed_at: Nullable(Time),
    due_date: Nullable(Time),
    time_estimate: Type.Integer(),
    pull_request: Nullable(PullRequestMeta),
    repository: RepositoryMeta,
    pin_order: Type.Integer({ description: 'position among the pinned issues; 0 if it is not pinned' }),
    content_version: Type.Integer({ description: 'version of the body, for optimistic locking' }),
  },
  { title: 'Issue' },
)

/** Everything needed to present issues of one repository. */
export interface Around {
  readonly repo: Repository
  readonly viewer: Actor | null
  readonly accounts: ReadonlyMap<number, Account>
  readonly labels: ReadonlyMap<number, readonly LabelRow[]>
  readonly milestones: ReadonlyMap<number, MilestoneRow>
  readonly projects: ReadonlyMap<number, readonly ProjectRow[]>
  /** By project. */
  readonly counts: ReadonlyMap<number, IssueCount>
  readonly assigneeIds: ReadonlyMap<number, readonly number[]>
  readonly attachments: ReadonlyMap<number, readonly AttachmentRow[]>
  readonly site: Site
}

export function presentIssue(issue: IssueRow, around: Around): Issue {
  const { repo, accounts, site } = around
  const fullName = `${repo.owner.login}/${repo.name}`
  const milestone = around.milestones.get(issue.milestone_id ?? 0)
  // Compat: presented as to an anonymous user, for every caller.
  const assignees = (around.assigneeIds.get(issue.id) ?? [])
    .flatMap((id) => accounts.get(id) ?? [])
    .map((account) => presentUser(account, null, site))
  return {
    id: issue.id,
    url: `${site.apiUrl}/repos/${fullName}/issues/${issue.number}`,
    html_url: pageOfIssue(issue, repo, site),
    number: issue.number,
    user: presentAuthor(accounts.get(issue.author_id ?? 0), around.viewer, site, issue.created_at),
    ...presentOriginal(issue),
    title: issue.title,
    body: issue.body,
    ref: issue.ref,
    assets: (around.attachments.get(issue.id) ?? []).map((row) => presentAttachment(row, site)),
    labels: (around.labels.get(issue.id) ?? []).map((label) => presentLabelOf(label, repo, site)),
    milestone: milestone === undefined ? null : presentMilestone(milestone),
    projects: presentProjectsOf(around.projects.get(issue.id) ?? [], repo, around),
    assignee: assignees[0] ?? null,
    assignees,
    state: issue.is_closed ? 'closed' : 'open',
    is_locked: issue.is_locked,
    comments: issue.comments,
    created_at: time(issue.created_at),
    updated_at: time(issue.updated_at),
    closed_at: time(issue.closed_at),
    due_date: time(issue.deadline_at),
    time_estimate: 0,
    pull_request: issue.is_pull ? presentPull(issue, repo, site) : null,
    repository: { id: repo.id, name: repo.name, owner: repo.owner.login, full_name: fullName },
    pin_order: issue.pin_position ?? 0,
    content_version: issue.content_version,
  }
}

function presentPull(issue: IssueRow, repo: Repository, site: Site) {
  return {
    draft: isDraft(issue),
    html_url: pageOfIssue(issue, repo, site),
    merged: issue.merged_at !== null,
    merged_at: time(issue.merged_at),
  }
}

const DRAFT = /^(?:wip:|\[wip\])/i

/** Compat: a draft pull request is marked by a prefix of its title. */
export function isDraft({ title }: Pick<IssueRow, 'title'>): boolean {
  return DRAFT.test(title)
}

/** Web address of the issue. */
export function pageOfIssue(
  issue: Pick<IssueRow, 'number' | 'is_pull'>,
  repo: Repository,
  site: Site,
): string {
  const kind = issue.is_pull ? 'pulls' : 'issues'
  return `${site.url}/${repo.owner.login}/${repo.name}/${kind}/${issue.number}`
}

export function presentLabelOf(label: LabelRow, repo: Repository, site: Site): Label {
  const place =
    label.organization_id === null ? `repos/${repo.owner.login}/${repo.name}` : `orgs/${repo.owner.login}`
  return presentLabel(label, `${site.apiUrl}/${place}/labels`)
}
