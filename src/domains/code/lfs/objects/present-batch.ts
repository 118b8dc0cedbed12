/** The answer to a batch. Pure. */
import type { RawAnswer } from '#platform/rest'
import { json, type Pointer } from '../wire.ts'
import type { Decision } from './batch.ts'
import type { DirectUpload } from './direct.ts'

interface Place {
  /** The address of LFS of the repository. */
  readonly root: string
  readonly authorization: string | undefined
  /** Addresses of the object store, by object; all others are the node's. */
  readonly downloads?: ReadonlyMap<string, { readonly href: string; readonly seconds: number }>
  readonly uploads?: ReadonlyMap<string, DirectUpload>
}

/** At the node clients authenticate as they did for the batch. */
export function presentBatch(decisions: readonly Decision[], place: Place): RawAnswer {
  const objects = decisions.map((it) => {
    if ('error' in it) return { oid: it.named.oid, size: it.named.size, error: it.error }
    if (it.action === 'noop') return it.pointer
    const actions =
      it.action === 'download' ? presentDownload(it.pointer, place) : presentUpload(it.pointer, place)
    return { ...it.pointer, authenticated: true, actions }
  })
  return json(200, { transfer: 'basic', objects, hash_algo: 'sha256' })
}

function presentDownload({ oid }: Pointer, place: Place) {
  const direct = place.downloads?.get(oid)
  if (direct !== undefined) return { download: { href: direct.href, expires_in: direct.seconds } }
  return { download: { href: `${place.root}/objects/${oid}`, ...headerOf(place) } }
}

function presentUpload({ oid, size }: Pointer, place: Place) {
  const direct = place.uploads?.get(oid)
  const verify = { href: `${place.root}/verify`, ...headerOf(place) }
  if (direct === undefined)
    return { upload: { href: `${place.root}/objects/${oid}/${size}`, ...headerOf(place) }, verify }
  const { href, header, seconds, ticket } = direct
  return {
    upload: { href, header, expires_in: seconds },
    verify: { ...verify, href: `${verify.href}?upload=${ticket}` },
  }
}

function headerOf({ authorization }: Place) {
  return authorization === undefined ? {} : { header: { Authorization: authorization } }
}
