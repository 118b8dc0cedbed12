/** Request queries and bodies of contents and their bounds. */
import { Type } from 'typebox'
import { pageFields } from '#platform/rest'

/** The optional parts of commit records. */
export const commitFields = {
  stat: Type.Optional(Type.Boolean({ description: 'include diff stats (default true)' })),
  verification: Type.Optional(Type.Boolean({ description: 'include signature verification (default true)' })),
  files: Type.Optional(Type.Boolean({ description: 'include the list of changed files (default true)' })),
}

export const CommitsQuery = Type.Object({
  sha: Type.Optional(Type.String({ description: 'branch, tag or commit SHA to start listing commits from' })),
  path: Type.Optional(Type.String({ description: 'only commits that change this file or directory' })),
  since: Type.Optional(Type.String({ description: 'only commits after this time (RFC 3339)' })),
  until: Type.Optional(Type.String({ description: 'only commits before this time (RFC 3339)' })),
  not: Type.Optional(
    Type.String({ description: 'exclude commits reachable from this branch, tag or commit' }),
  ),
  ...commitFields,
  ...pageFields,
})

export const CommitQuery = Type.Object(commitFields)

/** Whitespace changes that a diff ignores. */
export const Whitespace = Type.Optional(
  Type.Union([
    Type.Literal('ignore-all'),
    Type.Literal('ignore-change'),
    Type.Literal('ignore-eol'),
    Type.Literal('show-all'),
  ]),
)

const name = Type.String({ minLength: 1, maxLength: 1_000 })
const revision = Type.String({ maxLength: 1_000 })

export const CreateBranch = Type.Object(
  {
    new_branch_name: name,
    old_ref_name: Type.Optional(revision),
    old_branch_name: Type.Optional(revision),
  },
  { title: 'CreateBranchRepoOption' },
)

export const RenameBranch = Type.Object({ name }, { title: 'RenameBranchRepoOption' })

export const UpdateBranch = Type.Object(
  {
    new_commit_id: name,
    old_commit_id: Type.Optional(revision),
    force: Type.Optional(Type.Boolean()),
  },
  { title: 'UpdateBranchRepoOption' },
)

export const CreateTag = Type.Object(
  {
    tag_name: name,
    target: Type.Optional(revision),
    message: Type.Optional(Type.String({ maxLength: 65_535 })),
  },
  { title: 'CreateTagOption' },
)

export const MergeUpstream = Type.Object(
  {
    branch: Type.Optional(Type.String({ maxLength: 255, description: 'the default branch when absent' })),
    ff_only: Type.Optional(Type.Boolean()),
  },
  { title: 'MergeUpstreamRequest' },
)
