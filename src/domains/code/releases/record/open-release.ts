/** Opens a release. Drafts exist only for callers who may write releases; others get 404. */

import { type CanRead, type CanWrite, getRepository, openToRead } from '#domains/code/repositories'
import { may } from '#domains/people/access'
import type { Context } from '#platform/context'
import { notFound } from '#platform/problem'
import type { ReleaseRow } from '../tables.ts'
import { findByTag, findLatest, findRelease, findRepositoryId } from './store.ts'

declare const opened: unique symbol
/** A release that the caller may see. */
export interface Seen extends ReleaseRow {
  readonly [opened]: true
}

type Repo = CanRead<'releases'> | CanWrite<'releases'>

export function seesDrafts(repo: Repo): boolean {
  return may(repo.access, 'write', 'releases')
}

export async function openRelease(ctx: Context, repo: Repo, id: number): Promise<Seen> {
  return see(repo, await findRelease(ctx.db, repo.id, id), String(id))
}

/** Finds the repository by the release's id. */
export async function openById(ctx: Context, id: number): Promise<Seen> {
  const repositoryId = await findRepositoryId(ctx.db, id)
  if (repositoryId === undefined) throw notFound('release', id)
  const { owner, name } = await getRepository(ctx, repositoryId)
  return openRelease(ctx, await openToRead(ctx, { owner: owner.login, repo: name }, 'releases'), id)
}

export async function openByTag(ctx: Context, repo: Repo, tag: string): Promise<Seen> {
  return see(repo, await findByTag(ctx.db, repo.id, tag), tag)
}

export async function openLatest(ctx: Context, repo: Repo): Promise<Seen> {
  return see(repo, await findLatest(ctx.db, repo.id), 'latest')
}

function see(repo: Repo, release: ReleaseRow | undefined, name: string): Seen {
  if (release === undefined || (release.is_draft && !seesDrafts(repo))) throw notFound('release', name)
  return release as Seen
}
