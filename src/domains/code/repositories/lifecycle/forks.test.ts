/** Forks and repositories generated from templates: shared content, counters and visibility. */
import assert from 'node:assert/strict'
import { chmod, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type Forge, GitClient, startForge } from '#testing'

let forge: Forge
before(async () => {
  forge = await startForge()
  for (const login of ['ann', 'bob', 'eve', 'mate']) await forge.person(login)
  await forge.person('root', { is_admin: true })
  await forge.call('bob', 'POST', '/orgs', { username: 'foundry' })
  await forge.call('ann', 'POST', '/orgs', { username: 'smithy' })
  await make('origin', { auto_init: true, description: 'first' })
})
after(() => forge[Symbol.asyncDispose]())

const make = (name: string, body: object = {}, as = 'ann') =>
  forge.call(as, 'POST', '/user/repos', { name, ...body })
const fork = (as: string | null, path: string, body: object = {}) =>
  forge.call(as, 'POST', `/repos/${path}/forks`, body)
const look = async (path: string, as: string | null = 'root') =>
  (await forge.call(as, 'GET', `/repos/${path}`)).body

test('a fork has and counts its parent’s branches and tags, and the parent counts the fork', async () => {
  await using git = await GitClient.open(forge, 'ann', 'ann/origin')
  await git.ok('pull', '--quiet', 'origin', 'main')
  await git.ok('tag', 'v1')
  await git.ok('push', '--quiet', 'origin', 'HEAD:refs/heads/other', 'v1')
  const made = await fork('bob', 'ann/origin')
  assert.deepEqual([made.status, made.body.fork, made.body.parent.full_name], [202, true, 'ann/origin'])
  const { branch_count, forks_count, watchers_count, size } = await look('bob/origin')
  assert.deepEqual([branch_count, forks_count, watchers_count], [2, 0, 1])
  assert.ok(size > 0)
  assert.equal((await look('ann/origin')).forks_count, 1)
  await using theirs = await GitClient.open(forge, 'bob', 'bob/origin')
  await theirs.ok('fetch', '--quiet', '--tags', 'origin', 'main', 'other')
  assert.equal(await theirs.ok('rev-parse', 'v1'), await git.ok('rev-parse', 'HEAD'))
  await theirs.ok('checkout', '--quiet', '-B', 'main', 'FETCH_HEAD')
  const mine = await theirs.commit('mine.txt', 'mine')
  await theirs.ok('push', '--quiet', 'origin', 'main')
  assert.notEqual(await git.remoteRef('refs/heads/main'), mine, 'what is pushed to a fork stays there')
})

for (const [what, as, path, body, status] of [
  ['nobody forks', null, 'ann/origin', {}, 401],
  ['a second fork', 'bob', 'ann/origin', { name: 'again' }, 409],
  ['a bad name', 'eve', 'ann/origin', { name: 'a b' }, 422],
  ['an organization of others', 'eve', 'ann/origin', { organization: 'smithy' }, 403],
  ['an organization that is not there', 'eve', 'ann/origin', { organization: 'none' }, 404],
  ['an own organization', 'bob', 'ann/origin', { organization: 'foundry', name: 'cast' }, 202],
  ['a fork of a fork', 'eve', 'bob/origin', { name: 'third' }, 202],
  ['a fork of one’s own', 'ann', 'ann/origin', { name: 'self' }, 202],
  ['a missing repository', 'eve', 'ann/none', {}, 404],
] as const)
  test(`creating a fork, ${what}: ${status}`, async () => {
    assert.equal((await fork(as, path, body)).status, status)
  })

test('a fork under a taken name is refused with 409 and not counted', async () => {
  await make('taken', {}, 'mate')
  const before = (await look('ann/origin')).forks_count
  assert.equal((await fork('mate', 'ann/origin', { name: 'taken' })).status, 409)
  assert.equal((await look('ann/origin')).forks_count, before)
})

test('a user blocked by the owner cannot fork', async () => {
  await make('guarded', { auto_init: true })
  await forge.call('ann', 'PUT', '/user/blocks/mate')
  assert.equal((await fork('mate', 'ann/guarded')).status, 403)
  await forge.call('ann', 'DELETE', '/user/blocks/mate')
})

test('of concurrent forks by one owner one succeeds, the others get 409', async () => {
  await make('popular', { auto_init: true })
  const made = await Promise.all([1, 2, 3, 4].map((n) => fork('eve', 'ann/popular', { name: `p${n}` })))
  assert.deepEqual(made.map(({ status }) => status).sort(), [202, 409, 409, 409])
  assert.equal((await look('ann/popular')).forks_count, 1)
})

test('a fork has its parent’s visibility and cannot change it on its own', async () => {
  await make('family', { auto_init: true })
  await fork('bob', 'ann/family')
  await fork('eve', 'bob/family')
  const isPrivate = async () =>
    Promise.all(['ann', 'bob', 'eve'].map(async (it) => (await look(`${it}/family`)).private))
  await forge.call('bob', 'PATCH', '/repos/bob/family', { private: true })
  assert.deepEqual(await isPrivate(), [false, false, false])
  await forge.call('ann', 'PATCH', '/repos/ann/family', { private: true })
  assert.deepEqual(await isPrivate(), [true, true, true])
  assert.equal((await forge.call('ann', 'GET', '/repos/bob/family')).status, 404)
  await forge.call('bob', 'PATCH', '/repos/bob/family', { private: false })
  assert.deepEqual(await isPrivate(), [true, true, true])
  await forge.call('ann', 'PATCH', '/repos/ann/family', { private: false })
  assert.deepEqual(await isPrivate(), [false, false, false])
})

test('a fork does not show a parent that the caller may not see', async () => {
  await make('mine', { auto_init: true, private: true })
  await forge.call('ann', 'PUT', '/repos/ann/mine/collaborators/bob', { permission: 'read' })
  const made = await fork('bob', 'ann/mine')
  assert.deepEqual([made.status, made.body.private, made.body.parent.name], [202, true, 'mine'])
  await forge.call('bob', 'PUT', '/repos/bob/mine/collaborators/eve', { permission: 'read' })
  const seen = await look('bob/mine', 'eve')
  assert.deepEqual([seen.fork, seen.parent], [true, null])
})

test('forks of a deleted parent become ordinary repositories; a deleted fork is not counted', async () => {
  await make('short', { auto_init: true })
  await fork('bob', 'ann/short')
  await fork('eve', 'ann/short')
  await forge.call('eve', 'DELETE', '/repos/eve/short')
  assert.equal((await look('ann/short')).forks_count, 1)
  await forge.call('ann', 'DELETE', '/repos/ann/short')
  const left = await look('bob/short')
  assert.deepEqual([left.fork, left.parent, left.branch_count], [false, null, 1])
  await using git = await GitClient.open(forge, 'bob', 'bob/short')
  await git.ok('fetch', '--quiet', 'origin', 'main')
})

test('merge-upstream fast-forwards, merges, or is refused with ff_only', async () => {
  await make('river', { auto_init: true })
  await fork('bob', 'ann/river')
  await using git = await GitClient.open(forge, 'ann', 'ann/river')
  await using theirs = await GitClient.open(forge, 'bob', 'bob/river')
  const catchUp = (as: string | null, body: object = {}) =>
    forge.call(as, 'POST', '/repos/bob/river/merge-upstream', { branch: 'main', ...body })
  assert.deepEqual((await catchUp('bob')).body, { merge_type: 'up-to-date' })
  await git.ok('pull', '--quiet', 'origin', 'main')
  const ahead = await git.commit('ahead.txt', 'ahead')
  await git.ok('push', '--quiet', 'origin', 'HEAD:main')
  assert.equal((await catchUp(null)).status, 401)
  assert.equal((await catchUp('eve')).status, 403)
  assert.deepEqual((await catchUp('bob')).body, { merge_type: 'fast-forward' })
  assert.equal(await theirs.remoteRef('refs/heads/main'), ahead)
  await theirs.ok('pull', '--quiet', 'origin', 'main')
  await theirs.commit('mine.txt', 'mine')
  await theirs.ok('push', '--quiet', 'origin', 'HEAD:main')
  assert.deepEqual((await catchUp('bob')).body, { merge_type: 'up-to-date' }, 'a fork may be ahead')
  await git.commit('more.txt', 'more')
  await git.ok('push', '--quiet', 'origin', 'HEAD:main')
  assert.equal((await catchUp('bob', { ff_only: true })).status, 400)
  assert.deepEqual((await catchUp('bob', { branch: '' })).body, { merge_type: 'merge' })
  await theirs.ok('pull', '--quiet', 'origin', 'main')
  assert.equal(await theirs.ok('ls-files'), 'README.md\nahead.txt\nmine.txt\nmore.txt')
  assert.equal((await catchUp('bob', { branch: 'none' })).status, 404)
  assert.equal((await forge.call('ann', 'POST', '/repos/ann/river/merge-upstream', {})).status, 400)
})

test('merge-upstream is refused with 403 when the caller may not read the parent', async () => {
  await make('well', { auto_init: true, private: true })
  await forge.call('ann', 'PUT', '/repos/ann/well/collaborators/bob', { permission: 'read' })
  await fork('bob', 'ann/well')
  await forge.call('ann', 'DELETE', '/repos/ann/well/collaborators/bob')
  assert.equal((await forge.call('bob', 'POST', '/repos/bob/well/merge-upstream', {})).status, 403)
  await make('pump', { auto_init: true })
  await fork('bob', 'ann/pump')
  await forge.call('ann', 'PATCH', '/repos/ann/pump', { has_code: false })
  assert.equal((await forge.call('bob', 'POST', '/repos/bob/pump/merge-upstream', {})).status, 403)
})

test('listing four forks takes as many queries as listing one', async () => {
  await make('few', { auto_init: true })
  await make('many', { auto_init: true })
  await fork('bob', 'ann/few')
  for (const as of ['bob', 'eve', 'mate', 'root']) await fork(as, 'ann/many')
  const list = (name: string) => forge.call(null, 'GET', `/repos/ann/${name}/forks`)
  assert.equal((await list('many')).body.length, 4)
  const cost = (name: string) => forge.countQueries(() => list(name))
  assert.equal(await cost('many'), await cost('few'))
})

test('a generated repository has the template’s tree, labels and topics, but not its history', async () => {
  await make('model', { auto_init: true, template: true, issue_labels: 'Default' })
  await forge.call('ann', 'PUT', '/repos/ann/model/topics', { topics: ['example'] })
  await using git = await GitClient.open(forge, 'ann', 'ann/model')
  await git.ok('pull', '--quiet', 'origin', 'main')
  const secret = await git.commit('secret.txt', 'was here once')
  await git.ok('rm', '--quiet', 'secret.txt')
  await writeFile(join(git.folder, 'run.sh'), '#!/bin/sh\n')
  await chmod(join(git.folder, 'run.sh'), 0o755)
  await symlink('run.sh', join(git.folder, 'link'))
  await git.commit('deep.txt', 'deep')
  await git.ok('push', '--quiet', 'origin', 'HEAD:main')
  const body = {
    owner: 'foundry',
    name: 'copy',
    git_content: true,
    labels: true,
    topics: true,
    private: true,
  }
  const made = await forge.call('bob', 'POST', '/repos/ann/model/generate', {
    ...body,
    default_branch: 'trunk',
  })
  assert.deepEqual([made.status, made.body.fork, made.body.default_branch], [201, false, 'trunk'])
  await using theirs = await GitClient.open(forge, 'bob', 'foundry/copy')
  await theirs.ok('pull', '--quiet', 'origin', 'trunk')
  assert.equal(await theirs.ok('log', '--format=%an %s'), 'bob Initial commit')
  assert.equal(await theirs.ok('rev-parse', 'HEAD^{tree}'), await git.ok('rev-parse', 'HEAD^{tree}'))
  assert.notEqual(
    (await theirs.run('fetch', '--quiet', 'origin', secret)).code,
    0,
    'its history is not there',
  )
  assert.deepEqual((await forge.call('bob', 'GET', '/repos/foundry/copy/topics')).body.topics, ['example'])
  assert.equal((await forge.call('bob', 'GET', '/repos/foundry/copy/labels')).body.length, 7)
})

test('branch protections are copied from a template on request, and languages are detected again', async () => {
  await forge.call('ann', 'POST', '/user/repos', { name: 'strict', template: true })
  await using git = await GitClient.open(forge, 'ann', 'ann/strict')
  await git.commit('main.go', 'package main')
  await git.ok('push', '--quiet', 'origin', 'HEAD:main')
  const rule = { rule_name: 'main', required_approvals: 2 }
  await forge.call('ann', 'POST', '/repos/ann/strict/branch_protections', rule)
  const generate = (body: object) =>
    forge.call('bob', 'POST', '/repos/ann/strict/generate', { owner: 'bob', git_content: true, ...body })
  assert.equal((await generate({ name: 'loose' })).status, 201)
  assert.equal((await generate({ name: 'tight', protected_branch: true })).status, 201)
  const rulesOf = async (name: string) =>
    (await forge.call('bob', 'GET', `/repos/bob/${name}/branch_protections`)).body
  assert.deepEqual(await rulesOf('loose'), [])
  const [copied] = await rulesOf('tight')
  assert.deepEqual([copied.rule_name, copied.required_approvals], ['main', 2])
  await forge.runJobs()
  assert.deepEqual((await forge.call('bob', 'GET', '/repos/bob/loose/languages')).body, { Go: 12 })
})

test('generate refuses a non-template, an empty selection and a foreign owner; an empty template works', async () => {
  await make('empty-model', { template: true })
  const generate = (path: string, body: object) => forge.call('bob', 'POST', `/repos/${path}/generate`, body)
  assert.equal((await generate('ann/origin', { owner: 'bob', name: 'x', git_content: true })).status, 422)
  assert.equal((await generate('ann/empty-model', { owner: 'bob', name: 'x' })).status, 422)
  assert.equal((await generate('ann/empty-model', { owner: 'eve', name: 'x', topics: true })).status, 403)
  assert.equal((await generate('ann/empty-model', { owner: 'smithy', name: 'x', topics: true })).status, 403)
  assert.equal((await generate('ann/empty-model', { owner: 'none', name: 'x', topics: true })).status, 404)
  const empty = await generate('ann/empty-model', { owner: 'bob', name: 'bare', git_content: true })
  assert.deepEqual([empty.status, empty.body.empty], [201, true])
})
