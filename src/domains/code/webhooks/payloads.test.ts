/** Webhook payloads, from a real push to a real receiver. */
import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { emit } from '#events'
import { transact } from '#platform/context'
import { type Forge, GitClient, startForge } from '#testing'
import { Receiver } from '#testing/slices/webhooks'
import { commitPlainly, makeWorkTree, publishWritten } from '../../../git/testing.ts'

let forge: Forge
let receiver: Receiver
let git: GitClient
const ZERO = '0'.repeat(40)

before(async () => {
  receiver = await Receiver.open()
  forge = await startForge({ config: { 'outbound.allow_private': true } })
  await forge.person('root', { is_admin: true })
  await forge.person('ann')
  await forge.person('bob')
  await forge.call('ann', 'POST', '/user/repos', { name: 'anvil' })
  await forge.runJobs()
  await hookAt('ann', '/repos/ann/anvil/hooks', [
    'push',
    'create',
    'delete',
    'fork',
    'repository',
    'release',
    'wiki',
    'status',
  ])
  git = await GitClient.open(forge, 'ann', 'ann/anvil')
})
after(async () => {
  await git[Symbol.asyncDispose]()
  await forge[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
})
beforeEach(() => {
  receiver.received.length = 0
})

async function hookAt(as: string, root: string, events: string[], extra: object = {}): Promise<number> {
  const config = { url: receiver.url, content_type: 'json', ...(extra as { config?: object }).config }
  const hook = { type: 'gitea', active: true, events, ...extra, config }
  const { status, body } = await forge.call(as, 'POST', root, hook)
  assert.ok(status < 300, JSON.stringify(body))
  return body.id
}

async function told() {
  await forge.runJobs()
  return receiver.received.map(({ headers, body }) => ({
    type: String(headers['x-gitea-event-type']),
    target: String(headers['x-gitea-hook-installation-target-type']),
    body: JSON.parse(body),
  }))
}

test('the first push sends create and push events with its commits', async () => {
  const first = await git.commit('README.md', 'hello')
  await git.ok('push', '--quiet', 'origin', 'main')
  const [create, push] = await told()
  assert.equal(create?.type, 'create')
  const { repository, sender, ...made } = create?.body ?? {}
  assert.deepEqual(made, { sha: first, ref: 'main', ref_type: 'branch' })
  assert.equal(repository.full_name, 'ann/anvil')
  assert.deepEqual(repository.permissions, { admin: false, push: false, pull: false })
  assert.equal(sender.login, 'ann')

  assert.equal(push?.type, 'push')
  const { body } = push ?? {}
  assert.deepEqual([body.ref, body.before, body.after], ['refs/heads/main', ZERO, first])
  assert.equal(body.total_commits, 1)
  assert.equal(body.compare_url, 'http://forge.test/')
  assert.deepEqual(body.head_commit, body.commits[0])
  const { timestamp, ...commit } = body.commits[0]
  assert.match(timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)$/)
  const person = { name: 'Ann', email: 'ann@example.test', username: 'ann' }
  assert.deepEqual(commit, {
    id: first,
    message: 'README.md: hello\n',
    url: `http://forge.test/ann/anvil/commit/${first}`,
    author: person,
    committer: person,
    verification: null,
    added: ['README.md'],
    removed: [],
    modified: [],
  })
  assert.deepEqual(body.repository.permissions, { admin: true, push: true, pull: true })
  assert.deepEqual([body.pusher.login, body.sender.login], ['ann', 'ann'])
})

test('a push event has the last five commits, their total, and the files that each changes', async () => {
  const before = await git.ok('rev-parse', 'HEAD')
  for (let i = 0; i < 5; i++) await git.commit('count.txt', String(i))
  await rm(join(git.folder, 'README.md'))
  await git.commit('new.txt', 'completely different')
  await git.ok('mv', 'new.txt', 'moved.txt')
  const last = await git.commit('count.txt', 'end')
  await git.ok('push', '--quiet', 'origin', 'main')
  const [push, ...rest] = await told()
  assert.deepEqual(rest, [])
  const { body } = push ?? {}
  assert.deepEqual([body.before, body.after, body.total_commits], [before, last, 7])
  assert.equal(body.commits.length, 5)
  assert.equal(body.compare_url, `http://forge.test/ann/anvil/compare/${before}...${last}`)
  const changes = body.commits.map((it: Record<string, string[]>) => [it.added, it.removed, it.modified])
  assert.deepEqual(changes[0], [['moved.txt'], ['new.txt'], ['count.txt']])
  assert.deepEqual(changes[1], [['new.txt'], ['README.md'], []])
  assert.deepEqual(changes[2], [[], [], ['count.txt']])
})

test('deleting a branch sends a delete event; a tag sends create, push and delete events', async () => {
  const head = await git.ok('rev-parse', 'HEAD')
  await git.ok('tag', '--annotate', '--message', 'one', 'v1')
  const tag = await git.ok('rev-parse', 'v1')
  await git.ok('push', '--quiet', 'origin', 'HEAD:refs/heads/side', 'v1')
  const came = await told()
  assert.deepEqual(came.map(({ type, body }) => [type, body.ref]).sort(), [
    ['create', 'side'],
    ['create', 'v1'],
    ['push', 'refs/heads/side'],
    ['push', 'refs/tags/v1'],
  ])
  const ofTag = came.find(({ body }) => body.ref === 'refs/tags/v1')?.body
  assert.deepEqual([ofTag.before, ofTag.after, ofTag.commits, ofTag.total_commits], [ZERO, tag, [], 0])
  assert.equal(ofTag.head_commit.id, head)
  const ofBranch = came.find(({ body }) => body.ref === 'refs/heads/side')?.body
  assert.deepEqual([ofBranch.total_commits, ofBranch.commits.length], [8, 5])
  assert.equal(ofBranch.compare_url, `http://forge.test/ann/anvil/compare/main...${head}`)

  receiver.received.length = 0
  await git.ok('push', '--quiet', 'origin', '--delete', 'side', 'v1')
  const went = await told()
  assert.deepEqual(went.map(({ type, body }) => [type, body.ref]).sort(), [
    ['delete', 'side'],
    ['delete', 'v1'],
    ['push', 'refs/tags/v1'],
  ])
  const gone = went.find(({ type }) => type === 'push')?.body
  assert.deepEqual([gone.before, gone.after, gone.head_commit, gone.commits], [tag, ZERO, null, []])
  const deleted = went.find(({ body }) => body.ref === 'side')?.body
  assert.deepEqual([deleted.ref_type, deleted.pusher_type], ['branch', 'user'])
})

test('commits that git cannot read are left out of the payload', async () => {
  const { body: repo } = await forge.call('ann', 'GET', '/repos/ann/anvil')
  const head = await git.ok('rev-parse', 'HEAD')
  const treeless = await publishTreeless(repo.id)
  for (const [name, old, oid] of [
    ['treeless', ZERO, treeless],
    ['moved', head, treeless],
    ['gone', ZERO, 'dead'.repeat(10)],
  ] as const) {
    receiver.received.length = 0
    const updates = [{ name: `refs/heads/${name}`, old, new: oid }]
    const event = {
      repository_id: repo.id,
      cause: 'push' as const,
      actor_id: repo.owner.id,
      deploy_key_id: null,
      updates,
    }
    await transact(forge.ctx, (ctx) => emit(ctx, 'refs.moved', event))
    const push = (await told()).find(({ type }) => type === 'push')?.body
    assert.deepEqual([push.ref, push.before, push.after], [`refs/heads/${name}`, old, oid])
    assert.deepEqual([push.commits, push.total_commits, push.head_commit], [[], 0, null])
  }
})

/** Publishes a commit without its tree, which no push could do. */
async function publishTreeless(repositoryId: number): Promise<string> {
  const { storage_id } = await forge.db
    .selectFrom('repository')
    .select('storage_id')
    .where('id', '=', repositoryId)
    .executeTakeFirstOrThrow()
  await using work = await makeWorkTree()
  await work.write('a.txt', 'a')
  const oid = await work.commit('treeless')
  const name = await work.feed(`${oid}\n`, 'pack-objects', '--quiet', 'pack')
  const updates = [{ name: 'refs/heads/treeless', old: ZERO, new: oid, peeled: null }]
  const written = await publishWritten(forge.ctx, storage_id, join(work.folder, `pack-${name}`), updates)
  await commitPlainly(forge.ctx, { storageId: storage_id, updates, isAtomic: true, written })
  return oid
}

test('a branch filter selects branches, and a test delivery ignores the filter', async () => {
  const hook = await hookAt('ann', '/repos/ann/anvil/hooks', ['push'], {
    branch_filter: 'release/*',
    config: { url: `${receiver.url}/filtered` },
  })
  const filtered = () => receiver.received.filter(({ path }) => path.endsWith('/filtered'))
  await git.commit('count.txt', 'filtered')
  await git.ok('push', '--quiet', 'origin', 'main', 'HEAD:refs/heads/release/1')
  await forge.runJobs()
  assert.deepEqual(
    filtered().map(({ body }) => JSON.parse(body).ref),
    ['refs/heads/release/1'],
  )

  const head = await git.ok('rev-parse', 'HEAD')
  const path = `/repos/ann/anvil/hooks/${hook}/tests`
  assert.equal((await forge.call('ann', 'POST', path)).status, 204)
  assert.equal((await forge.call('ann', 'POST', `${path}?ref=nowhere`)).status, 404)
  assert.equal((await forge.call('bob', 'POST', path)).status, 403)
  await forge.runJobs()
  const tried = JSON.parse(filtered()[1]?.body ?? '')
  assert.deepEqual([tried.ref, tried.before, tried.after], ['refs/heads/main', head, head])
  assert.deepEqual([tried.total_commits, tried.commits[0].id, tried.head_commit.id], [1, head, head])
  await forge.call('ann', 'DELETE', `/repos/ann/anvil/hooks/${hook}`)
})

test('organization and system hooks receive events of a repository, each with its own target type', async () => {
  await forge.call('ann', 'POST', '/orgs', { username: 'guild' })
  await hookAt('ann', '/orgs/guild/hooks', ['repository'])
  await hookAt('root', '/admin/hooks', ['repository'], { config: { is_system_webhook: 'true' } })
  await forge.call('ann', 'POST', '/orgs/guild/repos', { name: 'tongs' })
  const came = await told()
  assert.deepEqual(came.map(({ target }) => target).sort(), ['organization', 'system'])
  assert.deepEqual([came[0]?.body.action, came[0]?.body.organization.login], ['created', 'guild'])

  receiver.received.length = 0
  await forge.call('ann', 'DELETE', '/repos/guild/tongs')
  const went = await told()
  assert.deepEqual(went.map(({ target }) => target).sort(), ['organization', 'system'])
  assert.equal(went[0]?.body.action, 'deleted')
  assert.equal(went[0]?.body.repository.full_name, 'guild/tongs')
})

test('renaming and forking a repository send events', async () => {
  await forge.call('ann', 'PATCH', '/repos/ann/anvil', { name: 'hammer' })
  const renamed = (await told()).find(({ target }) => target === 'repository')
  assert.equal(renamed?.body.action, 'renamed')
  assert.equal(renamed?.body.changes.name.from, 'anvil')
  assert.equal(renamed?.body.repository.name, 'hammer')

  receiver.received.length = 0
  const { status } = await forge.call('bob', 'POST', '/repos/ann/hammer/forks', {})
  assert.equal(status, 202)
  const news = await told()
  assert.deepEqual(new Set(news.map(({ type }) => type)), new Set(['fork']))
  const forked = news.find(({ type }) => type === 'fork')
  assert.equal(forked?.body.forkee.full_name, 'ann/hammer')
  assert.equal(forked?.body.repository.full_name, 'bob/hammer')
  assert.equal(forked?.body.sender.login, 'bob')
})

test('releases, wiki pages and statuses send events with their records', async () => {
  const tip = await git.ok('rev-parse', 'HEAD')
  await forge.call('ann', 'POST', '/repos/ann/hammer/releases', { tag_name: 'v9', name: 'Nine' })
  await forge.call('ann', 'POST', `/repos/ann/hammer/statuses/${tip}`, { state: 'success', context: 'ci' })
  const content_base64 = Buffer.from('Hello').toString('base64')
  await forge.call('ann', 'POST', '/repos/ann/hammer/wiki/new', { title: 'Home', content_base64 })
  const news = await told()
  const of = (type: string) => news.find((it) => it.type === type)?.body
  assert.equal(of('release').action, 'published')
  assert.equal(of('release').release.tag_name, 'v9')
  assert.equal(of('release').sender.login, 'ann')
  assert.equal(of('status').state, 'success')
  assert.equal(of('status').commit.id, tip)
  assert.equal(of('wiki').page, 'Home')
  assert.equal(of('wiki').repository.full_name, 'ann/hammer')
})

test('a fork’s payload has its parent only while the owner of the fork may see it', async () => {
  await forge.call('ann', 'POST', '/user/repos', { name: 'secret', private: true, auto_init: true })
  await forge.call('ann', 'PUT', '/repos/ann/secret/collaborators/bob', { permission: 'read' })
  assert.equal((await forge.call('bob', 'POST', '/repos/ann/secret/forks', {})).status, 202)
  await hookAt('bob', '/repos/bob/secret/hooks', ['push'])
  const write = async (name: string) => {
    receiver.received.length = 0
    const content = Buffer.from(name).toString('base64')
    const { status } = await forge.call('bob', 'POST', `/repos/bob/secret/contents/${name}`, { content })
    assert.equal(status, 201)
    const [push] = (await told()).filter(({ body }) => body.repository.full_name === 'bob/secret')
    assert.deepEqual(push?.body.repository.permissions, { admin: true, push: true, pull: true })
    return push?.body.repository.parent?.full_name
  }
  assert.equal(await write('before'), 'ann/secret')
  await forge.call('ann', 'DELETE', '/repos/ann/secret/collaborators/bob')
  assert.equal(await write('after'), undefined)
})
