/** Deutsch. */
import type * as en from '../en/feed.ts'
import type { Translation } from '../spoken.ts'
import { count } from './site.ts'

export const feedWords = {
  create_repo: ['book', 'erstellte'],
  rename_repo: ['pencil', 'benannte ein Repository um in'],
  star_repo: ['star', 'gab einen Stern an'],
  watch_repo: ['eye', 'beobachtet jetzt'],
  commit_repo: ['git-commit-horizontal', 'pushte nach'],
  create_issue: ['circle-dot', 'öffnete das Issue'],
  create_pull_request: ['git-pull-request', 'öffnete den Pull-Request'],
  transfer_repo: ['arrow-right', 'übertrug'],
  push_tag: ['tag', 'pushte den Tag'],
  comment_issue: ['message-square', 'kommentierte das Issue'],
  merge_pull_request: ['git-merge', 'führte den Pull-Request zusammen:'],
  close_issue: ['circle-check', 'schloss das Issue'],
  reopen_issue: ['circle-dot', 'öffnete wieder das Issue'],
  close_pull_request: ['git-pull-request-closed', 'schloss den Pull-Request'],
  reopen_pull_request: ['git-pull-request', 'öffnete wieder den Pull-Request'],
  delete_tag: ['trash-2', 'löschte den Tag'],
  delete_branch: ['trash-2', 'löschte den Branch'],
  mirror_sync_push: ['refresh-cw', 'synchronisierte Commits nach'],
  mirror_sync_create: ['refresh-cw', 'synchronisierte die neue Ref'],
  mirror_sync_delete: ['refresh-cw', 'synchronisierte das Löschen von'],
  approve_pull_request: ['circle-check', 'genehmigte'],
  reject_pull_request: ['circle-x', 'forderte Änderungen an'],
  comment_pull: ['message-square', 'kommentierte den Pull-Request'],
  publish_release: ['rocket', 'veröffentlichte'],
  pull_review_dismissed: ['circle-slash', 'verwarf ein Review von'],
  pull_request_ready_for_review: ['git-pull-request', 'markierte als bereit für Review:'],
  auto_merge_pull_request: ['git-merge', 'führte automatisch zusammen:'],
} satisfies Translation<typeof en.feedWords>

export const feedPlace = { in: 'in' } satisfies Translation<typeof en.feedPlace>

export const feedMany = { push_tag: 'pushte', delete_tag: 'löschte' } satisfies Translation<
  typeof en.feedMany
>
export const tagCount = ((tags) => count(tags, 'Tag', 'Tags')) satisfies Translation<typeof en.tagCount>
