/** Creation of repositories and organizations. */
import type { Page } from '#platform/page'
import { forkPages } from './fork.ts'
import { migratePages } from './migrate.ts'
import { newPages } from './new-repository.ts'

export const createPages: readonly Page[] = [...newPages, ...migratePages, ...forkPages]
