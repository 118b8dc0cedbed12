/** Presents the workflows of the default branch. */
import type { Static } from 'typebox'
import type { Repository } from '#domains/code/repositories'
import { findCommit, findRef, HEADS } from '#git'
import type { Context } from '#platform/context'
import { Problem } from '#platform/problem'
import { time } from '#platform/rest'
import type { ActionWorkflow } from '../schemas.ts'
import { findWorkflows, nameOf } from './find-workflows.ts'
import { listOff } from './off.ts'

type Shown = Static<typeof ActionWorkflow>

const NAME_MAX = 255

export async function showWorkflows(ctx: Context, repo: Repository): Promise<Shown[]> {
  const head = await findRef(ctx.db, repo.storage_id, HEADS + repo.default_branch)
  if (head === undefined) return []
  const found = await findWorkflows(ctx, repo, head.oid)
  const commit = found.length === 0 ? undefined : await findCommit(ctx, repo.storage_id, head.oid)
  const off = await listOff(ctx.db, repo.id)
  const name = `${repo.owner.login}/${repo.name}`
  const at = time(new Date(commit?.committer.at ?? 0))
  return found.map((workflow) => {
    const id = encodeURIComponent(workflow.file)
    const branch = repo.default_branch
    return {
      id: workflow.file,
      name: nameOf(workflow),
      path: workflow.path,
      state: off.has(workflow.file) ? 'disabled_manually' : 'active',
      // Compat: both are the time of the last commit.
      created_at: at,
      updated_at: at,
      url: `${ctx.site.apiUrl}/repos/${name}/actions/workflows/${id}`,
      html_url: `${ctx.site.url}/${name}/src/branch/${encodeRef(branch)}/${workflow.path}`,
      badge_url: `${ctx.site.url}/${name}/actions/workflows/${id}/badge.svg?branch=${encodeURIComponent(branch)}`,
      deleted_at: null,
    }
  })
}

export async function getWorkflow(ctx: Context, repo: Repository, id: string): Promise<Shown> {
  const found = (await showWorkflows(ctx, repo)).find((it) => it.id === id)
  if (found === undefined) throw new Problem('not_found', `workflow "${id.slice(0, NAME_MAX)}" not found`)
  return found
}

function encodeRef(name: string): string {
  return name.split('/').map(encodeURIComponent).join('/')
}
