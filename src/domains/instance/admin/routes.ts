/** REST routes of cron tasks. */
import { Type } from 'typebox'
import {
  asSiteAdmin,
  listed,
  noContent,
  PageQuery,
  pageOf,
  type Route,
  route,
  Time,
  time,
} from '#platform/rest'
import { listTasks, runTask } from './cron.ts'
import type { CronTaskRow } from './tables.ts'

const Cron = Type.Object(
  {
    name: Type.String(),
    schedule: Type.String({ description: 'cron expression, or - for tasks that only run on demand' }),
    next: Type.Union([Time, Type.Null()]),
    prev: Type.Union([Time, Type.Null()]),
    exec_times: Type.Integer(),
  },
  { title: 'Cron' },
)

export const adminRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/admin/cron',
    operationId: 'adminCronList',
    tag: 'admin',
    summary: 'List cron tasks',
    scopes: ['admin'],
    query: PageQuery,
    answers: { 200: Type.Array(Cron) },
    open: asSiteAdmin,
    handle: async (visit) => {
      const { items, total } = await listTasks(visit.ctx, pageOf(visit.ctx, visit.query))
      return listed(visit, items.map(presentTask), total, { links: false })
    },
  }),
  route({
    method: 'POST',
    path: '/admin/cron/:task',
    operationId: 'adminCronRun',
    tag: 'admin',
    summary: 'Run a cron task',
    scopes: ['admin'],
    params: Type.Object({ task: Type.String() }),
    answers: { 204: null },
    open: asSiteAdmin,
    handle: async ({ ctx, params, opened }) => {
      await runTask(ctx, opened, params.task)
      return noContent()
    },
  }),
]

function presentTask(task: CronTaskRow) {
  return {
    name: task.name,
    schedule: task.schedule || '-',
    next: time(task.next_at),
    prev: time(task.prev_at),
    exec_times: task.runs,
  }
}
