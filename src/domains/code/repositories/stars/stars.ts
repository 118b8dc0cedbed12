/** Stars. Each operation is one transaction: check, change, count, emit. */

import { isBlocked, lockAgainstBlocks, type VisibleAccount } from '#domains/people/users'
import { emit } from '#events'
import { type Context, transact } from '#platform/context'
import type { Paged } from '#platform/db'
import { forbidden, notFound } from '#platform/problem'
import type { Page, SignedIn } from '#platform/rest'
import type { Visible } from '../access/open-repository.ts'
import { eventOf } from '../events.ts'
import type { Repository } from '../record/load.ts'
import { deleteTie, findTie, insertTie } from '../record/ties-store.ts'
import { searchRepositories } from '../search/search.ts'
import type { RepositorySearch } from '../search/search-filter.ts'

export async function starRepository(ctx: Context, repo: Visible, actor: SignedIn): Promise<void> {
  await transact(ctx, async (ctx) => {
    await lockAgainstBlocks(ctx.db, actor.id)
    if (await isBlocked(ctx.db, repo.owner_id, actor.id)) throw forbidden('user is blocked')
    const star = { user_id: actor.id, repository_id: repo.id, created_at: ctx.now() }
    if (await insertTie(ctx.db, 'star', star)) await emit(ctx, 'repository.starred', eventOf(repo, actor.id))
  })
}

export async function unstarRepository(ctx: Context, repo: Visible, actor: SignedIn): Promise<void> {
  await transact(ctx, (ctx) => deleteTie(ctx.db, 'star', { user_id: actor.id, repository_id: repo.id }))
}

/** Throws not found when the caller has not starred the repository. */
export async function assertStarred(ctx: Context, repo: Visible, actor: SignedIn): Promise<void> {
  const star = { user_id: actor.id, repository_id: repo.id }
  if ((await findTie(ctx.db, 'star', star)) === undefined) throw notFound('star', repo.name)
}

export function listOwnStarred(ctx: Context, actor: SignedIn, page: Page): Promise<Paged<Repository>> {
  return searchRepositories(ctx, starredBy(actor.id), page)
}

/** Other users' private stars are hidden, even if the caller may see the repository. */
export function listStarredBy(ctx: Context, user: VisibleAccount, page: Page): Promise<Paged<Repository>> {
  const isOwn = user.id === ctx.actor?.id
  return searchRepositories(ctx, { ...starredBy(user.id), isPrivate: isOwn ? undefined : false }, page)
}

function starredBy(userId: number): RepositorySearch {
  return {
    keywords: [],
    within: 'names',
    publicOnly: false,
    starredBy: userId,
    sort: 'id',
    direction: 'asc',
  }
}
