/** Heads of pull requests follow their branches: by git push, by REST, and in forks. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Forge, GitClient, startForge } from '#testing'

let forge: Forge
let git: GitClient
let fork: GitClient
before(async () => {
  forge = await startForge()
  for (const login of ['ann', 'wes', 'eve']) await forge.person(login)
  await forge.call('ann', 'POST', '/user/repos', { name: 'one', auto_init: true, default_branch: 'main' })
  await forge.call('ann', 'PUT', '/repos/ann/one/collaborators/wes', { permission: 'write' })
  await forge.call('eve', 'POST', '/repos/ann/one/forks', {})
  git = await GitClient.open(forge, 'wes', 'ann/one')
  fork = await GitClient.open(forge, 'eve', 'eve/one')
  for (const client of [git, fork]) {
    await client.ok('fetch', '--quiet', 'origin')
    await client.ok('checkout', '--quiet', '-B', 'main', 'origin/main')
  }
})
after(async () => {
  await git[Symbol.asyncDispose]()
  await fork[Symbol.asyncDispose]()
  await forge[Symbol.asyncDispose]()
})

const ROOT = '/repos/ann/one/pulls'
const get = async (number: number) => (await forge.call('ann', 'GET', `${ROOT}/${number}`)).body
const remote = (name: string) => git.remoteRef(name)
/** Pushes a branch with one commit. */
const branch = async (client: GitClient, name: string) => {
  await client.ok('checkout', '--quiet', '-B', name, 'origin/main')
  await client.commit(`${name}.md`, 'first')
  await client.ok('push', '--quiet', '--force', 'origin', name)
}
const open = async (as: string, head: string): Promise<number> => {
  const { status, body } = await forge.call(as, 'POST', ROOT, { title: head, head, base: 'main' })
  assert.equal(status, 201, JSON.stringify(body))
  return body.number
}

test('a push to a branch moves the head of its pull request in the same transaction, and keeps every version', async () => {
  await branch(git, 'topic')
  const number = await open('wes', 'topic')
  const first = await git.ok('rev-parse', 'HEAD')
  assert.equal(await remote(`refs/pull/${number}/head`), first)
  await git.commit('topic.md', 'second')
  const second = await git.ok('rev-parse', 'HEAD')
  await git.ok('push', '--quiet', 'origin', 'topic')
  // No job has run: the head moved with the push.
  assert.equal(await remote(`refs/pull/${number}/head`), second)
  assert.equal((await get(number)).head.sha, second)
  await git.ok('reset', '--quiet', '--hard', 'origin/main')
  await git.commit('topic.md', 'third')
  const third = await git.ok('rev-parse', 'HEAD')
  await git.ok('push', '--quiet', '--force', 'origin', 'topic')
  const versions = (await forge.call(null, 'GET', `${ROOT}/${number}/versions`)).body
  assert.deepEqual(
    versions.map((it: { version: number; sha: string; forced: boolean }) => [it.version, it.sha, it.forced]),
    [
      [1, first, false],
      [2, second, false],
      [3, third, true],
    ],
  )
  // A force push keeps the earlier versions.
  assert.equal(await remote(`refs/pull/${number}/v/2`), second)
  await git.ok('fetch', '--quiet', 'origin', `refs/pull/${number}/v/2`)
})

test('a push to a fork moves the pull request in the same transaction, with the commits it needs', async () => {
  await branch(fork, 'patch')
  const number = await open('eve', 'eve:patch')
  assert.equal(await remote(`refs/pull/${number}/head`), await fork.ok('rev-parse', 'HEAD'))
  await fork.commit('patch.md', 'second')
  await fork.ok('push', '--quiet', 'origin', 'patch')
  const tip = await fork.ok('rev-parse', 'HEAD')
  assert.equal((await get(number)).head.sha, tip)
  await git.ok('fetch', '--quiet', 'origin', `refs/pull/${number}/head`)
  assert.equal(await git.ok('rev-parse', 'FETCH_HEAD'), tip)
  assert.match(await git.ok('show', 'FETCH_HEAD:patch.md'), /second/)
})

test('a pull request makes no other objects of a private fork visible', async () => {
  await forge.call('ann', 'POST', '/user/repos', {
    name: 'vault',
    auto_init: true,
    default_branch: 'main',
    private: true,
  })
  await forge.call('ann', 'PUT', '/repos/ann/vault/collaborators/eve', { permission: 'read' })
  await forge.call('ann', 'PUT', '/repos/ann/vault/collaborators/wes', { permission: 'read' })
  await forge.call('eve', 'POST', '/repos/ann/vault/forks', { name: 'vault' })
  const hers = await GitClient.open(forge, 'eve', 'eve/vault')
  const theirs = await GitClient.open(forge, 'wes', 'ann/vault')
  try {
    await hers.ok('fetch', '--quiet', 'origin')
    await branch(hers, 'secret')
    const secret = await hers.ok('rev-parse', 'HEAD')
    await branch(hers, 'public')
    const { status } = await forge.call('eve', 'POST', '/repos/ann/vault/pulls', {
      title: 'x',
      head: 'eve:public',
      base: 'main',
    })
    assert.equal(status, 201)
    await hers.commit('public.md', 'more')
    await hers.ok('push', '--quiet', 'origin', 'public')
    const { code } = await theirs.run('fetch', '--quiet', 'origin', secret)
    assert.notEqual(code, 0)
  } finally {
    await hers[Symbol.asyncDispose]()
    await theirs[Symbol.asyncDispose]()
  }
})

for (const { name, isPrivate, shut, reopen } of [
  {
    name: 'shelf',
    isPrivate: false,
    shut: () => forge.call('ann', 'PATCH', '/repos/ann/shelf', { archived: true }),
    reopen: () => forge.call('ann', 'PATCH', '/repos/ann/shelf', { archived: false }),
  },
  {
    name: 'safe',
    isPrivate: true,
    shut: () => forge.call('ann', 'DELETE', '/repos/ann/safe/collaborators/eve'),
    reopen: () => forge.call('ann', 'PUT', '/repos/ann/safe/collaborators/eve', { permission: 'read' }),
  },
])
  test(`a push to a fork does not change a base that is ${isPrivate ? 'closed to its pusher' : 'archived'}`, async () => {
    const root = `/repos/ann/${name}`
    const first = { name, auto_init: true, default_branch: 'main', private: isPrivate }
    await forge.call('ann', 'POST', '/user/repos', first)
    await reopen()
    await forge.call('eve', 'POST', `${root}/forks`, {})
    await using hers = await GitClient.open(forge, 'eve', `eve/${name}`)
    await hers.ok('fetch', '--quiet', 'origin')
    const heads: string[] = []
    const numbers: number[] = []
    for (const topic of ['kept', 'deleted']) {
      await branch(hers, topic)
      heads.push(await hers.ok('rev-parse', 'HEAD'))
      const input = { title: topic, head: `eve:${topic}`, base: 'main' }
      numbers.push((await forge.call('eve', 'POST', `${root}/pulls`, input)).body.number)
    }
    const show = async () => {
      const shown = await Promise.all(numbers.map((it) => forge.call('ann', 'GET', `${root}/pulls/${it}`)))
      return shown.map(({ body }) => [body.head.sha, body.state])
    }
    await shut()
    await hers.ok('checkout', '--quiet', 'kept')
    const late = await hers.commit('late.md', 'late')
    await hers.ok('push', '--quiet', 'origin', 'kept', ':deleted')
    assert.equal(await hers.remoteRef('refs/heads/kept'), late, 'the fork itself moved')
    await forge.runJobs()
    assert.deepEqual(
      await show(),
      heads.map((sha) => [sha, 'open']),
    )
    await reopen()
    const merge = () => forge.call('ann', 'POST', `${root}/pulls/${numbers[0]}/merge`, { Do: 'merge' })
    assert.equal((await merge()).status, 409, 'nobody has seen what is on the branch')
    await forge.runJobs()
    assert.equal((await show())[0]?.[0], late)
    assert.equal((await merge()).status, 200)
  })

test('one push moves ten pull requests with one pack; jobs move the rest, and none is merged before it moved', async () => {
  await forge.call('ann', 'POST', '/user/repos', { name: 'many', auto_init: true, default_branch: 'main' })
  await forge.call('eve', 'POST', '/repos/ann/many/forks', {})
  const root = '/repos/ann/many'
  await using hers = await GitClient.open(forge, 'eve', 'eve/many')
  await hers.ok('fetch', '--quiet', 'origin')
  const names = Array.from({ length: 21 }, (_, i) => `b${i}`)
  const move = async () => {
    await hers.ok('checkout', '--quiet', '-B', 'all', 'origin/main')
    await hers.commit('all.md', String(Math.random()))
    for (const name of names) {
      const oid = await hers.ok(
        'commit-tree',
        '-m',
        `${name} ${Math.random()}`,
        '-p',
        'origin/main',
        'HEAD^{tree}',
      )
      await hers.ok('update-ref', `refs/heads/${name}`, oid)
    }
    await hers.ok('push', '--quiet', '--force', 'origin', ...names)
  }
  await move()
  for (const name of names) {
    const opened = await forge.call('eve', 'POST', `${root}/pulls`, {
      title: name,
      head: `eve:${name}`,
      base: 'main',
    })
    assert.equal(opened.status, 201, JSON.stringify(opened.body))
    if (names.indexOf(name) % 6 === 5) await forge.runJobs()
  }
  const { id } = (await forge.call('ann', 'GET', root)).body
  const { storage_id } = await forge.db
    .selectFrom('repository')
    .select('storage_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const countPacks = async () => {
    const packs = await forge.db
      .selectFrom('git_storage_pack')
      .select('pack_id')
      .where('storage_id', '=', storage_id)
      .execute()
    return packs.length
  }
  const countMoved = async () => {
    const rows = await forge.db
      .selectFrom('pull_request')
      .select('version')
      .where('repository_id', '=', id)
      .execute()
    return rows.filter(({ version }) => version === 2).length
  }
  const before = await countPacks()
  await move()
  assert.equal(await countMoved(), 10)
  assert.equal(await countPacks(), before + 1)
  assert.equal((await forge.call('ann', 'POST', `${root}/pulls/21/merge`, { Do: 'merge' })).status, 409)
  await forge.runJobs()
  assert.equal(await countMoved(), 21)
  const { body: versions } = await forge.call('ann', 'GET', `${root}/pulls/21/versions`)
  assert.equal(versions.at(-1).pusher.login, 'eve', 'her push was moved by a job, and is hers')
  assert.equal((await forge.call('ann', 'POST', `${root}/pulls/21/merge`, { Do: 'merge' })).status, 200)
  await hers.ok('push', '--quiet', 'origin', ...names.map((name) => `:${name}`))
  await forge.runJobs()
  const open = await forge.call('ann', 'GET', `${root}/pulls?state=open`)
  assert.deepEqual(open.body, [], 'branches that are deleted close theirs, also by jobs')
})

test('pushes to refs/pull are refused', async () => {
  const { code, output } = await git.run('push', '--quiet', 'origin', 'HEAD:refs/pull/99/head')
  assert.notEqual(code, 0)
  assert.match(output, /hidden ref/)
})

test('renaming a branch keeps its pull requests', async () => {
  await branch(git, 'old-name')
  const number = await open('wes', 'old-name')
  const { status } = await forge.call('ann', 'PATCH', '/repos/ann/one/branches/old-name', {
    name: 'new-name',
  })
  assert.equal(status, 204)
  const { head, state } = await get(number)
  assert.deepEqual([head.ref, state], ['new-name', 'open'])
})

test('a reopened pull request catches up with its branch', async () => {
  await branch(git, 'paused')
  const number = await open('wes', 'paused')
  await forge.call('wes', 'PATCH', `${ROOT}/${number}`, { state: 'closed' })
  await git.commit('paused.md', 'second')
  await git.ok('push', '--quiet', 'origin', 'paused')
  const tip = await git.ok('rev-parse', 'HEAD')
  assert.notEqual((await get(number)).head.sha, tip)
  await forge.call('wes', 'PATCH', `${ROOT}/${number}`, { state: 'open' })
  await forge.runJobs()
  assert.equal((await get(number)).head.sha, tip)
})

test('a comparison of two versions leaves out changes that came from the base', async () => {
  await branch(git, 'rebased')
  const number = await open('wes', 'rebased')
  await forge.call('ann', 'POST', '/repos/ann/one/contents/elsewhere.md', {
    content: Buffer.from('elsewhere\n').toString('base64'),
    branch: 'main',
    message: 'elsewhere',
  })
  await git.ok('fetch', '--quiet', 'origin')
  await git.ok('rebase', '--quiet', 'origin/main')
  await git.commit('rebased.md', 'changed')
  await git.ok('push', '--quiet', '--force', 'origin', 'rebased')
  await forge.runJobs()
  const { body } = await forge.call(null, 'GET', `${ROOT}/${number}/versions/1/compare/2`)
  assert.equal(body.plain, false)
  assert.match(body.diff, /rebased\.md/)
  assert.doesNotMatch(body.diff, /elsewhere/)
})

test('mergeability computed for one pair of commits is not shown for another', async () => {
  await branch(git, 'clash')
  const number = await open('wes', 'clash')
  assert.equal((await get(number)).mergeable, true)
  await forge.call('ann', 'POST', '/repos/ann/one/contents/clash.md', {
    content: Buffer.from('another\n').toString('base64'),
    branch: 'main',
    message: 'clash',
  })
  // The new pair has not been checked yet.
  assert.equal((await get(number)).mergeable, false)
  await forge.runJobs()
  assert.equal((await get(number)).mergeable, false)
  const row = await forge.db
    .selectFrom('pull_request')
    .select(['mergeability', 'conflicted_paths'])
    .where('repository_id', '=', (await forge.call('ann', 'GET', '/repos/ann/one')).body.id)
    .where('number', '=', number)
    .executeTakeFirstOrThrow()
  assert.deepEqual(row, { mergeability: 'conflict', conflicted_paths: ['clash.md'] })
})

test('a deleted pull request can no longer be fetched', async () => {
  await branch(git, 'deleted')
  const number = await open('wes', 'deleted')
  const { status } = await forge.call('ann', 'DELETE', `/repos/ann/one/issues/${number}`)
  assert.equal(status, 204)
  await forge.runJobs()
  for (const name of ['head', 'v/1']) assert.equal(await remote(`refs/pull/${number}/${name}`), '')
})
