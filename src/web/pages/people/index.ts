/** Users, organizations and teams. */
import type { Page } from '#platform/page'
import { organizationPages } from './organization.ts'
import { profilePages } from './profile.ts'
import { reportPages } from './report.ts'
import { teamPages } from './teams.ts'

export const peoplePages: readonly Page[] = [
  ...profilePages,
  ...organizationPages,
  ...teamPages,
  ...reportPages,
]
