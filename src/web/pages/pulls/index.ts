/** Pull requests. */
import type { Page } from '#platform/page'
import { commitsPages } from './commits.ts'
import { filesPages } from './files.ts'
import { listPages } from './list.ts'
import { talkPages } from './talk.ts'
import { versionsPages } from './versions.ts'

export const pullsPages: readonly Page[] = [
  ...listPages,
  ...talkPages,
  ...commitsPages,
  ...filesPages,
  ...versionsPages,
]
