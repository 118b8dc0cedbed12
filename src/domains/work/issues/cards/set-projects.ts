/** Sets the projects of an issue. */

import { type Repository, shareRepository } from '#domains/code/repositories'
import {
  findProjectsOf,
  findUsableProjects,
  keepShown,
  lockProjects,
  type ProjectRow,
  putCard,
  removeCard,
} from '#domains/work/projects'
import type { TxContext } from '#platform/context'
import { Problem } from '#platform/problem'
import type { Change } from '../records/change.ts'

/** Replaces the issue's projects; projects that the caller may not see are kept. */
export async function setProjects(
  ctx: TxContext,
  change: Change,
  repo: Repository,
  ids: readonly number[] | undefined,
): Promise<void> {
  if (ids === undefined) return
  const issue = { ...change.issue, ...change.patch }
  // Locks the repository against a transfer, which removes it from its old owner's projects.
  await shareRepository(ctx.db, repo.id)
  const wanted = await getUsable(ctx, repo, ids)
  const now = keepShown((await findProjectsOf(ctx, [issue.id])).get(issue.id) ?? [], repo)
  const isWanted = new Set(wanted.map(({ id }) => id))
  const isThere = new Set(now.map(({ id }) => id))
  const changed = [...isWanted.symmetricDifference(isThere)]
  for (const project of await lockProjects(ctx.db, changed))
    if (isWanted.has(project.id)) {
      await putCard(ctx, project, issue, null)
      change.entries.push({ kind: 'project', payload: { project_id: project.id } })
    } else {
      await removeCard(ctx, project, issue, null)
      change.entries.push({ kind: 'project', payload: { old_project_id: project.id } })
    }
}

async function getUsable(ctx: TxContext, repo: Repository, ids: readonly number[]): Promise<ProjectRow[]> {
  const asked = new Set(ids)
  const found = keepShown(await findUsableProjects(ctx, repo.id, [...asked]), repo)
  if (found.length < asked.size)
    throw new Problem('malformed', 'project does not exist, or not for this repository', { ids })
  return found
}
