/** Texts about whose turn it is. */
import type { Turn } from '#domains/review/merges'

const NAMED_MAX = 3

/** «bob, cat, dan and 2 more». */
function listed(names: readonly string[]): string {
  const shown = names.slice(0, NAMED_MAX)
  const more = names.length - shown.length
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ').replace(/, ([^,]*)$/, ' and $1')
}

const TURNS: Readonly<Record<Turn, (author: string, reviewers: readonly string[]) => string>> = {
  draft: (author) => `${author}: still a draft`,
  conflicts: (author) => `${author}: conflicts must be resolved`,
  changes: (author) => `${author}: changes were requested`,
  failed: (author) => `${author}: checks failed`,
  behind: (author) => `${author}: the branch must be updated`,
  review: (_author, reviewers) => `Waiting for review by ${listed(reviewers)}`,
  approval: () => 'Waiting for approval',
  dependencies: () => 'Waiting for open dependencies',
  checks: () => 'Waiting for checks',
  checking: () => 'Checking for conflicts…',
  ready: () => 'Ready to merge',
}

export const turnWords = {
  of: (turn: Turn, author: string, reviewers: readonly string[]) => TURNS[turn](author, reviewers),
  title: 'Your turn',
  none: 'You’re all caught up.',
  reasons: {
    review: 'Your review was requested',
    conflicts: 'Your pull request has conflicts',
    changes: 'Changes were requested on your pull request',
    failed: 'Checks failed on your pull request',
    behind: 'Your branch must be updated',
    ready: 'Approved: ready to merge',
    mentioned: 'You were mentioned',
    assigned: 'Assigned to you',
  },
  acts: {
    review: 'Review',
    conflicts: 'Resolve',
    changes: 'View',
    failed: 'View checks',
    behind: 'Update',
    ready: 'Merge',
  },
  read: 'Mark as read',
  more: 'Show all',
} as const
