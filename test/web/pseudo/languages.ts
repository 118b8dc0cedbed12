/** In place of `src/web/words/languages.ts`: also two pseudo-languages, made of English texts between marks. */
import { Html, html, type Language } from '#platform/page'
import { LANGUAGES as REAL, type Tag, textsOf as textsOfReal } from '../../../src/web/words/languages.ts'

export { ENGLISH, type Tag } from '../../../src/web/words/languages.ts'

export const LANGUAGES: readonly Language[] = [
  ...REAL,
  { tag: 'en-XA', name: 'Pseudo', direction: 'ltr' },
  { tag: 'ar-XB', name: 'Pseudo, right to left', direction: 'rtl' },
]

const marked = new WeakMap<object, object>()

export function textsOf<T extends object>(
  translations: Readonly<Record<Tag, T>>,
  language: Language | undefined,
): T {
  if (language === undefined || REAL.includes(language)) return textsOfReal(translations, language)
  const known = marked.get(translations.en) ?? mark(translations.en)
  marked.set(translations.en, known as object)
  return known as T
}

function mark(text: unknown): unknown {
  if (typeof text === 'string') return text === '' ? '' : `⟦${text}⟧`
  if (text instanceof Html) return html`⟦${text}⟧`
  if (typeof text === 'function') return (...args: readonly unknown[]) => mark(text(...args))
  // An icon and a text.
  if (Array.isArray(text)) return [...text.slice(0, -1), mark(text.at(-1))]
  if (typeof text !== 'object' || text === null) return text
  return Object.fromEntries(Object.entries(text).map(([key, value]) => [key, mark(value)]))
}
