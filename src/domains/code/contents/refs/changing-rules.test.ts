/** A rule created between the check of a ref update and the update itself is applied, for every way of writing. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { lockRepository } from '#domains/code/repositories'
import { transact } from '#platform/context'
import { type Forge, GitClient, startForge, waitForLock } from '#testing'
import { base64, inTheMidst, makeRepository, propose, tipOf, write } from '#testing/slices/merges'

let forge: Forge
before(async () => {
  forge = await startForge()
  for (const login of ['ann', 'wes', 'eve']) await forge.person(login)
})
after(() => forge[Symbol.asyncDispose]())

type Move = (root: string, git: GitClient) => Promise<{ readonly status: number } | { readonly code: number }>
type Change = (root: string) => Promise<{ readonly status: number }>

const call =
  (method: 'POST' | 'PATCH' | 'DELETE', path: string, body: object): Move =>
  (root) =>
    forge.call('wes', method, root + path, body)
const protect =
  (rule: object): Change =>
  (root) =>
    forge.call('ann', 'POST', `${root}/branch_protections`, rule)
const shut = protect({ rule_name: '*', enable_push: false })
const shutMain = protect({ rule_name: 'main', enable_push: false })
const shutTags: Change = (root) =>
  forge.call('ann', 'POST', `${root}/tag_protections`, { name_pattern: 'v*', whitelist_usernames: ['ann'] })
const file = { content: base64('late'), message: 'late' }

const MOVES: readonly [way: string, move: Move, change: Change][] = [
  ['a push', async (_, git) => git.run('push', '--quiet', 'origin', 'HEAD:main'), shutMain],
  ['a push of a tag', async (_, git) => git.run('push', '--quiet', 'origin', 'HEAD:refs/tags/v1'), shutTags],
  ['a file', call('POST', '/contents/late.txt', { ...file, branch: 'main' }), shutMain],
  ['a new branch', call('POST', '/branches', { new_branch_name: 'late' }), shut],
  ['a deleted branch', call('DELETE', '/branches/topic', {}), shut],
  ['a renamed branch', call('PATCH', '/branches/topic', { name: 'late' }), shut],
  ['a new tag', call('POST', '/tags', { tag_name: 'v2' }), shutTags],
  ['a release', call('POST', '/releases', { tag_name: 'v3' }), shutTags],
  ['a branch that is brought up to date', call('POST', '/pulls/1/update', {}), shut],
]

for (const [index, [way, move, change]] of MOVES.entries())
  test(`${way} in flight when a rule is created does not move the ref`, async () => {
    const root = await makeRepository(forge, `rules${index}`, ['wes'])
    await propose(forge, root, 'topic')
    await write(forge, root, 'main', { path: 'base.md' })
    await using git = await GitClient.open(forge, 'wes', `ann/rules${index}`)
    await git.ok('pull', '--quiet', 'origin', 'main')
    await git.commit('late.txt', 'late')
    const refs = async () => git.ok('ls-remote', 'origin')
    const before = await refs()
    const moved = await inTheMidst(
      forge,
      root,
      () => move(root, git),
      async () => assert.equal((await change(root)).status, 201),
    )
    if ('code' in moved) assert.notEqual(moved.code, 0)
    // Compat: for a file, a conflict is 422.
    else assert.equal(moved.status, way === 'a file' ? 422 : 409)
    assert.equal(await refs(), before)
  })

test('a concurrent rule for other refs does not block an update', async () => {
  const root = await makeRepository(forge, 'elsewhere', ['wes'])
  const { status } = await inTheMidst(
    forge,
    root,
    () => forge.call('wes', 'POST', `${root}/contents/late.txt`, { ...file, branch: 'main' }),
    () => protect({ rule_name: 'release/*', enable_push: false })(root),
  )
  assert.equal(status, 201)
})

test('a user removed from an allowed team during a push is refused', async () => {
  await forge.call('ann', 'POST', '/orgs', { username: 'smithy' })
  await forge.call('ann', 'POST', '/orgs/smithy/repos', {
    name: 'anvil',
    auto_init: true,
    default_branch: 'main',
  })
  const root = '/repos/smithy/anvil'
  await forge.call('ann', 'PUT', `${root}/collaborators/wes`, { permission: 'write' })
  const team = { name: 'pushers', permission: 'read', units: ['repo.code'] }
  const { id } = (await forge.call('ann', 'POST', '/orgs/smithy/teams', team)).body
  await forge.call('ann', 'PUT', `/teams/${id}/members/wes`)
  await forge.call('ann', 'PUT', `/teams/${id}/repos/smithy/anvil`)
  const lists = { enable_push_whitelist: true, push_whitelist_teams: ['pushers'] }
  const rule = { rule_name: 'main', enable_push: true, ...lists }
  assert.equal((await protect(rule)(root)).status, 201)
  const late = () => forge.call('wes', 'POST', `${root}/contents/late.txt`, { ...file, branch: 'main' })
  const leave = () => forge.call('ann', 'DELETE', `/teams/${id}/members/wes`)
  assert.equal((await inTheMidst(forge, root, late, leave)).status, 422)
})

test('renaming the default branch to a name that is protected meanwhile is refused', async () => {
  const root = await makeRepository(forge, 'renamed', [])
  const rename = () => forge.call('ann', 'PATCH', `${root}/branches/main`, { name: 'trunk' })
  const { status } = await inTheMidst(forge, root, rename, () =>
    protect({ rule_name: 'trunk', enable_push: false })(root),
  )
  assert.equal(status, 403)
})

test('a push to refs/for is refused if the repository is archived meanwhile', async () => {
  const root = await makeRepository(forge, 'shelved', [])
  await using git = await GitClient.open(forge, 'eve', 'ann/shelved')
  await git.ok('pull', '--quiet', 'origin', 'main')
  await git.commit('late.txt', 'late')
  const push = () => git.run('push', '--quiet', 'origin', 'HEAD:refs/for/main/topic')
  const { output } = await inTheMidst(forge, root, push, () =>
    forge.call('ann', 'PATCH', root, { archived: true }),
  )
  assert.match(output, /archived/)
  assert.deepEqual((await forge.call('ann', 'GET', `${root}/pulls`)).body, [])
})

test('creating a rule waits for ref updates that hold the repository lock', async () => {
  const root = await makeRepository(forge, 'waits', ['wes'])
  const { id } = (await forge.call('ann', 'GET', root)).body
  const tip = await tipOf(forge, root)
  const made = await transact(forge.ctx, async (ctx) => {
    // Holds the lock like a push that has checked the rules and is about to commit.
    await lockRepository(ctx.db, id)
    const made = shutMain(root)
    await waitForLock(forge.db)
    assert.deepEqual((await forge.call('ann', 'GET', `${root}/branch_protections`)).body, [])
    return { made }
  })
  assert.equal((await made.made).status, 201)
  assert.equal(await tipOf(forge, root), tip)
})
