/** What the payloads of issues and pull requests have in common. */
import type { Repository } from '#domains/code/repositories'
import type { Context } from '#platform/context'
import { showIssue } from '../records/show-issues.ts'
import { findIssue } from '../records/store.ts'
import type { Issue } from '../records/wire.ts'

/** So much of a text is shown in a chat. */
const EXCERPT_MAX = 500

/** As to a stranger: whoever receives may be anybody. */
export async function findShown(ctx: Context, repo: Repository, number: number): Promise<Issue | undefined> {
  const issue = await findIssue(ctx.db, repo.id, number)
  return issue && showIssue({ ...ctx, actor: null }, repo, issue)
}

type Changed = Readonly<Partial<Record<'title' | 'body' | 'ref', { readonly from: string }>>>

/** Compat: labels are always there, and never say anything. */
export function changesOf(changed: Changed) {
  return { changes: { ...changed, added_labels: null, removed_labels: null } }
}

/** A title may have line breaks in it; that of a message has none. */
export function lineOf(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

export function excerptOf(text: string): string {
  return text.length > EXCERPT_MAX ? `${text.slice(0, EXCERPT_MAX)}…` : text
}
