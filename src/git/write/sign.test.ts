/** Commits signed on creation: git itself verifies every one of them. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { startForge } from '#testing'
import { findCommit } from '../read/objects/commit.ts'
import type { Person } from '../read/objects/person.ts'
import type { ObjectFormat, StorageId } from '../tables.ts'
import { gitInStorage, loadWorkTree, makeStorage, makeWorkTree, NO_POLICY } from '../testing.ts'
import { applyPatch } from './apply-patch.ts'
import { commitFiles } from './commit-files.ts'
import { cherryPick } from './merge/cherry-pick.ts'
import { merge } from './merge/merge.ts'
import { revert } from './merge/revert.ts'

const forge = await startForge()
const { ctx } = forge
const folder = await mkdtemp(join(tmpdir(), 'bloomery-sign-'))
after(async () => {
  await forge[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const run = promisify(execFile)
const KEY = join(folder, 'key')
const ALLOWED = join(folder, 'allowed')
await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', KEY])
await writeFile(ALLOWED, `forge@x namespaces="git" ${await readFile(`${KEY}.pub`, 'utf8')}`)

/** The signed bytes of each commit. */
const payloads: string[] = []

async function sign(payload: Buffer): Promise<string> {
  payloads.push(payload.toString())
  const file = join(folder, `payload-${payloads.length}`)
  await writeFile(file, payload)
  await run('ssh-keygen', ['-q', '-Y', 'sign', '-n', 'git', '-f', KEY, file])
  return readFile(`${file}.sig`, 'utf8')
}

const ann: Person = { name: 'Ann', email: 'ann@x', at: new Date(1_760_000_000_000), offsetMinutes: 120 }
const people = { author: ann, committer: ann, sign }
const MAIN = 'refs/heads/main'
const target = { branch: MAIN }
/** Lines that look like the end of the headers or like a signature are only text. */
const message = 'subject\n\nbody\n\ngpgsig is a word\n\n\nend'

async function assertSigned(id: StorageId, ...oids: readonly string[]): Promise<void> {
  const settings = ['-c', 'gpg.format=ssh', '-c', `gpg.ssh.allowedSignersFile=${ALLOWED}`]
  for (const oid of oids) await gitInStorage(ctx, id, ...settings, 'verify-commit', oid)
  await gitInStorage(ctx, id, 'fsck', '--strict', '--full')
}

/** Two branches with one commit each that the other does not have. */
async function makeParted(format: ObjectFormat): Promise<{ id: StorageId; main: string; side: string }> {
  await using tree = await makeWorkTree(format)
  await tree.write('base', 'base\n')
  await tree.commit('base')
  await tree.git('switch', '--quiet', '--create', 'side')
  await tree.write('one', 'one\n')
  await tree.commit('one')
  await tree.write('two', 'two\n')
  const side = await tree.commit('two')
  await tree.git('switch', '--quiet', 'main')
  await tree.write('base', 'changed\n')
  const main = await tree.commit('main')
  const id = await makeStorage(ctx, format)
  await loadWorkTree(ctx, id, tree.folder)
  return { id, main, side }
}

for (const format of ['sha1', 'sha256'] as const) {
  for (const style of ['merge', 'squash', 'rebase', 'rebase-merge'] as const)
    test(`git verifies every commit that a ${style} makes, with ids of ${format}`, async () => {
      const { id, main, side } = await makeParted(format)
      const { oid } = await merge(ctx, id, { branch: MAIN, head: side, style, message, ...people }, NO_POLICY)
      const made = (await gitInStorage(ctx, id, 'rev-list', oid, `^${main}`, `^${side}`)).split('\n')
      assert.equal(made.length, { merge: 1, squash: 1, rebase: 2, 'rebase-merge': 3 }[style])
      await assertSigned(id, ...made)
    })

  test(`git verifies a commit of files, a patch, a pick and its revert, with ids of ${format}`, async () => {
    const { id, side } = await makeParted(format)
    const changes = [{ kind: 'create', path: 'folder/new', content: Buffer.from('new\n') }] as const
    const files = await commitFiles(ctx, id, { target, changes, message, ...people }, NO_POLICY)
    const patch = 'diff --git a/base b/base\n--- a/base\n+++ b/base\n@@ -1 +1 @@\n-changed\n+patched\n'
    const patched = await applyPatch(ctx, id, { target, patch, message, ...people }, NO_POLICY)
    const picked = await cherryPick(ctx, id, { target, commit: side, ...people }, NO_POLICY)
    const reverted = await revert(ctx, id, { target, commit: picked.oid, ...people }, NO_POLICY)
    await assertSigned(id, files.oid, patched.oid, picked.oid, reverted.oid)
    assert.equal(await gitInStorage(ctx, id, 'show', `${files.oid}:folder/new`), 'new')
  })

  test(`the signed bytes are read back unchanged, with ids of ${format}`, async () => {
    const id = await makeStorage(ctx, format)
    const changes = [{ kind: 'create', path: 'new', content: Buffer.from('new\n') }] as const
    const { oid } = await commitFiles(ctx, id, { target, changes, message, ...people }, NO_POLICY)
    const commit = await findCommit(ctx, id, oid)
    assert.equal(commit?.signature?.payload.toString(), payloads.at(-1))
    assert.equal(
      commit?.signature?.text,
      await readFile(join(folder, `payload-${payloads.length}.sig`), 'utf8'),
    )
    assert.equal(commit?.message, `${message}\n`)
    const header = format === 'sha1' ? 'gpgsig' : 'gpgsig-sha256'
    assert.match(
      await gitInStorage(ctx, id, 'cat-file', 'commit', oid),
      new RegExp(`^${header} -----BEGIN`, 'm'),
    )
  })
}

test('a signed commit of files leaves no unsigned copy behind', async () => {
  const id = await makeStorage(ctx)
  const changes = [{ kind: 'create', path: 'folder/new', content: Buffer.from('new\n') }] as const
  await commitFiles(ctx, id, { target, changes, message, ...people }, NO_POLICY)
  const kinds = await gitInStorage(ctx, id, 'cat-file', '--batch-all-objects', '--batch-check=%(objecttype)')
  assert.deepEqual(kinds.split('\n').sort(), ['blob', 'commit', 'tree', 'tree'])
})

test('a commit whose signer fails is not made', async () => {
  const { id, main, side } = await makeParted('sha1')
  const order = { branch: MAIN, head: side, style: 'merge', message, ...people } as const
  const failing = { ...order, sign: () => Promise.reject(new Error('no key')) }
  await assert.rejects(merge(ctx, id, failing, NO_POLICY), { message: 'no key' })
  assert.equal(await gitInStorage(ctx, id, 'rev-parse', MAIN), main)
})
