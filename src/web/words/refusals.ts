/** Messages of the domains that forms meet most often, by their English text; others are shown in English. */
import * as de from './de/refusals.ts'
import * as en from './en/refusals.ts'
import * as fr from './fr/refusals.ts'
import { spoken } from './spoken.ts'

export const { refusalWords } = spoken({ en, de, fr })
