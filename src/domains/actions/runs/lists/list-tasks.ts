/** Tasks of a repository, newest first. */
import { sql } from 'kysely'
import type { Db, Paged } from '#platform/db'
import type { Page } from '#platform/rest'
import type { ListedTask } from '../wire/task.ts'
import { REACH } from './find.ts'

export async function listTasks(db: Db, repositoryId: number, page: Page): Promise<Paged<ListedTask>> {
  const last = Math.min(page.offset + page.limit, REACH)
  const items = await db
    .selectFrom('action_task')
    .innerJoin('action_job', 'action_job.id', 'action_task.job_id')
    .innerJoin('action_run', 'action_run.id', 'action_job.run_id')
    .select(['action_task.id', 'action_task.status', 'action_task.started_at', 'action_task.stopped_at'])
    .select(['action_task.heard_at', 'action_job.name as job_name', 'action_job.run_id'])
    .select(['action_run.ref', 'action_run.head_sha', 'action_run.number', 'action_run.event'])
    .select(['action_run.title', 'action_run.workflow_file'])
    .where('action_task.repository_id', '=', repositoryId)
    .orderBy('action_task.id', 'desc')
    .limit(Math.max(last - page.offset, 0))
    .offset(page.offset)
    .execute()
  return { items, total: await countTasks(db, repositoryId) }
}

async function countTasks(db: Db, repositoryId: number): Promise<number> {
  const { rows } = await selectTaskCount(repositoryId).execute(db)
  return rows[0]?.total ?? 0
}

export function selectTaskCount(repositoryId: number) {
  return sql<{ total: number }>`select count(*)::bigint as total from (
    select id from action_task where repository_id = ${repositoryId} order by id desc limit ${REACH}) as counted`
}
