/** Packages. */
import type { Page } from '#platform/page'
import { packagePages } from './package.ts'
import { packageListPages } from './packages.ts'

export const packagesPages: readonly Page[] = [...packageListPages, ...packagePages]
