/** SQL for exports: the cards of a repository's issues, in pages by key. */
import { sql } from 'kysely'
import type { Db } from '#platform/db'

export interface ListedCard {
  readonly project_id: number
  readonly column_id: number
  readonly issue_id: number
  readonly number: number
  readonly sorting: number
}

/** On boards of the repository itself, not on those of its owner. */
export function listCardsOfRepository(
  db: Db,
  repositoryId: number,
  after: Pick<ListedCard, 'project_id' | 'issue_id'>,
  limit: number,
): Promise<ListedCard[]> {
  return db
    .selectFrom('project_card')
    .innerJoin('project', 'project.id', 'project_card.project_id')
    .innerJoin('issue', 'issue.id', 'project_card.issue_id')
    .select([
      'project_card.project_id',
      'project_card.column_id',
      'project_card.issue_id',
      'project_card.sorting',
      'issue.number',
    ])
    .where('project_card.repository_id', '=', repositoryId)
    .where('project.repository_id', '=', repositoryId)
    .where(
      sql<boolean>`(project_card.project_id, project_card.issue_id)
        > (${after.project_id}::bigint, ${after.issue_id}::bigint)`,
    )
    .orderBy('project_card.project_id')
    .orderBy('project_card.issue_id')
    .limit(limit)
    .execute()
}
