/** What a patch consists of, file by file, as far as it is shown. */

export interface PatchHunk {
  /** The first line of each side, counted from 1. */
  readonly oldStart: number
  readonly newStart: number
  /** What git writes behind the numbers: often the function that the lines are in. */
  readonly heading: string
  /** Each after its mark: a blank for one that stays, «-», «+»; «\» for what git says about the line before it. */
  readonly lines: string[]
}

/** The blobs of both sides; null where there is none, and where only its text is known. */
export interface Blobs {
  readonly oldOid: string | null
  readonly oid: string | null
}

export interface FilePatch {
  /** Where it is afterwards; where it was, when it is gone. */
  readonly path: string
  /** Where it was before, when it moved or was copied. */
  readonly oldPath: string | null
  readonly status: 'added' | 'modified' | 'deleted' | 'renamed' | 'copied'
  /** Empty where git says nothing of them. */
  readonly oldMode: string
  readonly mode: string
  readonly isBinary: boolean
  readonly hunks: readonly PatchHunk[]
  /** There is more than is kept of one file. */
  readonly isCut: boolean
}
