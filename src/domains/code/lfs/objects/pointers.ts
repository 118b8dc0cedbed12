/** Pointers: the small files in git that stand for objects. */
import { type BlobRange, pickSmallBlobs, pickSmallBlobsIn, type StorageId } from '#git'
import type { Context } from '#platform/context'
import type { Pointer } from '../wire.ts'

const POINTER_BYTES_MAX = 1_024
const POINTER =
  /^version https:\/\/git-lfs\.github\.com\/spec\/v1\n(?:.*\n)*?oid sha256:([0-9a-f]{64})\nsize (\d{1,15})\n/

export function lfsPointerOf(data: Buffer): Pointer | undefined {
  if (data.length > POINTER_BYTES_MAX) return undefined
  const [, oid, size] = POINTER.exec(data.toString('utf8')) ?? []
  return oid === undefined ? undefined : { oid, size: Number(size) }
}

/** Those that `tips` reach and `known` do not, by object. `isWhole`: all were found. */
export async function findPointers(
  ctx: Context,
  storageId: StorageId,
  range: BlobRange,
): Promise<FoundPointers> {
  return sizesOf(await pickSmallBlobs(ctx, storageId, range, lfsPointerOf))
}

/** The same in a git repository on disk. */
export async function findPointersIn(ctx: Context, path: string, range: BlobRange): Promise<FoundPointers> {
  return sizesOf(await pickSmallBlobsIn(ctx, path, range, lfsPointerOf))
}

export interface FoundPointers {
  readonly sizes: ReadonlyMap<string, number>
  readonly isWhole: boolean
}

function sizesOf({ found, isWhole }: { found: readonly Pointer[]; isWhole: boolean }): FoundPointers {
  return { sizes: new Map(found.map(({ oid, size }) => [oid, size])), isWhole }
}
