/** Texts shared by all settings: webhooks, secrets, variables, runners, and page names. */
import * as de from './de/settings.ts'
import * as en from './en/settings.ts'
import * as fr from './fr/settings.ts'
import { spoken } from './spoken.ts'

export const { hookWords, runnerWords, secretWords, settingsWords } = spoken({ en, de, fr })
