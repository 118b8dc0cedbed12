/** Request bodies of files and their bounds. The content is bounded by the size of the request body. */
import { type Static, Type } from 'typebox'
import { CONTENT_LENGTH_MAX } from '#platform/rest'

export const Identity = Type.Object(
  {
    name: Type.Optional(Type.String({ maxLength: 255 })),
    email: Type.Optional(Type.String({ maxLength: 254 })),
  },
  { title: 'Identity' },
)
export const CommitDates = Type.Object(
  {
    author: Type.Optional(Type.String({ maxLength: 40, format: 'date-time' })),
    committer: Type.Optional(Type.String({ maxLength: 40, format: 'date-time' })),
  },
  { title: 'CommitDateOptions' },
)

const branch = Type.Optional(Type.String({ maxLength: 1_000 }))
const path = Type.String({ minLength: 1, maxLength: 4_096 })
/** Compat: an empty string counts as absent. */
const fromPath = Type.String({ maxLength: 4_096 })
const sha = Type.String({ maxLength: 64 })
const content = Type.String({ maxLength: CONTENT_LENGTH_MAX, description: 'base64-encoded content' })

/** Commit fields of every change. */
const commitFields = {
  branch,
  new_branch: branch,
  message: Type.Optional(Type.String({ maxLength: 65_535 })),
  author: Type.Optional(Identity),
  committer: Type.Optional(Identity),
  dates: Type.Optional(CommitDates),
  signoff: Type.Optional(Type.Boolean()),
}
export type CommitFields = Static<typeof CommitFields>
export const CommitFields = Type.Object(commitFields)

/** Compat: missing content means an empty file, although the reference documents it as required. */
export type CreateFile = Static<typeof CreateFile>
export const CreateFile = Type.Object(
  { ...commitFields, content: Type.Optional(content) },
  { title: 'CreateFileOptions' },
)

export type UpdateFile = Static<typeof UpdateFile>
export const UpdateFile = Type.Object(
  {
    ...commitFields,
    content: Type.Optional(content),
    sha: Type.Optional(sha),
    from_path: Type.Optional(fromPath),
  },
  { title: 'UpdateFileOptions' },
)

export type DeleteFile = Static<typeof DeleteFile>
export const DeleteFile = Type.Object(
  { ...commitFields, sha: Type.String({ minLength: 1, maxLength: 64 }) },
  { title: 'DeleteFileOptions' },
)

const FILES_MAX = 5_000

export type ChangeFile = Static<typeof ChangeFile>
export const ChangeFile = Type.Object(
  {
    operation: Type.Union([
      Type.Literal('create'),
      Type.Literal('update'),
      Type.Literal('upload'),
      Type.Literal('rename'),
      Type.Literal('delete'),
    ]),
    path,
    content: Type.Optional(content),
    sha: Type.Optional(sha),
    from_path: Type.Optional(fromPath),
  },
  { title: 'ChangeFileOperation' },
)
export type ChangeFiles = Static<typeof ChangeFiles>
export const ChangeFiles = Type.Object(
  { ...commitFields, files: Type.Array(ChangeFile, { maxItems: FILES_MAX }) },
  { title: 'ChangeFilesOptions' },
)

export type ApplyPatch = Static<typeof ApplyPatch>
export const ApplyPatch = Type.Object(
  {
    ...commitFields,
    content: Type.String({
      minLength: 1,
      maxLength: CONTENT_LENGTH_MAX,
      description: 'patch in the format of `git diff`',
    }),
  },
  { title: 'ApplyDiffPatchFileOptions' },
)

/** Files of one request. */
export const FILES_READ_MAX = 100

export const GetFiles = Type.Object(
  { files: Type.Array(path, { maxItems: FILES_READ_MAX }) },
  { title: 'GetFilesOptions' },
)
