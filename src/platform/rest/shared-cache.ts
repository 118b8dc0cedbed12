/**
 * Answers about objects with full ids, which never change, may be kept by shared caches when the client was anonymous: then
 * the repository is public. Only for an hour and with an ETag, because it may become private or be quarantined, and no
 * cache learns of that before it asks again.
 */
import type { Context, Visitor } from '../context.ts'

const SHARED = 'public, max-age=3600'

/** `isFixed`: the address names full object ids. Deploy keys and tokens are not anonymous, although they have no user. */
export function cacheControl(visitor: Visitor | undefined, isFixed: boolean): string | undefined {
  return isFixed && visitor?.lane === 'nobody' ? SHARED : undefined
}

/** For files: their bytes are the same for every client that may read them, but the permission is not. */
export function cacheHeaders({ visitor }: Context, isFixed: boolean): Record<string, string> {
  const control = cacheControl(visitor, isFixed)
  return control === undefined ? {} : { 'cache-control': control, vary: 'Authorization, Cookie' }
}
