/** The names of webhook events: for subscriptions and for delivery headers. */
import { type Interest, ISSUE_DETAILS, PULL_DETAILS, REVIEWS, SINGLE, type WebhookType } from '#slices'

/** A family name subscribes to the event and all its details; the `_only` name to the event alone. */
const FAMILIES = [
  { all: 'issues', alone: 'issues_only', details: ISSUE_DETAILS },
  { all: 'pull_request', alone: 'pull_request_only', details: PULL_DETAILS },
] as const
const DEFAULT: readonly Interest[] = ['push']

/** Compat: no names mean `push`; unknown names are ignored, and case is ignored. */
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

/** The subscription that a hook needs to receive the type. */
export function interestIn(type: WebhookType): Interest {
  return isReview(type) ? 'pull_request_review' : type
}

/** The family of a type, for receivers that do not know details. */
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
