/** Settings of an organization. */
import type { Page } from '#platform/page'
import { organizationAuditPages } from './audit.ts'
import { organizationGeneralPages } from './general.ts'
import { organizationScopedPages } from './scoped.ts'
import { serviceAccountPages } from './service-accounts.ts'
import { organizationStoragePages } from './storage.ts'

export const organizationSettingsPages: readonly Page[] = [
  ...organizationGeneralPages,
  ...organizationStoragePages,
  ...organizationAuditPages,
  ...serviceAccountPages,
  ...organizationScopedPages,
]
