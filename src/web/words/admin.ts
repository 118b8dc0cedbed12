/** Words of administration. */
import * as de from './de/admin.ts'
import * as en from './en/admin.ts'
import * as fr from './fr/admin.ts'
import { spoken } from './spoken.ts'

export const { adminWords } = spoken({ en, de, fr })
