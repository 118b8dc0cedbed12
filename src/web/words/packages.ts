/** Words of packages. */
import * as de from './de/packages.ts'
import * as en from './en/packages.ts'
import * as fr from './fr/packages.ts'
import { spoken } from './spoken.ts'

export const { packageWords } = spoken({ en, de, fr })
