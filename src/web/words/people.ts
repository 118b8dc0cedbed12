/** Words of profiles, organizations and teams. */
import * as de from './de/people.ts'
import * as en from './en/people.ts'
import * as fr from './fr/people.ts'
import { spoken } from './spoken.ts'

export const { peopleWords } = spoken({ en, de, fr })
