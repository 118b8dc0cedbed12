/** Texts of code pages: files, history and branches. */
import * as de from './de/code.ts'
import * as en from './en/code.ts'
import * as fr from './fr/code.ts'
import { spoken } from './spoken.ts'

export const { codeWords } = spoken({ en, de, fr })
