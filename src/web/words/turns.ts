/** Texts about whose turn it is. */
import * as de from './de/turns.ts'
import * as en from './en/turns.ts'
import * as fr from './fr/turns.ts'
import { spoken } from './spoken.ts'

export const { turnWords } = spoken({ en, de, fr })
