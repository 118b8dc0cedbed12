/** Git LFS pointers: small files that stand for large objects. */
export interface LfsPointer {
  readonly oid: string
  readonly size: number
}

const POINTER_BYTES_MAX = 1_024
const POINTER =
  /^version https:\/\/git-lfs\.github\.com\/spec\/v1\n(?:.*\n)*?oid sha256:([0-9a-f]{64})\nsize (\d{1,15})\n/

export function lfsPointerOf(data: Buffer): LfsPointer | undefined {
  if (data.length > POINTER_BYTES_MAX) return undefined
  const [, oid, size] = POINTER.exec(data.toString('utf8')) ?? []
  return oid === undefined ? undefined : { oid, size: Number(size) }
}
