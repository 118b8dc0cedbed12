/** Watches. Each operation is one transaction: check, change, count, emit. */

import { actorOf, isBlocked, lockAgainstBlocks, type VisibleAccount } from '#domains/people/users'
import { emit } from '#events'
import { type Context, transact } from '#platform/context'
import type { Paged } from '#platform/db'
import { forbidden, notFound } from '#platform/problem'
import type { Page, SignedIn } from '#platform/rest'
import type { Visible } from '../access/open-repository.ts'
import { eventOf } from '../events.ts'
import type { Repository } from '../record/load.ts'
import { type DatedTie, deleteTie, findTie, insertTie } from '../record/ties-store.ts'
import { findRepositories, loadInOrder, searchRepositories } from '../search/search.ts'
import type { RepositorySearch } from '../search/search-filter.ts'

export async function getWatch(ctx: Context, repo: Visible, actor: SignedIn): Promise<DatedTie> {
  const watch = await findTie(ctx.db, 'watch', { user_id: actor.id, repository_id: repo.id })
  if (watch === undefined) throw notFound('watch', repo.name)
  return watch
}

export async function watchRepository(ctx: Context, repo: Visible, actor: SignedIn): Promise<DatedTie> {
  return transact(ctx, async (ctx) => {
    await lockAgainstBlocks(ctx.db, actor.id)
    if (await isBlocked(ctx.db, repo.owner_id, actor.id)) throw forbidden('user is blocked')
    const watch = { user_id: actor.id, repository_id: repo.id, created_at: ctx.now() }
    if (await insertTie(ctx.db, 'watch', watch))
      await emit(ctx, 'repository.watched', eventOf(repo, actor.id))
    return getWatch(ctx, repo, actor)
  })
}

export async function unwatchRepository(ctx: Context, repo: Visible, actor: SignedIn): Promise<void> {
  await transact(ctx, (ctx) => deleteTie(ctx.db, 'watch', { user_id: actor.id, repository_id: repo.id }))
}

export function listOwnWatched(ctx: Context, actor: SignedIn, page: Page): Promise<Paged<Repository>> {
  return searchRepositories(ctx, watchedBy(actor.id, { publicOnly: false }), page)
}

/** Other callers, even administrators, see only a user's public watches. */
export async function listWatchedBy(
  ctx: Context,
  user: VisibleAccount,
  page: Page,
): Promise<Paged<Repository>> {
  const isOwn = user.id === ctx.actor?.id
  const { ids, total } = await findRepositories(ctx, watchedBy(user.id, { publicOnly: !isOwn }), page)
  // Compat: permissions in the list are those of the watching user, not of the caller.
  const watcher = isOwn ? ctx.actor : actorOf(user, { publicOnly: false, via: 'process', tokenId: null })
  return { items: await loadInOrder({ ...ctx, actor: watcher }, ids), total }
}

function watchedBy(userId: number, { publicOnly }: { publicOnly: boolean }): RepositorySearch {
  return { keywords: [], within: 'names', publicOnly, watchedBy: userId, sort: 'id', direction: 'asc' }
}
