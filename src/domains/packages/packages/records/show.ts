/** Loads versions for REST answers in a fixed number of queries. */

import { findAsOwner, loadInOrder } from '#domains/code/repositories'
import { may } from '#domains/people/access'
import { findAccountsById } from '#domains/people/users'
import type { Context } from '#platform/context'
import { must } from '#platform/must'
import type { ShownVersion } from './store.ts'
import { type Package, presentPackage } from './wire.ts'

export async function showPackages(ctx: Context, rows: readonly ShownVersion[]): Promise<Package[]> {
  const accountIds = rows.flatMap(({ owner_id, creator_id }) => [owner_id, creator_id ?? owner_id])
  const repositoryIds = rows.flatMap(({ repository_id }) => repository_id ?? [])
  const linked = await loadInOrder(ctx, [...new Set(repositoryIds)])
  const around = {
    accounts: await findAccountsById(ctx.db, [...new Set(accountIds)]),
    repositories: new Map(linked.filter(({ access }) => may(access, 'see')).map((repo) => [repo.id, repo])),
    viewer: ctx.actor,
    site: ctx.site,
  }
  return rows.flatMap((row) => presentPackage(row, around) ?? [])
}

export async function showPackage(ctx: Context, row: ShownVersion): Promise<Package> {
  return must((await showPackages(ctx, [row]))[0], 'a package goes with its owner')
}

/** For webhooks, as the owner sees it; undefined if the owner was deleted. */
export async function showToHooks(ctx: Context, row: ShownVersion): Promise<Package | undefined> {
  const repo = row.repository_id === null ? undefined : await findAsOwner(ctx, row.repository_id)
  const ids = [row.owner_id, ...(row.creator_id === null ? [] : [row.creator_id])]
  return presentPackage(row, {
    accounts: await findAccountsById(ctx.db, ids),
    repositories: new Map(repo === undefined ? [] : [[repo.id, repo]]),
    viewer: null,
    site: ctx.site,
  })
}
