/** Texts of creating repositories and organizations. */
import * as de from './de/create.ts'
import * as en from './en/create.ts'
import * as fr from './fr/create.ts'
import { spoken } from './spoken.ts'

export const { createWords } = spoken({ en, de, fr })
