/** References to issues in commit messages, by git push and over REST. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { type Forge, GitClient, startForge } from '#testing'

let forge: Forge
let git: GitClient
before(async () => {
  forge = await startForge()
  for (const login of ['ann', 'wes', 'eve']) await forge.person(login)
  for (const name of ['one', 'two']) {
    await forge.call('ann', 'POST', '/user/repos', { name })
    await forge.call('ann', 'PUT', `/repos/ann/${name}/collaborators/wes`, { permission: 'write' })
  }
  await forge.call('ann', 'POST', '/user/repos', { name: 'vault', private: true, auto_init: true })
  git = await GitClient.open(forge, 'wes', 'ann/one')
  await git.commit('a.md', 'first')
  await git.ok('push', '--quiet', 'origin', 'main')
  await forge.runJobs()
})
after(async () => {
  await git[Symbol.asyncDispose]()
  await forge[Symbol.asyncDispose]()
})

const root = (name = 'one') => `/repos/ann/${name}/issues`
const open = async (as = 'eve', input: object = {}, name = 'one'): Promise<number> =>
  (await forge.call(as, 'POST', root(name), { title: 'work', ...input })).body.number
const state = async (number: number, name = 'one'): Promise<string> =>
  (await forge.call('ann', 'GET', `${root(name)}/${number}`)).body.state
const kinds = async (number: number, as: string | null = 'ann', name = 'one'): Promise<string[]> =>
  (await forge.call(as, 'GET', `${root(name)}/${number}/timeline`)).body.map(
    (entry: { type: string }) => entry.type,
  )
let files = 0
const write = async (as: string, message: string, more: object = {}, name = 'one') => {
  const content = Buffer.from(`${files++}`).toString('base64')
  const path = `/repos/ann/${name}/contents/${files}.md`
  const { status } = await forge.call(as, 'POST', path, { content, message, branch: 'main', ...more })
  assert.equal(status, 201)
  await forge.runJobs()
}

test('a push closes and reopens the issues its commits name, once per commit', async () => {
  const [one, other] = [await open(), await open()]
  const start = (await forge.call(null, 'GET', '/repos/ann/one')).body.open_issues_count
  await git.ok('commit', '--quiet', '--allow-empty', '-m', `Better <b>\n\nFixes #${one}, see #${other}`)
  const oid = await git.ok('rev-parse', 'HEAD')
  await git.ok('push', '--quiet', 'origin', 'main')
  await forge.runJobs()
  assert.equal(await state(one), 'closed')
  assert.equal((await forge.call(null, 'GET', '/repos/ann/one')).body.open_issues_count, start - 1)
  const [said, closed] = (await forge.call(null, 'GET', `${root()}/${one}/timeline`)).body
  assert.deepEqual(
    [said.type, said.ref_commit_sha, said.ref_action, said.user.login, closed.type],
    ['commit_ref', oid, 'none', 'wes', 'close'],
  )
  assert.equal(said.body, `<a href="/ann/one/commit/${oid}">Better &lt;b&gt;</a>`)
  assert.deepEqual([await state(other), await kinds(other)], ['open', ['commit_ref']])
  const events = await forge.db
    .selectFrom('event')
    .select('payload')
    .where('subject', '=', 'issue.closed')
    .execute()
  const told = events
    .map(({ payload }) => payload as { number: number; commit: string; comment_id: number })
    .find(({ number }) => number === one)
  assert.deepEqual([told?.commit, told?.comment_id], [oid, closed.id])

  // Later changes of the issue stay, even if the push event is delivered again.
  await forge.call('ann', 'PATCH', `${root()}/${one}`, { state: 'open' })
  await sql`insert into job (kind, attempts_max, payload) select 'deliver-to', 1,
    json_build_object('event_id', max(id), 'consumers', json_build_array('issues-commits')) from event
    where subject = 'refs.moved'`.execute(forge.db)
  await forge.runJobs()
  assert.equal(await state(one), 'open')
  assert.deepEqual(await kinds(one), ['commit_ref', 'close', 'reopen'])

  await forge.call('ann', 'PATCH', `${root()}/${one}`, { state: 'closed' })
  await write('wes', `reopens #${one}`)
  assert.equal(await state(one), 'open')
})

test("a commit closes an issue when it reaches the default branch or the issue's ref", async () => {
  const [one, bound] = [await open(), await open('wes', { ref: 'refs/heads/topic' })]
  await git.ok('pull', '--quiet', 'origin', 'main')
  await git.ok('checkout', '--quiet', '-b', 'topic')
  await git.ok('commit', '--quiet', '--allow-empty', '-m', `closes #${one}, closes #${bound}`)
  await git.ok('push', '--quiet', 'origin', 'topic')
  await forge.runJobs()
  assert.deepEqual([await state(one), await kinds(one)], ['open', ['commit_ref']])
  assert.equal(await state(bound), 'closed')
  await git.ok('push', '--quiet', 'origin', 'topic:main')
  await forge.runJobs()
  assert.deepEqual([await state(one), await kinds(one)], ['closed', ['commit_ref', 'close']])
  await git.ok('checkout', '--quiet', 'main')
  await git.ok('merge', '--quiet', 'topic')
})

test('a pusher closes only issues they may close, and learns nothing of issues they may not read', async () => {
  const there = await open('ann', {}, 'two')
  const hidden = await open('ann', {}, 'vault')
  const [own, others] = [await open('eve'), await open('ann')]
  await forge.call('ann', 'PUT', '/repos/ann/two/collaborators/eve', { permission: 'write' })
  await write('eve', 'first', { branch: 'main' }, 'two')
  await write(
    'eve',
    `closes #${there}, closes ann/one#${own}, closes ann/one#${others} closes ann/vault#${hidden}`,
    {},
    'two',
  )
  assert.deepEqual(
    [await state(there, 'two'), await state(own), await state(others), await state(hidden, 'vault')],
    ['closed', 'closed', 'open', 'open'],
  )
  assert.deepEqual([await kinds(others), await kinds(hidden, 'ann', 'vault')], [['commit_ref'], []])
})

test('a commit of a private repository is shown to users who may read its code', async () => {
  const one = await open('ann')
  await write('ann', `see ann/one#${one}`, {}, 'vault')
  assert.deepEqual(
    [await kinds(one, 'ann'), await kinds(one, 'eve'), await kinds(one, null)],
    [['commit_ref'], [], []],
  )
})

test('of a very large push only the latest commits are read, with a fixed number of jobs', async () => {
  const one = await open()
  const stream = Array.from({ length: 600 }, (_, i) =>
    [
      'commit refs/heads/many',
      `committer Ann <ann@example.test> ${1_700_000_000 + i} +0000`,
      `data <<E\nsee #${one} ${i}\nE`,
      i === 0 ? 'from refs/heads/main^0' : '',
      '',
    ].join('\n'),
  ).join('\n')
  await git.ok('checkout', '--quiet', 'main')
  const { execFileSync } = await import('node:child_process')
  execFileSync('git', ['fast-import', '--quiet'], { cwd: git.folder, input: stream })
  await git.ok('push', '--quiet', 'origin', 'many')
  await forge.runJobs()
  const found = await forge.db
    .selectFrom('issue_comment')
    .select('id')
    .where('kind', '=', 'commit_ref')
    .where('body', 'like', `%see #${one} %`)
    .execute()
  assert.equal(found.length, 500)
})
