/** Words of the audit log. */
import * as de from './de/audit.ts'
import * as en from './en/audit.ts'
import * as fr from './fr/audit.ts'
import { spoken } from './spoken.ts'

export const { auditWords } = spoken({ en, de, fr })
