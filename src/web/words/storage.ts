/** Words of storage and its limits. */
import * as de from './de/storage.ts'
import * as en from './en/storage.ts'
import * as fr from './fr/storage.ts'
import { spoken } from './spoken.ts'

export const { storageWords } = spoken({ en, de, fr })
