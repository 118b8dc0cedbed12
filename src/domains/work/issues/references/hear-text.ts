/** What a text says to the forge when it is said for the first time. */
import { findWords } from '#domains/instance/markup'
import type { TxContext } from '#platform/context'
import { findMentioned } from './mentions.ts'
import { refer, type Source } from './refer.ts'

/** Those it refers to tell of it in their timelines. Gives back whom it means. */
export async function hearText(ctx: TxContext, source: Source, text: string): Promise<number[]> {
  const { references, mentions } = findWords(text, ctx.site.url)
  await refer(ctx, source, references)
  return findMentioned(ctx, source.repo, source.issue, source.actor, mentions)
}
