/** Lists of runs and jobs over REST: filters, pages, access and cost. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Account } from '#domains/people/users'
import { type Forge, startForge } from '#testing'
import { endJob, makeRun, newJob, SHA, takeJob } from '#testing/slices/runs'
import type { LockedRun } from '../record/change.ts'

const RUNS = '/repos/ann/anvil/actions/runs'

let forge: Forge
let ann: Account
let bob: Account
let anvil: number
/** Oldest first: finished, running, of another branch, dispatched. */
let runs: LockedRun[]

before(async () => {
  forge = await startForge()
  await forge.person('root', { is_admin: true })
  ann = await forge.person('ann')
  bob = await forge.person('bob')
  await forge.person('eve')
  for (const name of ['anvil', 'vault'])
    await forge.call('ann', 'POST', '/user/repos', { name, private: name === 'vault' })
  anvil = (await forge.call('ann', 'GET', '/repos/ann/anvil')).body.id
  await forge.call('ann', 'PUT', '/repos/ann/anvil/collaborators/bob', { permission: 'read' })
  const { ctx } = forge
  runs = [
    await makeRun(ctx, anvil, ann.id, [
      newJob('build'),
      newJob('test', { needs: ['build'], status: 'blocked' }),
    ]),
    await makeRun(ctx, anvil, bob.id, [newJob('build')]),
    await makeRun(ctx, anvil, bob.id, [newJob('build')], {
      ref: 'refs/heads/side',
      head_sha: '2'.repeat(40),
    }),
    await makeRun(ctx, anvil, ann.id, [newJob('only', { status: 'blocked' })], {
      event: 'workflow_dispatch',
      workflow_file: 'by-hand.yml',
    }),
  ]
  const [first, second] = await jobsOf(runs[0])
  await takeJob(ctx, first)
  await endJob(ctx, first, 'success')
  await endJob(ctx, second, 'skipped')
  await takeJob(ctx, (await jobsOf(runs[1]))[0])
})
after(() => forge[Symbol.asyncDispose]())

async function jobsOf(run: LockedRun | undefined): Promise<[number, number]> {
  const rows = await forge.db
    .selectFrom('action_job')
    .select('id')
    .where('run_id', '=', run?.id ?? 0)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id) as [number, number]
}

for (const [query, found] of [
  ['', [4, 3, 2, 1]],
  ['?event=push', [3, 2, 1]],
  ['?event=none', []],
  ['?branch=side', [3]],
  ['?branch=refs/heads/side', []],
  ['?actor=BOB', [3, 2]],
  ['?actor=nobody-known', []],
  [`?head_sha=${SHA}`, [4, 2, 1]],
  [`?head_sha=${SHA.slice(0, 10)}`, []],
  ['?status=pending', [4]],
  ['?status=action_required', [4]],
  ['?status=queued', [3]],
  ['?status=in_progress', [2]],
  ['?status=completed', [1]],
  ['?status=success&status=queued', [3, 1]],
  ['?status=failure', []],
  ['?event=push&branch=side&actor=bob&status=queued', [3]],
  ['?limit=2', [4, 3]],
  ['?limit=2&page=2', [2, 1]],
  ['?limit=2&page=900', []],
] as const)
  test(`repository, owner and admin lists return the same runs${query && ` for ${query}`}`, async () => {
    for (const [as, path] of [
      ['bob', RUNS],
      ['ann', '/user/actions/runs'],
      ['root', '/admin/actions/runs'],
    ] as const) {
      const { status, body, headers } = await forge.call(as, 'GET', `${path}${query}`)
      assert.equal(status, 200, path)
      const isList = path.startsWith('/admin')
      const listed = isList ? body : body.workflow_runs
      const numbers = listed.map((run: { run_number: number }) => run.run_number)
      assert.deepEqual(numbers, found, path)
      const total = query.includes('limit') ? 4 : found.length
      assert.equal(headers.get('x-total-count'), String(total))
      if (!isList) assert.equal(body.total_count, total)
    }
  })

test('an unknown status gets 400, and an invalid sort is reported first with 422', async () => {
  for (const word of ['done', '', 'constructor']) {
    assert.equal((await forge.call('ann', 'GET', `${RUNS}?status=${word}`)).status, 400)
    assert.equal((await forge.call('root', 'GET', `/admin/actions/jobs?status=${word}`)).status, 400)
  }
  const sorted = (query: string) => forge.call('root', 'GET', `/admin/actions/jobs?${query}`)
  assert.equal((await sorted('sort=name&status=done')).status, 422)
  assert.equal((await sorted('sort=id&order=up')).status, 422)
  assert.equal((await sorted('order=up')).status, 422)
})

test('jobs are listed by id ascending or descending, and filtered by status', async () => {
  const names = async (as: string, path: string) => {
    const { body } = await forge.call(as, 'GET', path)
    return (body.jobs ?? body).map((job: { name: string; status: string }) => `${job.name} ${job.status}`)
  }
  const all = ['build completed', 'test completed', 'build in_progress', 'build queued', 'only waiting']
  assert.deepEqual(await names('bob', '/repos/ann/anvil/actions/jobs'), all)
  assert.deepEqual(await names('ann', '/user/actions/jobs?sort=id&order=desc'), all.toReversed())
  assert.deepEqual(await names('root', '/admin/actions/jobs?order=desc'), all.toReversed())
  assert.deepEqual(await names('root', '/admin/actions/jobs?limit=2&page=2'), all.slice(2, 4))
  assert.deepEqual(await names('bob', `${RUNS}/${runs[0]?.id}/jobs`), all.slice(0, 2))
  assert.deepEqual(await names('bob', `${RUNS}/${runs[0]?.id}/attempts/1/jobs`), all.slice(0, 2))
  assert.deepEqual(await names('bob', '/repos/ann/anvil/actions/jobs?status=skipped'), [all[1]])
})

test('a run shows its URLs, actor and repository without permissions', async () => {
  const [run] = runs
  const { body } = await forge.call('bob', 'GET', `${RUNS}/${run?.id}`)
  const url = `http://forge.test/api/v1${RUNS}/${run?.id}`
  assert.equal(body.url, url)
  assert.equal(body.jobs_url, `${url}/jobs`)
  assert.equal(body.html_url, `http://forge.test/ann/anvil/actions/runs/${run?.id}`)
  assert.deepEqual(
    [body.status, body.conclusion, body.path],
    ['completed', 'success', 'check.yml@refs/heads/main'],
  )
  assert.deepEqual([body.head_branch, body.previous_attempt_url], ['main', null])
  assert.equal(body.head_repository.full_name, 'ann/anvil')
  assert.equal(body.actor.login, 'ann')
  assert.equal(body.actor.email, body.repository.owner.email)
  assert.deepEqual(body.repository.permissions, { admin: false, push: false, pull: false })
  assert.deepEqual(body.pull_requests, [])
  assert.ok(body.started_at !== null && body.completed_at !== null)
})

test('a job shows its runner and steps', async () => {
  const [first, second] = await jobsOf(runs[0])
  const { body } = await forge.call('bob', 'GET', `/repos/ann/anvil/actions/jobs/${first}`)
  assert.deepEqual([body.runner_name, body.labels, body.conclusion], ['smith', ['linux'], 'success'])
  assert.deepEqual(
    body.steps.map((step: { name: string; number: number }) => [step.name, step.number]),
    [['Run it', 0]],
  )
  const { body: other } = await forge.call('bob', 'GET', `/repos/ann/anvil/actions/jobs/${second}`)
  assert.deepEqual([other.steps, other.runner_name, other.started_at], [[], undefined, null])
})

test('tasks are listed with their runs', async () => {
  const { body } = await forge.call('bob', 'GET', '/repos/ann/anvil/actions/tasks')
  assert.equal(body.total_count, 2)
  assert.deepEqual(
    body.workflow_runs.map((task: Record<string, unknown>) => [task.name, task.run_number, task.status]),
    [
      ['build', 2, 'running'],
      ['build', 1, 'success'],
    ],
  )
})

test('lists and single runs are readable according to access', async () => {
  const run = runs[0]?.id
  const statuses = async (path: string) => {
    const answers: number[] = []
    for (const as of [null, 'eve', 'bob', 'ann', 'root'])
      answers.push((await forge.call(as, 'GET', path)).status)
    return answers.join(' ')
  }
  const anybody = '200 200 200 200 200'
  const anybodySignedIn = '401 200 200 200 200'
  assert.equal(await statuses(RUNS), anybodySignedIn)
  assert.equal(await statuses('/repos/ann/anvil/actions/jobs'), anybodySignedIn)
  assert.equal(await statuses(`${RUNS}/${run}`), anybody)
  assert.equal(await statuses(`${RUNS}/${run}/jobs`), anybody)
  assert.equal(await statuses('/repos/ann/anvil/actions/tasks'), anybody)
  assert.equal(await statuses('/user/actions/runs'), anybodySignedIn)
  assert.equal(await statuses('/user/actions/jobs'), anybodySignedIn)
  assert.equal(await statuses('/repos/ann/vault/actions/runs'), '404 404 404 200 200')
  assert.equal(await statuses(`/repos/ann/vault/actions/runs/${run}`), '404 404 404 404 404')
  assert.equal(await statuses('/admin/actions/runs'), '401 403 403 403 200')
  assert.equal(await statuses('/admin/actions/jobs'), '401 403 403 403 200')
  assert.equal(await statuses(`${RUNS}/987654`), '404 404 404 404 404')
  assert.equal(await statuses(`${RUNS}/abc`), '404 404 404 404 404')
  assert.equal(await statuses(`${RUNS}/${run}/attempts/2`), '404 404 404 404 404')
  assert.equal(await statuses('/repos/ann/anvil/actions/jobs/987654'), '404 404 404 404 404')
})

test('while actions are disabled only repository administrators see runs', async () => {
  await forge.call('ann', 'PATCH', '/repos/ann/anvil', { has_actions: false })
  assert.equal((await forge.call('bob', 'GET', RUNS)).status, 403)
  assert.equal((await forge.call('ann', 'GET', RUNS)).status, 200)
  await forge.call('ann', 'PATCH', '/repos/ann/anvil', { has_actions: true })
})

test("an organization's list contains the runs of repositories that the member may read", async () => {
  await forge.call('ann', 'POST', '/orgs', { username: 'guild' })
  const hidden = await forge.call('ann', 'POST', '/orgs/guild/repos', { name: 'hidden', private: true })
  const open = await forge.call('ann', 'POST', '/orgs/guild/repos', { name: 'open' })
  for (const { body } of [hidden, open]) await makeRun(forge.ctx, body.id, ann.id, [newJob('build')])
  const team = { name: 'smiths', permission: 'read', units: ['repo.code'] }
  const { body } = await forge.call('ann', 'POST', '/orgs/guild/teams', team)
  await forge.call('ann', 'PUT', `/teams/${body.id}/members/bob`)
  for (const noun of ['runs', 'jobs']) {
    const path = `/orgs/guild/actions/${noun}`
    assert.equal((await forge.call('ann', 'GET', path)).body.total_count, 2)
    assert.equal((await forge.call('bob', 'GET', path)).body.total_count, 1)
    assert.equal((await forge.call('eve', 'GET', path)).status, 403)
    assert.equal((await forge.call(null, 'GET', path)).status, 401)
  }
})

test('lists take the same number of queries for every page size', async () => {
  const paths = [
    '/admin/actions/runs',
    '/admin/actions/jobs',
    RUNS,
    '/user/actions/runs',
    '/user/actions/jobs',
  ]
  for (const path of paths) {
    const as = path.startsWith('/admin') ? 'root' : 'ann'
    const cost = (limit: number) =>
      forge.countQueries(() =>
        forge.call(as, 'GET', `${path}?limit=${limit}&status=completed&status=in_progress`),
      )
    await cost(1)
    assert.equal(await cost(1), await cost(50), path)
  }
})
