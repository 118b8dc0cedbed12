/** Git LFS over SSH alone (`git-lfs-transfer`), with each client that this machine has: HTTP leads nowhere. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { after, before, test } from 'node:test'
import { assertNothingLost, type LfsObject, objectOf, upload } from '#testing/slices/lfs'
import { SshForge } from '#testing/ssh'
import { LfsClient } from './client.ts'

/** Debian's, and the one that tools/bootstrap.sh builds. */
const CLIENTS = ['/usr/bin/git-lfs', resolve('.tools/bin/git-lfs')].filter((it) => existsSync(it))
const NOWHERE = 'http://127.0.0.1:9'

let sshd: SshForge
before(async () => {
  sshd = await SshForge.open({ 'lfs.object_bytes_max': 30_000_000 })
  for (const name of ['ann', 'bob', 'eve']) {
    await sshd.forge.person(name)
    await addKey(name, name)
  }
  await addKey('ann', 'reader', true)
  await make('raw')
})
after(() => sshd[Symbol.asyncDispose]())

async function addKey(login: string, name: string, read_only = false): Promise<void> {
  const key = await sshd.makeKey(name)
  assert.equal(
    (await sshd.forge.call(login, 'POST', '/user/keys', { title: name, key, read_only })).status,
    201,
  )
}

async function make(name: string): Promise<void> {
  const made = { name, private: true, default_branch: 'main' }
  assert.equal((await sshd.forge.call('ann', 'POST', '/user/repos', made)).status, 201)
  await sshd.forge.call('ann', 'PUT', `/repos/ann/${name}/collaborators/bob`, { permission: 'read' })
}

for (const client of CLIENTS) {
  const open = async (key: string) => {
    const opened = await LfsClient.open(NOWHERE, {
      PATH: `${dirname(client)}:${process.env.PATH ?? ''}`,
      GIT_SSH_COMMAND: `ssh ${sshd.flags(key).join(' ')}`,
    })
    await opened.ok('config', '--global', 'lfs.ssh.automultiplex', 'false')
    await opened.ok('config', '--global', 'lfs.concurrenttransfers', '2')
    return opened
  }

  test(`files are pushed, cloned and locked over SSH alone by ${client}`, async () => {
    const name = `site-${CLIENTS.indexOf(client)}`
    await make(name)
    await using ann = await open('ann')
    const tree = await ann.clone(sshd.urlOf('ann', name), name)
    const files = { 'large.bin': randomBytes(20_000_000), 'small.bin': randomBytes(100), 'empty.bin': '' }
    await ann.commit(tree, files)
    await ann.okIn(tree, 'push', '-q', 'origin', 'HEAD:main')
    await ann.okIn(tree, 'lfs', 'lock', 'small.bin')
    await using bob = await open('bob')
    const theirs = await bob.clone(sshd.urlOf('ann', name), name)
    for (const [file, content] of Object.entries(files))
      assert.deepEqual(await bob.read(theirs, file), Buffer.from(content), file)
    assert.match(await bob.okIn(theirs, 'lfs', 'locks'), /small\.bin\s+ann/)
    await bob.commit(theirs, { 'b.bin': 'not allowed' })
    assert.notEqual((await bob.runIn(theirs, 'lfs', 'push', 'origin', 'HEAD')).code, 0)
    await ann.okIn(tree, 'lfs', 'unlock', 'small.bin')
    assert.doesNotMatch(await ann.okIn(tree, 'lfs', 'locks'), /small/)
    await assertNothingLost(sshd.forge)
  })
}

const pkt = (text: string | Buffer) =>
  Buffer.concat([Buffer.from((text.length + 4).toString(16).padStart(4, '0')), Buffer.from(text)])
const [FLUSH, DELIMITER] = [Buffer.from('0000'), Buffer.from('0001')]
const command = (...lines: string[]) => Buffer.concat([...lines.map((it) => pkt(`${it}\n`)), FLUSH])
const put = ({ oid, size }: Pick<LfsObject, 'oid' | 'size'>, bytes: Buffer) => {
  const chunks: Buffer[] = []
  for (let at = 0; at < bytes.length; at += 60_000) chunks.push(pkt(bytes.subarray(at, at + 60_000)))
  return Buffer.concat([pkt(`put-object ${oid}\n`), pkt(`size=${size}\n`), DELIMITER, ...chunks, FLUSH])
}

/** A session that sends these bytes; `between` runs before the second part. */
async function talk(
  key: string,
  operation: string,
  parts: readonly Buffer[],
  { repo = 'ann/raw', between = async () => {} }: { repo?: string; between?: () => Promise<unknown> } = {},
) {
  const child = spawn('ssh', [...sshd.flags(key), sshd.host, `git-lfs-transfer '${repo}.git' ${operation}`])
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString('latin1')
  })
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString()
  })
  child.stdin.on('error', () => undefined)
  const ended = once(child, 'close')
  const statuses = () => [...out.matchAll(/status (\d+)/g)].map(([, code]) => Number(code))
  for (const [i, part] of parts.entries()) {
    if (i > 0) {
      while (statuses().length < i && child.exitCode === null) await new Promise((go) => setTimeout(go, 20))
      await between()
    }
    child.stdin.write(part)
  }
  child.stdin.end()
  const [code] = await ended
  return { code: code as number, out, err, statuses: statuses() }
}

const QUIT = command('quit')

test('an object is put, verified and got; an object that does not match is refused, and the session goes on', async () => {
  const good = objectOf(200_000)
  const wrong = objectOf('announced')
  const sent = await talk('ann', 'upload', [
    command('version 1'),
    put(wrong, Buffer.from('different')),
    put(wrong, Buffer.alloc(300_000)),
    command(`verify-object ${wrong.oid}`, `size=${wrong.size}`),
    put({ ...good, size: 30_000_001 }, good.bytes),
    put(good, good.bytes),
    command(`verify-object ${good.oid}`, `size=${good.size}`),
    command(`get-object ${good.oid}`),
    command('delete-object x'),
    QUIT,
  ])
  assert.deepEqual(sent.statuses, [200, 422, 422, 404, 413, 200, 200, 405, 405, 200])
  const got = await talk('bob', 'download', [command('version 1'), command(`get-object ${good.oid}`), QUIT])
  assert.deepEqual(got.statuses, [200, 200, 200])
  assert.ok(got.out.includes(good.bytes.subarray(0, 60_000).toString('latin1').slice(0, 1_000)))
  const refused = await talk('bob', 'download', [
    command('version 1'),
    put(good, good.bytes),
    command('lock', 'path=a'),
    QUIT,
  ])
  assert.deepEqual(refused.statuses, [200, 405, 405, 200])
  await assertNothingLost(sshd.forge)
})

for (const [who, key, repo, operation, said] of [
  ['a reader who uploads', 'bob', 'ann/raw', 'upload', /permission to write/],
  ['a stranger', 'eve', 'ann/raw', 'download', /repository not found/],
  ['a read-only key that uploads', 'reader', 'ann/raw', 'upload', /read-only/],
  ['a wiki', 'ann', 'ann/raw.wiki', 'download', /repository not found/],
] as const)
  test(`a session is refused before it begins: ${who}`, async () => {
    const { code, out, err } = await talk(key, operation, [command('version 1')], { repo })
    assert.deepEqual([code, out], [1, ''])
    assert.match(err, said)
  })

test('an object of another repository is neither got nor verified, and a batch does not tell of it', async () => {
  await make('vault')
  const secret = objectOf('of the vault')
  await upload(sshd.forge, 'ann', 'ann/vault', secret)
  await sshd.forge.call('eve', 'POST', '/user/repos', { name: 'own' })
  const batch = Buffer.concat([pkt('batch\n'), DELIMITER, pkt(`${secret.oid} ${secret.size}\n`), FLUSH])
  const up = await talk(
    'eve',
    'upload',
    [batch, command(`verify-object ${secret.oid}`, `size=${secret.size}`), QUIT],
    { repo: 'eve/own' },
  )
  assert.match(up.out, new RegExp(`${secret.oid} ${secret.size} upload`))
  assert.deepEqual(up.statuses, [200, 404, 200])
  const down = await talk('eve', 'download', [batch, command(`get-object ${secret.oid}`), QUIT], {
    repo: 'eve/own',
  })
  assert.match(down.out, new RegExp(`${secret.oid} ${secret.size} noop`))
  assert.deepEqual(down.statuses, [200, 404, 200])
})

test('a right that is lost during a session ends with the next command', async () => {
  const object = objectOf('too late')
  const right = (permission: string) =>
    sshd.forge.call('ann', 'PUT', '/repos/ann/raw/collaborators/bob', { permission })
  await right('write')
  const lost = await talk('bob', 'upload', [command('version 1'), put(object, object.bytes)], {
    between: () => right('read'),
  })
  assert.deepEqual(lost.statuses, [200, 403])
  await right('write')
  const gone = await talk('bob', 'upload', [command('version 1'), put(object, object.bytes)], {
    between: () => sshd.forge.call('ann', 'DELETE', '/repos/ann/raw/collaborators/bob'),
  })
  assert.deepEqual(gone.statuses, [200, 404])
  const { body: keys } = await sshd.forge.call('ann', 'GET', '/user/keys')
  const { id } = keys.find((it: { title: string }) => it.title === 'ann')
  const there = objectOf('read with a key')
  await upload(sshd.forge, 'ann', 'ann/raw', there)
  const get = command(`get-object ${there.oid}`)
  const keyless = await talk('ann', 'download', [get, get], {
    between: () => sshd.forge.call('ann', 'DELETE', `/user/keys/${id}`),
  })
  assert.deepEqual(keyless.statuses, [200, 401])
  const key = await sshd.makeKey('ann-again')
  assert.equal((await sshd.forge.call('ann', 'POST', '/user/keys', { title: 'again', key })).status, 201)
})

for (const [what, bytes] of [
  ['no pkt-line', Buffer.from('hello, this is no packet')],
  ['a line that is too long', command(`batch ${'x'.repeat(5_000)}`)],
  ['too many arguments', command('batch', ...Array.from({ length: 21 }, (_, i) => `a${i}=1`))],
  ['a message that ends early', Buffer.concat([pkt('batch\n'), DELIMITER])],
  [
    'too many objects',
    Buffer.concat([
      pkt('batch\n'),
      DELIMITER,
      ...Array<Buffer>(1_001).fill(pkt(`${'a'.repeat(64)} 1\n`)),
      FLUSH,
    ]),
  ],
] as const)
  test(`a client that sends ${what} is disconnected or refused`, async () => {
    const { code, statuses } = await talk('ann-again', 'upload', [bytes])
    assert.ok(code === 1 || statuses.every((it) => it >= 400), `${code} ${statuses}`)
  })
