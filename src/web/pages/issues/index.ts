/** Issues, labels, milestones. */
import type { Page } from '#platform/page'
import { historyPages } from './history.ts'
import { issuePages } from './issue.ts'
import { labelsPages } from './labels.ts'
import { listPages } from './list.ts'
import { milestonePages } from './milestones.ts'
import { newPages } from './new.ts'

export const issuesPages: readonly Page[] = [
  ...listPages,
  ...newPages,
  ...issuePages,
  ...historyPages,
  ...labelsPages,
  ...milestonePages,
]
