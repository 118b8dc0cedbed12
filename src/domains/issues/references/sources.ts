/** Where issues were referred to, as the caller may see it: a fixed number of queries, however many entries there are. */
import { may } from '#domains/access'
import { loadInOrder, type Repository } from '#domains/repositories'
import type { Context } from '#platform/context'
import { mayRead } from '../records/open-issue.ts'
import { loadAround } from '../records/show-issues.ts'
import { findIssuesById } from '../records/store.ts'
import { presentIssue } from '../records/wire.ts'
import type { EntryRow } from '../tables.ts'
import { showCommentsOf } from '../timeline/show-comments.ts'
import type { Sources } from '../timeline/wire.ts'

const NONE: Sources = { issues: new Map(), comments: new Map(), codes: new Set() }

export async function loadSources(ctx: Context, entries: readonly EntryRow[]): Promise<Sources> {
  const issueIds = entries.flatMap(({ ref_issue_id }) => ref_issue_id ?? [])
  const codeIds = entries.flatMap(({ ref_repository_id }) => ref_repository_id ?? [])
  if (issueIds.length === 0 && codeIds.length === 0) return NONE
  const found = await findIssuesById(ctx.db, issueIds)
  const repos = await findRepos(ctx, [...found.map(({ repository_id }) => repository_id), ...codeIds])
  const readable = found.filter((issue) => {
    const repo = repos.get(issue.repository_id)
    return repo !== undefined && mayRead(repo, issue.is_pull)
  })
  const issues = new Set(readable.map(({ id }) => id))
  const commentIds = entries.flatMap(({ ref_issue_id, ref_comment_id }) =>
    issues.has(ref_issue_id ?? 0) ? (ref_comment_id ?? []) : [],
  )
  const around = await loadAround(ctx, readable)
  return {
    issues: new Map(
      readable.flatMap((issue) => {
        const repo = repos.get(issue.repository_id)
        return repo === undefined ? [] : [[issue.id, presentIssue(issue, { ...around, repo })] as const]
      }),
    ),
    comments: await showCommentsOf(ctx, repos, commentIds),
    codes: new Set(codeIds.filter((id) => isCodeReadable(repos.get(id)))),
  }
}

/** Who may see a repository may not see all of it. */
export function isShown({ ref_issue_id, ref_repository_id }: EntryRow, { issues, codes }: Sources): boolean {
  if (ref_issue_id !== null) return issues.has(ref_issue_id)
  return ref_repository_id === null || codes.has(ref_repository_id)
}

async function findRepos(ctx: Context, ids: readonly number[]): Promise<Map<number, Repository>> {
  const repos = await loadInOrder(ctx, [...new Set(ids)])
  return new Map(repos.map((repo) => [repo.id, repo]))
}

function isCodeReadable(repo: Repository | undefined): boolean {
  return repo !== undefined && may(repo.access, 'read', 'code')
}
