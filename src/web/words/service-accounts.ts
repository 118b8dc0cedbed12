/** Texts about service accounts. */
import * as de from './de/service-accounts.ts'
import * as en from './en/service-accounts.ts'
import * as fr from './fr/service-accounts.ts'
import { spoken } from './spoken.ts'

export const { serviceAccountWords } = spoken({ en, de, fr })
