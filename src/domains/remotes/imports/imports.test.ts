/** Imports and mirrors: all or nothing, one per name, pull and push mirrors, and no access to private networks. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Forge, GitClient, startForge } from '#testing'
import { claimImport, getImport } from './orders/store.ts'

let forge: Forge
let tip = ''
before(async () => {
  forge = await startForge({ config: { 'log.level': 'silent', 'outbound.allow_private': true } })
  for (const name of ['ann', 'bob']) await forge.person(name)
  await forge.person('root', { is_admin: true })
  await forge.call('ann', 'POST', '/user/repos', { name: 'source' })
  await using client = await GitClient.open(forge, 'ann', 'ann/source')
  tip = await client.commit('a.txt', 'a')
  await client.ok('tag', 'v1')
  await client.ok('push', 'origin', 'main', 'v1')
})
after(() => forge[Symbol.asyncDispose]())

const urlOf = (path: string) => `${forge.base}/${path}.git`

async function migrate(as: string, body: Record<string, unknown>) {
  const asking = forge.call(as, 'POST', '/repos/migrate', { clone_addr: urlOf('ann/source'), ...body })
  return forge.withJobs(asking)
}

async function newestImport() {
  const { id } = await forge.db
    .selectFrom('import')
    .select('id')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  return getImport(forge.db, id)
}

test('an imported repository has its refs, counters, watcher and original URL', async () => {
  const { status, body } = await migrate('bob', { repo_name: 'copy', description: 'a copy' })
  assert.equal(status, 201)
  assert.equal(body.full_name, 'bob/copy')
  assert.equal(body.branch_count, 1)
  assert.equal(body.watchers_count, 1)
  assert.equal(body.original_url, urlOf('ann/source'))
  await using client = await GitClient.open(forge, 'bob', 'bob/copy')
  assert.equal(await client.remoteRef('refs/heads/main'), tip)
  assert.equal(await client.remoteRef('refs/tags/v1'), tip)
})

test('languages are computed after an import and after a mirror sync', async () => {
  await forge.call('ann', 'POST', '/user/repos', { name: 'tongues' })
  await using ann = await GitClient.open(forge, 'ann', 'ann/tongues')
  await ann.commit('main.go', 'package main')
  await ann.ok('push', '--quiet', 'origin', 'HEAD:main')
  await migrate('bob', { clone_addr: urlOf('ann/tongues'), repo_name: 'tongues', mirror: true })
  await forge.runJobs()
  const languages = async () => (await forge.call('bob', 'GET', '/repos/bob/tongues/languages')).body
  assert.deepEqual(await languages(), { Go: 12 })
  await ann.commit('main.py', 'pass')
  await ann.ok('push', '--quiet', 'origin', 'HEAD:main')
  await forge.call('bob', 'POST', '/repos/bob/tongues/mirror-sync')
  await forge.runJobs()
  assert.deepEqual(await languages(), { Go: 12, Python: 4 })
})

test('an imported repository has the default webhooks at once', async () => {
  const config = { url: 'http://hooks.example.test/', content_type: 'json' }
  const { body: hook } = await forge.call('root', 'POST', '/admin/hooks', { type: 'gitea', config })
  await migrate('bob', { repo_name: 'hooked' })
  assert.equal((await forge.call('bob', 'GET', '/repos/bob/hooked/hooks')).body.length, 1)
  await forge.call('root', 'DELETE', `/admin/hooks/${hook.id}`)
})

test('a failed import leaves nothing and can be repeated at once', async () => {
  const broken = await migrate('bob', { repo_name: 'lost', clone_addr: urlOf('ann/nothing') })
  assert.equal(broken.status, 422)
  assert.equal((await forge.call('bob', 'GET', '/repos/bob/lost')).status, 404)
  assert.equal((await migrate('bob', { repo_name: 'lost' })).status, 201)
})

test('a taken name is refused before the source is called', async () => {
  const { status } = await migrate('bob', { repo_name: 'lost', clone_addr: urlOf('ann/nothing') })
  assert.equal(status, 409)
})

test('a worker that was presumed dead cannot finish its import: the later one wins', async () => {
  const asked = forge.call('bob', 'POST', '/repos/migrate', {
    clone_addr: urlOf('ann/source'),
    repo_name: 'twice',
  })
  while ((await newestImport()).name_key !== 'twice') await new Promise((resolve) => setTimeout(resolve, 20))
  const first = await newestImport()
  await forge.db.transaction().execute((tx) => claimImport(tx, first.id))
  // bob sends the request again while the first worker hangs.
  const { status } = await migrate('bob', { repo_name: 'twice' })
  assert.equal(status, 201)
  assert.equal((await asked).status, 409)
  assert.equal((await getImport(forge.db, first.id)).state, 'cancelled')
  assert.equal((await newestImport()).state, 'done')
})

const LOSSES: [what: string, lose: () => Promise<unknown>][] = [
  ['owns the organization no longer', () => forge.call('ann', 'DELETE', '/orgs/mill/members/bob')],
  ['is prohibited from signing in', () => patchBob({ prohibit_login: true })],
]

for (const [index, [what, lose]] of LOSSES.entries())
  test(`an import is not created if its requester ${what} when it completes`, async () => {
    await forge.call('ann', 'POST', '/orgs', { username: 'mill' })
    const teams = await forge.call('ann', 'GET', '/orgs/mill/teams')
    await forge.call('ann', 'PUT', `/teams/${teams.body[0].id}/members/bob`)
    const repo_name = `late-${index}`
    const asked = { clone_addr: urlOf('ann/source'), repo_name, repo_owner: 'mill' }
    const asking = forge.call('bob', 'POST', '/repos/migrate', asked)
    while ((await newestImport()).name_key !== repo_name)
      await new Promise((resolve) => setTimeout(resolve, 20))
    await lose()
    await forge.runJobs()
    assert.equal((await asking).status, 403)
    assert.equal((await newestImport()).state, 'failed')
    assert.equal((await forge.call('ann', 'GET', `/repos/mill/${repo_name}`)).status, 404)
    await patchBob({ prohibit_login: false })
  })

function patchBob(facts: object) {
  return forge.call('root', 'PATCH', '/admin/users/bob', { login_name: 'bob', source_id: 0, ...facts })
}

test('credentials of a source are stored sealed and never returned', async () => {
  await forge.call('ann', 'POST', '/user/repos', { name: 'closed', private: true })
  const asked = { clone_addr: urlOf('ann/closed'), auth_username: 'ann', auth_password: forge.tokenOf('ann') }
  const { status, body } = await migrate('bob', { ...asked, repo_name: 'opened' })
  assert.equal(status, 201)
  assert.ok(!JSON.stringify(body).includes(forge.tokenOf('ann')))
  const row = await newestImport()
  assert.ok(!JSON.stringify(row).includes(forge.tokenOf('ann')))
})

test('a mirror follows its source, refuses pushes, and pauses when its interval is 0', async () => {
  const { body } = await migrate('bob', { repo_name: 'mirror', mirror: true, mirror_interval: '1h' })
  assert.equal(body.mirror_interval, '1h0m0s')
  assert.match(body.mirror_last_sync_at, /^\d{4}-/, 'the import is the first sync')
  await using ann = await GitClient.open(forge, 'ann', 'ann/source')
  await ann.ok('pull', '--quiet', 'origin', 'main')
  const later = await ann.commit('b.txt', 'b')
  await ann.ok('push', 'origin', 'main', 'main:refs/heads/next')
  await using bob = await GitClient.open(forge, 'bob', 'bob/mirror')
  const syncDue = async () => {
    forge.advance(3_600_001)
    for (const task of forge.work.tasks) if (task.name === 'update_mirrors') await task.run(forge.ctx)
    await forge.runJobs()
  }
  const quarantine = (quarantine_reason: string | null) =>
    forge.db.updateTable('repository').set({ quarantine_reason }).where('name', '=', 'mirror').execute()
  await quarantine('spam')
  await syncDue()
  await quarantine(null)
  assert.equal(await bob.remoteRef('refs/heads/next'), '', 'a quarantined mirror follows nothing')
  await syncDue()
  assert.equal(await bob.remoteRef('refs/heads/next'), later)
  assert.equal((await forge.call('bob', 'GET', '/repos/bob/mirror')).body.branch_count, 2)
  await bob.commit('mine.txt', 'mine')
  const { code, output } = await bob.run('push', 'origin', 'main:refs/heads/mine')
  assert.notEqual(code, 0)
  assert.match(output, /mirror/)
  const rest = await forge.call('bob', 'PATCH', '/repos/bob/mirror', { mirror_interval: '0' })
  assert.equal(rest.body.mirror_interval, '0s')
  forge.advance(365 * 24 * 3_600_000)
  await ann.ok('push', 'origin', ':next')
  for (const task of forge.work.tasks) if (task.name === 'update_mirrors') await task.run(forge.ctx)
  await forge.runJobs()
  assert.equal(await bob.remoteRef('refs/heads/next'), later)
})

test('a pull request version fetched by a mirror has no pusher', async () => {
  await forge.call('ann', 'POST', '/user/repos', {
    name: 'upstream',
    auto_init: true,
    default_branch: 'main',
  })
  await using ann = await GitClient.open(forge, 'ann', 'ann/upstream')
  await ann.ok('pull', '--quiet', 'origin', 'main')
  await ann.commit('topic.txt', 'first')
  await ann.ok('push', '--quiet', 'origin', 'HEAD:topic')
  await migrate('bob', { clone_addr: urlOf('ann/upstream'), repo_name: 'downstream', mirror: true })
  await forge.call('ann', 'POST', '/repos/bob/downstream/forks', {})
  const root = '/repos/ann/downstream'
  const opened = await forge.call('bob', 'POST', `${root}/pulls`, {
    title: 'x',
    head: 'bob:topic',
    base: 'main',
  })
  assert.equal(opened.status, 201, JSON.stringify(opened.body))
  const later = await ann.commit('topic.txt', 'second')
  await ann.ok('push', '--quiet', 'origin', 'HEAD:topic')
  await forge.call('bob', 'POST', '/repos/bob/downstream/mirror-sync')
  await forge.runJobs()
  const { body } = await forge.call('bob', 'GET', `${root}/pulls/${opened.body.number}/versions`)
  assert.deepEqual([body.at(-1).sha, body.at(-1).pusher], [later, null])
})

test('the wiki is imported on request, a mirror follows it, and a source without a wiki is no error', async () => {
  const page = (as: string, path: string) => forge.call(as, 'GET', `/repos/${path}/wiki/page/Home`)
  const content_base64 = Buffer.from('first').toString('base64')
  await forge.call('ann', 'POST', '/repos/ann/source/wiki/new', { title: 'Home', content_base64 })
  for (const [repo_name, wiki, status] of [
    ['with', true, 200],
    ['without', false, 404],
  ] as const) {
    assert.equal((await migrate('bob', { repo_name, wiki })).status, 201)
    assert.equal((await page('bob', `bob/${repo_name}`)).status, status)
  }
  await forge.call('ann', 'POST', '/user/repos', { name: 'wikiless' })
  const none = await migrate('bob', { repo_name: 'none', clone_addr: urlOf('ann/wikiless'), wiki: true })
  assert.equal(none.status, 201)
  await migrate('bob', { repo_name: 'follower', mirror: true, mirror_interval: '1h', wiki: true })
  const edit = (as: string, path: string, text: string) =>
    forge.call(as, 'PATCH', `/repos/${path}/wiki/page/Home`, { content_base64: btoa(text) })
  assert.equal((await edit('bob', 'bob/with', 'mine')).status, 200)
  assert.equal((await edit('bob', 'bob/follower', 'mine')).status, 423)
  await edit('ann', 'ann/source', 'second')
  assert.equal((await forge.call('bob', 'POST', '/repos/bob/follower/mirror-sync')).status, 200)
  await forge.runJobs()
  assert.equal((await page('bob', 'bob/follower')).body.content_base64, btoa('second'))
  assert.equal((await page('bob', 'bob/with')).body.content_base64, btoa('mine'))
})

test('a push mirror forwards every push', async () => {
  await forge.call('ann', 'POST', '/user/repos', { name: 'target' })
  const { status } = await forge.call('ann', 'POST', '/repos/ann/source/push_mirrors', {
    remote_address: urlOf('ann/target'),
    remote_username: 'ann',
    remote_password: forge.tokenOf('ann'),
    sync_on_commit: true,
  })
  assert.equal(status, 200)
  await using ann = await GitClient.open(forge, 'ann', 'ann/source')
  await ann.ok('pull', '--quiet', 'origin', 'main')
  const pushed = await ann.commit('c.txt', 'c')
  await ann.ok('push', 'origin', 'main')
  await forge.runJobs()
  await using target = await GitClient.open(forge, 'ann', 'ann/target')
  assert.equal(await target.remoteRef('refs/heads/main'), pushed)
  const list = await forge.call('ann', 'GET', '/repos/ann/source/push_mirrors')
  assert.equal(list.body[0].last_error, '')
  assert.notEqual(list.body[0].last_update, null)
})

test('imports from and push mirrors to private networks are refused unless allowed', async () => {
  await using guarded = await startForge({ config: { 'log.level': 'silent' } })
  await guarded.person('eve')
  await guarded.call('eve', 'POST', '/user/repos', { name: 'own' })
  for (const address of [
    'http://127.0.0.1/a.git',
    'http://localhost:22/a.git',
    'http://169.254.169.254/latest',
    'http://[::1]/a.git',
    'http://10.0.0.1/a.git',
    'http://0x7f000001/a.git',
    'file:///etc',
    '/etc',
    'git://example.org/a.git',
    'ssh://git@example.org/a.git',
  ]) {
    const body = { clone_addr: address, repo_name: 'x' }
    assert.equal((await guarded.call('eve', 'POST', '/repos/migrate', body)).status, 422, address)
    const lfs = { clone_addr: 'http://1.1.1.1/a.git', repo_name: 'x', lfs: true, lfs_endpoint: address }
    assert.equal((await guarded.call('eve', 'POST', '/repos/migrate', lfs)).status, 422, `LFS: ${address}`)
    const target = { remote_address: address, interval: '8h' }
    const { status } = await guarded.call('eve', 'POST', '/repos/eve/own/push_mirrors', target)
    assert.ok(status === 400 || status === 422, `${address}: ${status}`)
  }
  assert.equal((await guarded.db.selectFrom('import').select('id').execute()).length, 0)
})
