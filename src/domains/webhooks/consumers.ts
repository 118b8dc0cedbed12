/** What is heard: every event that hooks are told of, and which news it makes. */
import type { RefsMovedEvent, RepositoryEvent } from '#domains/repositories'
import { type Consumer, consumer } from '#events/consumer'
import { isZeroOid } from '#git'
import type { TxContext } from '#platform/context'
import { announce, type News } from './announce.ts'
import type { ForkFacts } from './payloads/fork.ts'
import type { About } from './payloads/parts.ts'
import type { PushFacts } from './payloads/push.ts'
import type { RefFacts } from './payloads/refs.ts'
import type { ReleaseFacts } from './payloads/release.ts'
import type { RepositoryFacts } from './payloads/repository.ts'
import type { StatusFacts } from './payloads/status.ts'
import type { WikiFacts } from './payloads/wiki.ts'

export const webhookConsumers: readonly Consumer[] = [
  consumer('webhooks-refs-moved', 'refs.moved', async (ctx, event) => {
    // Compat: neither what comes with a repository nor what a mirror follows is told.
    if (event.cause !== 'push' && event.cause !== 'api') return
    const owner_id = await findOwner(ctx, event.repository_id)
    if (owner_id === undefined) return
    const news = event.updates.flatMap((update) => newsOf(event, update))
    await announce(ctx, { repository_id: event.repository_id, owner_id }, news)
  }),
  consumer('webhooks-repository-created', 'repository.created', async (ctx, event) => {
    if (!(await isOwnFork(ctx, event))) await announceRepository(ctx, { ...event, action: 'created' })
  }),
  consumer('webhooks-repository-deleted', 'repository.deleted', (ctx, event) =>
    announceRepository(ctx, { ...event, action: 'deleted' }),
  ),
  // Whoever heard that it went is told that it is there again, in the words that receivers know.
  consumer('webhooks-repository-undeleted', 'repository.undeleted', (ctx, event) =>
    announceRepository(ctx, { ...event, action: 'created' }),
  ),
  consumer('webhooks-repository-renamed', 'repository.renamed', (ctx, event) =>
    announceRepository(ctx, { ...event, action: 'renamed' }),
  ),
  consumer('webhooks-repository-forked', 'repository.forked', async (ctx, event) => {
    const owner_id = await findOwner(ctx, event.parent_id)
    if (owner_id === undefined) return
    const { parent_id: repository_id, repository_id: fork_id, actor_id } = event
    const facts: ForkFacts = { repository_id, fork_id, actor_id }
    await announce(ctx, { repository_id, owner_id }, [{ type: 'fork', facts }])
  }),
  consumer('webhooks-release-published', 'release.published', (ctx, event) =>
    announceInside(ctx, 'release', { ...event, action: 'published' } satisfies ReleaseFacts),
  ),
  consumer('webhooks-release-updated', 'release.updated', (ctx, event) =>
    announceInside(ctx, 'release', { ...event, action: 'updated' } satisfies ReleaseFacts),
  ),
  consumer('webhooks-release-deleted', 'release.deleted', (ctx, event) =>
    announceInside(ctx, 'release', { ...event, action: 'deleted' } satisfies ReleaseFacts),
  ),
  consumer('webhooks-wiki-changed', 'wiki.changed', (ctx, event) =>
    announceInside(ctx, 'wiki', event satisfies WikiFacts),
  ),
  consumer('webhooks-status-created', 'status.created', (ctx, event) =>
    announceInside(ctx, 'status', event satisfies StatusFacts),
  ),
]

/** What happened inside a repository that is still there. */
async function announceInside<F extends About>(ctx: TxContext, type: News['type'], facts: F): Promise<void> {
  const { repository_id } = facts
  const owner_id = await findOwner(ctx, repository_id)
  if (owner_id !== undefined) await announce(ctx, { repository_id, owner_id }, [{ type, facts }])
}

type Update = RefsMovedEvent['updates'][number]

/** Compat: a branch that goes is no push, a tag that goes is one; other refs are nobody's business. */
function newsOf(event: RefsMovedEvent, update: Update): News[] {
  const isBranch = update.name.startsWith('refs/heads/')
  if (!isBranch && !update.name.startsWith('refs/tags/')) return []
  const isMade = isZeroOid(update.old)
  if (isZeroOid(update.new)) return [...(isBranch ? [] : [push(event, update)]), gone(event, update)]
  if (isBranch) return [...(isMade ? [made(event, update)] : []), push(event, update)]
  // Compat: a tag that moves is told as one that is new.
  const fresh = { ...update, old: '0'.repeat(update.new.length) }
  return [push(event, fresh), made(event, fresh)]
}

function push({ repository_id, actor_id }: RefsMovedEvent, update: Update): News {
  const facts: PushFacts = {
    repository_id,
    actor_id,
    ref: update.name,
    before: update.old,
    after: update.new,
  }
  return { type: 'push', ref: update.name, facts }
}

function made({ repository_id, actor_id }: RefsMovedEvent, { name, new: sha }: Update): News {
  const facts: RefFacts = { repository_id, actor_id, ref: name, sha }
  return { type: 'create', ref: name, facts }
}

function gone({ repository_id, actor_id }: RefsMovedEvent, { name, old: sha }: Update): News {
  const facts: RefFacts = { repository_id, actor_id, ref: name, sha }
  return { type: 'delete', ref: name, facts }
}

async function announceRepository(
  ctx: TxContext,
  event: RepositoryEvent & { action: RepositoryFacts['action']; old_name?: string },
): Promise<void> {
  const { repository_id, owner_id } = event
  const facts: RepositoryFacts = event
  await announce(ctx, { repository_id, owner_id }, [{ type: 'repository', facts }])
}

/** Compat: a fork that somebody makes for themselves is told as a fork, and as nothing else. */
async function isOwnFork(ctx: TxContext, { repository_id }: RepositoryEvent): Promise<boolean> {
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

/** Undefined when the repository is gone, and its hooks with it. */
async function findOwner(ctx: TxContext, repositoryId: number): Promise<number | undefined> {
  const repo = await ctx.db
    .selectFrom('repository')
    .select('owner_id')
    .where('id', '=', repositoryId)
    .executeTakeFirst()
  return repo?.owner_id
}
