/** Creates the git storage of a wiki on the first write. */
import { type CanWrite, lockRepository, setWikiStorage } from '#domains/code/repositories'
import { createStorage, type StorageId } from '#git'
import { asPreparation, type Context, transact } from '#platform/context'

const HEAD = 'refs/heads/main'

/** Returns the wiki's storage id. The row lock on the repository serializes concurrent first writers. */
export async function makeWiki(ctx: Context, repo: CanWrite<'wiki'>): Promise<StorageId> {
  if (repo.wiki_storage_id !== null) return repo.wiki_storage_id
  return transact(asPreparation(ctx), async (ctx) => {
    const { object_format, wiki_storage_id } = await lockRepository(ctx.db, repo.id)
    if (wiki_storage_id !== null) return wiki_storage_id
    const made = await createStorage(ctx.db, { objectFormat: object_format, head: HEAD, now: ctx.now() })
    await setWikiStorage(ctx, repo.id, made)
    return made
  })
}
