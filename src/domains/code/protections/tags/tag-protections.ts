/** Operations on tag protection rules. Each is one transaction that locks the repository row, as for branches. */
import { type Administered, lockRepository } from '#domains/code/repositories'
import { type Context, transact } from '#platform/context'
import { forbidden, invalid, notFound, Problem } from '#platform/problem'
import type { Protectable } from '../rules/open-repository.ts'
import { findPeople, findTeams, loadNames } from '../rules/people.ts'
import { tagFit } from '../rules/rules.ts'
import {
  countTagRules,
  deleteTagRule,
  findTagRule,
  insertTagRule,
  listTagRules,
  lockTagRule,
  updateTagRule,
} from '../rules/store.ts'
import { type CreateTagProtection, type EditTagProtection, RULES_MAX } from '../schemas.ts'
import type { TagProtectionRow } from '../tables.ts'
import { presentTagProtection, type TagProtection } from '../wire.ts'

export function listTagProtections(ctx: Context, repo: Administered): Promise<TagProtectionRow[]> {
  return listTagRules(ctx.db, repo.id)
}

export async function createTagProtection(
  ctx: Context,
  repo: Protectable,
  input: CreateTagProtection,
): Promise<TagProtectionRow> {
  const name_pattern = (input.name_pattern ?? '').trim()
  if (name_pattern === '') throw new Problem('malformed', 'name_pattern is empty')
  if (!input.whitelist_usernames?.length && !input.whitelist_teams?.length)
    throw new Problem('malformed', 'both whitelist_usernames and whitelist_teams are empty')
  // Throws on an invalid expression, which would protect nothing.
  tagFit(name_pattern)
  return transact(ctx, async (ctx) => {
    await lockRepository(ctx.db, repo.id)
    if ((await countTagRules(ctx.db, repo.id)) >= RULES_MAX)
      throw invalid('too many protection rules', { most: RULES_MAX })
    const now = ctx.now()
    const row = await insertTagRule(ctx.db, {
      repository_id: repo.id,
      name_pattern,
      whitelist_user_ids: (await idsOfPeople(ctx, repo, input.whitelist_usernames)) ?? [],
      whitelist_team_ids: (await idsOfTeams(ctx, repo, input.whitelist_teams)) ?? [],
      created_at: now,
      updated_at: now,
    })
    if (row === undefined) throw taken()
    return row
  })
}

export async function getTagProtection(
  ctx: Context,
  repo: Administered,
  id: number,
): Promise<TagProtectionRow> {
  const row = await findTagRule(ctx.db, repo.id, id)
  if (row === undefined) throw notFound('tag protection', id)
  return row
}

export async function editTagProtection(
  ctx: Context,
  repo: Protectable,
  id: number,
  input: EditTagProtection,
): Promise<TagProtectionRow> {
  return transact(ctx, async (ctx) => {
    await lockRepository(ctx.db, repo.id)
    const row = await lockTagRule(ctx.db, repo.id, id)
    if (row === undefined) throw notFound('tag protection', id)
    const name_pattern = input.name_pattern?.trim() || row.name_pattern
    tagFit(name_pattern)
    const edited = {
      ...row,
      name_pattern,
      whitelist_user_ids: (await idsOfPeople(ctx, repo, input.whitelist_usernames)) ?? row.whitelist_user_ids,
      whitelist_team_ids: (await idsOfTeams(ctx, repo, input.whitelist_teams)) ?? row.whitelist_team_ids,
      updated_at: ctx.now(),
    }
    if (!(await updateTagRule(ctx, edited))) throw taken()
    return edited
  })
}

export async function deleteTagProtection(ctx: Context, repo: Administered, id: number): Promise<void> {
  await transact(ctx, async (ctx) => {
    await lockRepository(ctx.db, repo.id)
    if (!(await deleteTagRule(ctx.db, repo.id, id))) throw notFound('tag protection', id)
  })
}

/** Includes the names of all listed users and teams: two queries, whatever the number of rules. */
export async function presentTagProtections(
  ctx: Context,
  repo: Administered,
  rows: readonly TagProtectionRow[],
): Promise<TagProtection[]> {
  const names = await loadNames(ctx.db, repo, {
    users: rows.flatMap((row) => row.whitelist_user_ids),
    teams: rows.flatMap((row) => row.whitelist_team_ids),
  })
  return rows.map((row) => presentTagProtection(row, names))
}

async function idsOfPeople(
  ctx: Context,
  repo: Protectable,
  names: readonly string[] | undefined,
): Promise<number[] | undefined> {
  return names && [...(await findPeople(ctx, repo, names)).values()].map(({ id }) => id)
}

async function idsOfTeams(
  ctx: Context,
  repo: Protectable,
  names: readonly string[] | undefined,
): Promise<number[] | undefined> {
  return names && [...(await findTeams(ctx.db, repo, names)).values()].filter((id) => id !== null)
}

function taken(): Problem {
  return forbidden('tag protection already exists')
}
