/** Settings of a repository. */
import type { Page } from '#platform/page'
import { accessPages } from './access.ts'
import { generalPages } from './general.ts'
import { interactionPages } from './interactions.ts'
import { mirrorPages } from './mirrors.ts'
import { protectionPages } from './protection.ts'
import { repositoryScopedPages } from './scoped.ts'

export const repositorySettingsPages: readonly Page[] = [
  ...generalPages,
  ...accessPages,
  ...protectionPages,
  ...mirrorPages,
  ...interactionPages,
  ...repositoryScopedPages,
]
