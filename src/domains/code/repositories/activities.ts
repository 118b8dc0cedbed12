/** Feed activities of repositories, stars and watches. */
import { findAccountById } from '#domains/people/users'
import type { Context } from '#platform/context'
import { type Activity, activity } from '#slices'

export const repositoriesActivities: readonly Activity[] = [
  activity('repository.created', async (ctx, event) => ({
    ...event,
    // Compat: an imported repository gets no create_repo activity.
    acts: (await isImported(ctx, event.repository_id)) ? [] : [{ op_type: 'create_repo' }],
  })),
  activity('repository.renamed', async (_ctx, event) => ({
    ...event,
    acts: [{ op_type: 'rename_repo', content: event.old_name }],
  })),
  activity('repository.transferred', async (ctx, event) => {
    const giver = await findAccountById(ctx.db, event.old_owner_id)
    return { ...event, acts: [{ op_type: 'transfer_repo', content: `${giver?.login ?? ''}/${event.name}` }] }
  }),
  activity('repository.starred', async (_ctx, event) => ({ ...event, acts: [{ op_type: 'star_repo' }] })),
  activity('repository.watched', async (_ctx, event) => ({ ...event, acts: [{ op_type: 'watch_repo' }] })),
]

async function isImported(ctx: Context, repositoryId: number): Promise<boolean> {
  const found = await ctx.db
    .selectFrom('repository')
    .select('original_url')
    .where('id', '=', repositoryId)
    .executeTakeFirst()
  return found !== undefined && found.original_url !== ''
}
