/** Webhooks of repositories. */
import type { Context } from '#platform/context'
import { type Webhook, webhook, webhookEvent } from '#slices'
import type { RepositoryEvent } from '../events.ts'
import { forkPayload } from './fork.ts'
import { type RepositoryFacts, repositoryPayload } from './repository.ts'

export const repositoriesWebhooks: readonly Webhook[] = [
  webhook('repository.created', [repositoryPayload], async (ctx, event) =>
    (await isOwnFork(ctx, event)) ? [] : tellAs('created', event),
  ),
  webhook('repository.deleted', [repositoryPayload], async (_ctx, event) => tellAs('deleted', event)),
  // Receivers know no undelete, so it is sent as `created`.
  webhook('repository.undeleted', [repositoryPayload], async (_ctx, event) => tellAs('created', event)),
  webhook('repository.renamed', [repositoryPayload], async (_ctx, event) => tellAs('renamed', event)),
  webhook('repository.forked', [forkPayload], async (_ctx, event) => {
    const { parent_id: repository_id, repository_id: fork_id, actor_id } = event
    return [webhookEvent(forkPayload, { repository_id, fork_id, actor_id })]
  }),
]

function tellAs(action: RepositoryFacts['action'], event: RepositoryEvent & { readonly old_name?: string }) {
  return [webhookEvent(repositoryPayload, { ...event, action })]
}

/** Compat: for a fork owned by a user only the fork event is sent; a fork in an organization sends `created`, too. */
async function isOwnFork(ctx: Context, { repository_id }: RepositoryEvent): Promise<boolean> {
  const found = await ctx.db
    .selectFrom('repository')
    .innerJoin('account', 'account.id', 'repository.owner_id')
    .select('repository.id')
    .where('repository.id', '=', repository_id)
    .where('repository.parent_id', 'is not', null)
    .where('account.kind', '<>', 'organization')
    .executeTakeFirst()
  return found !== undefined
}
