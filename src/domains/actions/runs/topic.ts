/** Live updates of a run page. */
import { sql } from 'kysely'
import { getRepository } from '#domains/code/repositories'
import { type Handler, handler } from '#events/handler'
import { notFound } from '#platform/problem'
import { hintTopic, type Topic } from '#slices'
import { openRuns } from './open.ts'

export const runTopic: Topic = {
  kind: 'run',
  open: async (ctx, id) => {
    const run = await ctx.db
      .selectFrom('action_run')
      .select('repository_id')
      .where('id', '=', id)
      .executeTakeFirst()
    if (run === undefined) throw notFound('run', id)
    const { owner, name } = await getRepository(ctx, run.repository_id)
    return openRuns({ ctx, params: { owner: owner.login, repo: name } })
  },
  versions: async (db, ids) => {
    const rows = await db
      .selectFrom('action_run')
      .select(['id', 'updated_at'])
      .where('id', '=', sql<number>`any(${[...ids]}::bigint[])`)
      .execute()
    return new Map(rows.map(({ id, updated_at }) => [id, updated_at.getTime()]))
  },
}

export const topicHandlers: readonly Handler[] = (
  ['workflow_run.changed', 'workflow_job.changed'] as const
).map((subject) => handler(subject, async (ctx, { run_id }) => hintTopic(ctx, 'run', run_id)))
