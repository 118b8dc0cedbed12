/** Imports the wiki of a source. Its storage is unreferenced until the repository is created. */
import { countPacks } from '#domains/code/repositories'
import { allowing, createStorage, fetchFrom, listRemote, type Remote, type StorageId } from '#git'
import { type Context, transact } from '#platform/context'
import { Problem } from '#platform/problem'
import { limitsOf } from '../limits.ts'

const DEFAULT_HEAD = 'refs/heads/main'

/** The conventional URL of a repository's wiki. */
export function wikiOf(remote: Remote): Remote {
  return { ...remote, url: `${remote.url.replace(/\/+$/, '').replace(/\.git$/i, '')}.wiki.git` }
}

/** Returns the storage; null if the source has no readable wiki, which is no error. */
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

/** Makes the refs equal to those of the source. */
export async function followWiki(ctx: Context, storageId: StorageId, remote: Remote): Promise<void> {
  const policy = allowing((ctx, { bytes }) => countPacks(ctx, storageId, bytes, true))
  await fetchFrom(ctx, storageId, remote, limitsOf(ctx), policy)
}
