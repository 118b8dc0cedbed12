/** Runs of workflows. */
import type { Page } from '#platform/page'
import { artifactPages } from './artifact.ts'
import { logPages } from './log.ts'
import { runPages } from './run.ts'
import { runListPages } from './runs.ts'

export { logRoutes } from './log.ts'

export const runsPages: readonly Page[] = [...runListPages, ...runPages, ...logPages, ...artifactPages]
