/** The words for what can happen: what a hook may ask for, and what the headers of a delivery say. */
import { type Interest, ISSUE_DETAILS, PULL_DETAILS, REVIEWS, SINGLE, type WebhookType } from '#slices'

/** A word that stands for itself and all its details has a sister for itself alone. */
const FAMILIES = [
  { all: 'issues', alone: 'issues_only', details: ISSUE_DETAILS },
  { all: 'pull_request', alone: 'pull_request_only', details: PULL_DETAILS },
] as const
const DEFAULT: readonly Interest[] = ['push']

/** Compat: nothing asked for means pushes; words nobody knows are ignored, as is their case. */
export function interestsOf(words: readonly string[] | undefined): string[] {
  if (words === undefined || words.length === 0) return [...DEFAULT]
  const asked = new Set(words.map((word) => word.toLowerCase()))
  const single = SINGLE.filter((word) => asked.has(word))
  const families = FAMILIES.flatMap(({ all, alone, details }) => [
    ...(asked.has(all) || asked.has(alone) ? [all] : []),
    ...details.filter((word) => asked.has(word) || asked.has(all)),
  ])
  return [...single, ...families]
}

/** What a hook must have asked for to be told this. */
export function interestIn(type: WebhookType): Interest {
  return isReview(type) ? 'pull_request_review' : type
}

/** The coarser word, for receivers that know nothing of details. */
export function groupOf(type: string): string {
  return GROUPS[type] ?? type
}

const GROUPS: Readonly<Record<string, string>> = {
  issue_assign: 'issues',
  issue_label: 'issues',
  issue_milestone: 'issues',
  pull_request_assign: 'pull_request',
  pull_request_label: 'pull_request',
  pull_request_milestone: 'pull_request',
  pull_request_sync: 'pull_request',
  pull_request_review_request: 'pull_request',
  pull_request_comment: 'issue_comment',
  pull_request_review_approved: 'pull_request_approved',
  pull_request_review_rejected: 'pull_request_rejected',
  pull_request_review_comment: 'pull_request_comment',
}

function isReview(type: WebhookType): type is (typeof REVIEWS)[number] {
  return (REVIEWS as readonly string[]).includes(type)
}
