/** Branches that no pull request has been opened for. */
import { sql } from 'kysely'
import { isReadableTo } from '#domains/code/repositories'
import { findRefs, HEADS, type StorageId } from '#git'
import type { Context } from '#platform/context'
import type { PullTracker } from '../records/open-pull.ts'

export interface Branch {
  readonly repository_id: number
  readonly branch: string
}

interface Tip extends Branch {
  readonly oid: string
}

/**
 * Of these branches, those that exist and have no open pull request into the repository. A branch is left out too if
 * the last pull request from it was closed or merged at the branch's present commit.
 */
export async function listUnopened(
  ctx: Context,
  { id }: PullTracker,
  branches: readonly Branch[],
): Promise<Branch[]> {
  const tips = await findTipsOf(ctx, branches)
  const { rows } = await sql<Tip>`select tip.repository_id, tip.branch
    from unnest(${tips.map((it) => it.repository_id)}::bigint[], ${tips.map((it) => it.branch)}::text[],
      ${tips.map((it) => it.oid)}::text[]) as tip (repository_id, branch, oid)
    where not exists (select 1 from pull_request where head_repository_id = tip.repository_id
        and head_branch = tip.branch and is_open and repository_id = ${id})
      and tip.oid is distinct from (select head_oid from pull_request where head_repository_id = tip.repository_id
        and head_branch = tip.branch and not is_open order by issue_id desc limit 1)`.execute(ctx.db)
  const isUnopened = ({ repository_id, branch }: Branch) =>
    rows.some((it) => it.repository_id === repository_id && it.branch === branch)
  return branches.filter(isUnopened)
}

async function findTipsOf(ctx: Context, branches: readonly Branch[]): Promise<Tip[]> {
  const storages = await ctx.db
    .selectFrom('repository')
    .select(['id', 'storage_id'])
    .where('id', '=', sql<number>`any(${branches.map((it) => it.repository_id)}::bigint[])`)
    .where(isReadableTo(ctx, 'code'))
    .execute()
  const tips = storages.map(async ({ id, storage_id }) => {
    const own = branches.filter((it) => it.repository_id === id)
    return tipsIn(ctx, storage_id, own)
  })
  return (await Promise.all(tips)).flat()
}

async function tipsIn(ctx: Context, storageId: StorageId, branches: readonly Branch[]): Promise<Tip[]> {
  const refs = await findRefs(
    ctx.db,
    storageId,
    branches.map(({ branch }) => HEADS + branch),
  )
  return branches.flatMap((it) => {
    const ref = refs.get(HEADS + it.branch)
    return ref === undefined ? [] : [{ ...it, oid: ref.oid }]
  })
}
