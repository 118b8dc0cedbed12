/** What is heard. Activity is written by nobody's request: only by what other slices tell. */
import { findAccountById } from '#domains/users'
import { type Consumer, consumer, preparedConsumer } from '#events/consumer'
import type { TxContext } from '#platform/context'
import { recordActs } from './record-acts.ts'
import { actsOfRefs } from './ref-acts.ts'
import { deleteActs, deleteFeed } from './store.ts'

export const activityConsumers: readonly Consumer[] = [
  consumer('activity-repository-created', 'repository.created', async (ctx, event, told) => {
    // Compat: an import is not told.
    if (await isImported(ctx, event.repository_id)) return
    await recordActs(ctx, event, [{ op_type: 'create_repo' }], told)
  }),
  consumer('activity-repository-renamed', 'repository.renamed', (ctx, event, told) =>
    recordActs(ctx, event, [{ op_type: 'rename_repo', content: event.old_name }], told),
  ),
  consumer('activity-repository-transferred', 'repository.transferred', async (ctx, event, told) => {
    const giver = await findAccountById(ctx.db, event.old_owner_id)
    const content = `${giver?.login ?? ''}/${event.name}`
    await recordActs(ctx, event, [{ op_type: 'transfer_repo', content }], told)
  }),
  consumer('activity-repository-starred', 'repository.starred', (ctx, event, told) =>
    recordActs(ctx, event, [{ op_type: 'star_repo' }], told),
  ),
  consumer('activity-repository-watched', 'repository.watched', (ctx, event, told) =>
    recordActs(ctx, event, [{ op_type: 'watch_repo' }], told),
  ),
  consumer('activity-repository-deleted', 'repository.deleted', async (ctx, event) => {
    await deleteFeed(event.repository_id, event.owner_id).execute(ctx.db)
    await deleteActs(ctx.db, event.repository_id)
  }),
  consumer('activity-release-published', 'release.published', async (ctx, event, told) => {
    const release = await ctx.db
      .selectFrom('release')
      .select(['tag', 'title'])
      .where('id', '=', event.release_id)
      .executeTakeFirst()
    if (release === undefined) return
    const { tag, title } = release
    await recordActs(
      ctx,
      event,
      [{ op_type: 'publish_release', ref_name: `refs/tags/${tag}`, content: title }],
      told,
    )
  }),
  preparedConsumer(
    'activity-refs-moved',
    'refs.moved',
    (ctx, { repository_id, cause, updates }) => actsOfRefs(ctx, cause, repository_id, updates),
    (ctx, event, told, acts) =>
      recordActs(ctx, event.cause === 'mirror' ? { ...event, actor_id: 'owner' } : event, acts, told),
  ),
]

async function isImported(ctx: TxContext, repositoryId: number): Promise<boolean> {
  const found = await ctx.db
    .selectFrom('repository')
    .select('original_url')
    .where('id', '=', repositoryId)
    .executeTakeFirst()
  return found !== undefined && found.original_url !== ''
}
