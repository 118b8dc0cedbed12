/** Commits files without a work tree, on every kind of branch, also concurrently. */

import assert from 'node:assert/strict'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { forbidden } from '#platform/problem'
import { startForge } from '#testing'
import { listCommits } from '../read/history/log.ts'
import { findCommit } from '../read/objects/commit.ts'
import type { Person } from '../read/objects/person.ts'
import { findRef } from '../refs/read.ts'
import type { StorageId } from '../tables.ts'
import { gitInStorage, loadWorkTree, makeStorage, makeWorkTree, NO_POLICY } from '../testing.ts'
import { commitFiles } from './commit-files.ts'
import type { FileChange } from './file-changes.ts'
import { isWritablePath } from './paths.ts'

const forge = await startForge()
const { ctx } = forge
after(() => forge[Symbol.asyncDispose]())

const ann: Person = { name: 'Ann', email: 'ann@x', at: new Date(1_760_000_000_000), offsetMinutes: 120 }
const bob: Person = { name: 'Bob', email: 'bob@x', at: new Date(1_760_000_100_000), offsetMinutes: 0 }
const MAIN = { branch: 'refs/heads/main' }
const bytes = (text: string) => Buffer.from(text)

function write(
  id: StorageId,
  changes: readonly FileChange[],
  target: { branch: string; newBranch?: string } = MAIN,
) {
  const order = { target, changes, message: 'change', author: ann, committer: bob }
  return commitFiles(ctx, id, order, NO_POLICY)
}

/** Every file of a branch as mode, path and content. */
async function filesOf(id: StorageId, ref = 'refs/heads/main'): Promise<string[][]> {
  const lines = (await gitInStorage(ctx, id, 'ls-tree', '-r', '-z', ref))
    .split('\0')
    .filter((it) => it !== '')
  const files: string[][] = []
  for (const line of lines) {
    const [, mode = '', type, oid = '', path = ''] = /^(\d+) (\w+) (\w+)\t(.*)$/s.exec(line) ?? []
    files.push([mode, path, type === 'blob' ? await gitInStorage(ctx, id, 'cat-file', 'blob', oid) : oid])
  }
  return files
}

for (const format of ['sha1', 'sha256'] as const)
  test(`the first commit of an empty repository creates its branch, with ids of ${format}`, async () => {
    const id = await makeStorage(ctx, format)
    const landed = await write(id, [
      { kind: 'create', path: 'README.md', content: bytes('# hello') },
      { kind: 'create', path: 'src/deep/empty', content: bytes('') },
      { kind: 'create', path: 'image', content: Buffer.from([0, 255, 10, 0]) },
    ])
    assert.deepEqual([landed.ref, landed.before], ['refs/heads/main', null])
    assert.equal((await findRef(ctx.db, id, 'refs/heads/main'))?.oid, landed.oid)
    const [commit, ...others] = await listCommits(
      ctx,
      id,
      { start: landed.oid },
      { skip: 0, limit: 9, withStats: false, withFiles: true },
    )
    assert.deepEqual(others, [])
    assert.deepEqual([commit?.author, commit?.committer, commit?.message], [ann, bob, 'change\n'])
    assert.deepEqual(
      commit?.files?.map((it) => it.path),
      ['README.md', 'image', 'src/deep/empty'],
    )
    assert.equal((await filesOf(id))[0]?.[2], '# hello')
    await gitInStorage(ctx, id, 'fsck', '--strict', '--full')
  })

for (const format of ['sha1', 'sha256'] as const)
  test(`files are created, updated, deleted and renamed in one commit, with ids of ${format}`, async () => {
    await using tree = await makeWorkTree(format)
    await tree.write('run', 'old', 0o755)
    await tree.write('move "me"', 'content', 0o755)
    await tree.write('gone', 'x')
    await tree.write('folder/kept', 'kept')
    await tree.write('new\nline', 'x')
    await symlink('run', join(tree.folder, 'link'))
    const before = await tree.commit('before')
    const id = await makeStorage(ctx, format)
    await loadWorkTree(ctx, id, tree.folder)
    const landed = await write(id, [
      { kind: 'update', path: 'run', content: bytes('new') },
      { kind: 'rename', from: 'move "me"', path: 'folder/"moved" ünï' },
      { kind: 'delete', path: 'gone' },
      { kind: 'delete', path: 'new\nline' },
      { kind: 'create', path: 'gone/now a folder', content: bytes('y') },
      { kind: 'create', path: '-dash', content: bytes('z') },
      { kind: 'update', path: 'link', content: bytes('folder') },
    ])
    assert.equal(landed.before, before)
    assert.deepEqual((await findCommit(ctx, id, landed.oid))?.parents, [before])
    assert.deepEqual((await filesOf(id)).sort(), [
      ['100644', '-dash', 'z'],
      ['100644', 'folder/kept', 'kept'],
      ['100644', 'gone/now a folder', 'y'],
      ['100755', 'folder/"moved" ünï', 'content'],
      ['100755', 'run', 'new'],
      ['120000', 'link', 'folder'],
    ])
    await gitInStorage(ctx, id, 'fsck', '--strict', '--full')
  })

test('a renamed file may change its content, and a submodule stays a submodule', async () => {
  await using tree = await makeWorkTree()
  await tree.write('file', 'old')
  await tree.commit('file')
  await tree.git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},module`)
  await tree.git('commit', '--quiet', '--message', 'module')
  const id = await makeStorage(ctx)
  await loadWorkTree(ctx, id, tree.folder)
  await write(id, [
    { kind: 'rename', from: 'file', path: 'other', content: bytes('new') },
    { kind: 'rename', from: 'module', path: 'moved' },
  ])
  assert.deepEqual(await filesOf(id), [
    ['160000', 'moved', '1'.repeat(40)],
    ['100644', 'other', 'new'],
  ])
  const change = { kind: 'update', path: 'moved', content: bytes('x') } as const
  await assert.rejects(write(id, [change]), { kind: 'invalid' })
})

test('a new branch is created from another, which does not move', async () => {
  const id = await makeStorage(ctx)
  const first = await write(id, [{ kind: 'create', path: 'a', content: bytes('1') }])
  const target = { ...MAIN, newBranch: 'refs/heads/patch' }
  const landed = await write(id, [{ kind: 'create', path: 'b', content: bytes('2') }], target)
  assert.deepEqual([landed.ref, landed.before], ['refs/heads/patch', null])
  assert.equal((await findRef(ctx.db, id, 'refs/heads/main'))?.oid, first.oid)
  assert.equal((await filesOf(id, 'refs/heads/patch')).length, 2)
  const again = write(id, [{ kind: 'create', path: 'c', content: bytes('3') }], target)
  await assert.rejects(again, { kind: 'conflict', message: 'branch already exists' })
  const nowhere = write(id, [{ kind: 'create', path: 'c', content: bytes('3') }], { branch: 'refs/heads/no' })
  await assert.rejects(nowhere, { kind: 'not_found' })
  for (const branch of ['main', 'refs/tags/x', 'refs/heads/a b', 'refs/heads/', 'refs/heads/-x/../y'])
    await assert.rejects(write(id, [{ kind: 'create', path: 'c', content: bytes('3') }], { branch }), {
      kind: 'invalid',
    })
})

test('changes that conflict with existing files are refused, and nothing changes', async () => {
  await using tree = await makeWorkTree()
  await tree.write('file', 'x')
  await tree.write('folder/inner', 'x')
  const head = await tree.commit('before')
  const oid = await tree.git('rev-parse', 'HEAD:file')
  const id = await makeStorage(ctx)
  await loadWorkTree(ctx, id, tree.folder)
  const content = bytes('new')
  const other = '1'.repeat(40)
  const refused: [string, FileChange[]][] = [
    ['conflict', [{ kind: 'create', path: 'file', content }]],
    ['conflict', [{ kind: 'create', path: 'folder', content }]],
    ['conflict', [{ kind: 'create', path: 'file/below', content }]],
    ['conflict', [{ kind: 'create', path: 'folder/inner/below/it', content }]],
    [
      'conflict',
      [
        { kind: 'create', path: 'n', content },
        { kind: 'create', path: 'n/x', content },
      ],
    ],
    ['conflict', [{ kind: 'rename', from: 'file', path: 'folder/inner' }]],
    ['conflict', [{ kind: 'rename', from: 'file', path: 'folder' }]],
    ['conflict', [{ kind: 'update', path: 'file', content, expected: other }]],
    ['conflict', [{ kind: 'delete', path: 'file', expected: other }]],
    ['conflict', [{ kind: 'rename', from: 'file', path: 'b', expected: other }]],
    ['not_found', [{ kind: 'update', path: 'nothing', content }]],
    ['not_found', [{ kind: 'update', path: 'folder', content }]],
    ['not_found', [{ kind: 'delete', path: 'folder' }]],
    ['not_found', [{ kind: 'delete', path: 'file/below' }]],
    ['not_found', [{ kind: 'rename', from: 'nothing', path: 'b' }]],
    ['invalid', []],
    [
      'invalid',
      [
        { kind: 'delete', path: 'file' },
        { kind: 'update', path: 'file', content },
      ],
    ],
    ['invalid', [{ kind: 'create', path: '../x', content }]],
    ['invalid', [{ kind: 'rename', from: '../file', path: 'b' }]],
    ['invalid', [{ kind: 'rename', from: 'file', path: '.git/config' }]],
  ]
  for (const [kind, changes] of refused)
    await assert.rejects(write(id, changes), { name: 'Problem', kind }, JSON.stringify(changes))
  assert.equal((await findRef(ctx.db, id, 'refs/heads/main'))?.oid, head)
  await write(id, [{ kind: 'update', path: 'file', content, expected: oid }])
})

test('no path leads out of the work tree or into its .git folder', () => {
  const bad = [
    '',
    '/',
    '/a',
    'a/',
    'a//b',
    '.',
    '..',
    'a/../b',
    './a',
    '.git',
    '.git/hooks/x',
    'a/.GIT/b',
    '.Git',
  ]
  const sly = [
    '.git ',
    '.git.',
    '.git. . ',
    'git~1',
    'GIT~1/x',
    '.git::$INDEX_ALLOCATION',
    '.g\u200cit',
    '\ufeff.git',
  ]
  const odd = [
    'a\\.git',
    '..\\.git\\x',
    'a\\b',
    '..\\..\\evil.bat',
    '\\evil',
    'a/\\\\host\\share',
    'C:evil.bat',
    'a/c:/evil',
    '...',
    '.. ',
    'a/ /b',
    'a\nb',
    'a\0b',
    'a\tb',
    '\x7f',
    'x'.repeat(256),
    `${'a/'.repeat(2_100)}a`,
    '\ud800',
  ]
  for (const path of [...bad, ...sly, ...odd]) assert.equal(isWritablePath(path), false, JSON.stringify(path))
  const good = ['a', '.github/x', '.gitignore', '.gitmodules', 'git', 'a b', '..a', '-x', '--help', 'ünï☃']
  for (const path of [...good, '"', "'", ':x', '*', 'aa:b', 'x'.repeat(255), 'git~2'])
    assert.ok(isWritablePath(path), path)
})

test('concurrent commits to one branch all succeed', async () => {
  const id = await makeStorage(ctx)
  await write(id, [{ kind: 'create', path: 'start', content: bytes('x') }])
  const names = ['a', 'b', 'c', 'd', 'e']
  await Promise.all(names.map((path) => write(id, [{ kind: 'create', path, content: bytes(path) }])))
  assert.deepEqual(
    (await filesOf(id)).map(([, path]) => path),
    [...names, 'start'],
  )
  const oids = await gitInStorage(ctx, id, 'rev-list', 'refs/heads/main')
  assert.equal(oids.split('\n').length, 6, 'one after the other')
  await gitInStorage(ctx, id, 'fsck', '--strict', '--full')
})

test('of two commits that create the same file only one succeeds', async () => {
  const id = await makeStorage(ctx)
  await write(id, [{ kind: 'create', path: 'start', content: bytes('x') }])
  const tries = ['one', 'two'].map((text) =>
    write(id, [{ kind: 'create', path: 'same', content: bytes(text) }]),
  )
  const ends = await Promise.allSettled(tries)
  const lost = ends.filter((it) => it.status === 'rejected')
  assert.deepEqual(
    lost.map((it) => it.reason.kind),
    ['conflict'],
  )
})

test('a refusal by the policy is not retried', async () => {
  const id = await makeStorage(ctx)
  let asked = 0
  const order = {
    target: MAIN,
    changes: [{ kind: 'create' as const, path: 'a', content: bytes('x') }],
    message: 'm',
    author: ann,
    committer: bob,
  }
  const refuse = commitFiles(ctx, id, order, {
    decide: async (_ctx, updates) => {
      asked += 1
      return { refusals: new Map(updates.map(({ name }) => [name, forbidden('protected')])) }
    },
  })
  await assert.rejects(refuse, { kind: 'forbidden', message: 'protected' })
  assert.equal(asked, 1)
  assert.equal(await findRef(ctx.db, id, 'refs/heads/main'), undefined)
})

test('user input cannot inject fast-import commands', async () => {
  const id = await makeStorage(ctx)
  const evil = { ...ann, name: 'x>\ncommitter <y', email: 'a\nfrom refs/heads/main' }
  const message = 'data 5\nM 100644 inline "x"\ndone\n\0hidden'
  const changes = [{ kind: 'create' as const, path: 'a" b', content: bytes('done\nreset refs/heads/main\n') }]
  const order = { target: MAIN, changes, message, author: evil, committer: bob }
  const landed = await commitFiles(ctx, id, order, NO_POLICY)
  const commit = await findCommit(ctx, id, landed.oid)
  assert.equal(commit?.message, 'data 5\nM 100644 inline "x"\ndone\nhidden\n')
  assert.deepEqual([commit?.author.name, commit?.author.email], ['xcommitter y', 'afrom refs/heads/main'])
  assert.deepEqual(await filesOf(id), [['100644', 'a" b', 'done\nreset refs/heads/main']])
  await assert.rejects(commitFiles(ctx, id, { ...order, message: 'x'.repeat(200_000) }, NO_POLICY), {
    kind: 'invalid',
  })
})

test('a file is added to a folder of ten thousand', async () => {
  await using tree = await makeWorkTree()
  const blob = await tree.feed('x', 'hash-object', '-w', '--stdin')
  const names = Array.from({ length: 10_000 }, (_, i) => `file-${String(i).padStart(5, '0')}`)
  const folder = await tree.feed(names.map((name) => `100644 blob ${blob}\t${name}\n`).join(''), 'mktree')
  const root = await tree.feed(`040000 tree ${folder}\tmany\n`, 'mktree')
  await tree.git('update-ref', 'refs/heads/main', await tree.git('commit-tree', '-m', 'many', root))
  const id = await makeStorage(ctx)
  await loadWorkTree(ctx, id, tree.folder)
  await write(id, [
    { kind: 'create', path: 'many/one more', content: bytes('y') },
    { kind: 'delete', path: 'many/file-05000' },
  ])
  const listed = await gitInStorage(ctx, id, 'ls-tree', '-r', '--name-only', 'refs/heads/main')
  assert.equal(listed.split('\n').length, 10_000)
  const packs = await ctx.db
    .selectFrom('git_storage_pack')
    .innerJoin('git_pack', 'git_pack.id', 'git_storage_pack.pack_id')
    .select(['kind', 'object_count'])
    .where('storage_id', '=', id)
    .orderBy('added_generation')
    .execute()
  // A commit, two trees and one file: existing objects are not stored again.
  assert.deepEqual(packs.at(-1), { kind: 'write', object_count: 4 })
})

test('a commit whose tree already exists is a pack of one object', async () => {
  const id = await makeStorage(ctx)
  const create = { kind: 'create' as const, path: 'fresh', content: bytes('x') }
  await write(id, [{ kind: 'create', path: 'kept', content: bytes('y') }])
  await write(id, [create])
  await write(id, [{ kind: 'delete', path: 'fresh' }])
  assert.deepEqual(await filesOf(id), [['100644', 'kept', 'y']])
  await write(id, [create])
  assert.equal((await filesOf(id)).length, 2)
})

test('an empty commit needs mayBeEmpty', async () => {
  const id = await makeStorage(ctx)
  const first = await write(id, [{ kind: 'create', path: 'kept', content: bytes('y') }])
  const order = { target: MAIN, changes: [], message: 'Nothing', author: ann, committer: bob }
  await assert.rejects(commitFiles(ctx, id, order, NO_POLICY), { kind: 'invalid' })
  const landed = await commitFiles(ctx, id, { ...order, mayBeEmpty: true }, NO_POLICY)
  const commit = await findCommit(ctx, id, landed.oid)
  assert.deepEqual(commit?.parents, [first.oid])
  assert.deepEqual(await filesOf(id), [['100644', 'kept', 'y']])
})
