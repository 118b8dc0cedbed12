/** Words of authentication sources, for administrators and for people who sign in with them. */
import * as de from './de/auths.ts'
import * as en from './en/auths.ts'
import * as fr from './fr/auths.ts'
import { spoken } from './spoken.ts'

export const { authWords, identityWords } = spoken({ en, de, fr })
