/** Resolves references in a text to issues: a fixed number of queries. */

import { loadInOrder, type Repository } from '#domains/code/repositories'
import type { Reference } from '#domains/instance/markup'
import type { Context } from '#platform/context'
import { mayRead } from '../records/open-issue.ts'
import type { IssueRow } from '../tables.ts'
import { findNumbered, findPlaces } from './store.ts'

export interface Target<R extends Omit<Reference, 'action'> = Reference> {
  readonly reference: R
  readonly issue: IssueRow
  readonly repo: Repository
}

/** The repository that `#12` refers to. */
export interface Home {
  readonly owner: string
  readonly name: string
}

/** Only issues that the caller may read; others are treated as missing. */
export async function findTargets<R extends Omit<Reference, 'action'>>(
  ctx: Context,
  home: Home | null,
  references: readonly R[],
): Promise<Target<R>[]> {
  const named = references.flatMap((reference) => {
    const owner = reference.owner ?? home?.owner
    const name = reference.name ?? home?.name
    if (owner === undefined || name === undefined) return []
    return [{ reference, owner: owner.toLowerCase(), name: name.toLowerCase() }]
  })
  const places = await findPlaces(ctx.db, named)
  const repos = new Map(
    (
      await loadInOrder(
        ctx,
        places.map(({ id }) => id),
      )
    ).map((repo) => [repo.id, repo]),
  )
  const byName = new Map(
    places.map(({ id, login_key, name_key }) => [`${login_key}/${name_key}`, repos.get(id)]),
  )
  const wanted = named.flatMap(({ reference, owner, name }) => {
    const repo = byName.get(`${owner}/${name}`)
    return repo === undefined ? [] : [{ reference, repo }]
  })
  const issues = await findNumbered(
    ctx.db,
    wanted.map(({ reference, repo }) => ({ repository_id: repo.id, number: reference.number })),
  )
  const byNumber = new Map(issues.map((issue) => [keyOf(issue.repository_id, issue.number), issue]))
  return wanted.flatMap(({ reference, repo }) => {
    const issue = byNumber.get(keyOf(repo.id, reference.number))
    return issue === undefined || !mayRead(repo, issue.is_pull) ? [] : [{ reference, issue, repo }]
  })
}

export function homeOf({ owner, name }: Pick<Repository, 'owner' | 'name'>): Home {
  return { owner: owner.login, name }
}

function keyOf(repositoryId: number, number: number): string {
  return `${repositoryId}#${number}`
}
