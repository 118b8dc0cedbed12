/** Jobs and tasks are found by indexes, however many exist. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { assertIndexed, type Forge, insertMany, startForge } from '#testing'
import { addRun } from '#testing/slices/runners'
import { selectOpenJobs } from '../engine/store.ts'
import { selectUnfinished } from './lost.ts'
import { selectOfAll, selectOfOwners, selectOfRepositories } from './take.ts'

const JOBS = 100_000
const WAITING = 20_000

let forge: Forge
let owner: number
let repo: number
before(async () => {
  forge = await startForge()
  owner = (await forge.person('ann')).id
  repo = (await forge.call('ann', 'POST', '/user/repos', { name: 'anvil' })).body.id
  const { id } = await addRun(forge.ctx, repo)
  await insertMany(
    forge.db,
    sql`insert into action_job (run_id, attempt, repository_id, key, name, runs_on, labels_key, status, queued_at,
      created_at, updated_at)
    select ${id}, 1, ${repo}, 'job', 'job', array['l' || i % 20], 'l' || i % 20,
      case when i <= ${WAITING}::bigint then 'waiting' else 'success' end, now() + i * interval '1 second', now(), now()
    from generate_series(1, ${JOBS}::bigint) i`,
  )
  await sql`insert into action_task (job_id, repository_id, runner_name, status, heard_at, started_at)
    select id, repository_id, 'runner', case when id % 500 = 0 then 'running' else 'success' end, now(), now()
    from action_job where status = 'success' and id % 2 = 0`.execute(forge.db)
  for (const table of ['action_job', 'action_task']) await sql`analyze ${sql.table(table)}`.execute(forge.db)
})
after(() => forge[Symbol.asyncDispose]())

const classes = (scope: object) =>
  JSON.stringify([{ no: 0, labels: ['l7', 'l9'], owner_id: null, repository_id: null, free: 3, ...scope }])

test('waiting jobs are found by an index for runners of every scope', async () => {
  await assertIndexed(forge.db, selectOfAll(classes({})), 'action_job')
  await assertIndexed(forge.db, selectOfRepositories(classes({ repository_id: repo })), 'action_job')
  await assertIndexed(forge.db, selectOfOwners(classes({ owner_id: owner })), 'action_job')
})

test('a runner is given the job that waits longest of those it can run', async () => {
  const { rows } = await forge.db.transaction().execute((tx) => selectOfAll(classes({})).execute(tx))
  const keys = await forge.db
    .selectFrom('action_job')
    .select(['labels_key', 'queued_at'])
    .where(
      'id',
      'in',
      rows.map(({ id }) => id),
    )
    .orderBy('queued_at')
    .execute()
  assert.deepEqual(
    keys.map(({ labels_key }) => labels_key),
    ['l7', 'l9', 'l7', 'l9', 'l7', 'l9'],
  )
})

test('unfinished jobs of a repository are counted by an index', async () => {
  await assertIndexed(forge.db, selectOpenJobs(forge.db, repo).limit(2_000), 'action_job')
})

test('unfinished tasks are found by an index', async () => {
  const silent = selectUnfinished(forge.ctx).orderBy('action_task.heard_at')
  await assertIndexed(forge.db, silent, 'action_task')
  await assertIndexed(forge.db, silent, 'action_job')
})
