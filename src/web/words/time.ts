/** Dates and durations in text. */
import * as de from './de/time.ts'
import * as en from './en/time.ts'
import * as fr from './fr/time.ts'
import { spoken } from './spoken.ts'

export const { dayOf, duration, readDuration } = spoken({ en, de, fr })
