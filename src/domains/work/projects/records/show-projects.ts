/** Loads projects with everything shown of them: a fixed number of queries. */
import { findAccountsById } from '#domains/people/users'
import type { Context } from '#platform/context'
import { countIssues } from '../cards/count-cards.ts'
import type { Home } from '../open-place.ts'
import type { ProjectRow } from '../tables.ts'
import { type Project, presentProject } from './wire.ts'

export async function showProjects(
  ctx: Context,
  home: Home,
  projects: readonly ProjectRow[],
): Promise<Project[]> {
  const creators = projects.flatMap(({ creator_id }) => creator_id ?? [])
  const around = {
    viewer: ctx.actor,
    accounts: await findAccountsById(ctx.db, creators),
    counts: await countIssues(
      ctx,
      projects.map(({ id }) => id),
    ),
    site: ctx.site,
  }
  return projects.map((project) => presentProject(project, home, around))
}

export async function showProject(ctx: Context, home: Home, project: ProjectRow): Promise<Project> {
  const [shown] = await showProjects(ctx, home, [project])
  return shown as Project
}
