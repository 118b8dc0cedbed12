/** Texts about the limits of access tokens. */
import * as de from './de/tokens.ts'
import * as en from './en/tokens.ts'
import * as fr from './fr/tokens.ts'
import { spoken } from './spoken.ts'

export const { tokenWords } = spoken({ en, de, fr })
