/** Texts of the dashboard, issues across repositories, the inbox and search. */
import * as de from './de/dashboard.ts'
import * as en from './en/dashboard.ts'
import * as fr from './fr/dashboard.ts'
import { spoken } from './spoken.ts'

export const { dashboardWords, findWords, inboxWords, viewWords } = spoken({ en, de, fr })
