/** What can be done with repositories. Each verb is one transaction: check, change, tell. */
import type { Account } from '#domains/users'
import { emit } from '#events'
import { createStorage, isRefName, markDeleted, type ObjectFormat } from '#git'
import { type Context, type TxContext, transact } from '#platform/context'
import { invalid, Problem } from '#platform/problem'
import type { SignedIn, SiteAdmin } from '#platform/rest'
import { complete, type Repository, selectRepositories } from './load.ts'
import { assertRepositoryName } from './names.ts'
import type { Administered } from './open-repository.ts'
import type { CreateRepository } from './schemas.ts'
import { deleteRepositoryRow, insertRepository, insertWatches, listIdsOf } from './store.ts'
import type { RepositoryRow } from './tables.ts'
import { giveToAllTeams } from './teams.ts'

const DEFAULT_BRANCH = 'main'

/** Whoever may create for an owner was decided by the route; the creator watches what they made. */
export async function createRepository(
  ctx: Context,
  creator: SignedIn | SiteAdmin,
  owner: Account,
  input: CreateRepository,
): Promise<Repository> {
  assertRepositoryName(input.name)
  if (input.auto_init) throw invalid('a repository cannot be initialised yet: push its first commit')
  const object_format = objectFormatOf(input.object_format_name ?? '')
  const default_branch = input.default_branch || DEFAULT_BRANCH
  assertBranchName(default_branch)
  const id = await transact(ctx, async (ctx) => {
    const now = ctx.now()
    const storage_id = await createStorage(ctx.db, {
      objectFormat: object_format,
      head: `refs/heads/${default_branch}`,
      now,
    })
    const repo = await insertRepository(ctx.db, {
      owner_id: owner.id,
      storage_id,
      name: input.name,
      name_key: input.name.toLowerCase(),
      description: input.description ?? '',
      is_private: input.private ?? false,
      is_template: input.template ?? false,
      archived_at: null,
      default_branch,
      object_format,
      created_at: now,
      updated_at: now,
    })
    if (repo === undefined)
      throw new Problem('conflict', 'the repository with the same name already exists', { name: input.name })
    if (owner.kind === 'organization') await giveToAllTeams(ctx, repo)
    await insertWatches(ctx.db, [{ user_id: creator.id, repository_id: repo.id, created_at: now }])
    await emit(ctx, 'repository.created', eventOf(repo, creator.id))
    return repo.id
  })
  return getRepository(ctx, id)
}

export async function deleteRepository(ctx: Context, repo: Administered, actor: SignedIn): Promise<void> {
  await transact(ctx, (ctx) => remove(ctx, repo.id, actor.id))
}

/** Everything an owner has: for organizations that are emptied and for people who are purged. */
export async function deleteRepositoriesOf(ctx: Context, owner: Account, actorId: number): Promise<void> {
  await transact(ctx, async (ctx) => {
    for (const id of await listIdsOf(ctx.db, owner.id)) await remove(ctx, id, actorId)
  })
}

async function remove(ctx: TxContext, id: number, actorId: number): Promise<void> {
  const gone = await deleteRepositoryRow(ctx.db, id)
  if (gone === undefined) return
  await markDeleted(ctx.db, gone.storage_id, ctx.now())
  await emit(ctx, 'repository.deleted', eventOf(gone, actorId))
}

async function getRepository(ctx: Context, id: number): Promise<Repository> {
  const row = await selectRepositories(ctx).where('repository.id', '=', id).executeTakeFirstOrThrow()
  const [repo] = await complete(ctx, [row])
  if (repo === undefined) throw new Problem('not_found', 'repository does not exist')
  return repo
}

function assertBranchName(name: string): void {
  if (!isRefName(`refs/heads/${name}`)) throw invalid('default branch is not a name for a branch', { name })
}

function objectFormatOf(name: string): ObjectFormat {
  if (name === '' || name === 'sha1') return 'sha1'
  if (name === 'sha256') return 'sha256'
  throw invalid('object format is neither sha1 nor sha256')
}

function eventOf(repo: RepositoryRow, actorId: number) {
  return { repository_id: repo.id, owner_id: repo.owner_id, name: repo.name, actor_id: actorId }
}
