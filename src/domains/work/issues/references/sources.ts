/** Loads the sources of references that the caller may see: a fixed number of queries. */

import type { Repository } from '#domains/code/repositories'
import { may } from '#domains/people/access'
import type { Context } from '#platform/context'
import { findRepositories, presentReadable } from '../records/across.ts'
import { findIssuesById } from '../records/store.ts'
import type { EntryRow } from '../tables.ts'
import { showCommentsOf } from '../timeline/show-comments.ts'
import type { Sources } from '../timeline/wire.ts'

const NONE: Sources = { issues: new Map(), comments: new Map(), codes: new Set() }

export async function loadSources(ctx: Context, entries: readonly EntryRow[]): Promise<Sources> {
  const issueIds = entries.flatMap(({ ref_issue_id }) => ref_issue_id ?? [])
  const codeIds = entries.flatMap(({ ref_repository_id }) => ref_repository_id ?? [])
  if (issueIds.length === 0 && codeIds.length === 0) return NONE
  const found = await findIssuesById(ctx.db, issueIds)
  const repos = await findRepositories(ctx, [...found.map(({ repository_id }) => repository_id), ...codeIds])
  const issues = await presentReadable(ctx, repos, found)
  const commentIds = entries.flatMap(({ ref_issue_id, ref_comment_id }) =>
    issues.has(ref_issue_id ?? 0) ? (ref_comment_id ?? []) : [],
  )
  return {
    issues,
    comments: await showCommentsOf(ctx, repos, commentIds),
    codes: new Set(codeIds.filter((id) => isCodeReadable(repos.get(id)))),
  }
}

/** A caller who may see a repository may still lack access to its code or issues. */
export function isShown({ ref_issue_id, ref_repository_id }: EntryRow, { issues, codes }: Sources): boolean {
  if (ref_issue_id !== null) return issues.has(ref_issue_id)
  return ref_repository_id === null || codes.has(ref_repository_id)
}

function isCodeReadable(repo: Repository | undefined): boolean {
  return repo !== undefined && may(repo.access, 'read', 'code')
}
