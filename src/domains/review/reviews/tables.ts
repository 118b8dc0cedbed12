/** The tables of reviews. Texts of line comments are timeline entries of the issue. */
import type { Generated, GeneratedAlways, Insertable, Selectable } from 'kysely'

declare module '#platform/db' {
  interface Tables {
    review: ReviewTable
    review_comment: ReviewCommentTable
    code_owner_check: CodeOwnerCheckTable
    code_owner: CodeOwnerTable
    review_look: ReviewLookTable
    viewed_change: ViewedChangeTable
  }
}

/** `pending`: not submitted, visible only to the reviewer. `request`: requested, not given yet. */
export type ReviewKind = 'pending' | 'approve' | 'comment' | 'reject' | 'request'
/** What a submitted review is. */
export type Submitted = 'approve' | 'comment' | 'reject'

interface ReviewTable {
  id: GeneratedAlways<number>
  issue_id: number
  reviewer_id: number | null
  team_id: Generated<number | null>
  kind: ReviewKind
  body: string
  head_oid: string
  version: number
  is_official: boolean
  is_stale: Generated<boolean>
  is_dismissed: Generated<boolean>
  /** Its author is suspended. Maintained by triggers. */
  is_hidden: Generated<boolean>
  original_author: Generated<string>
  original_author_id: Generated<number>
  /** The row of `import_host` at which that is an id. */
  import_host_id: Generated<number | null>
  created_at: Date
  updated_at: Date
}

/** `new`: the line is in the head; `old`: in the merge base. */
export type Side = 'new' | 'old'

interface ReviewCommentTable {
  comment_id: number
  review_id: number
  issue_id: number
  head_oid: string
  version: number
  line_oid: string
  path: string
  side: Side
  /** The last line, if the comment is on several. */
  line: number
  /** The first of several lines. */
  start_line: Generated<number | null>
  diff_hunk: string
  resolver_id: Generated<number | null>
  current_head_oid: string
  current_oid: string
  current_path: string
  current_line: number | null
  current_start_line: Generated<number | null>
}

interface CodeOwnerCheckTable {
  issue_id: number
  head_oid: string
  base_branch: string
  is_complete: boolean
  is_asked: boolean
}

/** Either a user or a team. */
interface CodeOwnerTable {
  issue_id: number
  rule: number
  user_id: number | null
  team_id: number | null
}

interface ReviewLookTable {
  user_id: number
  issue_id: number
  version: number
  looked_at: Date
}

/** `change`: a digest of the change of a file. */
interface ViewedChangeTable {
  user_id: number
  issue_id: number
  change: string
  viewed_at: Date
}

export type LookRow = Selectable<ReviewLookTable>
export type ReviewRow = Selectable<ReviewTable>
export type NewReviewRow = Insertable<ReviewTable>
export type LineRow = Selectable<ReviewCommentTable>
export type NewLineRow = Insertable<ReviewCommentTable>
