/** Preloaded by a forge: adds pseudo-languages to those of the pages. */
import { registerHooks } from 'node:module'
// First: the hook that is registered last is asked first, and that one asks no other.
import '#platform/resolve-imports'

const LANGUAGES = '/src/web/words/languages.ts'
const PSEUDO = new URL('languages.ts', import.meta.url).href

registerHooks({
  resolve: (specifier, context, next) => {
    const found = next(specifier, context)
    return found.url.endsWith(LANGUAGES) && context.parentURL !== PSEUDO ? { ...found, url: PSEUDO } : found
  },
})
