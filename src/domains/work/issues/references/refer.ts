/**
 * Maintains the timeline entries of issues referenced by an issue or comment, in the transaction that writes the text.
 */

import type { Repository } from '#domains/code/repositories'
import type { Reference } from '#domains/instance/markup'
import { mayActAsAuthor } from '#domains/people/access'
import type { TxContext } from '#platform/context'
import { mayWrite } from '../records/open-issue.ts'
import type { EntryRefAction, IssueRow } from '../tables.ts'
import { findTargets, homeOf, type Target } from './find-targets.ts'
import { findReferences, insertReferences, type NewReference, neuter } from './store.ts'

export interface Source {
  readonly repo: Repository
  readonly issue: IssueRow
  /** null: the body of the issue itself. */
  readonly commentId: number | null
  readonly actor: { readonly id: number }
}

/**
 * `before`: references of the former text. A kept reference keeps its entry; a removed one keeps it as `neutered`. Only
 * issues that the author may read get an entry.
 */
export async function refer(
  ctx: TxContext,
  source: Source,
  references: readonly Reference[],
  before: readonly Reference[] = [],
): Promise<void> {
  if (references.length === 0 && before.length === 0) return
  const { repo, issue, commentId } = source
  const wanted = wantedOf(ctx, source, await findTargets(ctx, homeOf(repo), references))
  const known = before.length === 0 ? [] : await findReferences(ctx.db, issue.id, commentId)
  const stale = known.filter((it) => wanted.get(it.issue_id)?.ref_action !== it.ref_action)
  await neuter(
    ctx.db,
    stale.map(({ id }) => id),
  )
  for (const it of known) if (!stale.includes(it)) wanted.delete(it.issue_id)
  if (wanted.size > 0) await insertReferences(ctx.db, [...wanted.values()], ctx.now())
}

/** By issue id, each issue once, without the source issue. */
function wantedOf(ctx: TxContext, source: Source, targets: readonly Target[]): Map<number, NewReference> {
  const { issue, commentId, actor } = source
  const kindOfText = issue.is_pull ? 'pull_ref' : 'issue_ref'
  const wanted = new Map<number, NewReference>()
  for (const target of targets) {
    const isSaid = (wanted.get(target.issue.id)?.ref_action ?? 'none') !== 'none'
    if (isSaid || target.issue.id === issue.id) continue
    wanted.set(target.issue.id, {
      kind: commentId === null ? kindOfText : 'comment_ref',
      target: target.issue,
      author_id: actor.id,
      ref_issue_id: issue.id,
      ref_comment_id: commentId,
      ref_action: actionOf(ctx, source, target),
    })
  }
  return wanted
}

/** Compat: only pull requests close, only issues are closed, and only if the author may close them by hand. */
function actionOf(
  { actor: caller }: TxContext,
  { issue, actor }: Source,
  { reference, issue: target, repo }: Target,
): EntryRefAction {
  if (!issue.is_pull || target.is_pull) return 'none'
  const isOwn = target.author_id === actor.id && mayActAsAuthor(caller?.restriction, 'issues')
  return isOwn || mayWrite(repo, false) ? reference.action : 'none'
}
