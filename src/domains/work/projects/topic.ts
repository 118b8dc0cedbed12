/** Live updates: a board as a topic that pages follow. */
import { sql } from 'kysely'
import { getRepository } from '#domains/code/repositories'
import { findAccountById } from '#domains/people/users'
import { notFound } from '#platform/problem'
import type { Topic } from '#slices'
import { openInRepository, openOfAccount } from './open-place.ts'

export const boardTopic: Topic = {
  kind: 'board',
  open: async (ctx, id) => {
    const project = await ctx.db
      .selectFrom('project')
      .select(['repository_id', 'owner_id'])
      .where('id', '=', id)
      .executeTakeFirst()
    if (project === undefined) throw notFound('project', id)
    if (project.repository_id !== null) {
      const { owner, name } = await getRepository(ctx, project.repository_id)
      return openInRepository(ctx, { owner: owner.login, repo: name })
    }
    const owner = await findAccountById(ctx.db, project.owner_id ?? 0)
    if (owner === undefined) throw notFound('project', id)
    return openOfAccount(ctx, owner.login)
  },
  // Cards have no timestamps, so their positions are combined into one number.
  versions: async (db, ids) => {
    const { rows } = await sql<{ id: number; version: number }>`select project.id,
        (extract(epoch from project.updated_at)::bigint % 1000000 * 1000000
          + coalesce((select sum((project_card.issue_id * 31 + project_card.column_id * 7 + project_card.sorting) % 1000003)
            from project_card where project_card.project_id = project.id), 0)
          + coalesce((select sum(extract(epoch from project_column.updated_at)::bigint % 1000003)
            from project_column where project_column.project_id = project.id), 0))::bigint as version
      from project where project.id = any(${[...ids]}::bigint[])`.execute(db)
    return new Map(rows.map(({ id, version }) => [id, Number(version)]))
  },
}
