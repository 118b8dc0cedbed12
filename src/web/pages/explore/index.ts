/** Exploring and searching. */
import type { Page } from '#platform/page'
import { listPages } from './explore.ts'
import { searchPages } from './search.ts'

export const explorePages: readonly Page[] = [...listPages, ...searchPages]
