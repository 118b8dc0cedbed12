/** Words of conflicts that are resolved in the browser. */
import * as de from './de/conflicts.ts'
import * as en from './en/conflicts.ts'
import * as fr from './fr/conflicts.ts'
import { spoken } from './spoken.ts'

export const { conflictWords } = spoken({ en, de, fr })
