/** Texts of diffs. */
import * as de from './de/diff.ts'
import * as en from './en/diff.ts'
import * as fr from './fr/diff.ts'
import { spoken } from './spoken.ts'

export const { checkWords, commitWords, compareWords, diffWords } = spoken({ en, de, fr })
