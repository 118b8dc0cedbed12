/** The wire format of projects. Pure: no database, no clock. */
import { type Static, Type } from 'typebox'
import type { Repository } from '#domains/code/repositories'
import { type Account, presentUser, User } from '#domains/people/users'
import type { Actor } from '#platform/context'
import { Time, time } from '#platform/rest'
import type { Site } from '#platform/site'
import { type Home, homeOf, showsProjects } from '../open-place.ts'
import type { ProjectRow } from '../tables.ts'

export const State = Type.Union([Type.Literal('open'), Type.Literal('closed')])
export const TEMPLATE_TYPES = [
  Type.Literal('none'),
  Type.Literal('basic_kanban'),
  Type.Literal('bug_triage'),
] as const
export const CARD_TYPES = [Type.Literal('text_only'), Type.Literal('images_and_text')] as const

export type Project = Static<typeof Project>
export const Project = Type.Object(
  {
    id: Type.Integer(),
    title: Type.String(),
    description: Type.String(),
    owner_id: Type.Integer({ description: '0 for a project of a repository' }),
    repo_id: Type.Integer({ description: '0 for a project of a user or an organization' }),
    creator: Type.Optional(User),
    creator_id: Type.Integer({ deprecated: true }),
    state: State,
    is_closed: Type.Boolean({ deprecated: true }),
    template_type: Type.Union([...TEMPLATE_TYPES]),
    card_type: Type.Union([...CARD_TYPES]),
    type: Type.Union([Type.Literal('individual'), Type.Literal('repository'), Type.Literal('organization')]),
    num_open_issues: Type.Integer(),
    num_closed_issues: Type.Integer(),
    num_issues: Type.Integer(),
    created_at: Time,
    updated_at: Time,
    closed_at: Type.Union([Time, Type.Null()]),
    html_url: Type.String(),
  },
  { title: 'Project' },
)

export interface IssueCount {
  readonly open_issues: number
  readonly closed_issues: number
}

/** Everything needed to present projects. */
export interface Around {
  readonly viewer: Actor | null
  readonly accounts: ReadonlyMap<number, Account>
  readonly counts: ReadonlyMap<number, IssueCount>
  readonly site: Site
}

export function presentProject(project: ProjectRow, home: Home, around: Around): Project {
  const creator = around.accounts.get(project.creator_id ?? 0)
  const { open_issues = 0, closed_issues = 0 } = around.counts.get(project.id) ?? {}
  return {
    id: project.id,
    title: project.title,
    description: project.description,
    owner_id: project.owner_id ?? 0,
    repo_id: project.repository_id ?? 0,
    ...(creator && { creator: presentUser(creator, around.viewer, around.site) }),
    creator_id: project.creator_id ?? 0,
    state: project.is_closed ? 'closed' : 'open',
    is_closed: project.is_closed,
    template_type: project.template_type,
    card_type: project.card_type,
    type: home.type,
    num_open_issues: open_issues,
    num_closed_issues: closed_issues,
    num_issues: open_issues + closed_issues,
    created_at: time(project.created_at),
    updated_at: time(project.updated_at),
    closed_at: time(project.closed_at),
    html_url: `${around.site.url}/${pathOf(home)}/projects/${project.id}`,
  }
}

/** Projects as shown in an issue. */
export function presentProjectsOf(
  projects: readonly ProjectRow[],
  repo: Repository,
  around: Around,
): Project[] {
  return keepShown(projects, repo).map((project) => presentProject(project, homeOf(project, repo), around))
}

/** The projects of an issue that the caller may see. */
export function keepShown(projects: readonly ProjectRow[], repo: Repository): ProjectRow[] {
  return projects.filter(({ repository_id }) => repository_id === null || showsProjects(repo))
}

function pathOf({ owner, repo }: Home): string {
  return `${owner.login}/${repo === null ? '-' : repo.name}`
}
