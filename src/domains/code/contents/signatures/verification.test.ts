/** Signatures of commits, made by real tools. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import * as openpgp from 'openpgp'
import { GitClient, startForge } from '#testing'
import { commitAs, writeIn } from '#testing/slices/contents'

const forge = await startForge()
const folder = mkdtempSync(join(tmpdir(), 'bloomery-verification-'))
let git: GitClient

before(async () => {
  for (const name of ['ann', 'bob']) await forge.person(name)
  await forge.call('ann', 'POST', '/user/repos', { name: 'site' })
  git = await GitClient.open(forge, 'ann', 'ann/site')
})
after(async () => {
  await git[Symbol.asyncDispose]()
  await forge[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

const DATE = '2020-01-01T10:00:00Z'

function makeSshKey(name: string): string {
  const file = join(folder, name)
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', file])
  return file
}

async function commitWithSsh(file: string, email: string): Promise<string> {
  await git.ok('config', 'gpg.format', 'ssh')
  await git.ok('config', 'user.signingkey', file)
  const oid = await commitAs(git, { title: `By ${email}`, date: DATE, email }, '--gpg-sign')
  await git.ok('push', '--quiet', '--force', 'origin', 'HEAD:refs/heads/main')
  return oid
}

async function verificationOf(oid: string) {
  const { body } = await forge.call(null, 'GET', `/repos/ann/site/commits?sha=${oid}&limit=1`)
  return body[0].commit.verification
}

test('a commit signed with an SSH key of its committer is verified', async () => {
  const file = makeSshKey('ann')
  const oid = await commitWithSsh(file, 'ann@example.test')
  const unknown = await verificationOf(oid)
  assert.equal(unknown.verified, false)
  assert.equal(unknown.reason, 'gpg.error.no_gpg_keys_found')
  assert.match(unknown.signature, /^-----BEGIN SSH SIGNATURE-----\n/)
  assert.match(unknown.payload, /^tree [0-9a-f]{40}\n.*\n\nBy ann@example.test\n$/s)
  const added = await forge.call('ann', 'POST', '/user/keys', {
    title: 'signing',
    key: readFileSync(`${file}.pub`, 'utf8'),
  })
  assert.equal(added.status, 201)
  const known = await verificationOf(oid)
  assert.equal(known.verified, true)
  assert.equal(known.reason, `ann / ${added.body.fingerprint}`)
  assert.deepEqual(known.signer, { name: '', email: 'ann@example.test', username: 'ann' })
  await forge.call('ann', 'DELETE', `/user/keys/${added.body.id}`)
  assert.equal((await verificationOf(oid)).verified, false, 'a key that is gone vouches for nothing')
})

test('a commit signed with another user’s SSH key is not verified', async () => {
  const file = makeSshKey('bob')
  await forge.call('bob', 'POST', '/user/keys', { title: 'own', key: readFileSync(`${file}.pub`, 'utf8') })
  const oid = await commitWithSsh(file, 'ann@example.test')
  assert.equal((await verificationOf(oid)).verified, false)
  assert.equal((await verificationOf(await commitWithSsh(file, 'bob@example.test'))).verified, true)
})

/** A commit with a signature header, as git writes it. */
async function commitWithGpg(key: openpgp.PrivateKey, email: string, tampering = ''): Promise<string> {
  const oid = await commitAs(git, { title: `Signed as ${email}`, date: DATE, email })
  const payload = `${await git.ok('cat-file', 'commit', oid)}\n`
  const signature = await openpgp.sign({
    message: await openpgp.createMessage({ binary: Buffer.from(payload) }),
    signingKeys: key,
    detached: true,
  })
  const armored = String(signature).trimEnd().replaceAll('\r', '').replaceAll('\n', '\n ')
  await writeIn(git, 'commit', payload.replace('\n\n', `\ngpgsig ${armored}\n\n${tampering}`))
  const signed = await git.ok('hash-object', '-t', 'commit', '-w', 'commit')
  await git.ok('push', '--quiet', '--force', 'origin', `${signed}:refs/heads/main`)
  return signed
}

async function makeGpgKey(login: string, email: string) {
  const { privateKey, publicKey } = await openpgp.generateKey({
    userIDs: [{ name: login, email }],
    format: 'object',
    date: new Date(DATE),
  })
  const body = { armored_public_key: publicKey.armor() }
  const added = await forge.call(login, 'POST', '/user/gpg_keys', body)
  return { privateKey, keyId: added.body?.key_id as string, status: added.status }
}

test('a commit signed with a GPG key of its committer is verified', async () => {
  const { privateKey, keyId, status } = await makeGpgKey('ann', 'ann@example.test')
  assert.equal(status, 201)
  const own = await verificationOf(await commitWithGpg(privateKey, 'ANN@example.test'))
  assert.equal(own.verified, true)
  assert.equal(own.reason, `ann / ${keyId}`)
  assert.equal(own.signer.username, 'ann')
  const others = await verificationOf(await commitWithGpg(privateKey, 'bob@example.test'))
  assert.deepEqual([others.verified, others.reason], [false, 'gpg.error.probable_bad_signature'])
  const changed = await verificationOf(await commitWithGpg(privateKey, 'ann@example.test', 'Not '))
  assert.deepEqual([changed.verified, changed.reason], [false, 'gpg.error.probable_bad_signature'])
})

test('an unreadable signature is reported as such', async () => {
  const oid = await commitAs(git, { title: 'Odd', date: DATE, email: 'ann@example.test' })
  const payload = `${await git.ok('cat-file', 'commit', oid)}\n`
  await writeIn(git, 'commit', payload.replace('\n\n', '\ngpgsig nonsense\n\n'))
  const odd = await git.ok('hash-object', '-t', 'commit', '-w', 'commit')
  await git.ok('push', '--quiet', '--force', 'origin', `${odd}:refs/heads/main`)
  assert.equal((await verificationOf(odd)).reason, 'gpg.error.extract_sign')
})

test('a page of signed commits takes as many queries as one commit', async () => {
  const file = makeSshKey('many')
  await forge.call('ann', 'POST', '/user/keys', { title: 'many', key: readFileSync(`${file}.pub`, 'utf8') })
  for (let i = 0; i < 4; i++) await commitWithSsh(file, 'ann@example.test')
  const ask = (query: string) => forge.call(null, 'GET', `/repos/ann/site/commits${query}`)
  const { body } = await ask('?limit=4')
  assert.ok(
    body.every((it: { commit: { verification: { verified: boolean } } }) => it.commit.verification.verified),
  )
  await ask('?limit=1')
  const one = await forge.countQueries(() => ask('?limit=1'))
  assert.equal(await forge.countQueries(() => ask('?limit=4')), one)
})

interface Signed {
  readonly signer: string
  readonly committer: string
  readonly kind: 'ssh' | 'gpg'
}
const SIGNED: readonly Signed[] = (['ssh', 'gpg'] as const).flatMap((kind) => [
  { kind, signer: 'bob', committer: 'bob' },
  { kind, signer: 'bob', committer: 'carl' },
  { kind, signer: 'carl', committer: 'carl' },
])
/** By signature: a collaborator's on their own commit, a collaborator's on another's, a non-collaborator's own. */
const TRUSTED = {
  default: [true, false, true],
  committer: [true, false, true],
  collaborator: [true, true, false],
  collaboratorcommitter: [true, false, false],
} as const

test('the repository’s trust model decides which signers are verified', async () => {
  const oids = await signAll()
  for (const [model, trusted] of Object.entries(TRUSTED)) {
    const name = `trust-${model}`
    await forge.call('ann', 'POST', '/user/repos', { name, trust_model: model })
    await forge.call('ann', 'PUT', `/repos/ann/${name}/collaborators/bob`, { permission: 'read' })
    await git.ok('push', '--quiet', git.remote.replace('/site.git', `/${name}.git`), ...refsOf(oids))
    for (const [i, { kind, signer, committer }] of SIGNED.entries()) {
      const { body } = await forge.call(null, 'GET', `/repos/ann/${name}/git/commits/${oids[i]}`)
      const { verified, reason, signer: told } = body.commit.verification
      const what = `${model}: ${kind} by ${signer} for ${committer}`
      assert.equal(verified, trusted[i % 3], what)
      assert.equal(told?.username, verified ? signer : undefined, what)
      if (verified) assert.ok(reason.startsWith(`${signer} / `), what)
      const isUntrusted = !verified && model.startsWith('collaborator') && signer === 'carl'
      assert.equal(reason === 'repo.commits.signed_by_untrusted_user', isUntrusted, `${what}: ${reason}`)
    }
  }
})

test('trusted signers are queried once for a page, and again after one leaves', async () => {
  const ask = (query: string) => forge.call(null, 'GET', `/repos/ann/trust-collaborator/commits${query}`)
  for (const query of ['?sha=c5&limit=1', '?sha=c5&limit=3']) await ask(query)
  const one = await forge.countQueries(() => ask('?sha=c5&limit=1'))
  assert.equal(await forge.countQueries(() => ask('?sha=c5&limit=3')), one)
  const isVerified = async () => (await ask('?sha=c0&limit=1')).body[0].commit.verification.verified
  assert.equal(await isVerified(), true)
  await forge.call('ann', 'DELETE', '/repos/ann/trust-collaborator/collaborators/bob')
  assert.equal(await isVerified(), false)
})

/** Commits on top of each other, in the order of TRUSTED. */
async function signAll(): Promise<string[]> {
  await forge.person('carl')
  const sshKeys = new Map<string, string>()
  const gpgKeys = new Map<string, openpgp.PrivateKey>()
  for (const name of ['bob', 'carl']) {
    const file = makeSshKey(`trust-${name}`)
    sshKeys.set(name, file)
    await forge.call(name, 'POST', '/user/keys', { title: file, key: readFileSync(`${file}.pub`, 'utf8') })
    gpgKeys.set(name, (await makeGpgKey(name, `${name}@example.test`)).privateKey)
  }
  const oids: string[] = []
  for (const { kind, signer, committer } of SIGNED) {
    const [file, key] = [sshKeys.get(signer), gpgKeys.get(signer)]
    assert.ok(file && key)
    const email = `${committer}@example.test`
    const oid = kind === 'ssh' ? await commitWithSsh(file, email) : await commitWithGpg(key, email)
    await git.ok('reset', '--quiet', '--hard', oid)
    oids.push(oid)
  }
  return oids
}

const refsOf = (oids: readonly string[]) => oids.map((oid, i) => `${oid}:refs/heads/c${i}`)
