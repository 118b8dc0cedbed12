/** Texts of user settings. */
import * as de from './de/own-settings.ts'
import * as en from './en/own-settings.ts'
import * as fr from './fr/own-settings.ts'
import { spoken } from './spoken.ts'

export const { ownWords, scopeWords } = spoken({ en, de, fr })
