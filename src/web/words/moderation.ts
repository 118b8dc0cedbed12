/** Words of moderation: quarantined repositories and suspended accounts. */
import * as de from './de/moderation.ts'
import * as en from './en/moderation.ts'
import * as fr from './fr/moderation.ts'
import { spoken } from './spoken.ts'

export const { moderationWords } = spoken({ en, de, fr })
