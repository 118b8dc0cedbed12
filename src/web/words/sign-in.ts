/** Words of signing in, and of sessions. */
import * as de from './de/sign-in.ts'
import * as en from './en/sign-in.ts'
import * as fr from './fr/sign-in.ts'
import { spoken } from './spoken.ts'

export const { signInWords, signUpWords } = spoken({ en, de, fr })
