/** Compat: the words of the reference for what webhooks can be told of, whether or not a slice tells of it yet. */
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

/** What a hook can be set to hear. */
export type Interest =
  | (typeof SINGLE)[number]
  | 'issues'
  | (typeof ISSUE_DETAILS)[number]
  | 'pull_request'
  | (typeof PULL_DETAILS)[number]
/** What a delivery is about: reviews are asked for as one and told as three. */
export type WebhookType = Exclude<Interest, 'pull_request_review'> | (typeof REVIEWS)[number]
