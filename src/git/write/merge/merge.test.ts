/** Merges in every style: clean, conflicting, late, and with nothing to do. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startForge } from '#testing'
import { listCommits } from '../../read/history/log.ts'
import { findCommit } from '../../read/objects/commit.ts'
import type { Person } from '../../read/objects/person.ts'
import { findRef } from '../../refs/read.ts'
import { zeroOid } from '../../storage/storage.ts'
import type { ObjectFormat, StorageId } from '../../tables.ts'
import {
  commitPlainly,
  gitInStorage,
  loadWorkTree,
  makeStorage,
  makeWorkTree,
  NO_POLICY,
  type WorkTree,
} from '../../testing.ts'
import { checkMerge } from './check-merge.ts'
import { type MergeOrder, merge } from './merge.ts'
import { type MergeStyle, type PreparedMerge, type PrepareOrder, prepareMerge } from './prepare-merge.ts'
import { prepareResolution, readConflicts } from './text-conflicts.ts'

const forge = await startForge()
const { ctx } = forge
after(() => forge[Symbol.asyncDispose]())

const ann: Person = { name: 'Ann', email: 'ann@x', at: new Date(1_760_000_000_000), offsetMinutes: 120 }
const bob: Person = { name: 'Bob', email: 'bob@x', at: new Date(1_760_000_100_000), offsetMinutes: 0 }
const MAIN = 'refs/heads/main'
const LINES = '1\n2\n3\n4\n5\n6\n7\n8\n9\n'

interface Parted {
  readonly id: StorageId
  readonly base: string
  readonly main: string
  readonly side: string
}

/** Two branches that changed different lines of one file and added files of their own. */
async function makeParted(tree: WorkTree, format: ObjectFormat = 'sha1'): Promise<Parted> {
  await tree.write('both', LINES)
  const base = await tree.commit('base')
  await tree.git('switch', '--quiet', '--create', 'side')
  await tree.write('both', LINES.replace('1', 'one'))
  await tree.commit('side one')
  await tree.write('folder/side', 'side\n')
  const side = await tree.commit('side two\n\nwith a body')
  await tree.git('switch', '--quiet', 'main')
  await tree.write('both', LINES.replace('9', 'nine'))
  const main = await tree.commit('main one')
  const id = await makeStorage(ctx, format)
  await loadWorkTree(ctx, id, tree.folder)
  return { id, base, main, side }
}

function orderOf(head: string, style: MergeStyle): MergeOrder {
  return { branch: MAIN, head, style, message: 'joined', author: ann, committer: bob }
}

function run(id: StorageId, head: string, style: MergeStyle) {
  return merge(ctx, id, orderOf(head, style), NO_POLICY)
}

async function fileOf(id: StorageId, path: string): Promise<string> {
  return gitInStorage(ctx, id, 'show', `${MAIN}:${path}`)
}

const JOINED = LINES.replace('1', 'one').replace('9', 'nine').trimEnd()

for (const format of ['sha1', 'sha256'] as const) {
  test(`a merge commit has both as parents, with ids of ${format}`, async () => {
    await using tree = await makeWorkTree(format)
    const { id, main, side } = await makeParted(tree, format)
    const landed = await run(id, side, 'merge')
    assert.deepEqual([landed.ref, landed.before], [MAIN, main])
    const commit = await findCommit(ctx, id, landed.oid)
    assert.deepEqual(commit?.parents, [main, side])
    assert.deepEqual([commit?.author, commit?.committer, commit?.message], [ann, bob, 'joined\n'])
    assert.equal(await fileOf(id, 'both'), JOINED)
    assert.equal((await findRef(ctx.db, id, MAIN))?.oid, landed.oid)
    await gitInStorage(ctx, id, 'fsck', '--strict', '--full')
  })

  test(`a squash adds one commit to the branch, with ids of ${format}`, async () => {
    await using tree = await makeWorkTree(format)
    const { id, main, side } = await makeParted(tree, format)
    const landed = await run(id, side, 'squash')
    assert.deepEqual((await findCommit(ctx, id, landed.oid))?.parents, [main])
    assert.deepEqual([await fileOf(id, 'both'), await fileOf(id, 'folder/side')], [JOINED, 'side'])
    await gitInStorage(ctx, id, 'fsck', '--strict', '--full')
  })

  test(`a rebase replays every commit onto the branch, with ids of ${format}`, async () => {
    await using tree = await makeWorkTree(format)
    const { id, base, main, side } = await makeParted(tree, format)
    const original = await findCommit(ctx, id, side)
    const landed = await run(id, side, 'rebase')
    const page = { skip: 0, limit: 9, withStats: false, withFiles: true }
    const [second, first, third, ...rest] = await listCommits(ctx, id, { start: landed.oid }, page)
    assert.deepEqual([first?.parents, third?.oid, rest.map((it) => it.oid)], [[main], main, [base]])
    assert.deepEqual([first?.message, second?.message], ['side one\n', 'side two\n\nwith a body\n'])
    assert.deepEqual([second?.author, second?.committer], [original?.author, bob], 'who wrote it stays')
    assert.deepEqual(
      second?.files?.map((it) => it.path),
      ['folder/side'],
    )
    assert.equal(await fileOf(id, 'both'), JOINED)
    await gitInStorage(ctx, id, 'fsck', '--strict', '--full')
  })
}

test('a rebase with a merge commit keeps the replayed commits and joins them by a merge', async () => {
  await using tree = await makeWorkTree()
  const { id, main, side } = await makeParted(tree)
  const landed = await run(id, side, 'rebase-merge')
  const commit = await findCommit(ctx, id, landed.oid)
  const [first, second] = commit?.parents ?? []
  assert.equal(first, main)
  assert.notEqual(second, side)
  assert.equal(await gitInStorage(ctx, id, 'rev-list', '--count', `${main}..${second}`), '2')
  assert.equal((await findCommit(ctx, id, second ?? ''))?.tree, commit?.tree)
  assert.equal(commit?.message, 'joined\n')
})

test('a fast-forward moves the branch, or is refused when the branch has diverged', async () => {
  await using tree = await makeWorkTree()
  const { id, base, main, side } = await makeParted(tree)
  await assert.rejects(run(id, side, 'fast-forward'), {
    kind: 'conflict',
    message: /not possible to fast-forward/,
  })
  await tree.git('switch', '--quiet', 'side')
  await tree.git('branch', '--force', 'old', base)
  await loadWorkTree(ctx, id, tree.folder)
  const order = { ...orderOf(side, 'fast-forward'), branch: 'refs/heads/old' }
  assert.deepEqual(await merge(ctx, id, order, NO_POLICY), {
    ref: 'refs/heads/old',
    before: base,
    head: side,
    oid: side,
    tree: await tree.git('rev-parse', 'side^{tree}'),
    style: 'fast-forward',
  })
  assert.equal((await findRef(ctx.db, id, MAIN))?.oid, main)
})

test('a rebase onto an ancestor keeps the commits unchanged', async () => {
  await using tree = await makeWorkTree()
  const { id, base, side } = await makeParted(tree)
  await tree.git('branch', '--force', 'old', base)
  await loadWorkTree(ctx, id, tree.folder)
  const landed = await merge(ctx, id, { ...orderOf(side, 'rebase'), branch: 'refs/heads/old' }, NO_POLICY)
  assert.equal(landed.oid, side)
})

test('a rebase skips changes that are already there, and keeps intentionally empty commits', async () => {
  await using tree = await makeWorkTree()
  await tree.write('file', LINES)
  await tree.commit('base')
  await tree.git('switch', '--quiet', '--create', 'side')
  await tree.write('file', LINES.replace('1', 'one'))
  const twin = await tree.commit('twin')
  await tree.commit('empty on purpose')
  await tree.write('other', 'x')
  await tree.commit('other')
  await tree.git('switch', '--quiet', 'main')
  await tree.write('more', 'x')
  await tree.commit('more')
  await tree.git('cherry-pick', twin)
  await tree.git('switch', '--quiet', 'side')
  await tree.git('merge', '--quiet', '--no-edit', 'main')
  const side = await tree.git('rev-parse', 'side')
  const id = await makeStorage(ctx)
  await loadWorkTree(ctx, id, tree.folder)
  const landed = await run(id, side, 'rebase')
  const subjects = await gitInStorage(ctx, id, 'log', '--format=%s', landed.oid)
  assert.deepEqual(subjects.split('\n'), ['other', 'empty on purpose', 'twin', 'more', 'base'])
})

for (const style of ['merge', 'squash', 'rebase', 'rebase-merge'] as const)
  test(`a conflict names its files, and nothing moves: ${style}`, async () => {
    await using tree = await makeWorkTree()
    for (const name of ['new\nline', '"quoted"', 'clean']) await tree.write(name, 'base\n')
    await tree.commit('base')
    await tree.git('switch', '--quiet', '--create', 'side')
    for (const name of ['new\nline', '"quoted"']) await tree.write(name, 'side\n')
    const side = await tree.commit('side')
    await tree.git('switch', '--quiet', 'main')
    for (const name of ['new\nline', '"quoted"', 'clean']) await tree.write(name, 'main\n')
    const main = await tree.commit('main')
    const id = await makeStorage(ctx)
    await loadWorkTree(ctx, id, tree.folder)
    const details = { paths: ['"quoted"', 'new\nline'] }
    await assert.rejects(run(id, side, style), { name: 'Problem', kind: 'conflict', details })
    assert.deepEqual(await checkMerge(ctx, id, main, side), { kind: 'conflict', ...details })
    assert.equal((await findRef(ctx.db, id, MAIN))?.oid, main)
  })

test('checkMerge tells whether two commits merge without merging them', async () => {
  await using tree = await makeWorkTree()
  const { id, base, main, side } = await makeParted(tree)
  await tree.git('switch', '--quiet', '--orphan', 'stranger')
  const stranger = await tree.commit('stranger')
  await loadWorkTree(ctx, id, tree.folder)
  const check = await checkMerge(ctx, id, main, side)
  assert.equal(check.kind, 'clean')
  assert.deepEqual(await checkMerge(ctx, id, side, base), { kind: 'merged' })
  assert.deepEqual(await checkMerge(ctx, id, main, stranger), { kind: 'unrelated' })
  await assert.rejects(run(id, stranger, 'merge'), { kind: 'conflict', message: /unrelated histories/ })
  await assert.rejects(run(id, base, 'merge'), { kind: 'conflict', message: /already up to date/ })
  await assert.rejects(checkMerge(ctx, id, main, '1'.repeat(40)), { kind: 'not_found' })
  const landed = await run(id, side, 'merge')
  assert.equal(check.kind === 'clean' && check.tree, (await findCommit(ctx, id, landed.oid))?.tree)
})

for (const style of ['merge', 'squash', 'rebase', 'rebase-merge'] as const)
  test(`a merge returns the new commit, the former tip, the head and the style: ${style}`, async () => {
    await using tree = await makeWorkTree()
    const { id, main, side } = await makeParted(tree)
    const { oid, tree: told, ...rest } = await run(id, side, style)
    assert.deepEqual(rest, { ref: MAIN, before: main, head: side, style })
    assert.equal(told, (await findCommit(ctx, id, oid))?.tree)
  })

function prepare(id: StorageId, order: Pick<PrepareOrder, 'base' | 'head' | 'style'>) {
  return prepareMerge(ctx, id, { ...order, message: 'joined', author: ann, committer: bob })
}

async function keep(id: StorageId, name: string, { oid, written }: PreparedMerge): Promise<void> {
  const update = { name, old: zeroOid('sha1'), new: oid, peeled: null }
  await commitPlainly(ctx, { storageId: id, updates: [update], isAtomic: true, written })
}

for (const style of ['merge', 'squash', 'rebase', 'rebase-merge', 'fast-forward'] as const)
  test(`a prepared merge moves no ref, and can be landed later: ${style}`, async () => {
    await using tree = await makeWorkTree()
    const { id, base, main, side } = await makeParted(tree)
    const start = style === 'fast-forward' ? base : main
    const prepared = await prepare(id, { base: start, head: side, style })
    assert.equal((await findRef(ctx.db, id, MAIN))?.oid, main)
    const isNew = style !== 'fast-forward'
    assert.equal((await findCommit(ctx, id, prepared.oid)) === undefined, isNew, 'no ref has it yet')
    await keep(id, 'refs/queue/1', prepared)
    assert.equal((await findCommit(ctx, id, prepared.oid))?.tree, prepared.tree)
    await gitInStorage(ctx, id, 'fsck', '--strict', '--full')
  })

test('a merge can be prepared on top of another prepared merge', async () => {
  await using tree = await makeWorkTree()
  const { id, base, main, side } = await makeParted(tree)
  await tree.git('switch', '--quiet', '--create', 'third', base)
  await tree.write('third', 'third\n')
  const third = await tree.commit('third')
  await loadWorkTree(ctx, id, tree.folder)
  const first = await prepare(id, { base: main, head: side, style: 'squash' })
  await keep(id, 'refs/queue/1', first)
  const second = await prepare(id, { base: first.oid, head: third, style: 'merge' })
  await keep(id, 'refs/queue/2', second)
  assert.deepEqual((await findCommit(ctx, id, second.oid))?.parents, [first.oid, third])
  const names = await gitInStorage(ctx, id, 'ls-tree', '-r', '--name-only', second.oid)
  assert.deepEqual(names.split('\n'), ['both', 'folder/side', 'third'])
  assert.equal((await findRef(ctx.db, id, MAIN))?.oid, main)
  const update = { name: MAIN, old: main, new: second.oid, peeled: null }
  await commitPlainly(ctx, { storageId: id, updates: [update], isAtomic: true })
  assert.equal((await findRef(ctx.db, id, MAIN))?.oid, second.oid)
})

test('a merge cannot be prepared on a missing commit', async () => {
  await using tree = await makeWorkTree()
  const { id, side } = await makeParted(tree)
  const order = { base: '1'.repeat(40), head: side, style: 'merge' } as const
  await assert.rejects(prepare(id, order), { kind: 'not_found' })
})

test('a merge is refused when the branch moved since the caller read it', async () => {
  await using tree = await makeWorkTree()
  const { id, base, main, side } = await makeParted(tree)
  const late = merge(ctx, id, { ...orderOf(side, 'merge'), expected: base }, NO_POLICY)
  await assert.rejects(late, { kind: 'conflict', message: 'branch was updated concurrently: fetch first' })
  const raced = merge(
    ctx,
    id,
    { ...orderOf(side, 'merge'), expected: main },
    {
      decide: async () => {
        await run(id, side, 'squash')
        return { refusals: new Map() }
      },
    },
  )
  await assert.rejects(raced, { kind: 'conflict', message: 'failed to update ref' })
  await assert.rejects(merge(ctx, id, { ...orderOf(side, 'merge'), branch: 'refs/heads/no' }, NO_POLICY), {
    kind: 'not_found',
  })
})

test('a merge stores only new objects', async () => {
  await using tree = await makeWorkTree()
  const { id, side } = await makeParted(tree)
  await run(id, side, 'merge')
  const packs = await ctx.db
    .selectFrom('git_storage_pack')
    .innerJoin('git_pack', 'git_pack.id', 'git_storage_pack.pack_id')
    .select(['kind', 'object_count'])
    .where('storage_id', '=', id)
    .orderBy('added_generation')
    .execute()
  assert.deepEqual(packs.at(-1), { kind: 'write', object_count: 3 }, 'a commit, a tree and a file')
})

test('a rebase of more than 500 commits is refused', async () => {
  await using tree = await makeWorkTree()
  const base = await tree.commit('base')
  const root = await tree.git('rev-parse', 'HEAD^{tree}')
  const person = 'A <a@b> 1750000000 +0000'
  const lines = Array.from({ length: 501 }, (_, i) => {
    const from = i === 0 ? `from ${base}\n` : ''
    return `commit refs/heads/side\ncommitter ${person}\ndata 1\nx\n${from}M 040000 ${root} \n`
  })
  await tree.feed(lines.join(''), 'fast-import', '--quiet')
  await tree.commit('main moves')
  const id = await makeStorage(ctx)
  await loadWorkTree(ctx, id, tree.folder)
  const side = await tree.git('rev-parse', 'side')
  await assert.rejects(run(id, side, 'rebase'), { kind: 'too_large' })
})

/** Two branches that both write this file, which the base has with another content. */
async function makeConflict(
  tree: WorkTree,
  contents: { readonly base: string; readonly ours: string; readonly theirs: string },
) {
  await tree.write('file', contents.base)
  await tree.commit('base')
  await tree.git('switch', '--quiet', '--create', 'side')
  await tree.git('mv', 'file', 'moved')
  await tree.write('moved', contents.ours, 0o755)
  const ours = await tree.commit('ours')
  await tree.git('switch', '--quiet', 'main')
  await tree.write('file', contents.theirs)
  await tree.write('beside', 'beside\n')
  const theirs = await tree.commit('theirs')
  const id = await makeStorage(ctx, 'sha1')
  await loadWorkTree(ctx, id, tree.folder)
  return { id, ours, theirs, names: { ours: 'side', theirs: 'main' } }
}

test('a conflict of text is resolved by a merge commit; a moved file stays executable', async () => {
  await using tree = await makeWorkTree()
  const contents = { base: LINES, ours: LINES.replace('5', 'five'), theirs: LINES.replace('5', 'V') }
  const { id, ...sides } = await makeConflict(tree, contents)
  const found = await readConflicts(ctx, id, sides)
  assert.deepEqual(found, {
    kind: 'text',
    files: [
      {
        path: 'moved',
        mode: '100755',
        text: LINES.replace('5', '<<<<<<< side:moved\nfive\n=======\nV\n>>>>>>> main:file'),
      },
    ],
  })
  const order = { ...sides, message: 'joined', author: ann, committer: bob }
  const resolve = (path: string, content: string) =>
    prepareResolution(ctx, id, { ...order, files: [{ path, content }] })
  await assert.rejects(resolve('moved', '1\n>>>>>>> main\n'), { kind: 'invalid' })
  await assert.rejects(resolve('file', 'five or V\n'), { kind: 'conflict' })
  const prepared = await resolve('moved', 'five or V\n')
  await keep(id, 'refs/queue/1', prepared)
  const { oid } = prepared
  assert.deepEqual((await findCommit(ctx, id, oid))?.parents, [sides.ours, sides.theirs])
  assert.equal(
    (await gitInStorage(ctx, id, 'ls-tree', '-r', oid)).replaceAll(/ blob \w+\t/g, ' '),
    '100644 beside\n100755 moved',
  )
  assert.equal(await gitInStorage(ctx, id, 'show', `${oid}:moved`), 'five or V')
  assert.deepEqual(await readConflicts(ctx, id, { ...sides, ours: oid }), { kind: 'none' })
})

test('a conflict of binary files is not one of text', async () => {
  await using tree = await makeWorkTree()
  const { id, ...sides } = await makeConflict(tree, { base: '\0a', ours: '\0b', theirs: '\0c' })
  assert.deepEqual(await readConflicts(ctx, id, sides), { kind: 'other' })
})
