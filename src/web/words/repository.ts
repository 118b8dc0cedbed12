/** Texts of the repository header. */
import * as de from './de/repository.ts'
import * as en from './en/repository.ts'
import * as fr from './fr/repository.ts'
import { spoken } from './spoken.ts'

export const { repositoryWords } = spoken({ en, de, fr })
