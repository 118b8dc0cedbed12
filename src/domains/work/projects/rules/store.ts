/** SQL on the rules of columns. Writes take a transaction that holds the project lock. */
import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db'
import type { RuleEvent } from '../tables.ts'

/** The column takes cards on these events; each event has one column of a project. */
export async function setRules(
  tx: Tx,
  projectId: number,
  columnId: number,
  events: readonly RuleEvent[],
): Promise<void> {
  await tx
    .deleteFrom('project_rule')
    .where('project_id', '=', projectId)
    .where('column_id', '=', columnId)
    .where(sql<boolean>`not event = any(${[...events]}::text[])`)
    .execute()
  if (events.length === 0) return
  await tx
    .insertInto('project_rule')
    .values(events.map((event) => ({ project_id: projectId, event, column_id: columnId })))
    .onConflict((conflict) => conflict.columns(['project_id', 'event']).doUpdateSet({ column_id: columnId }))
    .execute()
}

export function listRules(db: Db, projectId: number): Promise<{ event: RuleEvent; column_id: number }[]> {
  return db
    .selectFrom('project_rule')
    .select(['event', 'column_id'])
    .where('project_id', '=', projectId)
    .orderBy('event')
    .execute()
}

/** A card that a rule moves, and the column that takes it. */
export interface RuledMove {
  readonly project_id: number
  readonly column_id: number
  readonly title: string
}

/** Moves of the cards of an issue on open boards. Cards that are in their column already are left out. */
export function findRuledMoves(db: Db, issueId: number, event: RuleEvent): Promise<RuledMove[]> {
  return db
    .selectFrom('project_card')
    .innerJoin('project_rule', 'project_rule.project_id', 'project_card.project_id')
    .innerJoin('project_column', 'project_column.id', 'project_rule.column_id')
    .innerJoin('project', 'project.id', 'project_card.project_id')
    .select(['project_card.project_id', 'project_column.id as column_id', 'project_column.title'])
    .where('project_card.issue_id', '=', issueId)
    .where('project_rule.event', '=', event)
    .where('project.is_closed', '=', false)
    .whereRef('project_card.column_id', '<>', 'project_rule.column_id')
    .execute()
}
