/** Opens a repository for callers who may read its issues or its pull requests. */
import { may } from '#domains/people/access'
import type { Context } from '#platform/context'
import { notFound } from '#platform/problem'
import { openToSee, type RepositoryPath, type Visible } from './open-repository.ts'

declare const tracked: unique symbol
/** Proof that the caller may read issues or pull requests of a repository. */
export interface Tracker extends Visible {
  readonly [tracked]: true
}

/** Compat: a caller who may read neither issues nor pull requests gets 404. */
export async function openTracker(ctx: Context, path: RepositoryPath): Promise<Tracker> {
  const repo = await openToSee(ctx, path)
  if (!may(repo.access, 'read', 'issues') && !may(repo.access, 'read', 'pulls'))
    throw notFound('issues', `${path.owner}/${path.repo}`)
  return repo as Tracker
}
