/** Deploy keys over SSH: a real sshd, the real ssh and the real git. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Forge, GitClient } from '#testing'
import { run, SshForge } from '#testing/ssh'

let sshd: SshForge
let forge: Forge
let work: string

before(async () => {
  sshd = await SshForge.open()
  forge = sshd.forge
  work = sshd.work
  await forge.person('ann')
  for (const name of ['site', 'other', 'closed'])
    await forge.call('ann', 'POST', '/user/repos', { name, private: name !== 'other' })
  for (const name of ['site', 'other', 'closed']) {
    await using ann = await GitClient.open(forge, 'ann', `ann/${name}`)
    await ann.commit('readme.md', name)
    await ann.ok('push', '--quiet', 'origin', 'main')
  }
})

after(async () => {
  await sshd[Symbol.asyncDispose]()
})

test('a deploy key with write access clones and pushes, and its last use is recorded', async () => {
  const id = await give('writer', 'site', false)
  const folder = await clone('writer', 'site')
  const head = await commit('writer', folder)
  await sshd.gitOk('writer', ['push', 'origin', 'HEAD:refs/heads/by-key'], folder)
  assert.equal(
    (await sshd.gitOk('writer', ['ls-remote', 'origin', 'refs/heads/by-key'], folder)).slice(0, 40),
    head,
  )
  const row = await forge.db.selectFrom('deploy_key').selectAll().where('id', '=', id).executeTakeFirst()
  assert.deepEqual(row?.last_used_at, forge.ctx.now())
  const event = await forge.db
    .selectFrom('event')
    .select('payload')
    .where('subject', '=', 'refs.moved')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  assert.equal((event.payload as { deploy_key_id: number }).deploy_key_id, id)
})

test('a read-only deploy key cannot push', async () => {
  await give('reader', 'site', true)
  const folder = await clone('reader', 'site')
  await commit('reader', folder)
  const { code, stderr } = await sshd.git('reader', ['push', 'origin', 'HEAD:refs/heads/refused'], folder)
  assert.notEqual(code, 0)
  assert.match(stderr, /deploy key is read-only: permission to push denied/)
  assert.equal(await sshd.gitOk('reader', ['ls-remote', 'origin', 'refs/heads/refused'], folder), '')
})

test('a deploy key does not open a quarantined repository, and its sessions are counted', async () => {
  await give('hidden', 'site', false)
  const quarantine = (quarantine_reason: string | null) =>
    forge.db.updateTable('repository').set({ quarantine_reason }).where('name', '=', 'site').execute()
  await quarantine('spam')
  const { code, stderr } = await sshd.git('hidden', ['ls-remote', urlOf('site')], work)
  assert.notEqual(code, 0)
  assert.match(stderr, /repository not found/)
  await quarantine(null)
  await sshd.gitOk('hidden', ['ls-remote', urlOf('site')], work)
  await forge.world.clientUse.save()
  const { rows } = await sql<{ requests: number }>`
    select sum(requests)::bigint as requests from client_use where route = 'ssh' and lane = 'machine'`.execute(
    forge.db,
  )
  assert.ok((rows[0]?.requests ?? 0) >= 2)
})

for (const repo of ['other', 'closed', 'none'])
  test(`a deploy key of one repository does not open ${repo}`, async () => {
    await give(`only-${repo}`, 'site', false)
    const { code, stderr } = await sshd.git(`only-${repo}`, ['ls-remote', urlOf(repo)], work)
    assert.notEqual(code, 0)
    assert.match(stderr, /repository not found/)
  })

test('the same key can have write access to one repository and read access to another', async () => {
  const key = await sshd.makeKey('shared')
  for (const [repo, read_only] of [
    ['site', false],
    ['closed', true],
  ] as const)
    await forge.call('ann', 'POST', `/repos/ann/${repo}/keys`, { title: 'shared', key, read_only })
  for (const [repo, isAllowed] of [
    ['site', true],
    ['closed', false],
  ] as const) {
    const folder = await clone('shared', repo)
    await commit('shared', folder)
    const { code } = await sshd.git('shared', ['push', 'origin', 'HEAD:refs/heads/shared'], folder)
    assert.equal(code === 0, isAllowed)
  }
})

test('sshd itself refuses a deleted deploy key, and the key of a deleted repository, at once', async () => {
  const id = await give('gone', 'site', true)
  await sshd.gitOk('gone', ['ls-remote', urlOf('site')], work)
  await forge.call('ann', 'DELETE', `/repos/ann/site/keys/${id}`)
  assert.match(
    (await sshd.git('gone', ['ls-remote', urlOf('site')], work)).stderr,
    /Permission denied \(publickey\)/,
  )
  await forge.call('ann', 'POST', '/user/repos', { name: 'brief' })
  await give('brief', 'brief', true)
  await forge.call('ann', 'DELETE', '/repos/ann/brief')
  assert.match(
    (await sshd.git('brief', ['ls-remote', urlOf('site')], work)).stderr,
    /Permission denied \(publickey\)/,
  )
})

/** Git runs this pre-push hook after it connected, before it sends anything. */
const HOOK =
  '#!/bin/sh\ntouch waiting\nfor i in $(seq 600); do test -e go && exit 0; sleep 0.1; done\nexit 1\n'

const TAKEN: [what: string, told: RegExp, give: (name: string) => Promise<() => Promise<unknown>>][] = [
  [
    'a deploy key',
    /read-only|not exist|was deleted/,
    async (name) => {
      const id = await give(name, 'site', false)
      return () => forge.call('ann', 'DELETE', `/repos/ann/site/keys/${id}`)
    },
  ],
  [
    'the key of somebody',
    /public key was deleted/,
    async (name) => {
      const { body } = await forge.call('ann', 'POST', '/user/keys', {
        title: name,
        key: await sshd.makeKey(name),
      })
      return () => forge.call('ann', 'DELETE', `/user/keys/${body.id}`)
    },
  ],
]

for (const [what, told, give] of TAKEN)
  test(`${what} that is deleted during a push pushes nothing`, async () => {
    const name = `taken-${what.replaceAll(' ', '-')}`
    const take = await give(name)
    const folder = await clone(name, 'site')
    await commit(name, folder)
    await writeFile(join(folder, '.git/hooks/pre-push'), HOOK, { mode: 0o755 })
    const pushing = sshd.git(name, ['push', 'origin', `HEAD:refs/heads/${name}`], folder)
    await Promise.race([pushing, fileAt(join(folder, 'waiting'))])
    await take()
    await writeFile(join(folder, 'go'), '')
    const { code, stderr } = await pushing
    assert.notEqual(code, 0)
    assert.match(stderr, told)
    const refs = forge.db.selectFrom('git_ref').select('name').where('name', '=', `refs/heads/${name}`)
    assert.deepEqual(await refs.execute(), [])
  })

async function fileAt(path: string): Promise<void> {
  while (!existsSync(path)) await sleep(20)
}

test('a deploy key follows its renamed repository, and other keys do not learn the new name', async () => {
  await forge.call('ann', 'POST', '/user/repos', { name: 'before', private: true })
  await give('follower', 'before', true)
  await give('outsider', 'site', true)
  assert.equal((await forge.call('ann', 'PATCH', '/repos/ann/before', { name: 'after' })).status, 200)
  const { code, stderr } = await sshd.git('follower', ['ls-remote', urlOf('before')], work)
  assert.equal(code, 0, stderr)
  assert.match(stderr, /ann\/before was renamed to ann\/after/)
  assert.match(
    (await sshd.git('outsider', ['ls-remote', urlOf('before')], work)).stderr,
    /repository not found/,
  )
})

test('a deploy key gets a greeting that names it, and no shell', async () => {
  await give('greeted', 'site', true)
  const { code, stderr } = await run('ssh', [...sshd.flags('greeted'), '-T', sshd.host])
  assert.equal(code, 0)
  assert.match(stderr, /hello, you have authenticated with a deploy key, but shell access is disabled/)
})

const urlOf = (repo: string) => sshd.urlOf('ann', repo)

async function give(name: string, repo: string, read_only: boolean): Promise<number> {
  const body = { title: name, key: await sshd.makeKey(name), read_only }
  const added = await forge.call('ann', 'POST', `/repos/ann/${repo}/keys`, body)
  assert.equal(added.status, 201)
  return added.body.id
}

async function clone(key: string, repo: string): Promise<string> {
  const folder = await mkdtemp(join(work, 'clone-'))
  await sshd.gitOk(key, ['clone', '-q', urlOf(repo), folder], work)
  return folder
}

async function commit(key: string, folder: string): Promise<string> {
  await writeFile(join(folder, `${key}.txt`), key)
  await sshd.gitOk(key, ['add', '-A'], folder)
  await sshd.gitOk(key, ['commit', '-q', '-m', `by ${key}`], folder)
  return sshd.gitOk(key, ['rev-parse', 'HEAD'], folder)
}
