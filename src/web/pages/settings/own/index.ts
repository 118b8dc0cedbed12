/** User settings. */
import type { Page } from '#platform/page'
import { accountPages } from './account.ts'
import { applicationPages } from './applications.ts'
import { keyPages } from './keys.ts'
import { ownedPages } from './owned.ts'
import { profilePages } from './profile.ts'
import { ownScopedPages } from './scoped.ts'
import { securityPages } from './security.ts'
import { ownStoragePages } from './storage.ts'
import { verifyEmailPages } from './verify-email.ts'

export const ownSettingsPages: readonly Page[] = [
  ...profilePages,
  ...accountPages,
  ...verifyEmailPages,
  ...securityPages,
  ...applicationPages,
  ...keyPages,
  ...ownedPages,
  ...ownStoragePages,
  ...ownScopedPages,
]
