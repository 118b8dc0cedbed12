/** Texts that scripts write: each page carries them, and `{name}` stands for what a script puts in. */
import * as de from './de/islands.ts'
import * as en from './en/islands.ts'
import * as fr from './fr/islands.ts'
import { spoken } from './spoken.ts'

export const { islandWords } = spoken({ en, de, fr })
