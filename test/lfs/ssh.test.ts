/** Git LFS with remotes over SSH: a real sshd, the real git and Debian's git-lfs. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { lfs, objectOf } from '#testing/slices/lfs'
import { type Ended, run, SshForge } from '#testing/ssh'
import { LfsClient } from './client.ts'

let sshd: SshForge
let client: LfsClient
before(async () => {
  sshd = await SshForge.open()
  for (const name of ['ann', 'bob', 'eve']) {
    await sshd.forge.person(name)
    await addKey(name, name)
  }
  await addKey('ann', 'reader', true)
  for (const name of ['site', 'other'])
    await sshd.forge.call('ann', 'POST', '/user/repos', { name, private: true, default_branch: 'main' })
  await sshd.forge.call('ann', 'PUT', '/repos/ann/site/collaborators/bob', { permission: 'read' })
  client = await clientOf('ann')
})
after(async () => {
  await client?.[Symbol.asyncDispose]()
  await sshd[Symbol.asyncDispose]()
})

async function addKey(login: string, name: string, read_only = false): Promise<void> {
  const { status } = await sshd.forge.call(login, 'POST', '/user/keys', {
    title: name,
    key: await sshd.makeKey(name),
    read_only,
  })
  assert.equal(status, 201)
}

function clientOf(key: string): Promise<LfsClient> {
  return LfsClient.open(sshd.forge.base, { GIT_SSH_COMMAND: `ssh ${sshd.flags(key).join(' ')}` })
}

const ask = (key: string, command: string): Promise<Ended> =>
  run('ssh', [...sshd.flags(key), sshd.host, command])

test('files are pushed and cloned by a client that knows only an SSH key', async () => {
  const tree = await client.clone(sshd.urlOf('ann', 'site'), 'site')
  await client.commit(tree, { 'a.bin': 'over SSH' })
  await client.okIn(tree, 'push', '-q', 'origin', 'HEAD:main')
  await using bob = await clientOf('bob')
  const theirs = await bob.clone(sshd.urlOf('ann', 'site'), 'site')
  assert.equal(String(await bob.read(theirs, 'a.bin')), 'over SSH')
  await bob.commit(theirs, { 'b.bin': 'not allowed' })
  const refused = await bob.runIn(theirs, 'lfs', 'push', 'origin', 'HEAD')
  assert.notEqual(refused.code, 0)
  assert.equal(join(bob.folder, 'site'), theirs)
})

test('git-lfs-authenticate answers a token for one repository and one operation', async () => {
  const { code, stdout } = await ask('ann', "git-lfs-authenticate 'ann/site.git' download")
  assert.equal(code, 0)
  const { href, header, expires_in } = JSON.parse(stdout)
  assert.equal(href, 'http://forge.test/ann/site.git/info/lfs')
  assert.equal(expires_in, 1_800)
  const headers = { authorization: header.Authorization }
  const { oid, size } = objectOf('over SSH')
  const batch = (repo: string, operation: string) =>
    lfs(sshd.forge, null, 'POST', repo, '/objects/batch', {
      headers,
      json: { operation, objects: [{ oid, size }] },
    })
  const found = await batch('ann/site', 'download')
  assert.deepEqual(found.json.objects[0].actions.download.header, header)
  assert.equal((await batch('ann/site', 'upload')).status, 403)
  assert.equal((await batch('ann/other', 'download')).status, 404)
})

for (const [who, key, command, said] of [
  ['a reader', 'bob', "git-lfs-authenticate 'ann/site.git' upload", /permission to write/],
  ['a stranger', 'eve', "git-lfs-authenticate 'ann/site.git' download", /repository not found/],
  ['a read-only key', 'reader', "git-lfs-authenticate 'ann/site.git' upload", /key is read-only/],
  ['a wiki', 'ann', "git-lfs-authenticate 'ann/site.wiki.git' download", /repository not found/],
  ['an unknown operation', 'ann', "git-lfs-authenticate 'ann/site.git' delete", /no shell access/],
] as const)
  test(`git-lfs-authenticate refuses: ${who}`, async () => {
    const { code, stdout, stderr } = await ask(key, command)
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, said)
  })

test('a deploy key reads and writes the objects of its repository alone', async () => {
  for (const [name, read_only] of [
    ['deploys', true],
    ['writes', false],
  ] as const) {
    const given = { title: name, key: await sshd.makeKey(name), read_only }
    assert.equal((await sshd.forge.call('ann', 'POST', '/repos/ann/site/keys', given)).status, 201)
  }
  await using reader = await clientOf('deploys')
  const tree = await reader.clone(sshd.urlOf('ann', 'site'), 'site')
  assert.equal(String(await reader.read(tree, 'a.bin')), 'over SSH')
  assert.equal((await ask('deploys', "git-lfs-authenticate 'ann/site.git' upload")).code, 1)
  assert.equal((await ask('writes', "git-lfs-authenticate 'ann/other.git' download")).code, 1)
  await using writer = await clientOf('writes')
  const theirs = await writer.clone(sshd.urlOf('ann', 'site'), 'site')
  await writer.commit(theirs, { 'c.bin': 'by a deploy key' })
  await writer.okIn(theirs, 'push', '-q', 'origin', 'HEAD:main')
})
