/** The instance's signing key: shared by all nodes, accepted by git and ssh-keygen, reported as the instance's signer. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { GitClient, type Reply, startForge } from '#testing'
import { findSigner } from './signing-key.ts'

const run = promisify(execFile)
// All nodes share `secrets.keys`, so each can open what another sealed.
const config = { 'signing.enabled': true, 'secrets.keys': randomBytes(32).toString('hex') }
const forge = await startForge({ config, nodes: 2 })
const quiet = await startForge()
const folder = await mkdtemp(join(tmpdir(), 'bloomery-signing-'))
const ALLOWED = join(folder, 'allowed')

before(async () => {
  for (const name of ['ann', 'bob']) await forge.person(name)
  await forge.call('ann', 'POST', '/user/repos', { name: 'site', auto_init: true, default_branch: 'main' })
})
after(async () => {
  await forge[Symbol.asyncDispose]()
  await quiet[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const base64 = (text: string) => Buffer.from(text).toString('base64')
let files = 0

/** Adds a file over REST. */
function addFile(as: string, path: string, more: object = {}): Promise<Reply> {
  files += 1
  const body = { content: base64(`${files}\n`), message: `file ${files}`, ...more }
  return forge.call(as, 'POST', `/repos/${path}/contents/file-${files}`, body)
}

async function verificationOf(path: string, oid: string) {
  const { body } = await forge.call('ann', 'GET', `/repos/${path}/git/commits/${oid}`)
  return body.commit.verification
}

test('concurrent first uses of the signing key create one key', async () => {
  const signers = [1, 2, 3, 4].map(() => findSigner(forge.ctx))
  const shown = [1, 2, 3, 4].map(() => forge.call(null, 'GET', '/signing-key.pub'))
  const signatures = (await Promise.all(signers)).map((sign) => sign?.(Buffer.from('text')))
  assert.equal(new Set(await Promise.all(signatures)).size, 1, 'Ed25519 signs the same in the same way')
  const keys = new Set((await Promise.all(shown)).map(({ body }) => body))
  const rows = await forge.db.selectFrom('signing_key').selectAll().execute()
  assert.deepEqual(
    [...keys],
    rows.map(({ public_key }) => `${public_key}\n`),
  )
  assert.equal(rows.length, 1)
  assert.match(rows[0]?.public_key ?? '', /^ssh-ed25519 [A-Za-z0-9+/=]+$/)
  assert.match(rows[0]?.sealed_private_key ?? '', /^v1\./, 'nobody reads the private part in the database')
})

test('the public key is served as text, also under every repository that the caller can see', async () => {
  await forge.call('ann', 'POST', '/user/repos', { name: 'diary', private: true })
  const { status, headers, body } = await forge.call(null, 'GET', '/signing-key.pub')
  assert.deepEqual([status, headers.get('content-type')], [200, 'text/plain;charset=utf-8'])
  assert.equal((await forge.call(null, 'GET', '/repos/ann/site/signing-key.pub')).body, body)
  assert.equal((await forge.call('ann', 'GET', '/repos/ann/diary/signing-key.pub')).body, body)
  for (const path of [
    '/signing-key.gpg',
    '/repos/ann/site/signing-key.gpg',
    '/repos/ann/diary/signing-key.pub',
    '/repos/ann/none/signing-key.pub',
  ])
    assert.equal((await forge.call('bob', 'GET', path)).status, 404, path)
})

test('ssh-keygen verifies an instance signature against the published key', async () => {
  const { body } = await forge.call(null, 'GET', '/signing-key.pub')
  await writeFile(ALLOWED, `forge namespaces="git" ${body}`)
  const sign = await findSigner(forge.ctx)
  const signature = join(folder, 'signature')
  await writeFile(signature, (await sign?.(Buffer.from('text'))) ?? '')
  const verify = (text: string, namespace: string) => {
    const words = ['-Y', 'verify', '-f', ALLOWED, '-I', 'forge', '-n', namespace, '-s', signature]
    const running = run('ssh-keygen', words)
    // ssh-keygen may exit before it has read stdin.
    running.child.stdin?.on('error', () => undefined)
    running.child.stdin?.end(text)
    return running
  }
  assert.match((await verify('text', 'git')).stdout, /Good "git" signature for forge/)
  await assert.rejects(verify('other text', 'git'))
  await assert.rejects(verify('text', 'file'))
})

for (const format of ['sha1', 'sha256'] as const)
  test(`git and the forge both verify a commit created over REST in a ${format} repository`, async () => {
    const name = `signed-${format}`
    await forge.call('ann', 'POST', '/user/repos', { name, object_format_name: format })
    const { body } = await addFile('ann', `ann/${name}`)
    await using git = await GitClient.open(forge, 'ann', `ann/${name}`, format)
    await git.ok('fetch', '--quiet', 'origin')
    await git.ok('config', 'gpg.format', 'ssh')
    await git.ok('config', 'gpg.ssh.allowedSignersFile', ALLOWED)
    await git.ok('verify-commit', body.commit.sha)
    const { verified, reason, signer } = await verificationOf(`ann/${name}`, body.commit.sha)
    assert.equal(verified, true)
    assert.match(reason, /^forge\.test \/ SHA256:/)
    assert.deepEqual(signer, { name: 'forge.test', email: 'noreply@forge.test', username: '' })
    assert.equal(body.verification.verified, true, 'and told at once')
  })

test('commits created by diffpatch and merge-upstream are signed', async () => {
  await forge.call('ann', 'POST', '/user/repos', { name: 'up', auto_init: true, default_branch: 'main' })
  await forge.call('bob', 'POST', '/repos/ann/up/forks', {})
  const patch =
    'diff --git a/new b/new\nnew file mode 100644\n--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+new\n'
  const patched = await forge.call('ann', 'POST', '/repos/ann/up/diffpatch', { content: patch })
  assert.equal(patched.body.verification.verified, true)
  await addFile('bob', 'bob/up')
  const merged = await forge.call('bob', 'POST', '/repos/bob/up/merge-upstream', { branch: 'main' })
  assert.equal(merged.body.merge_type, 'merge')
  const { body } = await forge.call('bob', 'GET', '/repos/bob/up/branches/main')
  assert.equal(body.commit.verification.verified, true)
})

test('a commit with an author or committer other than the caller is not signed', async () => {
  const stranger = { name: 'Linus', email: 'linus@example.test' }
  const renamed = { name: 'Linus', email: 'ann@example.test' }
  for (const named of [{ author: stranger }, { committer: stranger }, { author: renamed }]) {
    const { body } = await addFile('ann', 'ann/site', named)
    assert.deepEqual(
      [body.verification.verified, body.verification.reason],
      [false, 'gpg.error.not_signed_commit'],
      JSON.stringify(named),
    )
  }
  const own = await addFile('ann', 'ann/site', { author: { email: 'ann@example.test' } })
  assert.equal(own.body.verification.verified, true)
})

test('where signed commits are required, a REST commit is accepted unless it names another author', async () => {
  await forge.call('ann', 'POST', '/user/repos', { name: 'strict' })
  await addFile('ann', 'ann/strict', { branch: 'main' })
  const rule = { rule_name: 'main', enable_push: true, require_signed_commits: true }
  await forge.call('ann', 'POST', '/repos/ann/strict/branch_protections', rule)
  assert.equal((await addFile('ann', 'ann/strict')).status, 201)
  const forged = await addFile('ann', 'ann/strict', {
    author: { name: 'Linus', email: 'linus@example.test' },
  })
  assert.equal(forged.status, 403)
})

test('the instance stays the signer when a user adds its public key as their own', async () => {
  const { body: key } = await forge.call(null, 'GET', '/signing-key.pub')
  assert.equal((await forge.call('ann', 'POST', '/user/keys', { title: 'not mine', key })).status, 201)
  const { body } = await addFile('ann', 'ann/site')
  assert.equal(body.verification.signer.username, '')
})

test('under collaborator trust models an instance signature counts only for collaborators', async () => {
  const { body } = await addFile('bob', 'bob/up')
  await using git = await GitClient.open(forge, 'bob', 'bob/up')
  await git.ok('fetch', '--quiet', 'origin')
  for (const [model, isTrusted] of [
    ['default', true],
    ['committer', true],
    ['collaborator', false],
    ['collaboratorcommitter', false],
  ] as const) {
    const path = `ann/trust-${model}`
    await forge.call('ann', 'POST', '/user/repos', { name: `trust-${model}`, trust_model: model })
    const remote = `${forge.base}/${path}.git`.replace('://', `://${forge.tokenOf('ann')}@`)
    await git.ok('push', '--quiet', remote, `${body.commit.sha}:refs/heads/main`)
    const told = await verificationOf(path, body.commit.sha)
    assert.equal(told.verified, isTrusted, model)
    if (!isTrusted) assert.equal(told.reason, 'repo.commits.signed_by_untrusted_user')
    await forge.call('ann', 'PUT', `/repos/${path}/collaborators/bob`, { permission: 'read' })
    assert.equal((await verificationOf(path, body.commit.sha)).verified, true, `${model}: a collaborator's`)
  }
})

test('a commit altered after signing is not verified', async () => {
  const { body } = await addFile('ann', 'ann/site')
  await using git = await GitClient.open(forge, 'ann', 'ann/site')
  await git.ok('fetch', '--quiet', 'origin')
  const text = await git.ok('cat-file', 'commit', body.commit.sha)
  await writeFile(join(git.folder, 'commit'), `${text.replace(/\n\nfile/, '\n\nanother file')}\n`)
  const changed = await git.ok('hash-object', '-t', 'commit', '-w', 'commit')
  await git.ok('push', '--quiet', 'origin', `${changed}:refs/heads/changed`)
  const { verified, reason } = await verificationOf('ann/site', changed)
  assert.deepEqual([verified, reason], [false, 'gpg.error.probable_bad_signature'])
})

test('a page of signed commits takes as many queries as one commit', async () => {
  const ask = (limit: number) => forge.call('ann', 'GET', `/repos/ann/site/commits?limit=${limit}`)
  for (const limit of [1, 4]) await ask(limit)
  const one = await forge.countQueries(() => ask(1))
  assert.equal(await forge.countQueries(() => ask(4)), one)
})

test('with signing disabled, the instance signs nothing and creates no key', async () => {
  await quiet.person('ann')
  await quiet.call('ann', 'POST', '/user/repos', { name: 'site', auto_init: true })
  const body = { content: base64('x'), message: 'plain' }
  const added = await quiet.call('ann', 'POST', '/repos/ann/site/contents/file', body)
  assert.equal(added.body.verification.reason, 'gpg.error.not_signed_commit')
  for (const path of ['/signing-key.pub', '/signing-key.gpg', '/repos/ann/site/signing-key.pub'])
    assert.equal((await quiet.call(null, 'GET', path)).status, 404, path)
  assert.equal(await quiet.db.selectFrom('signing_key').selectAll().executeTakeFirst(), undefined)
})

test('signed commits stay verified after signing is disabled', async () => {
  const row = await forge.db.selectFrom('signing_key').selectAll().executeTakeFirstOrThrow()
  await quiet.db.insertInto('signing_key').values(row).execute()
  assert.equal((await quiet.call(null, 'GET', '/signing-key.pub')).body, `${row.public_key}\n`)
  assert.equal(await findSigner(quiet.ctx), undefined)
  await using git = await GitClient.open(forge, 'ann', 'ann/site')
  await git.ok('fetch', '--quiet', 'origin')
  const remote = `${quiet.base}/ann/site.git`.replace('://', `://${quiet.tokenOf('ann')}@`)
  await git.ok('push', '--quiet', remote, 'origin/main:refs/heads/other')
  const { body } = await quiet.call('ann', 'GET', '/repos/ann/site/branches/other')
  assert.equal(body.commit.verification.verified, true)
})
