/** Activity feed: icon and text before the link. */
import * as de from './de/feed.ts'
import * as en from './en/feed.ts'
import * as fr from './fr/feed.ts'
import { spoken } from './spoken.ts'

export const { feedMany, feedPlace, feedWords, tagCount } = spoken({ en, de, fr })
