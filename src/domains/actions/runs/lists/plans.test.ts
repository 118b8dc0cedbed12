/** With 100,000 runs and jobs in 1,000 repositories every list uses an index. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { actorOf, findAccount } from '#domains/people/users'
import { assertIndexed, assertQuick, type Forge, insertMany, startForge } from '#testing'
import type { RunFilter } from './filter.ts'
import { type Scope, selectJobIds, selectRunIds } from './find.ts'
import { selectTaskCount } from './list-tasks.ts'

const MANY = 100_000
const PAGE = { number: 2, limit: 30, offset: 30 }
const ANY: RunFilter = {
  event: null,
  ref: null,
  statuses: null,
  actorId: null,
  headSha: null,
  workflowFile: null,
}

let forge: Forge
let scopes: readonly Scope[]

before(async () => {
  forge = await startForge({ config: { 'database.statement_timeout_ms': 300_000 } })
  await forge.person('ann')
  await insertMany(
    forge.db,
    sql`insert into account (kind, login, login_key, created_at, updated_at)
    select 'user', 'p' || n, 'p' || n, now(), now() from generate_series(1, 100) n`,
  )
  await insertMany(
    forge.db,
    sql`insert into git_storage (object_format, head, created_at)
    select 'sha1', 'refs/heads/main', now() from generate_series(1, 1000)`,
  )
  await insertMany(
    forge.db,
    sql`insert into repository (owner_id, storage_id, name, name_key, units, created_at, updated_at)
    select (select min(id) from account where login like 'p%') + id % 100, id, 'r' || id, 'r' || id, '{actions}', now(), now()
    from git_storage`,
  )
  const { rows } = await sql<{ owner: number; repository: number }>`select
    (select min(id) from account where login like 'p%') as owner, (select min(id) from repository) as repository`.execute(
    forge.db,
  )
  const first = rows[0]
  assert(first !== undefined)
  await insertMany(
    forge.db,
    sql`insert into action_run (repository_id, number, title, workflow_file, workflow_path, workflow, event,
      payload, ref, head_sha, actor_id, trigger_actor_id, status, created_at, updated_at)
    select ${sql.lit(first.repository)} + n % 1000, 1 + n / 1000, 'title', 'check.yml', 'check.yml', 'name: check',
      case when n % 5000 = 0 then 'schedule' else 'push' end, '{}',
      case when n % 3 = 0 then 'refs/heads/main' else 'refs/heads/b' || n % 900 end, md5(n::text),
      ${sql.lit(first.owner)} + n % 100, ${sql.lit(first.owner)} + n % 100,
      case n % 1000 when 0 then 'waiting' when 1 then 'cancelled' else 'success' end, now(), now()
    from generate_series(1, ${sql.lit(MANY)}) n`,
  )
  await insertMany(
    forge.db,
    sql`insert into action_job (run_id, attempt, repository_id, key, name, status, created_at, updated_at)
    select id, 1, repository_id, 'build', 'build', status, now(), now() from action_run`,
    sql`insert into action_task (job_id, repository_id, runner_name, status, heard_at, started_at)
    select id, repository_id, 'smith', 'success', now(), now() from action_job`,
  )
  await sql`vacuum analyze`.execute(forge.db)
  const account = await findAccount(forge.db, 'ann')
  assert(account !== undefined)
  const actor = actorOf(account, { publicOnly: false, via: 'token', tokenId: null })
  scopes = [
    { kind: 'all' },
    { kind: 'repository', id: first.repository + 7 },
    { kind: 'owner', id: first.owner + 7, readerOf: actor },
  ]
})
after(() => forge[Symbol.asyncDispose]())

const filters: readonly [string, Partial<RunFilter>][] = [
  ['everything', {}],
  ['one status', { statuses: ['waiting'] }],
  ['many statuses', { statuses: ['success', 'failure', 'skipped', 'cancelled'] }],
  ['a branch', { ref: 'refs/heads/b7' }],
  ['a branch that is not there', { ref: 'refs/heads/none' }],
  ['a rare event', { event: 'schedule' }],
  ['somebody who did nothing', { actorId: 0 }],
  ['a commit', { headSha: 'c4ca4238a0b923820dcc509a6f75849b' }],
  ['a workflow', { workflowFile: 'none.yml' }],
  ['all at once', { statuses: ['waiting', 'blocked'], event: 'push', ref: 'refs/heads/main', actorId: 7 }],
]

for (const [name, filter] of filters)
  test(`runs filtered by ${name} are found by an index in every scope`, async () => {
    for (const scope of scopes) {
      // Only the route of a repository filters by workflow.
      if (filter.workflowFile && scope.kind !== 'repository') continue
      await assertIndexed(forge.db, selectRunIds(scope, { ...ANY, ...filter }, PAGE), 'action_run')
    }
  })

test('jobs are found by an index in both sort orders', async () => {
  const attempt: Scope = { kind: 'attempt', runId: 7, attempt: 1 }
  for (const scope of [...scopes, attempt])
    for (const statuses of [null, ['waiting'], ['success', 'failure']] as const)
      for (const order of ['asc', 'desc'] as const)
        await assertIndexed(forge.db, selectJobIds(scope, { statuses, order }, PAGE), 'action_job')
})

test('tasks of a repository are counted by an index', async () => {
  await assertIndexed(forge.db, selectTaskCount(7), 'action_task')
})

test('the first and the last page of the instance-wide list are fast', async (t) => {
  for (const page of [PAGE, { number: 334, limit: 30, offset: 9_990 }])
    await assertQuick(t, forge.db, 5, () => selectRunIds({ kind: 'all' }, ANY, page).execute(forge.db))
})
