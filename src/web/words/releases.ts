/** Words of releases. */
import * as de from './de/releases.ts'
import * as en from './en/releases.ts'
import * as fr from './fr/releases.ts'
import { spoken } from './spoken.ts'

export const { releaseWords } = spoken({ en, de, fr })
