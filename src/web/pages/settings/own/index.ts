/** User settings. */
import type { Page } from '#platform/page'
import { accountPages } from './account.ts'
import { applicationPages } from './applications.ts'
import { belongingPages } from './belongings.ts'
import { keyPages } from './keys.ts'
import { profilePages } from './profile.ts'
import { ownScopedPages } from './scoped.ts'
import { securityPages } from './security.ts'
import { verifyEmailPages } from './verify-email.ts'

export const ownSettingsPages: readonly Page[] = [
  ...profilePages,
  ...accountPages,
  ...verifyEmailPages,
  ...securityPages,
  ...applicationPages,
  ...keyPages,
  ...belongingPages,
  ...ownScopedPages,
]
