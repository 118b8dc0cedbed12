/** Commits and comparisons. */
import type { Page } from '#platform/page'
import { commitPages } from './commit.ts'
import { comparePages } from './compare.ts'

export const diffsPages: readonly Page[] = [...commitPages, ...comparePages]
