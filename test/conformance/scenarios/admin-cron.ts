/** Scheduled tasks. */
import assert from 'node:assert/strict'
import type { Stage } from '../stage.ts'

/** D27: the set of tasks is ours; their format is not. */
const ours = { decision: 'D27', statusOnly: true }

interface Task {
  name: string
  schedule: string
  next: string
  prev: string | null
  exec_times: number
}

function assertTasks(tasks: Task[], length: number): void {
  assert.equal(tasks.length, length)
  for (const task of tasks) {
    assert.deepEqual(Object.keys(task).sort(), ['exec_times', 'name', 'next', 'prev', 'schedule'])
    assert.match(task.name, /^[a-z_]+$/)
    assert.equal(typeof task.schedule, 'string')
    assert.equal(typeof task.exec_times, 'number')
  }
}

export async function play(t: Stage): Promise<void> {
  await t.person('admin-cron-eve')
  await t.call('nobody may not list tasks', null, 'GET', '/admin/cron')
  await t.call('a plain user may not list tasks', 'admin-cron-eve', 'GET', '/admin/cron')
  const all = await t.call('all tasks', 'admin', 'GET', '/admin/cron?limit=50', {}, ours)
  const names = all.body.map((task: Task) => task.name)
  for (const name of ['update_mirrors', 'git_gc_repos', 'deleted_branches_cleanup', 'start_schedule_tasks'])
    assert.ok(names.includes(name), `${name} is missing`)
  assert.equal(all.headers.get('x-total-count'), String(all.body.length))
  const first = await t.call('the first two tasks', 'admin', 'GET', '/admin/cron?limit=2', {}, ours)
  const second = await t.call(
    'the second page of two',
    'admin',
    'GET',
    '/admin/cron?limit=2&page=2',
    {},
    ours,
  )
  assertTasks(first.body, 2)
  assertTasks(second.body, 2)
  assert.deepEqual(
    [...first.body, ...second.body].map((task: Task) => task.name),
    names.slice(0, 4),
  )
  assertTasks(
    (
      await t.call(
        'past the last page',
        'admin',
        'GET',
        '/admin/cron?limit=2&page=99',
        {},
        { decision: 'D27', ignore: ['x-total-count'] },
      )
    ).body ?? [],
    0,
  )
  await t.call('page and limit below one', 'admin', 'GET', '/admin/cron?limit=0&page=-3', {}, ours)

  await t.call('nobody may not run a task', null, 'POST', '/admin/cron/git_gc_repos')
  await t.call('a plain user may not run a task', 'admin-cron-eve', 'POST', '/admin/cron/git_gc_repos')
  await t.call(
    'a plain user learns nothing about a task that does not exist',
    'admin-cron-eve',
    'POST',
    '/admin/cron/admin-cron-none',
  )
  await t.call('a task that does not exist', 'admin', 'POST', '/admin/cron/admin-cron-none')
  await t.call('the name of a task has a case', 'admin', 'POST', '/admin/cron/Update_Mirrors')
  await t.call(
    'a task cannot be read alone',
    'admin',
    'GET',
    '/admin/cron/update_mirrors',
    {},
    { statusOnly: true },
  )

  const times = async () =>
    (await t.stage('admin', 'GET', '/admin/cron?limit=50')).body.find(
      (task: { name: string }) => task.name === 'update_mirrors',
    )
  const before = await times()
  await t.call('a scheduled task is run now', 'admin', 'POST', '/admin/cron/update_mirrors')
  const after = await times()
  if (after.exec_times !== before.exec_times + 1)
    throw new Error(`run ${before.exec_times} times before, ${after.exec_times} times after`)
  if (!(Date.parse(after.prev) > Date.parse(before.prev ?? 0) || !before.prev))
    throw new Error('the time of the last run has not moved')
  await t.call('a body is ignored', 'admin', 'POST', '/admin/cron/update_mirrors', {
    body: { anything: true },
  })
  await t.call('a task without a schedule is run', 'admin', 'POST', '/admin/cron/git_gc_repos')
  await t.call(
    'a task that cleans deleted branches is run',
    'admin',
    'POST',
    '/admin/cron/deleted_branches_cleanup',
  )
  await t.call(
    'a task that starts scheduled workflows is run',
    'admin',
    'POST',
    '/admin/cron/start_schedule_tasks',
  )
}
