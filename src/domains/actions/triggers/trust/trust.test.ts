/** Trust of runs end to end: forks, pushes to refs/for/, reopened pull requests, and concurrency groups. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Forge, GitClient, startForge } from '#testing'
import { commit, listRuns, makeRepository } from '#testing/slices/triggers'

let forge: Forge
before(async () => {
  forge = await startForge({ config: { 'actions.open_jobs_max': 6 } })
  for (const name of ['ann', 'eve', 'mia']) await forge.person(name)
})
after(() => forge[Symbol.asyncDispose]())

const FILE = '.gitea/workflows/check.yml'
const on = (event: string, more = '') =>
  `on: ${event}\n${more}jobs:\n  j: { runs-on: linux, steps: [{ run: 'true' }] }\n`

/** The trust of each run of a repository, oldest first. */
async function trustOf(root: string): Promise<string[]> {
  const [, , owner = '', name = ''] = root.split('/')
  const rows = await forge.db
    .selectFrom('action_run')
    .innerJoin('repository', 'repository.id', 'action_run.repository_id')
    .innerJoin('account', 'account.id', 'repository.owner_id')
    .where('account.login', '=', owner)
    .where('repository.name', '=', name)
    .select(['event', 'is_from_fork', 'needs_approval', 'status', 'group_scope'])
    .orderBy('action_run.id')
    .execute()
  return rows.map(
    ({ event, is_from_fork, needs_approval, status, group_scope }) =>
      `${event} ${status}${is_from_fork ? ', no secrets' : ''}${needs_approval ? ', waits' : ''}${group_scope === '' ? '' : ', apart'}`,
  )
}

/** A clone, on branch `topic`, with a changed workflow file. */
async function cloneWithChange(as: string, repository: string, text: string): Promise<GitClient> {
  const git = await GitClient.open(forge, as, repository)
  await git.ok('fetch', '--quiet', 'origin')
  await git.ok('checkout', '--quiet', '-B', 'topic', 'origin/main')
  await git.commit(FILE, text)
  return git
}

test('a reader who pushes a workflow to refs/for/ gets no secrets, and their run waits for approval', async () => {
  const root = await makeRepository(forge, 'ann', 'agit', { [FILE]: on('pull_request') })
  await using git = await cloneWithChange('eve', 'ann/agit', on('pull_request', 'name: evil\n'))
  await git.ok('push', '--quiet', 'origin', 'HEAD:refs/for/main/typo')
  await forge.runJobs()
  const waits = 'pull_request blocked, no secrets, waits, apart'
  assert.deepEqual(await trustOf(root), [waits])
  // Reopening by the owner does not make the code trusted.
  for (const state of ['closed', 'open']) await forge.call('ann', 'PATCH', `${root}/pulls/1`, { state })
  await forge.runJobs()
  assert.deepEqual(await trustOf(root), [waits, waits])
  // Dispatches are limited to branches and tags, also for writers.
  await forge.call('ann', 'PUT', `${root}/collaborators/mia`, { permission: 'write' })
  const inputs = { ref: 'refs/pull/1/head', inputs: {} }
  const dispatched = await forge.call('mia', 'POST', `${root}/actions/workflows/check.yml/dispatches`, inputs)
  assert.equal(dispatched.status, 404)
})

test('a maintainer who reopens a pull request does not vouch for what the fork pushed while it was closed', async () => {
  const root = await makeRepository(forge, 'ann', 'reopened', { [FILE]: on('pull_request') })
  assert.equal((await forge.call('eve', 'POST', `${root}/forks`, {})).status, 202)
  await using git = await cloneWithChange('eve', 'eve/reopened', on('pull_request', 'name: good\n'))
  await git.ok('push', '--quiet', 'origin', 'topic')
  const opened = await forge.call('eve', 'POST', `${root}/pulls`, {
    title: 'x',
    head: 'eve:topic',
    base: 'main',
  })
  assert.equal(opened.status, 201)
  await forge.call('ann', 'PATCH', `${root}/pulls/1`, { state: 'closed' })
  await git.commit(FILE, on('pull_request', 'name: evil\n'))
  await git.ok('push', '--quiet', 'origin', 'topic')
  await forge.runJobs()
  await forge.call('ann', 'PATCH', `${root}/pulls/1`, { state: 'open' })
  await forge.runJobs()
  const all = await trustOf(root)
  assert.equal(all.length, 3, 'opened, reopened, and caught up with the branch')
  assert.deepEqual(new Set(all), new Set(['pull_request blocked, no secrets, waits, apart']))
})

test('an approval counts for later runs only while the pusher is the approved author', async () => {
  const root = await makeRepository(forge, 'ann', 'approved', { [FILE]: on('pull_request') })
  await forge.call('eve', 'POST', `${root}/forks`, {})
  await using git = await cloneWithChange('eve', 'eve/approved', on('pull_request', 'name: one\n'))
  await git.ok('push', '--quiet', 'origin', 'topic')
  await forge.call('eve', 'POST', `${root}/pulls`, { title: 'x', head: 'eve:topic', base: 'main' })
  await forge.runJobs()
  const [run] = await listRuns(forge, root)
  const approve = `${root}/actions/runs/${run?.id}/approve`
  assert.equal((await forge.call('eve', 'POST', approve)).status, 403)
  assert.equal((await forge.call('ann', 'POST', approve)).status, 200)
  await git.commit('two.txt', 'two')
  await git.ok('push', '--quiet', 'origin', 'topic')
  await forge.runJobs()
  assert.equal((await trustOf(root)).at(-1), 'pull_request waiting, no secrets, apart')
  // Another account that pushes to the same fork is not trusted.
  await forge.call('eve', 'PUT', '/repos/eve/approved/collaborators/mia', { permission: 'write' })
  await using mias = await cloneWithChange('mia', 'eve/approved', on('pull_request', 'name: three\n'))
  await mias.ok('push', '--quiet', '--force', 'origin', 'topic')
  await forge.runJobs()
  assert.equal((await trustOf(root)).at(-1), 'pull_request blocked, no secrets, waits, apart')
})

test("a run from a fork neither cancels nor waits for runs in the repository's concurrency groups", async () => {
  const grouped = (event: string) => on(event, 'concurrency:\n  group: deploy\n  cancel-in-progress: true\n')
  const root = await makeRepository(forge, 'ann', 'groups', { [FILE]: grouped('push') })
  assert.deepEqual(await trustOf(root), ['push waiting'])
  await forge.call('eve', 'POST', `${root}/forks`, {})
  await using git = await cloneWithChange(
    'eve',
    'eve/groups',
    grouped('[push, pull_request, pull_request_target]'),
  )
  await git.ok('push', '--quiet', 'origin', 'topic')
  await forge.call('eve', 'POST', `${root}/pulls`, { title: 'x', head: 'eve:topic', base: 'main' })
  await forge.runJobs()
  const waits = 'pull_request blocked, no secrets, waits, apart'
  assert.deepEqual(await trustOf(root), ['push waiting', waits])
  const [, run] = await listRuns(forge, root)
  assert.equal((await forge.call('ann', 'POST', `${root}/actions/runs/${run?.id}/approve`)).status, 200)
  assert.deepEqual(await trustOf(root), ['push waiting', 'pull_request waiting, no secrets, waits, apart'])
})

test('a pull_request_target run for a fork has isolated groups, because the fork chooses its branch name', async () => {
  const text = on(
    '[push, pull_request_target]',
    `concurrency:\n  group: \${{ github.head_ref || github.ref_name }}\n  cancel-in-progress: true\n`,
  )
  const root = await makeRepository(forge, 'ann', 'targets', { [FILE]: text })
  await forge.call('eve', 'POST', `${root}/forks`, {})
  await commit(forge, 'eve', '/repos/eve/targets', { 'a.md': 'a' })
  await forge.call('eve', 'POST', `${root}/pulls`, { title: 'x', head: 'eve:main', base: 'main' })
  await forge.runJobs()
  assert.deepEqual(await trustOf(root), ['push waiting', 'pull_request_target waiting, apart'])
})

test('runs beyond the limit of unfinished jobs wait, and start when there is room', async () => {
  const four =
    'on: push\njobs:\n  j: { runs-on: linux, strategy: { matrix: { n: [1, 2, 3, 4] } }, steps: [{ run: x }] }\n'
  const root = await makeRepository(forge, 'ann', 'bomb', { [FILE]: four, '.gitea/workflows/more.yml': four })
  const [first, ...others] = await listRuns(forge, root)
  assert.deepEqual(others, [])
  assert.equal((await forge.call('ann', 'POST', `${root}/actions/runs/${first?.id}/cancel`)).status, 200)
  await forge.makeJobsDue()
  await forge.runJobs()
  assert.equal((await listRuns(forge, root)).length, 2)
})

test('an order that is delivered twice starts one run', async () => {
  const root = await makeRepository(forge, 'ann', 'once', { [FILE]: on('push') })
  const { start_key, head_sha, repository_id, actor_id, ref } = await forge.db
    .selectFrom('action_run')
    .innerJoin('repository', 'repository.id', 'action_run.repository_id')
    .select(['start_key', 'head_sha', 'repository_id', 'actor_id', 'ref'])
    .where('repository.name', '=', 'once')
    .executeTakeFirstOrThrow()
  const order = {
    key: start_key,
    repository_id,
    file: 'check.yml',
    event: 'push',
    actor_id,
    ref,
    sha: head_sha,
    payload: '{}',
    inputs: {},
    head_ref: '',
    base_ref: '',
    issue_id: null,
    is_queued: false,
  }
  const kind = forge.work.jobs.find(({ name }) => name === 'start_run')
  await kind?.run(forge.ctx, order)
  assert.equal((await listRuns(forge, root)).length, 1)
  await kind?.run(forge.ctx, { ...order, key: crypto.randomUUID() })
  assert.equal((await listRuns(forge, root)).length, 2, 'another order is another run')
})
