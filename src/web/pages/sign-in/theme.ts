/** The theme, stored in a cookie. */
import { type Page, page, Redirect } from '#platform/page'
import { back, links } from '../../links.ts'

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

function never(): never {
  throw new Error('this page only sends elsewhere')
}

export const themePages: readonly Page[] = [themePage]
