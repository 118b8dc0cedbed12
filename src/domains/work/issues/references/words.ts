/** What the texts of issues say to the forge. */
import { findWords, type Mention, type Reference } from '#domains/instance/markup'
import type { Context } from '#platform/context'

/** All that is said by an issue itself. Its title is a paragraph of its own, and begins no block of code. */
export function textOf({ title, body }: { readonly title: string; readonly body: string }): string {
  return `: ${title}\n\n${body}`
}

export interface Rewording {
  readonly references: readonly Reference[]
  /** Whom the text names that it did not name before. */
  readonly newMentions: readonly Mention[]
  /** What it referred to before. */
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
