/** Words of issues, labels and milestones. */
import * as de from './de/issues.ts'
import * as en from './en/issues.ts'
import * as fr from './fr/issues.ts'
import { spoken } from './spoken.ts'

export const {
  bulkWords,
  historyWords,
  issueListWords,
  issuePageWords,
  issueWords,
  labelWords,
  milestoneWords,
  newIssueWords,
} = spoken({ en, de, fr })
