/** Pull requests. */
import type { Page } from '#platform/page'
import { commitsPages } from './commits.ts'
import { conflictsPages } from './conflicts.ts'
import { conversationPages } from './conversation.ts'
import { filesPages } from './files.ts'
import { listPages } from './list.ts'
import { versionsPages } from './versions.ts'

export const pullsPages: readonly Page[] = [
  ...listPages,
  ...conversationPages,
  ...commitsPages,
  ...filesPages,
  ...versionsPages,
  ...conflictsPages,
]
