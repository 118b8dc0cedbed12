/** Activity feed: icon and text before the link. */
import { count } from './site.ts'

export const feedWords = {
  create_repo: ['book', 'created'],
  rename_repo: ['pencil', 'renamed a repository to'],
  star_repo: ['star', 'starred'],
  watch_repo: ['eye', 'started watching'],
  commit_repo: ['git-commit-horizontal', 'pushed to'],
  create_issue: ['circle-dot', 'opened the issue'],
  create_pull_request: ['git-pull-request', 'opened the pull request'],
  transfer_repo: ['arrow-right', 'transferred'],
  push_tag: ['tag', 'pushed the tag'],
  comment_issue: ['message-square', 'commented on the issue'],
  merge_pull_request: ['git-merge', 'merged the pull request'],
  close_issue: ['circle-check', 'closed the issue'],
  reopen_issue: ['circle-dot', 'reopened the issue'],
  close_pull_request: ['git-pull-request-closed', 'closed the pull request'],
  reopen_pull_request: ['git-pull-request', 'reopened the pull request'],
  delete_tag: ['trash-2', 'deleted the tag'],
  delete_branch: ['trash-2', 'deleted the branch'],
  mirror_sync_push: ['refresh-cw', 'synced commits to'],
  mirror_sync_create: ['refresh-cw', 'synced the new ref'],
  mirror_sync_delete: ['refresh-cw', 'synced the deletion of'],
  approve_pull_request: ['circle-check', 'approved'],
  reject_pull_request: ['circle-x', 'requested changes in'],
  comment_pull: ['message-square', 'commented on the pull request'],
  publish_release: ['rocket', 'released'],
  pull_review_dismissed: ['circle-slash', 'dismissed a review of'],
  pull_request_ready_for_review: ['git-pull-request', 'marked as ready for review'],
  auto_merge_pull_request: ['git-merge', 'merged automatically'],
} as const

export const feedPlace = { in: 'in' } as const

/** Before a number of tags. */
export const feedMany: Readonly<Record<string, string>> = { push_tag: 'pushed', delete_tag: 'deleted' }
export const tagCount = (tags: number): string => count(tags, 'tag')
