/** Français. */
import type * as en from '../en/feed.ts'
import type { Translation } from '../spoken.ts'
import { count } from './site.ts'

export const feedWords = {
  create_repo: ['book', 'a créé'],
  rename_repo: ['pencil', 'a renommé un dépôt en'],
  star_repo: ['star', 'a ajouté une étoile à'],
  watch_repo: ['eye', 'suit maintenant'],
  commit_repo: ['git-commit-horizontal', 'a poussé sur'],
  create_issue: ['circle-dot', 'a ouvert le ticket'],
  create_pull_request: ['git-pull-request', 'a ouvert la pull request'],
  transfer_repo: ['arrow-right', 'a transféré'],
  push_tag: ['tag', 'a poussé le tag'],
  comment_issue: ['message-square', 'a commenté le ticket'],
  merge_pull_request: ['git-merge', 'a fusionné la pull request'],
  close_issue: ['circle-check', 'a fermé le ticket'],
  reopen_issue: ['circle-dot', 'a rouvert le ticket'],
  close_pull_request: ['git-pull-request-closed', 'a fermé la pull request'],
  reopen_pull_request: ['git-pull-request', 'a rouvert la pull request'],
  delete_tag: ['trash-2', 'a supprimé le tag'],
  delete_branch: ['trash-2', 'a supprimé la branche'],
  mirror_sync_push: ['refresh-cw', 'a synchronisé des commits vers'],
  mirror_sync_create: ['refresh-cw', 'a synchronisé la nouvelle référence'],
  mirror_sync_delete: ['refresh-cw', 'a synchronisé la suppression de'],
  approve_pull_request: ['circle-check', 'a approuvé'],
  reject_pull_request: ['circle-x', 'a demandé des modifications dans'],
  comment_pull: ['message-square', 'a commenté la pull request'],
  publish_release: ['rocket', 'a publié'],
  pull_review_dismissed: ['circle-slash', 'a écarté une relecture de'],
  pull_request_ready_for_review: ['git-pull-request', 'a marqué comme prête à relire'],
  auto_merge_pull_request: ['git-merge', 'a fusionné automatiquement'],
} satisfies Translation<typeof en.feedWords>

export const feedPlace = { in: 'dans' } satisfies Translation<typeof en.feedPlace>

export const feedMany = { push_tag: 'a poussé', delete_tag: 'a supprimé' } satisfies Translation<
  typeof en.feedMany
>
export const tagCount = ((tags) => count(tags, 'tag', 'tags')) satisfies Translation<typeof en.tagCount>
