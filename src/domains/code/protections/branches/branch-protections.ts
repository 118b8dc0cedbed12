/**
 * Operations on branch protection rules. Each is one transaction that locks the repository row; ref updates read the
 * rules under the same lock.
 */
import { type Administered, lockRepository } from '#domains/code/repositories'
import { type Context, transact } from '#platform/context'
import { forbidden, invalid, notFound, Problem } from '#platform/problem'
import type { Protectable } from '../rules/open-repository.ts'
import { findPeople, findTeams, loadNames } from '../rules/people.ts'
import { inOrder } from '../rules/rules.ts'
import {
  countBranchRules,
  deleteBranchRule,
  findBranchRule,
  insertBranchRule,
  listBranchRules,
  lockBranchRule,
  setPriorities,
  updateBranchRule,
} from '../rules/store.ts'
import { type CreateBranchProtection, type EditBranchProtection, RULES_MAX } from '../schemas.ts'
import type { BranchProtectionRow } from '../tables.ts'
import { type BranchProtection, presentBranchProtection } from '../wire.ts'
import { changed, LISTS, type Listable, namesIn, STRICT } from './settings.ts'

/** In the order of evaluation. */
export async function listBranchProtections(
  ctx: Context,
  repo: Administered,
): Promise<BranchProtectionRow[]> {
  return inOrder(await listBranchRules(ctx.db, repo.id))
}

export async function createBranchProtection(
  ctx: Context,
  repo: Protectable,
  input: CreateBranchProtection,
): Promise<BranchProtectionRow> {
  const rule_name = input.rule_name || input.branch_name || ''
  if (rule_name === '') throw new Problem('malformed', 'both rule_name and branch_name are empty')
  return transact(ctx, async (ctx) => {
    await lockRepository(ctx.db, repo.id)
    const listable = await findListable(ctx, repo, input)
    const { count, priority } = await countBranchRules(ctx.db, repo.id)
    if (count >= RULES_MAX) throw invalid('too many protection rules', { most: RULES_MAX })
    const settings = changed(STRICT, withoutIdleForce(input), listable)
    const now = ctx.now()
    const row = await insertBranchRule(ctx.db, {
      repository_id: repo.id,
      rule_name,
      ...settings,
      priority: settings.priority === 0 ? priority + 1 : settings.priority,
      created_at: now,
      updated_at: now,
    })
    if (row === undefined) throw forbidden('branch protection already exists')
    return row
  })
}

export async function getBranchProtection(
  ctx: Context,
  repo: Administered,
  name: string,
): Promise<BranchProtectionRow> {
  const row = await findBranchRule(ctx.db, repo.id, name)
  if (row === undefined) throw notFound('branch protection', name)
  return row
}

export async function editBranchProtection(
  ctx: Context,
  repo: Protectable,
  name: string,
  input: EditBranchProtection,
): Promise<BranchProtectionRow> {
  return transact(ctx, async (ctx) => {
    await lockRepository(ctx.db, repo.id)
    const row = await lockBranchRule(ctx.db, repo.id, name)
    if (row === undefined) throw notFound('branch protection', name)
    const { id, repository_id: _, rule_name: __, created_at: ___, updated_at: ____, ...current } = row
    return updateBranchRule(ctx, id, changed(current, input, await findListable(ctx, repo, input)))
  })
}

export async function prioritize(ctx: Context, repo: Protectable, ids: readonly number[]): Promise<void> {
  await transact(ctx, async (ctx) => {
    await lockRepository(ctx.db, repo.id)
    await setPriorities(ctx, repo.id, ids)
  })
}

export async function deleteBranchProtection(ctx: Context, repo: Protectable, name: string): Promise<void> {
  await transact(ctx, async (ctx) => {
    await lockRepository(ctx.db, repo.id)
    if (!(await deleteBranchRule(ctx.db, repo.id, name))) throw notFound('branch protection', name)
  })
}

/** Includes the names of all listed users and teams: two queries, whatever the number of rules. */
export async function presentBranchProtections(
  ctx: Context,
  repo: Administered,
  rows: readonly BranchProtectionRow[],
): Promise<BranchProtection[]> {
  const names = await loadNames(ctx.db, repo, {
    users: rows.flatMap((row) => LISTS.flatMap(({ list }) => row[`${list}_user_ids`])),
    teams: rows.flatMap((row) => LISTS.flatMap(({ list }) => row[`${list}_team_ids`])),
  })
  return rows.map((row) => presentBranchProtection(row, names))
}

async function findListable(ctx: Context, repo: Protectable, input: EditBranchProtection): Promise<Listable> {
  const { people, teams } = namesIn(input)
  return { people: await findPeople(ctx, repo, people), teams: await findTeams(ctx.db, repo, teams) }
}

/** A new rule that forbids pushing cannot allow force pushes. */
function withoutIdleForce(input: CreateBranchProtection): CreateBranchProtection {
  return input.enable_push === true ? input : { ...input, enable_force_push: false }
}
