/** The web interface: HTML pages. It contains no business rules and works through operations. */
import type { Page, Web } from '#platform/page'
import type { RawRoute } from '#platform/rest'
import { assetRoutes } from './assets.ts'
import { curlPage } from './curl.ts'
import { frame } from './frame.ts'
import { adminPages } from './pages/admin/index.ts'
import { boardsPages } from './pages/boards/index.ts'
import { codePages, feedRoutes } from './pages/code/index.ts'
import { createPages } from './pages/create/index.ts'
import { dashboardPages } from './pages/dashboard/index.ts'
import { diffsPages } from './pages/diffs/index.ts'
import { explorePages } from './pages/explore/index.ts'
import { issuesPages } from './pages/issues/index.ts'
import { packagesPages } from './pages/packages/index.ts'
import { peoplePages } from './pages/people/index.ts'
import { pullsPages } from './pages/pulls/index.ts'
import { logRoutes, runsPages } from './pages/runs/index.ts'
import { settingsPages } from './pages/settings/index.ts'
import { signInPages } from './pages/sign-in/index.ts'
import { elevationPage, problemPage } from './problem.ts'
import { siteFileRoutes } from './site-files.ts'
import { LANGUAGES } from './words/languages.ts'

const pages: readonly Page[] = [
  ...codePages,
  ...diffsPages,
  ...pullsPages,
  ...issuesPages,
  ...boardsPages,
  ...dashboardPages,
  ...explorePages,
  ...peoplePages,
  ...settingsPages,
  ...adminPages,
  ...createPages,
  ...runsPages,
  ...packagesPages,
  ...signInPages,
]

export const web: Web = {
  pages,
  languages: LANGUAGES,
  frame,
  problem: problemPage,
  elevation: elevationPage,
  curl: curlPage,
}
export const webRoutes: readonly RawRoute[] = [
  ...assetRoutes,
  ...siteFileRoutes,
  ...feedRoutes,
  ...logRoutes,
  // One line for each area.
]
