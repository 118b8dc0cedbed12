/** The languages of the pages. [docs/translating.md](../../../docs/translating.md) explains how to add one. */
import type { Language } from '#platform/page'

export type Tag = 'en' | 'de' | 'fr'

export const ENGLISH: Language = { tag: 'en', name: 'English', direction: 'ltr' }
/** The first is the default. */
export const LANGUAGES: readonly Language[] = [
  ENGLISH,
  { tag: 'de', name: 'Deutsch', direction: 'ltr' },
  { tag: 'fr', name: 'Français', direction: 'ltr' },
]

/** The texts in a language; in English outside of pages. */
export function textsOf<T>(translations: Readonly<Record<Tag, T>>, language: Language | undefined): T {
  return translations[(language?.tag ?? 'en') as Tag]
}
