/** Inserts a repository record with its teams, watchers, administrator and event, for every way of creation. */
import { atLeast } from '#domains/people/access'
import { findTeamsOf, mayCreateRepository } from '#domains/people/orgs'
import type { Account } from '#domains/people/users'
import { emit } from '#events'
import type { Context, TxContext } from '#platform/context'
import { forbidden, Problem } from '#platform/problem'
import type { SignedIn, SiteAdmin } from '#platform/rest'
import { eventOf } from '../events.ts'
import { insertAdmin, insertRepository, insertWatches } from '../record/store.ts'
import { countAllBytes } from '../record/usage.ts'
import type { NewRepositoryRow, RepositoryCount, RepositoryRow } from '../tables.ts'
import { giveToAllTeams } from '../teams/teams.ts'

export type Creator = SignedIn | SiteAdmin

export interface NewRecord {
  readonly owner: Account
  readonly row: NewRepositoryRow
  readonly counts?: Partial<RepositoryCount>
  /** The label set to create. */
  readonly labelSet?: string
}

export async function insertRecord(
  ctx: TxContext,
  creator: Creator,
  { owner, row, counts, labelSet = '' }: NewRecord,
): Promise<RepositoryRow> {
  await assertMayCreate(ctx, creator, owner)
  const repo = await insertRepository(ctx.db, row, counts)
  if (repo === undefined) throw nameTaken(row.name)
  ctx.audit?.about(repo)
  countAllBytes(ctx, owner.id, counts ?? {}, { sign: 1, refusal: 'too_large' })
  await assertRoom(ctx, creator, owner)
  if (owner.kind === 'organization') {
    await giveToAllTeams(ctx, repo)
    // Compat: the creator of a repository in an organization administers it.
    if (!(await administersAll(ctx, creator, owner)))
      await insertAdmin(ctx.db, repo.id, creator.id, ctx.now())
  }
  await insertWatches(ctx.db, [{ user_id: creator.id, repository_id: repo.id, created_at: ctx.now() }])
  await emit(ctx, 'repository.created', { ...eventOf(repo, creator.id), label_set: labelSet })
  return repo
}

/** Checked again, because writing files or importing takes time in which the creator may lose the right. */
async function assertMayCreate(ctx: TxContext, creator: Creator, owner: Account): Promise<void> {
  if (creator.isAdmin || creator.id === owner.id) return
  if (!(await mayCreateRepository({ ...ctx, actor: creator }, owner)))
    throw forbidden('user is not allowed to create repositories for this owner')
}

/** An early check that avoids needless work; the unique index decides. */
export async function assertNameFree(ctx: Context, owner: Account, name: string): Promise<void> {
  if (await hasName(ctx, owner, name)) throw nameTaken(name)
}

export async function hasName(ctx: Context, owner: Account, name: string): Promise<boolean> {
  const found = await ctx.db
    .selectFrom('repository')
    .select('id')
    .where('owner_id', '=', owner.id)
    .where('name_key', '=', name.toLowerCase())
    .executeTakeFirst()
  return found !== undefined
}

export function nameTaken(name: string): Problem {
  return new Problem('conflict', 'repository with the same name already exists', { name })
}

/** The insert has already incremented and locked the counter, so concurrent creations cannot exceed the limit. */
export async function assertRoom(ctx: TxContext, creator: Creator, owner: Account): Promise<void> {
  const { repositories_max } = owner
  const repositoriesMax = repositories_max < 0 ? ctx.config['quota.repositories'] : repositories_max
  if (creator.isAdmin || repositoriesMax < 0) return
  const { repositories } = await ctx.db
    .selectFrom('account_count')
    .select('repositories')
    .where('account_id', '=', owner.id)
    .executeTakeFirstOrThrow()
  if (repositories > repositoriesMax)
    throw forbidden(`user has reached maximum limit of repositories [limit: ${repositoriesMax}]`)
}

async function administersAll(ctx: TxContext, creator: Creator, owner: Account): Promise<boolean> {
  if (creator.isAdmin) return true
  const teams = await findTeamsOf(ctx.db, owner.id, creator.id)
  return teams.some((team) => team.includes_all_repositories && atLeast(team.level, 'admin'))
}
