/** Texts of acts that can be undone. */
import * as de from './de/undo.ts'
import * as en from './en/undo.ts'
import * as fr from './fr/undo.ts'
import { spoken } from './spoken.ts'

export const { undoWords } = spoken({ en, de, fr })
