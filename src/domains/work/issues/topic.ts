/** Live updates: an issue as a topic that pages follow. */
import { sql } from 'kysely'
import type { Topic } from '#slices'
import { openIssueById } from './attachments/open-attachments.ts'

export const issueTopic: Topic = {
  kind: 'issue',
  open: openIssueById,
  versions: async (db, ids) => {
    const rows = await db
      .selectFrom('issue')
      .select(['id', 'updated_at'])
      .where('id', '=', sql<number>`any(${[...ids]}::bigint[])`)
      .execute()
    return new Map(rows.map(({ id, updated_at }) => [id, updated_at.getTime()]))
  },
}
