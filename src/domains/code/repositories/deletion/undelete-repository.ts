/** Undeletes a repository, until its storage is swept. */
import { findAccountById } from '#domains/people/users'
import { emit } from '#events'
import { undeleteStorage } from '#git'
import { type Context, type TxContext, transact } from '#platform/context'
import { notFound } from '#platform/problem'
import { eventOf } from '../events.ts'
import { nameTaken } from '../lifecycle/insert-record.ts'
import { getRepository, type Repository } from '../record/load.ts'
import { assertRepositoryName } from '../record/names.ts'
import { countForks, insertRepository } from '../record/store.ts'
import { countAllBytes } from '../record/usage.ts'
import type { DeletedRow, RepositoryRow } from '../tables.ts'
import { giveToAllTeams } from '../teams/teams.ts'
import { adoptForks, exists, hideForksBeyond, takeDeleted } from './deleted-store.ts'

export interface Undeleting {
  /** A new name, if the old one has been taken. */
  readonly name?: string | undefined
  /** Null for the command line: the events then name the owner as the actor. */
  readonly actorId: number | null
}

/** Restores the id, the code, the wiki and the settings; docs/operations.md lists the losses. */
export async function undeleteRepository(
  ctx: Context,
  id: number,
  { name, actorId }: Undeleting,
): Promise<Repository> {
  if (name !== undefined) assertRepositoryName(name)
  await transact(ctx, async (ctx) => {
    const deleted = await takeDeleted(ctx.db, id)
    if (deleted === undefined) throw notFound('deleted repository', id)
    await undeleteStorage(ctx, deleted.storage_id)
    const { wiki_storage_id } = deleted.record.row
    if (wiki_storage_id !== null) await undeleteStorage(ctx, wiki_storage_id)
    const repo = await insertAgain(ctx, deleted, name ?? deleted.name)
    const owner = await findAccountById(ctx.db, repo.owner_id)
    if (owner?.kind === 'organization') await giveToAllTeams(ctx, repo)
    await emit(ctx, 'repository.undeleted', eventOf(repo, actorId ?? repo.owner_id))
  })
  return getRepository(ctx, id)
}

async function insertAgain(ctx: TxContext, deleted: DeletedRow, name: string): Promise<RepositoryRow> {
  const { id, owner_id, storage_id } = deleted
  const { row, counts, languages, fork_ids } = deleted.record
  const parent_id = row.parent_id !== null && (await exists(ctx.db, row.parent_id)) ? row.parent_id : null
  const named = { id, owner_id, storage_id, name, name_key: name.toLowerCase() }
  const times = {
    created_at: new Date(row.created_at),
    archived_at: row.archived_at === null ? null : new Date(row.archived_at),
    updated_at: ctx.now(),
  }
  const repo = await insertRepository(ctx.db, { ...row, ...named, parent_id, ...times }, counts)
  if (repo === undefined) throw nameTaken(name)
  countAllBytes(ctx, owner_id, counts, { sign: 1 })
  if (languages.length > 0)
    await ctx.db
      .insertInto('repository_language')
      .values(languages.map((language) => ({ repository_id: id, ...language })))
      .execute()
  if (parent_id !== null) await countForks(ctx.db, parent_id, 1)
  const forks = await adoptForks(ctx.db, id, fork_ids)
  if (forks > 0)
    await ctx.db.updateTable('repository_count').set({ forks }).where('repository_id', '=', id).execute()
  await hideForksBeyond(ctx.db, id)
  return repo
}
