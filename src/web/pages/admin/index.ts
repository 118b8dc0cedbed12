/** Administration of the forge. */
import type { Page } from '#platform/page'
import { auditPages } from './audit.ts'
import { authPages } from './auths.ts'
import { clientPages } from './clients.ts'
import { adminListPages } from './lists.ts'
import { moderationPages } from './moderation.ts'
import { overviewPages } from './overview.ts'
import { adminScopedPages } from './scoped.ts'
import { storagePages } from './storage.ts'
import { userPages } from './users.ts'

export const adminPages: readonly Page[] = [
  ...overviewPages,
  ...clientPages,
  ...auditPages,
  ...moderationPages,
  ...userPages,
  ...authPages,
  ...storagePages,
  ...adminListPages,
  ...adminScopedPages,
]
