/** Undeleting a repository over REST and from the command line. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { sweepStorages, UNDO_MS } from '#git'
import { assertIndexed, type Forge, GitClient, insertMany, startForge } from '#testing'
import { selectDeletedCalled, selectLatest } from './deleted-store.ts'

const run = promisify(execFile)
const MAIN = join(import.meta.dirname, '../../../../main.ts')

let forge: Forge
before(async () => {
  forge = await startForge()
  await forge.person('ann')
  await forge.person('bob')
  await forge.person('root', { is_admin: true })
  await forge.call('ann', 'POST', '/orgs', { username: 'ironworks' })
})
after(() => forge[Symbol.asyncDispose]())

const DELETED = '/admin/deleted-repositories'
const create = (as: string, body: object) => forge.call(as, 'POST', '/user/repos', body)
const remove = async (path: string) =>
  assert.equal((await forge.call('root', 'DELETE', `/repos/${path}`)).status, 204)
const undelete = (id: number, body: object = {}) =>
  forge.call('root', 'POST', `${DELETED}/${id}/undelete`, body)

test('an undeleted repository has its id, code, wiki, record and settings again', async () => {
  const { body: made } = await create('ann', {
    name: 'anvil',
    private: true,
    description: 'heavy',
    auto_init: true,
  })
  const edits = {
    website: 'https://anvil.example',
    allow_rebase: false,
    has_projects: false,
    archived: false,
  }
  assert.equal((await forge.call('ann', 'PATCH', '/repos/ann/anvil', edits)).status, 200)
  await forge.call('ann', 'PUT', '/repos/ann/anvil/topics', { topics: ['forging', 'iron'] })
  const page = { title: 'Home', content_base64: Buffer.from('hot').toString('base64') }
  assert.equal((await forge.call('ann', 'POST', '/repos/ann/anvil/wiki/new', page)).status, 201)
  await using client = await GitClient.open(forge, 'ann', 'ann/anvil')
  await client.ok('fetch', '--quiet', 'origin')
  await client.ok('reset', '--hard', 'origin/main')
  const tip = await client.commit('face.txt', 'flat')
  await client.ok('tag', 'v1')
  await client.ok('push', '--quiet', 'origin', 'HEAD:main', 'HEAD:refs/heads/side', 'v1')
  await forge.runJobs()
  const { body: was } = await forge.call('ann', 'GET', '/repos/ann/anvil')
  await remove('ann/anvil')
  await forge.runJobs()
  assert.equal((await forge.call('ann', 'GET', '/repos/ann/anvil')).status, 404)
  const { body: list, headers } = await forge.call('root', 'GET', DELETED)
  assert.equal(headers.get('x-total-count'), '1')
  assert.deepEqual(
    [list[0].id, list[0].full_name, list[0].private, list[0].description, list[0].size],
    [made.id, 'ann/anvil', true, 'heavy', was.size],
  )
  assert.equal(Date.parse(list[0].kept_until) - Date.parse(list[0].deleted_at), UNDO_MS)

  const back = await undelete(made.id)
  assert.equal(back.status, 201)
  const { body: is } = await forge.call('ann', 'GET', '/repos/ann/anvil')
  // Watches are not restored, and `updated_at` is the time of the undelete.
  assert.deepEqual({ ...is, updated_at: was.updated_at }, { ...was, watchers_count: 0 })
  assert.match(await client.ok('ls-remote', 'origin'), new RegExp(`${tip}\trefs/heads/side[^]*refs/tags/v1`))
  await using clone = await GitClient.open(forge, 'ann', 'ann/anvil')
  await clone.ok('fetch', '--quiet', 'origin', 'side')
  assert.equal(await clone.ok('rev-parse', 'FETCH_HEAD'), tip)
  assert.equal((await forge.call('ann', 'GET', '/repos/ann/anvil/wiki/page/Home')).status, 200)
  assert.equal((await forge.call('bob', 'GET', '/repos/ann/anvil')).status, 404, 'it is as private as it was')
  assert.equal((await undelete(made.id)).status, 404, 'twice')
  assert.deepEqual((await forge.call('root', 'GET', DELETED)).body, [])
  await client.commit('more.txt', 'more')
  await client.ok('push', '--quiet', 'origin', 'HEAD:main')
  const { body: ann } = await forge.call('root', 'GET', '/users/ann')
  const { repositories } = await forge.db
    .selectFrom('account_count')
    .select('repositories')
    .where('account_id', '=', ann.id)
    .executeTakeFirstOrThrow()
  assert.equal(repositories, 1)
})

test('only site administrators can list and undelete deleted repositories', async () => {
  const { body: made } = await create('ann', { name: 'shy' })
  await remove('ann/shy')
  for (const [as, status] of [
    ['ann', 403],
    [null, 401],
  ] as const) {
    assert.equal((await forge.call(as, 'GET', DELETED)).status, status)
    assert.equal((await forge.call(as, 'POST', `${DELETED}/${made.id}/undelete`, {})).status, status)
  }
  for (const path of ['/repos/ann/shy', `/repositories/${made.id}`])
    assert.equal((await forge.call('root', 'GET', path)).status, 404)
})

test('undelete is refused with 409 while the name is taken, and works with another name', async () => {
  const { body: old } = await create('ann', { name: 'tongs', description: 'old' })
  await remove('ann/tongs')
  await create('ann', { name: 'Tongs', description: 'new' })
  assert.equal((await undelete(old.id)).status, 409)
  assert.equal((await undelete(old.id, { name: 'a b' })).status, 422)
  const back = await undelete(old.id, { name: 'old-tongs' })
  assert.deepEqual([back.status, back.body.full_name, back.body.description], [201, 'ann/old-tongs', 'old'])
  assert.equal((await forge.call('ann', 'GET', '/repos/ann/tongs')).body.description, 'new')
})

test('forks are reattached, and a fork published meanwhile becomes private if its base is', async () => {
  const { body: root } = await create('ann', { name: 'family', auto_init: true, private: true })
  await forge.call('ann', 'PUT', '/repos/ann/family/collaborators/bob', { permission: 'read' })
  assert.equal((await forge.call('bob', 'POST', '/repos/ann/family/forks', {})).status, 202)
  await remove('ann/family')
  const alone = await forge.call('bob', 'PATCH', '/repos/bob/family', { private: false })
  assert.deepEqual([alone.body.private, alone.body.parent], [false, null])
  assert.equal((await undelete(root.id)).body.forks_count, 1)
  const { body: fork } = await forge.call('root', 'GET', '/repos/bob/family')
  assert.deepEqual([fork.private, fork.parent.full_name], [true, 'ann/family'])
})

test('an undeleted fork is counted by its parent, and has no parent if that is deleted', async () => {
  const { body: root } = await create('ann', { name: 'stem', auto_init: true })
  const { body: fork } = await forge.call('bob', 'POST', '/repos/ann/stem/forks', {})
  await remove('bob/stem')
  assert.equal((await forge.call('bob', 'GET', '/repos/ann/stem')).body.forks_count, 0)
  assert.equal((await undelete(fork.id)).body.parent.id, root.id)
  assert.equal((await forge.call('bob', 'GET', '/repos/ann/stem')).body.forks_count, 1)
  await remove('bob/stem')
  await remove('ann/stem')
  assert.equal((await undelete(fork.id)).body.parent, null)
})

test('an undeleted mirror is an ordinary repository: its source and credentials are gone', async () => {
  const { body: made } = await create('ann', { name: 'echo' })
  await forge.db
    .updateTable('repository')
    .set({ is_mirror: true, mirror_interval_s: 600, mirror_next_at: forge.ctx.now() })
    .where('id', '=', made.id)
    .execute()
  assert.equal((await forge.call('ann', 'GET', '/repos/ann/echo')).body.mirror, true)
  await remove('ann/echo')
  const { body: back } = await undelete(made.id)
  assert.deepEqual([back.mirror, back.mirror_interval], [false, ''])
})

test('teams with all repositories get an undeleted one, and webhooks report deletion and undelete', async () => {
  const config = { url: 'http://127.0.0.1:9/', content_type: 'json' }
  const hook = { type: 'gitea', config, events: ['repository'], active: true }
  assert.equal((await forge.call('ann', 'POST', '/orgs/ironworks/hooks', hook)).status, 201)
  const { body: made } = await forge.call('ann', 'POST', '/orgs/ironworks/repos', { name: 'bellows' })
  await remove('ironworks/bellows')
  assert.equal((await undelete(made.id)).status, 201)
  const { body: teams } = await forge.call('ann', 'GET', '/repos/ironworks/bellows/teams')
  assert.deepEqual(
    teams.map(({ name }: { name: string }) => name),
    ['Owners'],
  )
  await forge.runJobs()
  const told = await forge.db
    .selectFrom('webhook_payload')
    .select('facts')
    .where('type', '=', 'repository')
    .orderBy('id')
    .execute()
  assert.deepEqual(
    told.map(({ facts }) => (facts as { action?: string }).action),
    ['created', 'deleted', 'created'],
  )
})

test('after the retention a deleted repository is neither listed nor undeletable, and is swept', async () => {
  const { body: made } = await create('bob', { name: 'rust' })
  await remove('bob/rust')
  forge.advance(UNDO_MS)
  assert.deepEqual((await forge.call('root', 'GET', DELETED)).body, [])
  assert.equal((await undelete(made.id)).status, 404)
  forge.advance(2 * 3_600_000)
  await sweepStorages(forge.ctx)
  assert.deepEqual(await forge.db.selectFrom('repository_deleted').select('id').execute(), [])
})

test('purging the owner removes the deleted repositories', async () => {
  await forge.person('cid')
  await create('cid', { name: 'gone' })
  assert.equal((await forge.call('root', 'DELETE', '/admin/users/cid?purge=true')).status, 204)
  assert.deepEqual((await forge.call('root', 'GET', DELETED)).body, [])
})

test('listing three deleted repositories takes as many queries as listing one', async () => {
  const list = () => forge.countQueries(() => forge.call('root', 'GET', DELETED))
  for (const name of ['one']) await create('ann', { name }).then(() => remove(`ann/${name}`))
  const few = await list()
  for (const name of ['two', 'three']) await create('bob', { name }).then(() => remove(`bob/${name}`))
  assert.equal(await list(), few)
})

test('the list and the lookup by name use indexes', async () => {
  const { id } = await forge.person('dora')
  await insertMany(
    forge.db,
    sql`with made as (insert into git_storage (object_format, head, created_at)
      select 'sha1', 'refs/heads/main', now() from generate_series(1, 20000) returning id)
    insert into repository_deleted (id, owner_id, storage_id, name, name_key, record, deleted_at)
      select 1000000 + id, ${id}, id, 'n' || id, 'n' || id, '{}', '2020-01-01' from made`,
  )
  await sql`analyze repository_deleted, git_storage`.execute(forge.db)
  await assertIndexed(forge.db, selectDeletedCalled(forge.ctx, 'ann', 'one'), 'repository_deleted')
  await assertIndexed(forge.db, selectLatest(forge.ctx).limit(10).offset(0), 'repository_deleted')
})

test('the command line lists deleted repositories and undeletes by name or id', async () => {
  const config = forge.world.config
  // The command runs on the real clock, so the forge's clock is set to it.
  forge.advance(performance.timeOrigin + performance.now() - forge.ctx.now().getTime())
  const folder = await mkdtemp(join(tmpdir(), 'bloomery-undelete-'))
  const bloomery = (...args: string[]) =>
    run(process.execPath, [MAIN, 'repository', ...args], {
      cwd: folder,
      env: {
        PATH: process.env.PATH ?? '',
        BLOOMERY_DATABASE_URL: config['database.url'],
        BLOOMERY_STORE_DRIVER: 'disk',
        BLOOMERY_STORE_FOLDER: folder,
        BLOOMERY_GIT_CACHE_FOLDER: folder,
        BLOOMERY_SECRETS_KEYS: randomBytes(32).toString('base64'),
      },
    })
  try {
    const { body: first } = await create('ann', { name: 'twice', description: 'first' })
    await remove('ann/twice')
    forge.advance(1000)
    await create('ann', { name: 'twice', description: 'second' })
    await remove('ann/twice')
    const { stdout } = await bloomery('deleted')
    assert.match(stdout, new RegExp(`"id":${first.id},"full_name":"ann/twice"`))
    await bloomery('undelete', 'Ann/Twice')
    assert.equal((await forge.call('ann', 'GET', '/repos/ann/twice')).body.description, 'second')
    await assert.rejects(bloomery('undelete', 'ann/twice'), /same name already exists/)
    await assert.rejects(bloomery('undelete', 'ann/nothing'), /deleted repository/)
    const { stderr } = await bloomery('undelete', String(first.id), '--as', 'once')
    assert.match(stderr, /ann\/once/)
    assert.equal((await forge.call('ann', 'GET', '/repos/ann/once')).body.description, 'first')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
