/** Settings of users, organizations and repositories. */
import type { Page } from '#platform/page'
import { organizationSettingsPages } from './organization/index.ts'
import { ownSettingsPages } from './own/index.ts'
import { repositorySettingsPages } from './repository/index.ts'

export const settingsPages: readonly Page[] = [
  ...ownSettingsPages,
  ...organizationSettingsPages,
  ...repositorySettingsPages,
]
