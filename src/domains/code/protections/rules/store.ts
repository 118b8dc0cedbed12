/** SQL on the tables of protections. Reads take any handle; writes take a transaction. */
import { sql } from 'kysely'
import type { TxContext } from '#platform/context'
import { countRows, type Db, isUniqueViolation, type Tx } from '#platform/db'
import { Statement } from '#platform/db/statement'
import type {
  BranchProtectionRow,
  BranchSettings,
  NewBranchProtectionRow,
  NewTagProtectionRow,
  TagProtectionRow,
} from '../tables.ts'

/** A rule with the mover's team ids, so that both take one query. */
export type WithTeams<Rule> = Rule & { readonly mover_team_ids: number[] }

export function selectBranchRules(db: Db, repositoryId: number) {
  return db.selectFrom('branch_protection').selectAll().where('repository_id', '=', repositoryId)
}

export function listBranchRules(db: Db, repositoryId: number): Promise<BranchProtectionRow[]> {
  return selectBranchRules(db, repositoryId).execute()
}

/** Of several repositories. */
export function listBranchRulesOf(db: Db, repositoryIds: readonly number[]): Promise<BranchProtectionRow[]> {
  return db
    .selectFrom('branch_protection')
    .selectAll()
    .where('repository_id', '=', sql<number>`any(${[...repositoryIds]}::bigint[])`)
    .execute()
}

export function listBranchRulesFacing(
  db: Db,
  repo: { readonly id: number; readonly owner_id: number },
  userId: number,
): Promise<WithTeams<BranchProtectionRow>[]> {
  return FACING.rows(db, { repositoryId: repo.id, ownerId: repo.owner_id, userId })
}

const FACING = new Statement(
  (db: Db, { repositoryId, ownerId, userId }: { repositoryId: number; ownerId: number; userId: number }) =>
    selectBranchRules(db, repositoryId).select(teamsOf(ownerId, userId)),
)

export function findBranchRule(
  db: Db,
  repositoryId: number,
  name: string,
): Promise<BranchProtectionRow | undefined> {
  return selectBranchRules(db, repositoryId).where('rule_name', '=', name).executeTakeFirst()
}

/** Locks the row until the end of the transaction. */
export function lockBranchRule(
  tx: Tx,
  repositoryId: number,
  name: string,
): Promise<BranchProtectionRow | undefined> {
  return selectBranchRules(tx, repositoryId).where('rule_name', '=', name).forUpdate().executeTakeFirst()
}

/** The number of rules, and the highest priority. */
export async function countBranchRules(
  db: Db,
  repositoryId: number,
): Promise<{ count: number; priority: number }> {
  return db
    .selectFrom('branch_protection')
    .select((eb) => [
      eb.fn.countAll<number>().as('count'),
      eb.fn.coalesce(eb.fn.max('priority'), sql<number>`0`).as('priority'),
    ])
    .where('repository_id', '=', repositoryId)
    .executeTakeFirstOrThrow()
}

/** Undefined when the name is taken. */
export function insertBranchRule(
  tx: Tx,
  row: NewBranchProtectionRow,
): Promise<BranchProtectionRow | undefined> {
  return tx
    .insertInto('branch_protection')
    .values(row)
    .onConflict((conflict) => conflict.columns(['repository_id', 'rule_name']).doNothing())
    .returningAll()
    .executeTakeFirst()
}

export function updateBranchRule(
  ctx: TxContext,
  id: number,
  settings: BranchSettings,
): Promise<BranchProtectionRow> {
  return ctx.db
    .updateTable('branch_protection')
    .set({ ...settings, updated_at: ctx.now() })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Priorities start at 1. Ids of other repositories take a place, but their rules are not changed. */
export async function setPriorities(
  ctx: TxContext,
  repositoryId: number,
  ids: readonly number[],
): Promise<void> {
  await sql`update branch_protection set priority = asked.place, updated_at = ${ctx.now()}
    from unnest(${[...ids]}::bigint[]) with ordinality as asked (id, place)
    where branch_protection.id = asked.id and repository_id = ${repositoryId}`.execute(ctx.db)
}

/** Compat: a repository generated from a template can copy its rules. */
export async function copyBranchRules(ctx: TxContext, fromId: number, toId: number): Promise<void> {
  const rules = await listBranchRules(ctx.db, fromId)
  const times = { created_at: ctx.now(), updated_at: ctx.now() }
  const rows = rules.map(({ id: _, ...rule }) => ({ ...rule, repository_id: toId, ...times }))
  if (rows.length > 0) await ctx.db.insertInto('branch_protection').values(rows).execute()
}

/** Renames the rule of a renamed branch, unless the new name already has a rule. */
export async function renameBranchRule(
  tx: Tx,
  repositoryId: number,
  name: string,
  newName: string,
): Promise<void> {
  await tx
    .updateTable('branch_protection')
    .set({ rule_name: newName })
    .where('repository_id', '=', repositoryId)
    .where('rule_name', '=', name)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('branch_protection as other')
            .select('other.id')
            .where('other.repository_id', '=', repositoryId)
            .where('other.rule_name', '=', newName),
        ),
      ),
    )
    .execute()
}

/** False when the rule does not exist. */
export async function deleteBranchRule(tx: Tx, repositoryId: number, name: string): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('branch_protection')
    .where('repository_id', '=', repositoryId)
    .where('rule_name', '=', name)
    .executeTakeFirst()
  return deleted.numDeletedRows === 1n
}

export function selectTagRules(db: Db, repositoryId: number) {
  return db.selectFrom('tag_protection').selectAll().where('repository_id', '=', repositoryId).orderBy('id')
}

export function listTagRules(db: Db, repositoryId: number): Promise<TagProtectionRow[]> {
  return selectTagRules(db, repositoryId).execute()
}

export function listTagRulesFacing(
  db: Db,
  repo: { readonly id: number; readonly owner_id: number },
  userId: number,
): Promise<WithTeams<TagProtectionRow>[]> {
  return selectTagRules(db, repo.id).select(teamsOf(repo.owner_id, userId)).execute()
}

export function findTagRule(db: Db, repositoryId: number, id: number): Promise<TagProtectionRow | undefined> {
  return selectTagRules(db, repositoryId).where('id', '=', id).executeTakeFirst()
}

/** Locks the row until the end of the transaction. */
export function lockTagRule(tx: Tx, repositoryId: number, id: number): Promise<TagProtectionRow | undefined> {
  return selectTagRules(tx, repositoryId).where('id', '=', id).forUpdate().executeTakeFirst()
}

/** Undefined when the pattern is taken. */
export function insertTagRule(tx: Tx, row: NewTagProtectionRow): Promise<TagProtectionRow | undefined> {
  return tx
    .insertInto('tag_protection')
    .values(row)
    .onConflict((conflict) => conflict.columns(['repository_id', 'name_pattern']).doNothing())
    .returningAll()
    .executeTakeFirst()
}

export function countTagRules(db: Db, repositoryId: number): Promise<number> {
  return countRows(db.selectFrom('tag_protection').where('repository_id', '=', repositoryId))
}

/** False when another rule has the pattern; the unique violation has then aborted the transaction. */
export async function updateTagRule(ctx: TxContext, rule: TagProtectionRow): Promise<boolean> {
  const { id, name_pattern, whitelist_user_ids, whitelist_team_ids } = rule
  try {
    await ctx.db
      .updateTable('tag_protection')
      .set({ name_pattern, whitelist_user_ids, whitelist_team_ids, updated_at: ctx.now() })
      .where('id', '=', id)
      .execute()
    return true
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    return false
  }
}

/** False when the rule does not exist. */
export async function deleteTagRule(tx: Tx, repositoryId: number, id: number): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('tag_protection')
    .where('repository_id', '=', repositoryId)
    .where('id', '=', id)
    .executeTakeFirst()
  return deleted.numDeletedRows === 1n
}

function teamsOf(organizationId: number, userId: number) {
  return sql<number[]>`array(select team_id from team_member
    where user_id = ${userId} and organization_id = ${organizationId})`.as('mover_team_ids')
}
