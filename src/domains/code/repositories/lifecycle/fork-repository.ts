/** Forks a repository: inserts rows, copies no objects. */
import { may } from '#domains/people/access'
import { mayCreateRepository, openOrg } from '#domains/people/orgs'
import { type Account, isBlocked } from '#domains/people/users'
import { emit } from '#events'
import { forkStorage } from '#git'
import { type Context, type TxContext, transact } from '#platform/context'
import { forbidden, notFound, Problem } from '#platform/problem'
import type { SignedIn } from '#platform/rest'
import type { CanRead } from '../access/open-repository.ts'
import { eventOf } from '../events.ts'
import { copyLanguages } from '../record/languages.ts'
import { getRepository, type Repository } from '../record/load.ts'
import { assertRepositoryName } from '../record/names.ts'
import { UNITS_OF } from '../record/settings.ts'
import { countForks, shareRepository } from '../record/store.ts'
import type { ForkRepository } from '../schemas.ts'
import { insertRecord } from './insert-record.ts'

export async function forkRepository(
  ctx: Context,
  opened: CanRead<'code'>,
  actor: SignedIn,
  input: ForkRepository,
): Promise<Repository> {
  const name = input.name || opened.name
  assertRepositoryName(name)
  const id = await transact(ctx, async (ctx) => {
    const owner = input.organization === undefined ? actor.account : await getOrg(ctx, input.organization)
    const parent = await getShared(ctx, opened.id)
    if (await isBlocked(ctx.db, parent.owner_id, actor.id)) throw forbidden('you are blocked by the owner')
    // Locks the counters, and with them the number of branches and tags, before anything is copied.
    const counts = await countForks(ctx.db, parent.id, 1)
    if (counts === undefined) throw notFound('repository', parent.name)
    await assertNoFork(ctx, owner, parent)
    const storage_id = await forkStorage(ctx, parent.storage_id)
    const now = ctx.now()
    const row = { ...forkOf(parent), owner_id: owner.id, storage_id, name, name_key: name.toLowerCase() }
    const record = {
      owner,
      row: { ...row, created_at: now, updated_at: now },
      counts: { branches: counts.branches, tags: counts.tags, bytes: counts.bytes },
    }
    const fork = await insertRecord(ctx, actor, record)
    await copyLanguages(ctx, parent.id, fork.id)
    await emit(ctx, 'repository.forked', { ...eventOf(fork, actor.id), parent_id: parent.id })
    return fork.id
  })
  // Compat: the response does not count the creator's watch.
  return { ...(await getRepository(ctx, id)), watchers: 0 }
}

/** Takes a share lock, so that the parent cannot become private before the fork is committed; access is read under it. */
async function getShared(ctx: TxContext, id: number): Promise<Repository> {
  await shareRepository(ctx.db, id)
  const parent = await getRepository(ctx, id)
  if (!may(parent.access, 'read', 'code')) throw notFound('repository', id)
  return parent
}

/** As private as its parent, with which it shares packs; a trigger makes it private where needed. */
function forkOf(parent: Repository) {
  return {
    description: parent.description,
    parent_id: parent.id,
    family_id: parent.family_id ?? parent.id,
    is_private: parent.is_private,
    archived_at: null,
    default_branch: parent.default_branch,
    object_format: parent.object_format,
    units: [...UNITS_OF.fork],
    language: parent.language,
    licenses: parent.licenses,
  }
}

async function getOrg(ctx: Context, name: string): Promise<Account> {
  const org = await openOrg(ctx, name)
  if (!(await mayCreateRepository(ctx, org)))
    throw forbidden('user is not allowed to create repositories in this organization')
  return org
}

async function assertNoFork(ctx: TxContext, owner: Account, parent: Repository): Promise<void> {
  const fork = await ctx.db
    .selectFrom('repository')
    .select('name')
    .where('parent_id', '=', parent.id)
    .where('owner_id', '=', owner.id)
    .executeTakeFirst()
  if (fork !== undefined)
    throw new Problem('conflict', 'repository is already forked by user', { fork: fork.name })
}
