/** Serves an object, whole or from where a download broke off. */
import { serveNamed } from '#platform/lost-object'
import type { RawAnswer } from '#platform/rest'
import type { ObjectRow } from '../tables.ts'
import { findOwnerOf } from './store.ts'
import { lfsKey } from './take.ts'

type Asked = Parameters<typeof serveNamed>[0]

export async function serveObject(asked: Asked, object: ObjectRow, name: string): Promise<RawAnswer> {
  const { ctx, isHead } = asked
  const { key, bytes, oid } = object
  const findOwner = () => findOwnerOf(ctx.db, object, oid)
  const answer = await serveNamed(asked, { key: lfsKey(key), bytes, sha256: oid, findOwner }, name)
  if (!isHead && answer.status < 300)
    ctx.lfsBytes.add(Number(answer.headers?.['content-length']), { direction: 'download' })
  return answer
}
