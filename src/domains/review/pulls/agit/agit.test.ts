/** Pull requests created by `git push` alone (AGit flow). */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Forge, GitClient, startForge } from '#testing'

let forge: Forge
let reader: GitClient
let writer: GitClient
before(async () => {
  forge = await startForge()
  for (const login of ['ann', 'eve', 'wes']) await forge.person(login)
  await forge.call('ann', 'POST', '/user/repos', { name: 'one', auto_init: true, default_branch: 'main' })
  await forge.call('ann', 'PUT', '/repos/ann/one/collaborators/wes', { permission: 'write' })
  await forge.call('ann', 'POST', '/repos/ann/one/branches', { new_branch_name: 'release/1' })
  reader = await GitClient.open(forge, 'eve', 'ann/one')
  writer = await GitClient.open(forge, 'wes', 'ann/one')
  for (const git of [reader, writer]) {
    await git.ok('fetch', '--quiet', 'origin')
    await git.ok('checkout', '--quiet', '-B', 'main', 'origin/main')
  }
})
after(async () => {
  await reader[Symbol.asyncDispose]()
  await writer[Symbol.asyncDispose]()
  await forge[Symbol.asyncDispose]()
})

const ROOT = '/repos/ann/one/pulls'
const listed = async () => (await forge.call(null, 'GET', `${ROOT}?state=all`)).body

test('a reader opens a pull request by pushing to refs/for, and pushes its next version', async () => {
  const first = await reader.commit('a.md', 'first')
  const said = await reader.ok('push', 'origin', 'HEAD:refs/for/main/topic')
  assert.match(said, /refs\/pull\/\d+\/head/)
  const [pull] = await listed()
  assert.deepEqual(
    [pull.title, pull.user.login, pull.base.ref, pull.head.label, pull.head.ref, pull.head.sha],
    ['a.md: first', 'eve', 'main', '', `refs/pull/${pull.number}/head`, first],
  )
  const second = await reader.commit('a.md', 'second')
  await reader.ok('push', '--quiet', 'origin', 'HEAD:refs/for/main/topic')
  assert.equal((await listed()).length, 1)
  assert.equal(await writer.remoteRef(`refs/pull/${pull.number}/head`), second)
  assert.equal(await writer.remoteRef(`refs/pull/${pull.number}/v/1`), first)
  await forge.runJobs()
  assert.equal((await forge.call(null, 'GET', `${ROOT}/${pull.number}`)).body.mergeable, true)
  // The push created no ref but the pull request's.
  assert.equal(await writer.remoteRef('refs/for/main/topic'), '')
})

test('a non-fast-forward push replaces the head only with -o force-push', async () => {
  await reader.ok('commit', '--quiet', '--amend', '--message', 'amended')
  const refused = await reader.run('push', 'origin', 'HEAD:refs/for/main/topic')
  assert.notEqual(refused.code, 0)
  assert.match(refused.output, /force-push/)
  await reader.ok('push', '--quiet', '-o', 'force-push=true', 'origin', 'HEAD:refs/for/main/topic')
  const [pull] = await listed()
  assert.equal(pull.head.sha, await reader.ok('rev-parse', 'HEAD'))
})

test('push options set title, description and topic, and a base branch may contain slashes', async () => {
  await reader.commit('b.md', 'more')
  await reader.ok(
    ...['push', '--quiet', '-o', 'topic=other', '-o', 'title=A title', '-o', 'description=A text'],
    ...['origin', 'HEAD:refs/for/release/1'],
  )
  const [pull] = await listed()
  assert.deepEqual([pull.title, pull.body, pull.base.ref], ['A title', 'A text', 'release/1'])
})

for (const [what, ref, reason] of [
  ['a branch of the repository', 'refs/heads/mine', /permission/],
  ['no topic', 'refs/for/main', /topic is missing/],
  ['a branch that is not there', 'refs/for/none/topic', /branch does not exist/],
  ["somebody else's pull request", 'refs/for-review/9999', /pull request does not exist/],
] as const)
  test(`a reader's push to ${what} is refused`, async () => {
    const before = (await listed()).length
    const { code, output } = await reader.run('push', 'origin', `HEAD:${ref}`)
    assert.notEqual(code, 0)
    assert.match(output, reason)
    assert.equal((await listed()).length, before)
  })

test('topics are separate for each pusher', async () => {
  const before = (await listed()).length
  await writer.commit('c.md', 'mine')
  await writer.ok('push', '--quiet', 'origin', 'HEAD:refs/for/main/topic')
  assert.equal((await listed()).length, before + 1)
})

test('an AGit pull request stays with the account that pushed it when logins change hands', async () => {
  await forge.person('root', { is_admin: true })
  for (const login of ['olga', 'mal']) await forge.person(login)
  await using olga = await GitClient.open(forge, 'olga', 'ann/one')
  await using mal = await GitClient.open(forge, 'mal', 'ann/one')
  for (const git of [olga, mal]) await git.ok('pull', '--quiet', 'origin', 'main')
  const first = await olga.commit('plan.md', 'first')
  await olga.ok('push', '--quiet', 'origin', 'HEAD:refs/for/main/plan')
  const { number } = (await listed())[0]
  const head = () => writer.remoteRef(`refs/pull/${number}/head`)
  for (const [from, to] of [
    ['olga', 'olga-new'],
    ['mal', 'olga'],
  ]) {
    const renamed = await forge.call('root', 'POST', `/admin/users/${from}/rename`, { new_username: to })
    assert.equal(renamed.status, 204)
  }
  await mal.commit('evil.md', 'evil')
  const insist = ['push', '--quiet', '-o', 'force-push=true', 'origin']
  const { code } = await mal.run(...insist, `HEAD:refs/for-review/${number}`)
  assert.notEqual(code, 0)
  await mal.ok(...insist, 'HEAD:refs/for/main/plan')
  assert.equal(await head(), first)
  assert.notEqual(
    (await listed())[0].number,
    number,
    'the new owner of the login has a pull request of its own',
  )
  for (const name of ['refs/for/main/plan', `refs/for-review/${number}`]) {
    const next = await olga.commit('plan.md', name)
    await olga.ok('push', '--quiet', 'origin', `HEAD:${name}`)
    assert.equal(await head(), next)
  }
})

test('an anonymous push to refs/for and one to a repository without pull requests are refused', async () => {
  const nobody = await GitClient.open(forge, null, 'ann/one')
  try {
    await nobody.commit('d.md', 'x')
    assert.notEqual((await nobody.run('push', 'origin', 'HEAD:refs/for/main/x')).code, 0)
  } finally {
    await nobody[Symbol.asyncDispose]()
  }
  await forge.call('ann', 'PATCH', '/repos/ann/one', { has_pull_requests: false })
  const { code } = await reader.run('push', 'origin', 'HEAD:refs/for/main/late')
  assert.notEqual(code, 0)
  await writer.commit('late.md', 'x')
  const refused = await writer.run('push', 'origin', 'HEAD:refs/for/main/late', 'HEAD:refs/heads/late')
  assert.match(refused.output, /refs\/for\/main\/late \(pull requests does not exist\)/)
  assert.equal(await writer.remoteRef('refs/for/main/late'), '', 'it is no ref either')
  assert.notEqual(await writer.remoteRef('refs/heads/late'), '', 'what is beside it is pushed')
  await forge.call('ann', 'PATCH', '/repos/ann/one', { has_pull_requests: true })
})

test('a push of a branch prints where to open a pull request, or where the open one is', async () => {
  await writer.commit('e.md', 'x')
  const first = await writer.ok('push', 'origin', 'HEAD:refs/heads/feature')
  assert.match(
    first,
    /Create a pull request for 'feature':\s+remote:\s+http\S+\/ann\/one\/compare\/main\.\.\.feature/,
  )
  const { body } = await forge.call('wes', 'POST', ROOT, { title: 'x', head: 'feature', base: 'main' })
  await writer.commit('e.md', 'y')
  const second = await writer.ok('push', 'origin', 'HEAD:refs/heads/feature')
  assert.match(second, new RegExp(`/ann/one/pulls/${body.number}`))
})
