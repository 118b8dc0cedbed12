/** References and mentions in the texts of issues. */
import { findWords, type Mention, type Reference } from '#domains/instance/markup'
import type { Context } from '#platform/context'

/** Title and body. The prefix makes the title a paragraph, so that it cannot start a code block. */
export function textOf({ title, body }: { readonly title: string; readonly body: string }): string {
  return `: ${title}\n\n${body}`
}

export interface Rewording {
  readonly references: readonly Reference[]
  /** Mentions that the former text did not have. */
  readonly newMentions: readonly Mention[]
  /** References of the former text. */
  readonly before: readonly Reference[]
}

export function rewords({ site }: Context, old: string, text: string): Rewording {
  const before = findWords(old, site.url)
  const { references, mentions } = findWords(text, site.url)
  const keyOf = ({ login, team }: Mention) => `${login}/${team ?? ''}`.toLowerCase()
  const known = new Set(before.mentions.map(keyOf))
  const newMentions = mentions.filter((mention) => !known.has(keyOf(mention)))
  return { references, newMentions, before: before.references }
}
