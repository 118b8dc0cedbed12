/** Storage of owners: counted by every way in and out, limited, and counted again by `findDifferences`. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { undeleteRepository } from '#domains/code/repositories'
import type { UsageKind } from '#domains/people/quotas'
import { maintain } from '#git'
import { type Forge, GitClient, startForge } from '#testing'
import { objectOf, upload } from '#testing/slices/lfs'
import { send } from '#testing/slices/packages'
import { endJob, makeRun, newJob, takeJob } from '#testing/slices/runs'
import { findDifferences } from './stored.ts'

const KIB = 1_024

let forge: Forge
before(async () => {
  forge = await startForge({ config: { 'quota.repositories': 10 } })
  for (const login of ['ann', 'bob', 'eve']) await forge.person(login)
})
after(() => forge[Symbol.asyncDispose]())

const idOf = async (login: string): Promise<number> =>
  (await forge.call(null, 'GET', `/users/${login}`)).body.id
const text = (bytes: number) => randomBytes(bytes).toString('hex').slice(0, bytes)

async function used(login: string, kind: UsageKind): Promise<number> {
  const row = await forge.db
    .selectFrom('account_usage')
    .select('bytes')
    .where('account_id', '=', await idOf(login))
    .where('kind', '=', kind)
    .executeTakeFirst()
  return row?.bytes ?? 0
}

/** Leaves room for so many bytes more. */
async function limit(login: string, kind: UsageKind, room: number): Promise<void> {
  const row = { account_id: await idOf(login), kind, bytes_max: (await used(login, kind)) + room }
  await forge.db
    .insertInto('account_usage')
    .values(row)
    .onConflict((conflict) => conflict.columns(['account_id', 'kind']).doUpdateSet(row))
    .execute()
}

async function assertRight(after: string): Promise<void> {
  const all = await forge.db.selectFrom('account').select('id').execute()
  const ids = all.map(({ id }) => id)
  assert.deepEqual(await findDifferences(forge.db, ids), [], `after ${after}`)
}

async function make(login: string, name: string): Promise<{ id: number; storageId: number }> {
  const { body } = await forge.call(login, 'POST', '/user/repos', { name, auto_init: true })
  const { storage_id } = await forge.db
    .selectFrom('repository')
    .select('storage_id')
    .where('id', '=', body.id)
    .executeTakeFirstOrThrow()
  return { id: body.id, storageId: storage_id }
}

async function attach(login: string, path: string, bytes: number) {
  const body = new FormData()
  body.append('attachment', new Blob([text(bytes)]), 'a.txt')
  return send(forge, login, 'POST', `/api/v1${path}/assets?name=a.txt`, { body })
}

test('bytes are counted by every way in and out', async () => {
  const { id, storageId } = await make('ann', 'all')
  await assertRight('the first commit')
  await using git = await GitClient.open(forge, 'ann', 'ann/all')
  await git.ok('pull', '--quiet', 'origin', 'main')
  await git.commit('one', text(20 * KIB))
  await git.ok('push', '--quiet', 'origin', 'HEAD:refs/heads/topic')
  await assertRight('a push')
  const { status } = await forge.call('bob', 'POST', '/repos/ann/all/forks', {})
  assert.equal(status, 202)
  assert.ok((await used('bob', 'git')) > 10 * KIB)
  await assertRight('a fork')
  await git.commit('two', text(10 * KIB))
  await git.ok(
    'push',
    '--quiet',
    git.remote.replace('ann/all', 'bob/all').replace(forge.tokenOf('ann'), forge.tokenOf('bob')),
    'HEAD:refs/heads/mine',
  )
  const pull = { title: 'mine', head: 'bob:mine', base: 'main' }
  assert.equal((await forge.call('bob', 'POST', '/repos/ann/all/pulls', pull)).status, 201)
  await assertRight('a pull request from a fork')
  const page = { title: 'Home', content_base64: Buffer.from(text(KIB)).toString('base64') }
  assert.equal((await forge.call('ann', 'POST', '/repos/ann/all/wiki/new', page)).status, 201)
  await assertRight('a page of the wiki')
  for (const work of ['compact', 'collect'] as const) {
    await maintain(forge.ctx, { storage_id: storageId, work } as Parameters<typeof maintain>[1])
    await assertRight(work)
  }

  await forge.call('ann', 'POST', '/repos/ann/all/issues', { title: 'files' })
  const comment = await forge.call('ann', 'POST', '/repos/ann/all/issues/2/comments', { body: 'more' })
  const release = await forge.call('ann', 'POST', '/repos/ann/all/releases', { tag_name: 'v1' })
  const at = {
    issue: '/repos/ann/all/issues/2',
    comment: `/repos/ann/all/issues/comments/${comment.body.id}`,
    release: `/repos/ann/all/releases/${release.body.id}`,
  }
  for (const path of Object.values(at)) assert.equal((await attach('ann', path, KIB)).status, 201, path)
  const file = await attach('ann', at.issue, KIB)
  assert.equal(await used('ann', 'attachments'), 4 * KIB)
  await forge.call('ann', 'DELETE', `${at.issue}/assets/${file.json.id}`)
  assert.equal(await used('ann', 'attachments'), 3 * KIB)
  assert.equal((await attach('ann', at.comment, KIB)).status, 201)
  await forge.call('ann', 'DELETE', at.release)
  await assertRight('the deletion of a release')
  await forge.call('ann', 'DELETE', at.issue)
  assert.equal(await used('ann', 'attachments'), 0)

  for (const version of ['1', '2'])
    await send(forge, 'ann', 'PUT', `/api/packages/ann/generic/tool/${version}/a`, { body: 'equal content' })
  assert.equal(await used('ann', 'packages'), 'equal content'.length)
  await forge.call('ann', 'DELETE', '/packages/ann/generic/tool/1')
  assert.equal(await used('ann', 'packages'), 'equal content'.length)
  await assertRight('packages')
  await forge.call('ann', 'DELETE', '/packages/ann/generic/tool/2')
  assert.equal(await used('ann', 'packages'), 0)

  await addLog(id, await idOf('ann'))
  assert.equal(await used('ann', 'logs'), 100)
  await assertRight('a log')

  await upload(forge, 'ann', 'ann/all', objectOf(3 * KIB))
  assert.equal(await used('ann', 'lfs'), 3 * KIB)
  await forge.call('bob', 'DELETE', '/repos/bob/all')
  assert.equal((await forge.call('bob', 'POST', '/repos/ann/all/forks', {})).status, 202)
  assert.equal(await used('bob', 'lfs'), 3 * KIB)
  await assertRight('Git LFS')

  const before = await used('ann', 'git')
  const gift = await forge.call('ann', 'POST', '/repos/ann/all/transfer', { new_owner: 'eve' })
  assert.equal(gift.status, 201, JSON.stringify(gift.body))
  await forge.call('eve', 'POST', '/repos/ann/all/transfer/accept')
  assert.equal(await used('ann', 'git'), 0)
  assert.equal(await used('eve', 'git'), before)
  assert.equal(await used('eve', 'logs'), 100)
  assert.equal(await used('eve', 'lfs'), 3 * KIB)
  await assertRight('a transfer')
  await forge.call('eve', 'DELETE', '/repos/eve/all')
  assert.equal(await used('eve', 'git'), 0)
  assert.equal(await used('eve', 'logs'), 0)
  await assertRight('a deletion')
  await undeleteRepository(forge.ctx, id, { actorId: null })
  assert.equal(await used('eve', 'git'), before)
  assert.equal(await used('eve', 'lfs'), 3 * KIB)
  await assertRight('an undeletion')
})

/** A log of 100 bytes, as runners send it, of a run that has ended. */
async function addLog(repositoryId: number, actorId: number): Promise<void> {
  const run = await makeRun(forge.ctx, repositoryId, actorId, [newJob('build')])
  const { jobs } = (await forge.call('ann', 'GET', `/repos/ann/all/actions/runs/${run.id}/jobs`)).body
  const task_id = await takeJob(forge.ctx, jobs[0].id)
  await forge.db
    .insertInto('action_log_piece')
    .values({ task_id, lines: 1, bytes: 100, object_key: 'logs/usage', created_at: forge.ctx.now() })
    .execute()
  await endJob(forge.ctx, jobs[0].id, 'success')
  await forge.makeJobsDue()
  await forge.runJobs()
}

test('a push over the limit is refused, pushes without new objects are not', async () => {
  await make('bob', 'full')
  await using git = await GitClient.open(forge, 'bob', 'bob/full')
  await git.ok('pull', '--quiet', 'origin', 'main')
  const small = await git.commit('small', text(KIB))
  await git.ok('push', '--quiet', 'origin', 'HEAD:main', 'HEAD:refs/heads/other')
  await limit('bob', 'git', 20 * KIB)
  await git.commit('large', text(60 * KIB))
  const { code, output } = await git.run('push', 'origin', 'HEAD:main')
  assert.equal(code, 1)
  assert.match(output, /\[remote rejected\].*\(quota exceeded: git storage of the owner is full\)/)
  assert.equal(await git.remoteRef('refs/heads/main'), small)
  await limit('bob', 'git', -1)
  await git.ok('push', '--quiet', 'origin', `${small}:refs/heads/moved`)
  await git.ok('push', '--quiet', 'origin', ':refs/heads/other')
  const file = { content: Buffer.from('more').toString('base64'), message: 'more' }
  const { status } = await forge.call('bob', 'POST', '/repos/bob/full/contents/more', file)
  assert.equal(status, 413)
  assert.equal(
    (await forge.call('bob', 'POST', '/repos/bob/full/wiki/new', { title: 'Home', content_base64: '' }))
      .status,
    413,
  )
  await assertRight('refusals')
})

test('of two uploads at the same time one gets the last bytes', async () => {
  await make('ann', 'files')
  await forge.call('ann', 'POST', '/repos/ann/files/issues', { title: 'one' })
  await forge.call('ann', 'POST', '/repos/ann/files/issues', { title: 'two' })
  await limit('ann', 'attachments', 1.5 * KIB)
  const both = await Promise.all([1, 2].map((n) => attach('ann', `/repos/ann/files/issues/${n}`, KIB)))
  assert.deepEqual(both.map(({ status }) => status).toSorted(), [201, 413])
  await limit('ann', 'packages', 1.5 * KIB)
  const put = (name: string) =>
    send(forge, 'ann', 'PUT', `/api/packages/ann/generic/${name}/1/a`, { body: text(KIB) })
  const statuses = (await Promise.all([put('one'), put('two')])).map(({ status }) => status)
  assert.deepEqual(statuses.toSorted(), [201, 403])
  await assertRight('refusals')
})

test('a repository is neither transferred nor forked to an owner without room', async () => {
  await make('ann', 'heavy')
  await limit('eve', 'git', 10)
  assert.equal((await forge.call('eve', 'POST', '/repos/ann/heavy/forks', {})).status, 413)
  await forge.call('ann', 'POST', '/repos/ann/heavy/transfer', { new_owner: 'eve' })
  assert.equal((await forge.call('eve', 'POST', '/repos/ann/heavy/transfer/accept')).status, 403)
  assert.equal((await forge.call('ann', 'GET', '/repos/ann/heavy')).body.owner.login, 'ann')
  await limit('eve', 'git', KIB * KIB)
  assert.equal((await forge.call('eve', 'POST', '/repos/ann/heavy/transfer/accept')).status, 202)
  await assertRight('a transfer')
})

test('the setting limits the repositories of owners without a limit of their own', async () => {
  const statuses: number[] = []
  for (let i = 0; i < 11; i++)
    statuses.push((await forge.call('ann', 'POST', '/user/repos', { name: `many-${i}` })).status)
  assert.equal(statuses.at(-1), 403)
  assert.equal(statuses[0], 201)
})
