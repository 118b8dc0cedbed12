/** Records references and finds mentions in a new text. */
import { findWords } from '#domains/instance/markup'
import type { TxContext } from '#platform/context'
import { findMentioned } from './mentions.ts'
import { refer, type Source } from './refer.ts'

/** Adds an entry to the timeline of each referenced issue. Returns the ids of mentioned users. */
export async function recordReferences(ctx: TxContext, source: Source, text: string): Promise<number[]> {
  const { references, mentions } = findWords(text, ctx.site.url)
  await refer(ctx, source, references)
  return findMentioned(ctx, source.repo, source.issue, source.actor, mentions)
}
