/** Words of runs and their logs. */
import * as de from './de/runs.ts'
import * as en from './en/runs.ts'
import * as fr from './fr/runs.ts'
import { spoken } from './spoken.ts'

export const { runWords } = spoken({ en, de, fr })
