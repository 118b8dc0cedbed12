/** Boards of repositories, organizations and users. */
import type { Page } from '#platform/page'
import { boardPage } from './board.ts'
import { IN_REPOSITORY, OF_ACCOUNT } from './home.ts'
import { listPages } from './list.ts'

export const boardsPages: readonly Page[] = [
  ...listPages(IN_REPOSITORY),
  boardPage(IN_REPOSITORY),
  ...listPages(OF_ACCOUNT),
  boardPage(OF_ACCOUNT),
]
