/** Administration of the forge. */
import type { Page } from '#platform/page'
import { adminListPages } from './lists.ts'
import { overviewPages } from './overview.ts'
import { adminScopedPages } from './scoped.ts'
import { storagePages } from './storage.ts'
import { userPages } from './users.ts'

export const adminPages: readonly Page[] = [
  ...overviewPages,
  ...userPages,
  ...storagePages,
  ...adminListPages,
  ...adminScopedPages,
]
