/** The wiki of a source, brought in beside its code. It belongs to nobody until the repository is written down. */
import { createStorage, fetchFrom, listRemote, type Remote, type StorageId } from '#git'
import { type Context, transact } from '#platform/context'
import { Problem } from '#platform/problem'
import { limitsOf } from '../limits.ts'

const DEFAULT_HEAD = 'refs/heads/main'

/** Where hosts keep the wiki of a repository. */
export function wikiOf(remote: Remote): Remote {
  return { ...remote, url: `${remote.url.replace(/\/+$/, '').replace(/\.git$/i, '')}.wiki.git` }
}

/** Its storage; null when the source has no wiki, or none that can be read, which is no fault. */
export async function importWiki(ctx: Context, source: Remote): Promise<StorageId | null> {
  const remote = wikiOf(source)
  const offer = await listRemote(ctx, remote).catch((error: unknown) => {
    if (error instanceof Problem) return undefined
    throw error
  })
  if (offer === undefined || offer.refs.size === 0) return null
  const head = offer.head ?? DEFAULT_HEAD
  const storageId = await transact(ctx, (ctx) =>
    createStorage(ctx.db, { objectFormat: offer.objectFormat, head, now: ctx.now(), isAdopted: false }),
  )
  await followWiki(ctx, storageId, remote)
  return storageId
}

/** All that the wiki of the source has, and nothing else. */
export async function followWiki(ctx: Context, storageId: StorageId, remote: Remote): Promise<void> {
  await fetchFrom(ctx, storageId, remote, limitsOf(ctx), {})
}
