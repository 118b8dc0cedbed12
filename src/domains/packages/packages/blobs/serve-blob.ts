/** Serves a blob, in full or as a range. */
import { serveNamed } from '#platform/lost-object'
import type { RawAnswer } from '#platform/rest'
import type { BlobRow } from '../tables.ts'
import { findBlobOwner } from './store.ts'
import { objectKey } from './take-bytes.ts'

type Asked = Parameters<typeof serveNamed>[0]

export function serveBlob(
  asked: Asked,
  { key, bytes, sha256 }: Pick<BlobRow, 'key' | 'bytes' | 'sha256'>,
  name: string,
  more?: Readonly<Record<string, string>>,
): Promise<RawAnswer> {
  const findOwner = () => findBlobOwner(asked.ctx.db, { key, sha256 })
  return serveNamed(asked, { key: objectKey(key), bytes, sha256, findOwner }, name, more)
}
