/** Words of wikis. */
import * as de from './de/wiki.ts'
import * as en from './en/wiki.ts'
import * as fr from './fr/wiki.ts'
import { spoken } from './spoken.ts'

export const { wikiWords } = spoken({ en, de, fr })
