/** Timeline events of issues and pull requests, shown after the name of the actor. Whole sentences. */
import * as de from './de/events.ts'
import * as en from './en/events.ts'
import * as fr from './fr/events.ts'
import { spoken } from './spoken.ts'

export const { eventWords } = spoken({ en, de, fr })
