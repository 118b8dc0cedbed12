/** SQL on the labels of issues. Reads take any handle; writes take a transaction. */
import { sql } from 'kysely'
import type { LabelRow } from '#domains/work/labels'
import type { Db, Tx } from '#platform/db'
import { Statement } from '#platform/db/statement'

/** Of many issues in one query, ordered by name. */
export async function listLabelsOf(db: Db, issueIds: readonly number[]): Promise<Map<number, LabelRow[]>> {
  const found = new Map<number, LabelRow[]>()
  if (issueIds.length === 0) return found
  const rows = await LABELS.rows(db, { issueIds })
  for (const { issue_id, ...label } of rows) found.set(issue_id, [...(found.get(issue_id) ?? []), label])
  return found
}

const LABELS = new Statement((db: Db, { issueIds }: { issueIds: readonly number[] }) =>
  db
    .selectFrom('issue_label')
    .innerJoin('label', 'label.id', 'issue_label.label_id')
    .selectAll('label')
    .select('issue_label.issue_id')
    .where('issue_label.issue_id', 'in', issueIds)
    .orderBy(sql`label.name collate "C"`)
    .orderBy('label.id'),
)

/** For labels of the repository and of its organization. */
export interface LabelPlace {
  readonly id: number
  readonly owner_id: number
}

export async function findUsable(db: Db, place: LabelPlace, ids: readonly number[]): Promise<LabelRow[]> {
  if (ids.length === 0) return []
  return selectUsable(db, place)
    .where('id', 'in', [...ids])
    .execute()
}

export function findUsableByName(db: Db, place: LabelPlace, names: readonly string[]): Promise<LabelRow[]> {
  return selectUsable(db, place)
    .where('name', 'in', [...names])
    .execute()
}

function selectUsable(db: Db, place: LabelPlace) {
  return db
    .selectFrom('label')
    .selectAll()
    .where((eb) => eb('repository_id', '=', place.id).or('organization_id', '=', place.owner_id))
    .orderBy('id')
}

export async function insertLabels(tx: Tx, issueId: number, labelIds: readonly number[]): Promise<void> {
  if (labelIds.length === 0) return
  await tx
    .insertInto('issue_label')
    .values(labelIds.map((label_id) => ({ issue_id: issueId, label_id })))
    .execute()
}

export async function deleteLabels(tx: Tx, issueId: number, labelIds: readonly number[]): Promise<void> {
  if (labelIds.length === 0) return
  await tx
    .deleteFrom('issue_label')
    .where('issue_id', '=', issueId)
    .where('label_id', 'in', [...labelIds])
    .execute()
}

/** Removes the labels of an organization from all issues of a repository; returns one row per issue and label. */
export async function deleteLabelsOfOwner(
  tx: Tx,
  repositoryId: number,
  ownerId: number,
): Promise<{ label_id: number; is_closed: boolean }[]> {
  const { rows } = await sql<{ label_id: number; is_closed: boolean }>`delete from issue_label
    using issue, label
    where issue.repository_id = ${repositoryId} and issue_label.issue_id = issue.id
      and label.id = issue_label.label_id and label.organization_id = ${ownerId}
    returning issue_label.label_id, issue.is_closed`.execute(tx)
  return rows
}
