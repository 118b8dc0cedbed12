/** Deleted branches, which can be restored for a week: git storage keeps their commits that long. */
import { sql } from 'kysely'
import { createRef, findRef, findRefs, HEADS, precededBy, TAGS, UNDO_MS } from '#git'
import type { Context, TxContext } from '#platform/context'
import { deleteInParts } from '#platform/db'
import { notFound, Problem } from '#platform/problem'
import type { CodeWrite } from '../open-code.ts'
import { codePolicy } from '../refs/ref-policy.ts'
import type { DeletedBranchRow } from '../tables.ts'

export interface DeletedBranch extends Pick<DeletedBranchRow, 'name' | 'oid' | 'deleted_at'> {
  /** null: a deleted account. */
  readonly deleted_by: string | null
}

/** On the page of branches; older ones are not listed. */
const LISTED_MAX = 20

/** Whose name is free, newest first. */
export async function listDeletedBranches(ctx: Context, { repo }: CodeWrite): Promise<DeletedBranch[]> {
  const rows = await ctx.db
    .selectFrom('deleted_branch')
    .leftJoin('account', 'account.id', 'deleted_branch.deleted_by_id')
    .select(['deleted_branch.name', 'deleted_branch.oid', 'deleted_branch.deleted_at'])
    .select('account.login as deleted_by')
    .where('deleted_branch.repository_id', '=', repo.id)
    .where('deleted_branch.deleted_at', '>', oldest(ctx))
    .orderBy('deleted_branch.deleted_at', 'desc')
    .orderBy('deleted_branch.name')
    .limit(LISTED_MAX)
    .execute()
  const names = rows.map(({ name }) => HEADS + name)
  const taken = await findRefs(ctx.db, repo.storage_id, names)
  return rows.filter(({ name }) => !taken.has(HEADS + name))
}

/** Under all rules for a push that creates the branch. */
export async function restoreBranch(ctx: Context, { repo, actor }: CodeWrite, name: string): Promise<void> {
  const row = await ctx.db
    .selectFrom('deleted_branch')
    .select('oid')
    .where('repository_id', '=', repo.id)
    .where('name', '=', name)
    .where('deleted_at', '>', oldest(ctx))
    .executeTakeFirst()
  if (row === undefined) throw notFound('deleted branch', name)
  if (await findRef(ctx.db, repo.storage_id, TAGS + name))
    throw new Problem('conflict', 'a tag with this name already exists')
  const forget = (ctx: TxContext) => forgetDeleted(ctx, repo.id, name)
  const policy = precededBy(codePolicy(repo, actor), forget)
  await createRef(ctx, repo.storage_id, { ref: HEADS + name, target: row.oid }, policy)
}

/** Run by cron. */
export async function sweepDeletedBranches(ctx: Context): Promise<void> {
  await deleteInParts(ctx.db, 'deleted_branch', sql<boolean>`deleted_at <= ${oldest(ctx)}`)
}

function oldest(ctx: Context): Date {
  return new Date(ctx.now().getTime() - UNDO_MS)
}

async function forgetDeleted({ db }: TxContext, repositoryId: number, name: string): Promise<void> {
  await db
    .deleteFrom('deleted_branch')
    .where('repository_id', '=', repositoryId)
    .where('name', '=', name)
    .execute()
}
