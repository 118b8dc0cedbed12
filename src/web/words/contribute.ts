/** Texts of contributing: the banner after a push, forks, pull requests before they are opened. */
import * as de from './de/contribute.ts'
import * as en from './en/contribute.ts'
import * as fr from './fr/contribute.ts'
import { spoken } from './spoken.ts'

export const { contributeWords } = spoken({ en, de, fr })
