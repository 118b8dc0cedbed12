/** Texts of stargazers, watchers, forks, activity and the file finder. */
import * as de from './de/activity.ts'
import * as en from './en/activity.ts'
import * as fr from './fr/activity.ts'
import { spoken } from './spoken.ts'

export const { activityWords } = spoken({ en, de, fr })
