/** Words of the settings of a repository. */
import * as de from './de/repository-settings.ts'
import * as en from './en/repository-settings.ts'
import * as fr from './fr/repository-settings.ts'
import { spoken } from './spoken.ts'

export const { repositorySettingsWords } = spoken({ en, de, fr })
