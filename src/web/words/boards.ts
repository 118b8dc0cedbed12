/** Words of projects and their boards. */
import * as de from './de/boards.ts'
import * as en from './en/boards.ts'
import * as fr from './fr/boards.ts'
import { spoken } from './spoken.ts'

export const { boardWords } = spoken({ en, de, fr })
