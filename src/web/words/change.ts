/** Words of changing code in the browser. */
import * as de from './de/change.ts'
import * as en from './en/change.ts'
import * as fr from './fr/change.ts'
import { spoken } from './spoken.ts'

export const { changeWords } = spoken({ en, de, fr })
