/** A diff that is read file by file: the list of files at once, their lines on demand. */
import type { Readable } from 'node:stream'
import type { Context } from '#platform/context'
import { isZeroOid } from '../../storage/storage.ts'
import type { StorageId } from '../../tables.ts'
import type { ChangedFile } from './changes.ts'
import {
  type Comparison,
  type Difference,
  diffFiles,
  openDiff,
  openWholeDiff,
  type Whitespace,
} from './diff.ts'

/** Output of git. Each iteration runs git anew, and git is not started before. */
export type LazyText = AsyncIterable<Uint8Array>

export interface OpenFile extends Omit<ChangedFile, 'oldOid' | 'oid'> {
  /** The blobs of both sides; null where there is none. */
  readonly oldOid: string | null
  readonly oid: string | null
  /** The unified diff of its blobs with all lines; null where the patch already has them all. */
  readonly whole: LazyText | null
}

export interface OpenDifference extends Comparison, Omit<Difference, 'files'> {
  readonly whitespace: Whitespace
  readonly files: readonly OpenFile[]
  /** The unified diff of all files. */
  readonly patch: LazyText
}

const SUBMODULE = '160000'

export async function openDifference(
  ctx: Context,
  storageId: StorageId,
  comparison: Comparison,
  whitespace: Whitespace,
): Promise<OpenDifference> {
  const { from, to } = comparison
  const options = { withRenames: true, whitespace }
  const { files, stats, isTruncated } = await diffFiles(ctx, storageId, comparison, options)
  const patch = whenRead(() => openDiff(ctx, storageId, comparison, { withBinary: false, whitespace }))
  const openFile = (file: ChangedFile): OpenFile => {
    const oldOid = isZeroOid(file.oldOid) ? null : file.oldOid
    const oid = isZeroOid(file.oid) ? null : file.oid
    // The patch of an added or deleted file already has all its lines.
    const hasMore = !file.isBinary && file.oldMode !== SUBMODULE && file.mode !== SUBMODULE
    const whole =
      oldOid !== null && oid !== null && hasMore
        ? whenRead(() => openWholeDiff(ctx, storageId, { from: oldOid, to: oid }, whitespace))
        : null
    return { ...file, oldOid, oid, whole }
  }
  return { from, to, whitespace, files: files.map(openFile), stats, isTruncated, patch }
}

function whenRead(open: () => Promise<Readable>): LazyText {
  return {
    async *[Symbol.asyncIterator]() {
      yield* await open()
    },
  }
}
