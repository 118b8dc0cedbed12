/**
 * The language of the page that is being rendered. It is ambient ([ADR 86](../../../docs/adr/0086-languages.md)): texts
 * are read in every function that renders something, and no function decides by the language.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

export interface Language {
  /** BCP 47, such as `de`. */
  readonly tag: string
  /** In the language itself. */
  readonly name: string
  readonly direction: 'ltr' | 'rtl'
}

/** Parts of an `Accept-Language` header that are read. */
const RANGES_MAX = 20

const spoken = new AsyncLocalStorage<Language>()

export function inLanguage<T>(language: Language, render: () => T): T {
  return spoken.run(language, render)
}

/** Undefined outside of requests for pages. */
export function currentLanguage(): Language | undefined {
  return spoken.getStore()
}

/** A stream is read later, from another asynchronous context. */
export function keepLanguage<T>(parts: AsyncGenerator<T>): AsyncIterable<T> {
  const language = currentLanguage()
  if (language === undefined) return parts
  return {
    [Symbol.asyncIterator]: () => ({
      next: () => inLanguage(language, () => parts.next()),
      return: () => inLanguage(language, () => parts.return(undefined)),
    }),
  }
}

/** The language of a tag, or of its longest known beginning: `de` for `de-AT`. */
export function languageOf(languages: readonly Language[], tag: string): Language | undefined {
  const wanted = tag.toLowerCase()
  const known = languages.find((it) => it.tag.toLowerCase() === wanted)
  const end = wanted.lastIndexOf('-')
  return known ?? (end > 0 ? languageOf(languages, wanted.slice(0, end)) : undefined)
}

/** The best language for an `Accept-Language` header, by its quality values; of equals the first. */
export function acceptedLanguage(languages: readonly Language[], header: string): Language | undefined {
  const ranges = header
    .split(',', RANGES_MAX)
    .map((range) => /^\s*([a-z\d-]{1,35}|\*)\s*(?:;\s*q\s*=\s*([01](?:\.\d{0,3})?))?\s*$/i.exec(range))
    .filter((it) => it !== null)
    .map(([, tag = '', quality = '1']) => ({ tag, quality: Number(quality) }))
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality)
  for (const { tag } of ranges) {
    const language = tag === '*' ? languages[0] : languageOf(languages, tag)
    if (language !== undefined) return language
  }
  return undefined
}
