/** Archives and bundles. */
import assert from 'node:assert/strict'
import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { startForge } from '#testing'
import { loadWorkTree, makeStorage, makeWorkTree } from '../../testing.ts'
import { openArchive, openBundle } from './archive.ts'

const forge = await startForge()
const { ctx } = forge
after(() => forge[Symbol.asyncDispose]())

const TAR_BLOCK = 512

/** Names of the files in a tar, unless they are long. */
function namesIn(tar: Buffer): string[] {
  const names: string[] = []
  for (let at = 0; at + TAR_BLOCK <= tar.length; ) {
    const field = (from: number, to: number) =>
      tar.toString('utf8', at + from, at + to).split('\0', 1)[0] ?? ''
    if (field(0, 100) === '') break
    if (field(156, 157) !== 'g') names.push(field(0, 100))
    at += TAR_BLOCK + Math.ceil(Number.parseInt(field(124, 136), 8) / TAR_BLOCK) * TAR_BLOCK
  }
  return names
}

for (const format of ['sha1', 'sha256'] as const)
  test(`a tree is archived as tar or zip, in full or limited to paths, with ids of ${format}`, async () => {
    await using tree = await makeWorkTree(format)
    await tree.write('readme', 'hello\n')
    await tree.write('docs/-r', 'x\n')
    await tree.write('--output=x', 'x\n')
    await symlink('readme', join(tree.folder, 'link'))
    const head = await tree.commit('files')
    const id = await makeStorage(ctx, format)
    await loadWorkTree(ctx, id, tree.folder)
    const query = { format: 'tar.gz', prefix: 'site-1.0', paths: [] } as const
    const tar = gunzipSync(await buffer(await openArchive(ctx, id, head, query)))
    assert.deepEqual(namesIn(tar).sort(), [
      'site-1.0/',
      'site-1.0/--output=x',
      'site-1.0/docs/',
      'site-1.0/docs/-r',
      'site-1.0/link',
      'site-1.0/readme',
    ])
    const part = await openArchive(ctx, id, head, { ...query, prefix: '', paths: ['docs', '--output=x'] })
    assert.deepEqual(namesIn(gunzipSync(await buffer(part))).sort(), ['--output=x', 'docs/', 'docs/-r'])
    const zip = await buffer(await openArchive(ctx, id, head, { ...query, format: 'zip' }))
    assert.equal(zip.toString('latin1', 0, 4), 'PK\x03\x04')
    assert.ok(zip.includes('site-1.0/docs/-r'))
  })

for (const format of ['sha1', 'sha256'] as const)
  test(`git clones from a bundle, with ids of ${format}`, async () => {
    await using tree = await makeWorkTree(format)
    await tree.write('file', 'one\n')
    await tree.commit('one')
    await tree.write('file', 'two\n')
    const head = await tree.commit('two')
    await tree.git('switch', '--quiet', '--create', 'secret')
    const secret = await tree.commit('secret')
    const id = await makeStorage(ctx, format)
    await loadWorkTree(ctx, id, tree.folder)
    const bundle = await buffer(await openBundle(ctx, id, head, 'refs/heads/main'))
    await using other = await makeWorkTree(format)
    await writeFile(join(other.folder, 'bundle'), bundle)
    await other.git('clone', '--quiet', 'bundle', 'clone')
    assert.equal(await other.git('-C', 'clone', 'rev-parse', 'HEAD'), head)
    assert.equal(await other.git('-C', 'clone', 'symbolic-ref', 'HEAD'), 'refs/heads/main')
    assert.equal(await other.git('-C', 'clone', 'rev-list', '--count', 'HEAD'), '2')
    await assert.rejects(
      other.git('-C', 'clone', 'cat-file', '-e', secret),
      'only what was asked for is in it',
    )
  })
