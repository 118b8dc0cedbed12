/** Opens what a user reports: only what they may see can be reported. */
import { openToSee, openTracker } from '#domains/code/repositories'
import { openUser } from '#domains/people/users'
import { findEntry, mayRead, openIssue } from '#domains/work/issues'
import type { Context } from '#platform/context'
import { notFound } from '#platform/problem'
import { asSignedIn, type SignedIn } from '#platform/rest'
import type { ReportRow } from './tables.ts'

/** An account; with `repo` a repository; with `index` an issue or pull request; with `comment` a comment on it. */
export interface TargetPath {
  readonly owner: string
  readonly repo?: string
  readonly index?: number
  readonly comment?: number
}

export interface Target
  extends Pick<ReportRow, 'kind' | 'target_id' | 'account_id' | 'repository_id' | 'path'> {
  readonly reporter: SignedIn
}

export async function openTarget({ ctx, query }: { ctx: Context; query: TargetPath }): Promise<Target> {
  const target = await findTarget(ctx, query)
  return { ...target, reporter: asSignedIn({ ctx }) }
}

async function findTarget(
  ctx: Context,
  { owner, repo, ...more }: TargetPath,
): Promise<Omit<Target, 'reporter'>> {
  if (repo === undefined) {
    const { id, login } = await openUser(ctx, owner)
    return { kind: 'account', target_id: id, account_id: id, repository_id: null, path: `/${login}` }
  }
  if (more.index === undefined) {
    const { id, name, owner_id, owner: account } = await openToSee(ctx, { owner, repo })
    const path = `/${account.login}/${name}`
    return { kind: 'repository', target_id: id, account_id: owner_id, repository_id: id, path }
  }
  return findInIssue(ctx, { owner, repo, index: more.index, comment: more.comment })
}

async function findInIssue(
  ctx: Context,
  { owner, repo, index, comment }: Required<Omit<TargetPath, 'comment'>> & { comment: number | undefined },
): Promise<Omit<Target, 'reporter'>> {
  const tracker = await openTracker(ctx, { owner, repo })
  const issue = await openIssue(ctx, tracker, index)
  const place = { account_id: issue.author_id, repository_id: tracker.id }
  const path = `/${tracker.owner.login}/${tracker.name}/${issue.is_pull ? 'pulls' : 'issues'}/${issue.number}`
  if (comment === undefined) return { kind: 'issue', target_id: issue.id, ...place, path }
  const entry = await findEntry(ctx, tracker.id, comment)
  if (entry?.issue_id !== issue.id || !mayRead(tracker, entry.is_pull)) throw notFound('comment', comment)
  const at = `${path}#issuecomment-${entry.id}`
  return { kind: 'comment', target_id: entry.id, ...place, account_id: entry.author_id, path: at }
}
