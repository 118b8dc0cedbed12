/** Types of a parsed patch. */

export interface PatchHunk {
  /** First line of each side, counted from 1. */
  readonly oldStart: number
  readonly newStart: number
  /** The text that git writes after the line numbers, often the enclosing function. */
  readonly heading: string
  /** Each with its mark: blank for context, «-», «+», or «\» for a remark of git on the line before. */
  readonly lines: string[]
}

/** Blobs of both sides; null if there is none or only its text is known. */
export interface Blobs {
  readonly oldOid: string | null
  readonly oid: string | null
}

export interface FilePatch {
  /** The new path, or the old one of a deleted file. */
  readonly path: string
  /** The old path of a renamed or copied file. */
  readonly oldPath: string | null
  readonly status: 'added' | 'modified' | 'deleted' | 'renamed' | 'copied'
  /** Empty if git does not report modes. */
  readonly oldMode: string
  readonly mode: string
  readonly isBinary: boolean
  readonly hunks: readonly PatchHunk[]
  /** The file exceeds the limit and is truncated. */
  readonly isCut: boolean
}
