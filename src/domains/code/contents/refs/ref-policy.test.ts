/** Updates of protected refs, by real pushes and by the forge's own writes. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { protectionOf } from '#domains/code/protections'
import { openToSee, openToWrite } from '#domains/code/repositories'
import { actorOf, findAccount } from '#domains/people/users'
import { commitFiles, createRef, createTag, deleteRef, findRef, moveRefs, type RefUpdate } from '#git'
import { type Context, transact } from '#platform/context'
import { asSignedIn } from '#platform/rest'
import { GitClient, startForge } from '#testing'
import { codePolicy } from './ref-policy.ts'

const run = promisify(execFile)
const forge = await startForge()
after(() => forge[Symbol.asyncDispose]())

before(async () => {
  for (const name of ['ann', 'bob', 'cid']) await forge.person(name)
  await forge.call('ann', 'POST', '/orgs', { username: 'ironworks' })
})

let made = 0
/** A repository of the organization with a commit on main; bob and, through the team of smiths, cid may write. */
async function makeRepository(): Promise<{ path: string; git: GitClient }> {
  const name = `repo${++made}`
  const { body: repo } = await forge.call('ann', 'POST', '/orgs/ironworks/repos', { name })
  const path = `ironworks/${name}`
  const bob = await findAccount(forge.db, 'bob')
  const level = 'write' as const
  const row = { repository_id: repo.id, user_id: bob?.id ?? 0, level, created_at: forge.ctx.now() }
  await transact(forge.ctx, (ctx) => ctx.db.insertInto('collaboration').values(row).execute())
  const team = { name: `smiths${made}`, permission: 'write', units_map: { 'repo.code': 'write' } }
  const { body: smiths } = await forge.call('ann', 'POST', '/orgs/ironworks/teams', team)
  await forge.call('ann', 'PUT', `/teams/${smiths.id}/repos/${path}`)
  await forge.call('ann', 'PUT', `/teams/${smiths.id}/members/cid`)
  const git = await GitClient.open(forge, 'ann', path)
  await git.commit('readme.md', 'first')
  await git.ok('push', '--quiet', 'origin', 'main')
  return { path, git }
}

async function protect(path: string, rule: object): Promise<void> {
  const made = await forge.call('ann', 'POST', `/repos/${path}/branch_protections`, rule)
  assert.equal(made.status, 201, JSON.stringify(made.body))
}

/** Pushes from the same work tree as another user. */
async function pushAs(git: GitClient, who: string, ...args: string[]) {
  const url = new URL(git.remote)
  url.username = forge.tokenOf(who)
  return git.run('push', url.href, ...args)
}

async function contextOf(login: string): Promise<Context> {
  const account = await findAccount(forge.db, login)
  assert.ok(account)
  return { ...forge.ctx, actor: actorOf(account, { publicOnly: false, via: 'token', tokenId: null }) }
}

/** The context and policy with which routes write for a user. */
async function acting(login: string, path: string) {
  const [owner = '', repo = ''] = path.split('/')
  const ctx = await contextOf(login)
  const opened = await openToWrite(ctx, { owner, repo }, 'code')
  const policy = codePolicy(opened, asSignedIn({ ctx }))
  return { ctx, storageId: opened.storage_id, policy }
}

const PERSON = { name: 'Ann', email: 'ann@example.test', at: new Date(1_750_000_000_000), offsetMinutes: 0 }

async function writeFileAs(login: string, path: string, file: string, branch = 'main') {
  const { ctx, storageId, policy } = await acting(login, path)
  return commitFiles(
    ctx,
    storageId,
    {
      target: { branch: `refs/heads/${branch}` },
      changes: [{ kind: 'create', path: file, content: Buffer.from(file) }],
      message: file,
      author: PERSON,
      committer: PERSON,
    },
    policy,
  )
}

test('a push to a protected branch is refused for every user, even the owner, with the reason', async () => {
  const { path, git } = await makeRepository()
  await using _ = git
  await protect(path, { rule_name: 'main' })
  const before = await git.remoteRef('refs/heads/main')
  await git.commit('a.txt', 'a')
  for (const who of ['ann', 'bob', 'cid']) {
    const { code, output } = await pushAs(git, who, 'main')
    assert.notEqual(code, 0)
    assert.match(output, /remote rejected.*main is a protected branch: push is not allowed/)
  }
  assert.equal(await git.remoteRef('refs/heads/main'), before)
  await assert.rejects(writeFileAs('ann', path, 'b.txt'), { kind: 'forbidden', message: /protected branch/ })
  const mixed = await pushAs(git, 'bob', 'main', 'main:other')
  assert.match(mixed.output, /new branch.*main -> other/, 'the other ref of the push is not held up')
  const atomic = await pushAs(git, 'bob', '--atomic', 'main', 'main:third')
  assert.notEqual(atomic.code, 0)
  assert.equal(await git.remoteRef('refs/heads/third'), '', 'in an atomic push it is')
})

test('listed users, teams and deploy keys can push to a protected branch', async () => {
  const { path, git } = await makeRepository()
  await using _ = git
  const rule = { enable_push: true, enable_push_whitelist: true, push_whitelist_usernames: ['bob'] }
  await protect(path, { rule_name: 'main', ...rule })
  const team = `smiths${made}`
  const patch = (body: object) => forge.call('ann', 'PATCH', `/repos/${path}/branch_protections/main`, body)
  const { body: key } = await forge.call('ann', 'POST', `/repos/${path}/keys/tokens`, { title: 'robot' })
  const byKey = async () => {
    const url = new URL(git.remote)
    url.username = key.token
    return git.run('push', url.href, 'main')
  }
  await git.commit('a.txt', 'by bob')
  assert.notEqual((await pushAs(git, 'ann', 'main')).code, 0)
  assert.notEqual((await pushAs(git, 'cid', 'main')).code, 0)
  assert.match((await byKey()).output, /protected branch/)
  assert.equal((await pushAs(git, 'bob', 'main')).code, 0)
  await patch({ enable_push: true, push_whitelist_teams: [team] })
  await git.commit('a.txt', 'by cid')
  assert.equal((await pushAs(git, 'cid', 'main')).code, 0)
  await patch({ enable_push: true, enable_push_whitelist: true, push_whitelist_deploy_keys: true })
  const last = await git.commit('a.txt', 'by the robot')
  assert.equal((await byKey()).code, 0)
  assert.equal(await git.remoteRef('refs/heads/main'), last)
  await writeFileAs('bob', path, 'b.txt')
  await assert.rejects(writeFileAs('ann', path, 'c.txt'), { kind: 'forbidden' })
})

test('a force push to a protected branch needs permission, and its deletion is always refused', async () => {
  const { path, git } = await makeRepository()
  await using _ = git
  await git.ok('push', '--quiet', 'origin', 'main:stable')
  await protect(path, { rule_name: 'stable', enable_push: true })
  await git.commit('a.txt', 'a')
  assert.equal((await pushAs(git, 'bob', 'main:stable')).code, 0, 'a plain push')
  await git.ok('commit', '--quiet', '--amend', '--message', 'again')
  const forced = await pushAs(git, 'bob', '+main:stable')
  assert.match(forced.output, /stable is a protected branch: force push is not allowed/)
  assert.match((await pushAs(git, 'ann', ':stable')).output, /deletion is not allowed/)
  const { ctx, storageId, policy } = await acting('ann', path)
  const order = { ref: 'refs/heads/stable' }
  await assert.rejects(deleteRef(ctx, storageId, order, policy), { kind: 'forbidden' })
  await forge.call('ann', 'PATCH', `/repos/${path}/branch_protections/stable`, { enable_force_push: true })
  assert.equal((await pushAs(git, 'bob', '+main:stable')).code, 0)
  assert.equal(await git.remoteRef('refs/heads/stable'), await git.ok('rev-parse', 'main'))
})

test('the old id that a pusher sends for a branch is checked, not trusted', async () => {
  const { path, git } = await makeRepository()
  await using _ = git
  await protect(path, { rule_name: 'main', enable_push: true })
  const head = await git.remoteRef('refs/heads/main')
  const { ctx, storageId, policy } = await acting('bob', path)
  await using lease = await ctx.cache.lease(ctx, storageId)
  const decide = (update: RefUpdate) => policy.decide?.(ctx, [update], async () => lease.path)
  const update = { name: 'refs/heads/main', old: 'f'.repeat(40), new: head, peeled: null }
  await assert.rejects(async () => decide(update), { kind: 'not_found' }, 'a commit that is not there')
  const asNew = { ...update, old: '0'.repeat(40) }
  assert.equal((await decide(asNew))?.refusals.size, 0, 'as if it were a new branch')
  const [result] = await moveRefs(ctx, { storageId, updates: [asNew], isAtomic: false }, policy)
  assert.match(result?.refusal ?? '', /fetch first/)
})

test('a pattern protects branches that do not exist yet', async () => {
  const { path, git } = await makeRepository()
  await using _ = git
  await protect(path, { rule_name: 'release/**' })
  assert.match((await pushAs(git, 'bob', 'main:release/1/2')).output, /release\/1\/2 is a protected branch/)
  assert.equal((await pushAs(git, 'bob', 'main:releases')).code, 0)
  const { ctx, storageId, policy } = await acting('bob', path)
  const target = await git.remoteRef('refs/heads/main')
  const branch = (name: string) => createRef(ctx, storageId, { ref: `refs/heads/${name}`, target }, policy)
  await assert.rejects(branch('release/9'), { kind: 'forbidden' })
  assert.equal((await branch('free')).oid, target)
})

test('protected files cannot be changed, unprotected files can be changed by every writer', async () => {
  const { path, git } = await makeRepository()
  await using _ = git
  await mkdir(join(git.folder, 'secret'))
  await git.commit('secret/deep.txt', 'old')
  await git.ok('push', '--quiet', 'origin', 'main', 'main:docs')
  await protect(path, { rule_name: 'main', enable_push: true, protected_file_patterns: '*.LOCK;secret/**' })
  await protect(path, { rule_name: 'docs*', unprotected_file_patterns: '*.md' })
  const refused = async (refspec: string, message: RegExp) => {
    assert.match((await pushAs(git, 'bob', refspec)).output, message)
    await git.ok('reset', '--quiet', '--hard', 'HEAD^')
  }
  await git.commit('x.lock', 'x')
  await refused('main', /protected file "x.lock"/)
  await git.ok('rm', '--quiet', 'secret/deep.txt')
  await git.ok('commit', '--quiet', '--message', 'gone')
  await refused('main', /protected file "secret\/deep.txt"/)
  await git.commit('free.txt', 'free')
  assert.equal((await pushAs(git, 'bob', 'main')).code, 0)
  await assert.rejects(writeFileAs('bob', path, 'y.lock'), { kind: 'forbidden', message: /"y.lock"/ })
  await assert.rejects(writeFileAs('bob', path, 'secret/b'), { kind: 'forbidden', message: /"secret\/b"/ })
  await writeFileAs('bob', path, 'z.txt')

  await git.ok('pull', '--quiet', 'origin', 'main')
  const docs = await pushAs(git, 'bob', 'main:docs-of-all')
  assert.match(docs.output, /push is not allowed/, 'that another branch has it does not make it harmless')
  await git.ok('checkout', '--quiet', '-B', 'main', 'HEAD^{/secret}')
  await git.commit('guide.md', 'text')
  assert.equal((await pushAs(git, 'bob', 'main:docs')).code, 0)
  await git.commit('code.c', 'code')
  await refused('main:docs', /push is not allowed/)
  await git.commit('x.lock', 'in a new branch')
  await protect(path, { rule_name: 'made/*', enable_push: true, protected_file_patterns: '*.lock' })
  await refused('main:made/here', /protected file "x.lock"/)
  await writeFileAs('bob', path, 'more.md', 'docs')
  await assert.rejects(writeFileAs('bob', path, 'more.c', 'docs'), { kind: 'forbidden' })
})

test('where signed commits are required, only signatures by known keys count', async () => {
  const { path, git } = await makeRepository()
  await using _ = git
  await protect(path, { rule_name: 'main', enable_push: true, require_signed_commits: true })
  const key = join(git.folder, '.git', 'signing-key')
  await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', key])
  await git.ok('config', 'gpg.format', 'ssh')
  await git.ok('config', 'user.signingkey', key)
  const unsigned = await git.commit('a.txt', 'unsigned')
  assert.match(
    (await pushAs(git, 'ann', 'main')).output,
    new RegExp(`commit ${unsigned} has no verified signature`),
  )
  await git.ok('config', 'commit.gpgsign', 'true')
  await git.ok('commit', '--quiet', '--amend', '--no-edit')
  assert.match((await pushAs(git, 'ann', 'main')).output, /no verified signature/, 'a key nobody has')
  const text = await readFile(`${key}.pub`, 'utf8')
  const added = await forge.call('ann', 'POST', '/user/keys', { title: 'signing', key: text })
  assert.equal(added.status, 201)
  assert.equal((await pushAs(git, 'ann', 'main')).code, 0)
  await assert.rejects(writeFileAs('ann', path, 'b.txt'), {
    kind: 'forbidden',
    message: /no verified signature/,
  })
})

test('commits that are already on another branch are still checked for a new protected branch', async () => {
  const { path, git } = await makeRepository()
  await using _ = git
  await git.ok('push', '--quiet', 'origin', 'main:signed/first', 'main:frozen/first')
  await protect(path, { rule_name: 'signed/*', enable_push: true, require_signed_commits: true })
  await protect(path, { rule_name: 'frozen/*', enable_push: true, protected_file_patterns: '*.lock' })
  const unsigned = await git.commit('x.lock', 'x')
  assert.equal((await pushAs(git, 'bob', 'main:elsewhere')).code, 0)
  const signed = await pushAs(git, 'bob', 'main:signed/second')
  assert.match(signed.output, new RegExp(`commit ${unsigned} has no verified signature`))
  assert.match((await pushAs(git, 'bob', 'main:frozen/second')).output, /protected file "x.lock"/)
  const { ctx, storageId, policy } = await acting('bob', path)
  const order = { ref: 'refs/heads/signed/third', target: unsigned }
  await assert.rejects(createRef(ctx, storageId, order, policy), { kind: 'forbidden' })
  for (const name of ['signed', 'frozen']) {
    const again = await pushAs(git, 'bob', `main^:refs/heads/${name}/again`)
    assert.equal(again.code, 0, 'what a branch of the same rule has is not asked about once more')
  }
})

test('a protected tag can be created, moved and deleted only by users on its list', async () => {
  const { path, git } = await makeRepository()
  await using _ = git
  const rule = { name_pattern: '/^v\\d/', whitelist_usernames: ['bob'] }
  assert.equal((await forge.call('ann', 'POST', `/repos/${path}/tag_protections`, rule)).status, 201)
  await git.ok('tag', 'v1')
  await git.ok('tag', 'other')
  const refused = await pushAs(git, 'ann', 'v1', 'other')
  assert.match(refused.output, /v1 is a protected tag/)
  assert.match(refused.output, /new tag.*other -> other/)
  assert.equal((await pushAs(git, 'bob', 'v1')).code, 0)
  assert.match((await pushAs(git, 'ann', ':v1')).output, /v1 is a protected tag/)
  await git.commit('a.txt', 'a')
  assert.match((await pushAs(git, 'ann', '+main:refs/tags/v1')).output, /v1 is a protected tag/)
  const { ctx, storageId, policy } = await acting('ann', path)
  const target = await git.remoteRef('refs/heads/main')
  const order = { ref: 'refs/tags/v2', target, message: 'Two', tagger: PERSON }
  await assert.rejects(createTag(ctx, storageId, order, policy), {
    kind: 'invalid',
    message: /protected tag/,
  })
  assert.equal(await findRef(ctx.db, storageId, 'refs/tags/v2'), undefined)
  assert.equal((await pushAs(git, 'bob', ':v1')).code, 0)
})

test('a push to an unprotected branch costs no git processes for rules, a protected one few', async () => {
  const { path, git } = await makeRepository()
  await using _ = git
  let pushed = 0
  const cost = async (refspec: string) => {
    await git.commit('a.txt', `push ${++pushed}`)
    let code = -1
    const count = await forge.countGit(async () => {
      code = (await pushAs(git, 'bob', refspec)).code
    })
    return { code, count }
  }
  const free = await cost('main:free')
  await protect(path, { rule_name: 'main', enable_push: true })
  await protect(path, { rule_name: 'closed' })
  await protect(path, { rule_name: 'files', enable_push: true, protected_file_patterns: '*.lock' })
  assert.deepEqual(await cost('main:free'), free, 'rules about other branches cost nothing')
  assert.deepEqual(await cost('main'), { code: 0, count: free.count + 1 }, 'whether it is rewritten')
  assert.equal((await cost('main:closed')).count, free.count, 'what is refused in any case')
  await cost('main:files')
  assert.deepEqual(await cost('main:files'), { code: 0, count: free.count + 2 }, 'and its files')
})

test('the protection of several branches takes one query', async () => {
  const { path, git } = await makeRepository()
  await using _ = git
  const listed = { enable_push: true, enable_push_whitelist: true, push_whitelist_teams: [`smiths${made}`] }
  const checks = { enable_status_check: true, status_check_contexts: ['ci/*'], required_approvals: 2 }
  const merging = { enable_merge_whitelist: true, merge_whitelist_usernames: ['bob'] }
  await protect(path, { rule_name: 'main', ...listed, ...checks, ...merging })
  const [owner = '', repo = ''] = path.split('/')
  const shown = async (login: string | null, branches: string[]) => {
    const ctx = login === null ? forge.ctx : await contextOf(login)
    const opened = await openToSee(ctx, { owner, repo })
    let protections = new Map<string, unknown>()
    const queries = await forge.countQueries(async () => {
      protections = await protectionOf(ctx, opened, branches)
    })
    assert.equal(queries, 1)
    return branches.map((branch) => protections.get(branch))
  }
  const none = {
    protected: false,
    required_approvals: 0,
    enable_status_check: false,
    status_check_contexts: [],
    user_can_push: false,
    user_can_merge: false,
    effective_branch_protection_name: '',
  }
  const some = { ...none, protected: true, ...checks }
  assert.deepEqual(await shown(null, ['main', 'next']), [some, none])
  assert.deepEqual(await shown('bob', ['main', 'next', 'last']), [
    { ...some, user_can_merge: true },
    { ...none, user_can_push: true, user_can_merge: true },
    { ...none, user_can_push: true, user_can_merge: true },
  ])
  assert.deepEqual(await shown('cid', ['main']), [{ ...some, user_can_push: true }])
  const name = { effective_branch_protection_name: 'main' }
  assert.deepEqual(await shown('ann', ['main']), [{ ...some, ...name }])
})
