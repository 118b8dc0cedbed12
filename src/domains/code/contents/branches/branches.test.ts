/** Branches over REST: list, create, rename, update and delete, with permissions. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { GitClient, startForge } from '#testing'

const forge = await startForge()
after(() => forge[Symbol.asyncDispose]())

let git: GitClient
let first = ''
let second = ''
const LIST = '/repos/ann/site/branches'

before(async () => {
  for (const name of ['ann', 'bob', 'eve']) await forge.person(name)
  for (const name of ['site', 'empty']) await forge.call('ann', 'POST', '/user/repos', { name })
  await forge.call('ann', 'PUT', '/repos/ann/site/collaborators/bob', { permission: 'write' })
  git = await GitClient.open(forge, 'ann', 'ann/site')
  first = await git.commit('a', 'one')
  second = await git.commit('a', 'two')
  await git.ok('branch', 'old', first)
  await git.ok('push', '--quiet', 'origin', 'main', 'old')
})
after(() => git[Symbol.asyncDispose]())

async function names(query = ''): Promise<string[]> {
  const { body } = await forge.call(null, 'GET', `${LIST}${query}`)
  return body.map((it: { name: string }) => it.name)
}

test('branches are listed by name with their commits, and searched', async () => {
  const { body, headers } = await forge.call('bob', 'GET', LIST)
  assert.equal(headers.get('x-total-count'), '2')
  const [main] = body
  assert.deepEqual(
    [main.name, main.commit.id, main.commit.author.username, main.protected, main.user_can_push],
    ['main', second, 'ann', false, true],
  )
  assert.deepEqual(await names('?q=ol'), ['old'])
  assert.equal((await forge.call(null, 'GET', `${LIST}?q=ol`)).headers.get('x-total-count'), '1')
  assert.deepEqual(await names('?q=%25'), [], 'what is looked for is no pattern')
  assert.deepEqual(await names('?limit=1&page=2'), ['old'])
})

test('listing many branches takes as many queries as listing one, and no git process when cached', async () => {
  await names()
  const one = await forge.countQueries(() => names('?limit=1'))
  assert.equal(await forge.countQueries(() => names()), one)
  assert.equal(await forge.countGit(() => names()), 0)
})

test('a branch is created from the default branch, a branch, a commit or a full ref name', async () => {
  for (const [i, from] of [undefined, 'old', first, `refs/heads/old`].entries()) {
    const made = await forge.call('bob', 'POST', LIST, {
      new_branch_name: `made/${i}`,
      ...(from && { old_ref_name: from }),
    })
    assert.equal(made.status, 201)
    assert.equal(made.body.commit.id, from === undefined ? second : first)
    assert.equal((await forge.call('bob', 'DELETE', `${LIST}/made/${i}`)).status, 204)
  }
})

for (const { as, body, status } of [
  { as: null, body: { new_branch_name: 'x' }, status: 401 },
  { as: 'eve', body: { new_branch_name: 'x' }, status: 403 },
  { as: 'ann', body: {}, status: 422 },
  { as: 'ann', body: { new_branch_name: '' }, status: 422 },
  { as: 'ann', body: { new_branch_name: 'a..b' }, status: 422 },
  { as: 'ann', body: { new_branch_name: 'x'.repeat(2_000) }, status: 422 },
  { as: 'ann', body: { new_branch_name: 'main' }, status: 409 },
  { as: 'ann', body: { new_branch_name: 'main/below' }, status: 409 },
  { as: 'ann', body: { new_branch_name: 'x', old_ref_name: 'missing' }, status: 404 },
  { as: 'ann', body: { new_branch_name: 'x', old_branch_name: 'missing' }, status: 404 },
])
  test(`${as ?? 'anonymous'} creates ${JSON.stringify(body).slice(0, 60)}: ${status}`, async () => {
    assert.equal((await forge.call(as, 'POST', LIST, body)).status, status)
  })

test('creating a branch in an empty repository is refused with 404', async () => {
  const { status } = await forge.call('ann', 'POST', '/repos/ann/empty/branches', { new_branch_name: 'x' })
  assert.equal(status, 404)
  assert.deepEqual((await forge.call('ann', 'GET', '/repos/ann/empty/branches')).body, [])
})

test('a renamed default branch stays the default branch', async () => {
  const rename = (as: string, from: string, name: string) =>
    forge.call(as, 'PATCH', `${LIST}/${from}`, { name })
  assert.equal((await rename('bob', 'main', 'trunk')).status, 403)
  assert.equal((await rename('ann', 'main', 'old')).status, 422)
  assert.equal((await rename('ann', 'main', 'trunk')).status, 204)
  assert.deepEqual(await names(), ['old', 'trunk'])
  const { body } = await forge.call(null, 'GET', '/repos/ann/site')
  assert.deepEqual([body.default_branch, body.branch_count], ['trunk', 2])
  assert.match(await git.ok('ls-remote', '--symref', 'origin', 'HEAD'), /refs\/heads\/trunk/)
  assert.equal((await rename('ann', 'trunk', 'main')).status, 204)
  assert.equal((await rename('bob', 'old', 'older')).status, 204)
  assert.equal((await rename('bob', 'older', 'old')).status, 204)
})

test('renaming a branch renames its rule; a branch under a pattern rule cannot be renamed', async () => {
  const rename = (as: string, from: string, name: string) =>
    forge.call(as, 'PATCH', `${LIST}/${from}`, { name })
  const rules = '/repos/ann/site/branch_protections'
  await forge.call('ann', 'POST', rules, { rule_name: 'main' })
  assert.equal((await rename('ann', 'main', 'trunk')).status, 204)
  assert.equal((await forge.call('ann', 'GET', `${LIST}/trunk`)).body.protected, true)
  assert.equal((await forge.call('ann', 'GET', rules)).body[0].rule_name, 'trunk')
  assert.equal((await rename('ann', 'trunk', 'main')).status, 204)
  await forge.call('ann', 'DELETE', `${rules}/main`)
  await forge.call('ann', 'POST', rules, { rule_name: 'ol*' })
  assert.equal((await rename('bob', 'old', 'x')).status, 403)
  assert.equal((await rename('ann', 'old', 'x')).status, 403)
  await forge.call('ann', 'DELETE', `${rules}/${encodeURIComponent('ol*')}`)
  assert.deepEqual(await names(), ['main', 'old'])
})

test('a branch is fast-forwarded, and moved back only with force', async () => {
  const move = (body: object, as = 'bob') => forge.call(as, 'PUT', `${LIST}/old`, body)
  assert.equal((await move({ new_commit_id: second }, 'eve')).status, 403)
  assert.equal((await move({ new_commit_id: second })).status, 204)
  assert.equal(await git.remoteRef('refs/heads/old'), second)
  assert.equal((await move({ new_commit_id: first })).status, 422)
  assert.equal((await move({ new_commit_id: first, old_commit_id: first, force: true })).status, 422)
  assert.equal((await move({ new_commit_id: 'a'.repeat(40) })).status, 404)
  assert.equal((await move({})).status, 422)
  assert.equal((await move({ new_commit_id: first, old_commit_id: second, force: true })).status, 204)
  assert.equal(await git.remoteRef('refs/heads/old'), first)
})

test('the default branch and branches of an archived repository cannot be deleted, others can', async () => {
  const remove = (as: string | null, name: string) => forge.call(as, 'DELETE', `${LIST}/${name}`)
  assert.equal((await remove(null, 'old')).status, 401)
  assert.equal((await remove('eve', 'old')).status, 403)
  assert.equal((await remove('ann', 'main')).status, 403)
  await forge.call('ann', 'PATCH', '/repos/ann/site', { archived: true })
  assert.equal((await remove('ann', 'old')).status, 423)
  await forge.call('ann', 'PATCH', '/repos/ann/site', { archived: false })
  assert.equal((await remove('bob', 'old')).status, 204)
  assert.equal((await remove('bob', 'old')).status, 404)
})

test('a commit dropped by a force push is not found by its id, but writers can restore it by its full id', async () => {
  await forge.call('ann', 'POST', '/user/repos', { name: 'forced' })
  await using git = await GitClient.open(forge, 'ann', 'ann/forced')
  const kept = await git.commit('readme', 'kept')
  const lost = await git.commit('key', 'TOP SECRET')
  await git.ok('push', '--quiet', 'origin', 'main')
  await git.ok('push', '--quiet', '--force', 'origin', `${kept}:refs/heads/main`)
  const at = '/repos/ann/forced'
  for (const digits of [4, 7, 10, 40]) {
    const id = lost.slice(0, digits)
    for (const path of [
      `raw/key?ref=${id}`,
      `contents/key?ref=${id}`,
      `git/commits/${id}`,
      `commits?sha=${id}`,
      `commits/${id}/status`,
      `compare/main...${id}`,
      `archive/${id}.zip`,
      `git/notes/${id}`,
    ])
      assert.equal((await forge.call(null, 'GET', `${at}/${path}`)).status, 404, path)
    // Compat: an unknown id is 400 here.
    assert.equal((await forge.call(null, 'GET', `${at}/git/trees/${id}`)).status, 400)
  }
  assert.equal((await forge.call(null, 'GET', `${at}/git/commits/${kept.slice(0, 7)}`)).status, 200)
  const again = { new_branch_name: 'again', old_ref_name: lost }
  assert.equal((await forge.call('ann', 'POST', `${at}/branches`, again)).status, 201)
  assert.equal((await forge.call(null, 'GET', `${at}/git/commits/${lost.slice(0, 7)}`)).status, 200)
})
