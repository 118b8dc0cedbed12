/** Whose runners: those of a repository, of an account, or all. Only `open…` functions make a scope, so having one is proof. */
import { openOwnedOrg } from '#domains/orgs'
import { openToAdmin } from '#domains/repositories'
import type { Context } from '#platform/context'
import { asSignedIn, asSiteAdmin } from '#platform/rest'

declare const proven: unique symbol
/** A scope whose runners the caller may see and change. Both null: every runner there is. */
export interface RunnerScope {
  readonly owner_id: number | null
  readonly repository_id: number | null
  readonly [proven]: true
}

export async function openRepositoryRunners(
  ctx: Context,
  path: { owner: string; repo: string },
): Promise<RunnerScope> {
  return { owner_id: null, repository_id: (await openToAdmin(ctx, path)).id } as RunnerScope
}

export async function openOrgRunners(ctx: Context, { org }: { org: string }): Promise<RunnerScope> {
  return { owner_id: (await openOwnedOrg(ctx, org)).id, repository_id: null } as RunnerScope
}

export async function openOwnRunners(ctx: Context): Promise<RunnerScope> {
  return { owner_id: asSignedIn({ ctx }).id, repository_id: null } as RunnerScope
}

export async function openAllRunners(ctx: Context): Promise<RunnerScope> {
  asSiteAdmin({ ctx })
  return { owner_id: null, repository_id: null } as RunnerScope
}
