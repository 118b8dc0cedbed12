/** Names of the Lucide icons that pages use. */
export const ICONS: readonly string[] =
  `activity archive arrow-down arrow-left arrow-right arrow-up at-sign ban bell bold
  book book-open bookmark box building bug calendar check chevron-down chevron-left chevron-right circle circle-alert circle-check
  circle-dashed circle-dot circle-play circle-slash circle-x clipboard clock code columns-3 copy database download ellipsis
  external-link eye eye-off file file-code file-diff file-plus files flag folder folder-git-2 folder-open folder-symlink funnel gauge
  git-branch git-commit-horizontal git-compare git-fork git-graph git-merge git-pull-request git-pull-request-closed
  git-pull-request-draft globe grip-vertical hash heart history house image inbox info italic key layers layout-dashboard link list list-ordered
  list-checks lock lock-open log-out mail map-pin menu message-square milestone monitor moon octagon-alert package pencil
  pin play plus power quote refresh-cw reply rocket rotate-ccw rss save search send server settings shield shield-check
  smile split square-kanban star sun tag terminal text-wrap trash-2 triangle-alert undo-2 upload user user-check user-plus user-x users
  webhook workflow x zap`.split(/\s+/)
