/** Edits a repository: all changes or none. */
import { emit } from '#events'
import { findRef, HEADS, isRefName, setHead } from '#git'
import { type Context, type TxContext, transact } from '#platform/context'
import { invalid } from '#platform/problem'
import type { SignedIn } from '#platform/rest'
import type { Administered } from '../access/open-repository.ts'
import { setVisibility } from '../access/visibility.ts'
import { eventOf } from '../events.ts'
import { changeUnits } from '../record/change-units.ts'
import { getRepository, type Repository } from '../record/load.ts'
import { assertRepositoryName } from '../record/names.ts'
import { deleteRedirect, insertRedirect, lockRepository, updateRepository } from '../record/store.ts'
import type { EditRepository } from '../schemas.ts'
import type { RepositoryPatch, RepositoryRow } from '../tables.ts'
import { nextAfter, readInterval } from './mirroring.ts'

export async function editRepository(
  ctx: Context,
  { id }: Administered,
  actor: SignedIn,
  edit: EditRepository,
): Promise<Repository> {
  await transact(ctx, async (ctx) => {
    const before = await lockRepository(ctx.db, id)
    if (edit.name !== undefined) await rename(ctx, before, actor, edit.name)
    if (edit.default_branch) await changeDefaultBranch(ctx, before, actor, edit.default_branch)
    if (edit.archived !== undefined) await setArchived(ctx, before, actor, edit.archived)
    await updateRepository(ctx.db, id, patchOf(before, edit, ctx.now()))
    if (edit.private !== undefined) await setVisibility(ctx, before, actor.id, edit.private)
  })
  return getRepository(ctx, id)
}

/** The old name redirects to the repository until another repository takes the name. */
async function rename(ctx: TxContext, before: RepositoryRow, actor: SignedIn, name: string): Promise<void> {
  if (name === before.name) return
  assertRepositoryName(name)
  const name_key = name.toLowerCase()
  await updateRepository(ctx.db, before.id, { name, name_key })
  if (name_key === before.name_key) return
  await deleteRedirect(ctx.db, before.owner_id, name_key)
  await insertRedirect(ctx.db, before)
  const event = { ...eventOf({ ...before, name }, actor.id), old_name: before.name }
  await emit(ctx, 'repository.renamed', event)
}

/** Compat: a missing branch is ignored, unless the repository has no branches at all. */
async function changeDefaultBranch(
  ctx: TxContext,
  before: RepositoryRow,
  actor: SignedIn,
  branch: string,
): Promise<void> {
  if (branch === before.default_branch) return
  if (!isRefName(HEADS + branch)) throw invalid('default branch is not a valid branch name', { branch })
  if (!(await canBeDefault(ctx, before, branch))) return
  await setHead(ctx.db, before.storage_id, HEADS + branch, ctx.now())
  // `setHead` has locked the storage, so no push can move refs: the branch may have been deleted just before.
  if (!(await canBeDefault(ctx, before, branch))) {
    await setHead(ctx.db, before.storage_id, HEADS + before.default_branch, ctx.now())
    return
  }
  await updateRepository(ctx.db, before.id, { default_branch: branch })
  const event = { ...eventOf(before, actor.id), old_branch: before.default_branch, branch }
  await emit(ctx, 'repository.default_branch_changed', event)
}

async function canBeDefault(ctx: TxContext, repo: RepositoryRow, branch: string): Promise<boolean> {
  if ((await findRef(ctx.db, repo.storage_id, HEADS + branch)) !== undefined) return true
  const { branches } = await ctx.db
    .selectFrom('repository_count')
    .select('branches')
    .where('repository_id', '=', repo.id)
    .executeTakeFirstOrThrow()
  return branches === 0
}

async function setArchived(
  ctx: TxContext,
  before: RepositoryRow,
  actor: SignedIn,
  isArchived: boolean,
): Promise<void> {
  if (before.is_mirror) throw invalid('repo is a mirror, cannot archive/un-archive')
  if (isArchived === (before.archived_at !== null)) return
  await updateRepository(ctx.db, before.id, { archived_at: isArchived ? ctx.now() : null })
  const event = eventOf(before, actor.id)
  await (isArchived ? emit(ctx, 'repository.archived', event) : emit(ctx, 'repository.unarchived', event))
}

function patchOf(before: RepositoryRow, edit: EditRepository, now: Date): RepositoryPatch {
  const { units, settings } = changeUnits(before, edit)
  return {
    description: edit.description,
    website: edit.website,
    is_template: edit.template,
    units: [...units],
    settings,
    ...(before.is_mirror && edit.mirror_interval !== undefined ? planOf(edit.mirror_interval, now) : {}),
    updated_at: now,
  }
}

function planOf(interval: string, now: Date): RepositoryPatch {
  const seconds = readInterval(interval)
  if (typeof seconds === 'string') throw invalid(`mirror interval: ${seconds}`)
  return { mirror_interval_s: seconds, mirror_next_at: nextAfter(now, seconds) }
}
