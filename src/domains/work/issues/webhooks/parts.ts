/** Parts shared by the payloads of issues and pull requests. */
import type { Repository } from '#domains/code/repositories'
import type { Context } from '#platform/context'
import { showIssue } from '../records/show-issues.ts'
import { findIssue } from '../records/store.ts'
import type { Issue } from '../records/wire.ts'

/** Characters of a text shown in a chat message. */
const EXCERPT_MAX = 500

/** Rendered as to an anonymous user, because the receiver is unknown. */
export async function findShown(ctx: Context, repo: Repository, number: number): Promise<Issue | undefined> {
  const issue = await findIssue(ctx.db, repo.id, number)
  return issue && showIssue({ ...ctx, actor: null }, repo, issue)
}

type Changed = Readonly<Partial<Record<'title' | 'body' | 'ref', { readonly from: string }>>>

/** Compat: the label fields are always present and null. */
export function changesOf(changed: Changed) {
  return { changes: { ...changed, added_labels: null, removed_labels: null } }
}

/** Removes line breaks from a title for chat messages. */
export function lineOf(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

export function excerptOf(text: string): string {
  return text.length > EXCERPT_MAX ? `${text.slice(0, EXCERPT_MAX)}…` : text
}
