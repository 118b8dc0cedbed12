/** Words of exploring and searching. */
import * as de from './de/explore.ts'
import * as en from './en/explore.ts'
import * as fr from './fr/explore.ts'
import { spoken } from './spoken.ts'

export const { exploreWords } = spoken({ en, de, fr })
