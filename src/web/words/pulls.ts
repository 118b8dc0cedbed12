/** Words of pull requests and their reviews. */
import * as de from './de/pulls.ts'
import * as en from './en/pulls.ts'
import * as fr from './fr/pulls.ts'
import { spoken } from './spoken.ts'

export const { conversationPageWords, mergeWords, pullWords, reviewWords } = spoken({ en, de, fr })
