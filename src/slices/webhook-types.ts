/** Compat: the webhook event names of the reference, including those that no slice sends yet. */
export const SINGLE = [
  'create',
  'delete',
  'fork',
  'push',
  'repository',
  'wiki',
  'release',
  'package',
  'status',
  'workflow_run',
  'workflow_job',
] as const
export const ISSUE_DETAILS = ['issue_assign', 'issue_label', 'issue_milestone', 'issue_comment'] as const
export const PULL_DETAILS = [
  'pull_request_assign',
  'pull_request_label',
  'pull_request_milestone',
  'pull_request_comment',
  'pull_request_review',
  'pull_request_review_request',
  'pull_request_sync',
] as const
export const REVIEWS = [
  'pull_request_review_approved',
  'pull_request_review_rejected',
  'pull_request_review_comment',
] as const

/** An event that a hook can subscribe to. */
export type Interest =
  | (typeof SINGLE)[number]
  | 'issues'
  | (typeof ISSUE_DETAILS)[number]
  | 'pull_request'
  | (typeof PULL_DETAILS)[number]
/** The type of a delivery: one subscription to reviews covers three types. */
export type WebhookType = Exclude<Interest, 'pull_request_review'> | (typeof REVIEWS)[number]
