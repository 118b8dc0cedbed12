/** Request schemas for merging. */
import { type Static, Type } from 'typebox'
import { inRepository } from '#domains/code/repositories'
import { invalid } from '#platform/problem'
import type { Style } from './tables.ts'

const TITLE_MAX = 10_000
const MESSAGE_MAX = 100_000
const OID_MAX = 64

const MergeStyle = Type.Union([
  Type.Literal('merge'),
  Type.Literal('rebase'),
  Type.Literal('rebase-merge'),
  Type.Literal('squash'),
  Type.Literal('fast-forward-only'),
  Type.Literal('manually-merged'),
])
const Title = Type.Optional(Type.String({ maxLength: TITLE_MAX }))
const Message = Type.Optional(Type.String({ maxLength: MESSAGE_MAX }))
const CommitId = Type.Optional(Type.String({ maxLength: OID_MAX }))

/** Compat: clients use both spellings of some fields. */
export const MergePull = Type.Object(
  {
    do: Type.Optional(MergeStyle),
    Do: Type.Optional(MergeStyle),
    merge_title_field: Title,
    MergeTitleField: Title,
    merge_message_field: Message,
    MergeMessageField: Message,
    merge_commit_id: CommitId,
    MergeCommitID: CommitId,
    head_commit_id: Type.Optional(
      Type.String({ maxLength: OID_MAX, description: 'the head that is meant; 409 if there is a newer one' }),
    ),
    force_merge: Type.Optional(Type.Boolean()),
    merge_when_checks_succeed: Type.Optional(Type.Boolean()),
    delete_branch_after_merge: Type.Optional(Type.Boolean()),
  },
  { title: 'MergePullRequestOption' },
)

/** Options of a merge. An empty text counts as absent. */
export interface MergeOptions {
  readonly style: Style
  readonly title: string
  readonly message: string
  /** Only for `manually-merged`. */
  readonly commit: string
  readonly headCommit: string
  readonly isForced: boolean
  readonly isForLater: boolean
  /** undefined: the repository's default. */
  readonly deletesBranch: boolean | undefined
}

export function mergeOptionsOf(body: Static<typeof MergePull>): MergeOptions {
  const style = body.do ?? body.Do
  if (style === undefined) throw invalid('do is required')
  return {
    style,
    title: (body.merge_title_field ?? body.MergeTitleField ?? '').trim(),
    message: (body.merge_message_field ?? body.MergeMessageField ?? '').trim(),
    commit: body.merge_commit_id ?? body.MergeCommitID ?? '',
    headCommit: body.head_commit_id ?? '',
    isForced: body.force_merge ?? false,
    isForLater: body.merge_when_checks_succeed ?? false,
    deletesBranch: body.delete_branch_after_merge,
  }
}

export const CommitPath = inRepository({ sha: Type.String({ maxLength: OID_MAX }) })
export const UpdateQuery = Type.Object({
  style: Type.Optional(Type.String({ maxLength: 20, description: 'merge (default) or rebase' })),
})
