/** Words that every page uses. */
import * as de from './de/site.ts'
import * as en from './en/site.ts'
import * as fr from './fr/site.ts'
import { spoken } from './spoken.ts'

export const { ago, bytes, curl, instant, problems, site } = spoken({ en, de, fr })
