/** Makes texts that follow the language of the page that is being rendered. */
import { currentLanguage, type Language } from '#platform/page'
import { ENGLISH, type Tag, textsOf } from './languages.ts'

/** The texts of another language: the same keys and parameters, other strings. */
export type Translation<T> = T extends (...args: infer Args) => infer Result
  ? (...args: Args) => Result extends string ? string : Result
  : T extends string
    ? string
    : T extends object
      ? { readonly [K in keyof T]: Translation<T[K]> }
      : T

type Translations<T> = { readonly [K in Tag]: K extends 'en' ? T : Translation<T> }
type Texts = Readonly<Record<string, unknown>>
type Phrase = (...args: readonly unknown[]) => unknown

/**
 * The exports of the files of all languages, as one. Every text is a getter and every function a wrapper, so texts may be
 * passed around as objects; only a string that is kept outside of a request stays in one language.
 */
export function spoken<T extends object>(translations: Translations<T>): Translation<T> {
  const languages = translations as unknown as Readonly<Record<Tag, Texts>>
  return follow(languages.en, (language) => textsOf(languages, language)) as Translation<T>
}

/** As the page names its language; English outside of pages. */
export function languageTag(): string {
  return (currentLanguage() ?? ENGLISH).tag
}

function follow(english: Texts, find: (language: Language | undefined) => Texts): Texts {
  const texts = remember(find)
  const following: Texts = {}
  for (const [key, text] of Object.entries(english)) {
    Object.defineProperty(following, key, { enumerable: true, ...accessOf(text, key, texts, find) })
  }
  return following
}

/** A page reads hundreds of texts, and nearly all follow another text of the same language. */
function remember(find: (language: Language | undefined) => Texts): () => Texts {
  let last = currentLanguage()
  let texts = find(last)
  return () => {
    const language = currentLanguage()
    if (language === last) return texts
    last = language
    texts = find(language)
    return texts
  }
}

function accessOf(
  text: unknown,
  key: string,
  texts: () => Texts,
  find: (language: Language | undefined) => Texts,
): PropertyDescriptor {
  if (typeof text === 'function')
    return { value: (...args: readonly unknown[]) => (texts()[key] as Phrase)(...args) }
  if (typeof text === 'object' && text !== null && !Array.isArray(text))
    return { value: follow(text as Texts, (language) => find(language)[key] as Texts) }
  return { get: () => texts()[key] }
}
