/** Folders and files, with any names and in any number. */
import assert from 'node:assert/strict'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { startForge } from '#testing'
import type { ObjectFormat, StorageId } from '../../tables.ts'
import { loadWorkTree, makeStorage, makeWorkTree, type WorkTree } from '../../testing.ts'
import { findBlob, openBlob } from './blob.ts'
import { findEntry, listTree } from './tree.ts'

const forge = await startForge()
const { ctx } = forge
after(() => forge[Symbol.asyncDispose]())

const WHOLE = { path: '', isRecursive: false, skip: 0, limit: 1_000 }
const MIB = 1024 * 1024

async function load(tree: WorkTree, format: ObjectFormat = 'sha1'): Promise<StorageId> {
  const id = await makeStorage(ctx, format)
  await loadWorkTree(ctx, id, tree.folder)
  return id
}

for (const format of ['sha1', 'sha256'] as const)
  test(`a folder is listed with modes, types, ids and sizes, with ids of ${format}`, async () => {
    await using tree = await makeWorkTree(format)
    await tree.write('run', '#!/bin/sh\n', 0o755)
    await tree.write('text', 'hello\n')
    await tree.write('empty', '')
    await tree.write('inner/deep/file', 'x')
    await symlink('text', join(tree.folder, 'link'))
    const module = '1'.repeat(format === 'sha1' ? 40 : 64)
    await tree.git('update-index', '--add', '--cacheinfo', `160000,${module},module`)
    const oid = await tree.commit('all kinds')
    await tree.git('update-index', '--add', '--cacheinfo', `160000,${module},module`)
    await tree.git('commit', '--quiet', '--amend', '--no-edit')
    const head = await tree.git('rev-parse', 'HEAD')
    assert.notEqual(oid, head)
    const id = await load(tree, format)
    const page = await listTree(ctx, id, head, WHOLE)
    assert.deepEqual(
      page?.entries.map((it) => [it.path, it.mode, it.type, it.size]),
      [
        ['empty', '100644', 'blob', 0],
        ['inner', '040000', 'tree', null],
        ['link', '120000', 'blob', 4],
        ['module', '160000', 'commit', null],
        ['run', '100755', 'blob', 10],
        ['text', '100644', 'blob', 6],
      ],
    )
    assert.equal(page?.oid, await tree.git('rev-parse', 'HEAD^{tree}'))
    assert.deepEqual([page?.total, page?.isTruncated], [6, false])
    const deep = await listTree(ctx, id, head, { ...WHOLE, path: 'inner', isRecursive: true })
    assert.deepEqual(
      deep?.entries.map((it) => it.path),
      ['deep', 'deep/file'],
    )
    assert.equal((await findEntry(ctx, id, head, 'module'))?.oid, module)
    assert.equal((await findEntry(ctx, id, head, 'inner/deep/file'))?.size, 1)
    for (const path of ['nothing', 'text/below', 'module/below', 'link/below', '', '.', 'inner/', '../text'])
      assert.equal(await findEntry(ctx, id, head, path), undefined, path)
    for (const path of ['nothing', 'text', 'module'])
      assert.equal(await listTree(ctx, id, head, { ...WHOLE, path }), undefined, path)
  })

test('files with hostile names are found by name', async () => {
  await using tree = await makeWorkTree()
  const names = [
    'new\nline',
    '"quoted"',
    '-r',
    '--',
    '--help',
    ':(glob)*',
    '*',
    '[a]',
    'ünï☃',
    '\\',
    ' ',
    'x'.repeat(255),
  ]
  for (const name of names) await tree.write(`folder/${name}`, name)
  const head = await tree.commit('hostile')
  const id = await load(tree)
  const page = await listTree(ctx, id, head, { ...WHOLE, path: 'folder' })
  assert.deepEqual(page?.entries.map((it) => it.path).sort(), [...names].sort())
  for (const name of names) {
    const entry = await findEntry(ctx, id, head, `folder/${name}`)
    assert.equal(entry?.path, `folder/${name}`)
    const blob = await findBlob(ctx, id, entry.oid, MIB)
    assert.equal(blob?.data.toString(), name)
  }
})

test('ten thousand files are listed in pages with a total', async () => {
  await using tree = await makeWorkTree()
  const blob = await tree.feed('x', 'hash-object', '-w', '--stdin')
  const names = Array.from({ length: 10_000 }, (_, i) => `file-${String(i).padStart(5, '0')}`)
  const root = await tree.feed(names.map((name) => `100644 blob ${blob}\t${name}\n`).join(''), 'mktree')
  const head = await tree.git('commit-tree', '-m', 'many', root)
  await tree.git('update-ref', 'refs/heads/main', head)
  const id = await load(tree)
  const first = await listTree(ctx, id, head, { ...WHOLE, limit: 300 })
  assert.deepEqual([first?.entries.length, first?.total, first?.isTruncated], [300, 10_000, true])
  const last = await listTree(ctx, id, head, { ...WHOLE, skip: 9_900, limit: 300 })
  assert.deepEqual([last?.entries.length, last?.isTruncated], [100, false])
  assert.equal(last?.entries.at(-1)?.path, 'file-09999')
  const whole = await listTree(ctx, id, head, { ...WHOLE, limit: 1_000_000 })
  assert.deepEqual([whole?.entries.length, whole?.entries[5_000]?.size], [10_000, 1])
  assert.deepEqual(await listTree(ctx, id, head, { ...WHOLE, skip: 20_000 }).then((it) => it?.entries), [])
})

test('a file is read completely, partially, or as a stream', async () => {
  await using tree = await makeWorkTree()
  const large = Buffer.alloc(3 * MIB, 'abcdefg\n')
  await tree.write('large', large)
  await tree.write('small', 'small\n')
  await tree.write('empty', '')
  const head = await tree.commit('files')
  const id = await load(tree)
  const oidOf = async (path: string) => (await findEntry(ctx, id, head, path))?.oid ?? assert.fail(path)
  const part = await findBlob(ctx, id, await oidOf('large'), 1_000)
  assert.deepEqual([part?.size, part?.data.length, part?.isWhole], [large.length, 1_000, false])
  const most = await findBlob(ctx, id, await oidOf('large'), 2 * MIB)
  assert.deepEqual([most?.data.length, most?.isWhole], [2 * MIB, false])
  const whole = await findBlob(ctx, id, await oidOf('large'), 4 * MIB)
  assert.ok(whole?.isWhole && whole.data.equals(large))
  const open = await openBlob(ctx, id, await oidOf('large'))
  assert.equal(open?.size, large.length)
  assert.ok((await buffer(open?.stream ?? assert.fail())).equals(large))
  assert.equal(
    await text((await openBlob(ctx, id, await oidOf('small')))?.stream ?? assert.fail()),
    'small\n',
  )
  assert.equal(await text((await openBlob(ctx, id, await oidOf('empty')))?.stream ?? assert.fail()), '')
  assert.deepEqual([(await findBlob(ctx, id, await oidOf('empty'), 10))?.isWhole], [true])
  assert.equal(await findBlob(ctx, id, head, 10), undefined, 'a commit is no file')
  assert.equal(await openBlob(ctx, id, '1'.repeat(40)), undefined)
})

test('a destroyed stream releases the repository', async () => {
  await using tree = await makeWorkTree()
  await tree.write('large', Buffer.alloc(20 * MIB, 'x'))
  const head = await tree.commit('large')
  const id = await load(tree)
  const { oid } = (await findEntry(ctx, id, head, 'large')) ?? assert.fail()
  const released: string[] = []
  const lease = ctx.cache.lease.bind(ctx.cache)
  const watched = Object.create(ctx.cache) as typeof ctx.cache
  watched.lease = async (...args) => {
    const given = await lease(...args)
    const release = async () => {
      released.push('released')
      await given[Symbol.asyncDispose]()
    }
    return { ...given, [Symbol.asyncDispose]: release }
  }
  const blob = await openBlob({ ...ctx, cache: watched }, id, oid)
  const before = released.length
  blob?.stream.destroy()
  await new Promise((resolve) => blob?.stream.once('close', resolve))
  assert.equal(released.length, before + 1)
})
