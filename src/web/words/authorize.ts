/** Words of the page on which a user authorizes an application, and of the list of authorized applications. */
import * as de from './de/authorize.ts'
import * as en from './en/authorize.ts'
import * as fr from './fr/authorize.ts'
import { spoken } from './spoken.ts'

export const { authorizeWords, scopeSentence } = spoken({ en, de, fr })
