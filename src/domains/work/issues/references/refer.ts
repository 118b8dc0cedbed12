/** What an issue or a comment refers to, in the timelines of those it refers to: written with the text itself. */

import type { Repository } from '#domains/code/repositories'
import type { Reference } from '#domains/instance/markup'
import type { TxContext } from '#platform/context'
import { mayWrite } from '../records/open-issue.ts'
import type { EntryRefAction, IssueRow } from '../tables.ts'
import { findTargets, homeOf, type Target } from './find-targets.ts'
import { findReferences, insertReferences, type NewReference, neuter } from './store.ts'

export interface Source {
  readonly repo: Repository
  readonly issue: IssueRow
  /** Null: the text of the issue itself. */
  readonly commentId: number | null
  readonly actor: { readonly id: number }
}

/**
 * `before`: what the text referred to until now, as it was read then. What it still refers to has its entry; what it
 * refers to no more keeps it, neutered. Only what the author may read is told.
 */
export async function refer(
  ctx: TxContext,
  source: Source,
  references: readonly Reference[],
  before: readonly Reference[] = [],
): Promise<void> {
  if (references.length === 0 && before.length === 0) return
  const { repo, issue, commentId } = source
  const wanted = wantedOf(source, await findTargets(ctx, homeOf(repo), references))
  const known = before.length === 0 ? [] : await findReferences(ctx.db, issue.id, commentId)
  const stale = known.filter((it) => wanted.get(it.issue_id)?.ref_action !== it.ref_action)
  await neuter(
    ctx.db,
    stale.map(({ id }) => id),
  )
  for (const it of known) if (!stale.includes(it)) wanted.delete(it.issue_id)
  if (wanted.size > 0) await insertReferences(ctx.db, [...wanted.values()], ctx.now())
}

/** Every issue once, by its number, and nothing of the issue itself. */
function wantedOf(source: Source, targets: readonly Target[]): Map<number, NewReference> {
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
      ref_action: actionOf(source, target),
    })
  }
  return wanted
}

/** Compat: only a pull request closes, and only issues, for those who could close them by hand. */
function actionOf({ issue, actor }: Source, { reference, issue: target, repo }: Target): EntryRefAction {
  if (!issue.is_pull || target.is_pull) return 'none'
  return target.author_id === actor.id || mayWrite(repo, false) ? reference.action : 'none'
}
