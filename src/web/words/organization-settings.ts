/** Words of the settings of an organization. */
import * as de from './de/organization-settings.ts'
import * as en from './en/organization-settings.ts'
import * as fr from './fr/organization-settings.ts'
import { spoken } from './spoken.ts'

export const { organizationSettingsWords } = spoken({ en, de, fr })
