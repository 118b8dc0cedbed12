/** The theme and the language of anonymous users, stored in cookies. */
import { languageOf, type Page, page, Redirect } from '#platform/page'
import { back, links } from '../../links.ts'
import { LANGUAGES } from '../../words/languages.ts'

const THEMES = new Set(['light', 'dark'])
const KEPT_S = 365 * 86_400

const themePage = page({
  path: '/-/theme',
  load: async () => {
    throw new Redirect(links.home)
  },
  show: () => ({ title: '', body: never() }),
  forms: {
    theme: {
      does: ['web:theme'],
      handle: async ({ fields }) => {
        const theme = fields.text('theme')
        const value = THEMES.has(theme) ? theme : ''
        return {
          to: back(fields.text('to'), links.home),
          cookies: [{ name: 'theme', value, maxAgeS: KEPT_S, isReadable: true }],
        }
      },
    },
  },
})

const languagePage = page({
  path: '/-/language',
  load: async () => {
    throw new Redirect(links.home)
  },
  show: () => ({ title: '', body: never() }),
  forms: {
    language: {
      does: ['web:language'],
      handle: async ({ fields }) => {
        const value = languageOf(LANGUAGES, fields.text('language'))?.tag ?? ''
        return {
          to: back(fields.text('to'), links.home),
          cookies: [{ name: 'language', value, maxAgeS: KEPT_S }],
        }
      },
    },
  },
})

function never(): never {
  throw new Error('this page only sends elsewhere')
}

export const themePages: readonly Page[] = [themePage, languagePage]
