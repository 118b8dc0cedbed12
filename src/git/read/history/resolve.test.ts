/** Resolving revisions that users name. */

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { transact } from '#platform/context'
import { insertMany, startForge } from '#testing'
import { growGeneration } from '../../storage/storage.ts'
import type { StorageId } from '../../tables.ts'
import { loadWorkTree, makeStorage, makeWorkTree } from '../../testing.ts'
import { findTag, findTags } from '../objects/tag.ts'
import { resolveRevision } from './resolve.ts'

const forge = await startForge()
const { ctx } = forge
after(() => forge[Symbol.asyncDispose]())

for (const format of ['sha1', 'sha256'] as const)
  test(`branches, tags, refs and ids are found, with ids of ${format}`, async () => {
    await using tree = await makeWorkTree(format)
    await tree.write('file', 'x')
    const one = await tree.commit('one')
    await tree.git('tag', 'light')
    await tree.git('tag', '--annotate', '--message', 'about it', 'heavy')
    await tree.git('tag', '--annotate', '--message', 'about that', 'nested', 'heavy')
    await tree.git('tag', 'of-a-file', 'HEAD:file')
    const two = await tree.commit('two')
    await tree.git('branch', 'feature/x')
    await tree.git('tag', 'both', one)
    await tree.git('branch', 'both', two)
    await tree.git('update-ref', 'refs/pull/1/head', one)
    const id = await makeStorage(ctx, format)
    await loadWorkTree(ctx, id, tree.folder)
    const ask = (text: string) => resolveRevision(ctx, id, text)
    assert.deepEqual(await ask('main'), { oid: two, kind: 'branch', ref: 'refs/heads/main' })
    assert.deepEqual(await ask('HEAD'), { oid: two, kind: 'branch', ref: 'refs/heads/main' })
    assert.deepEqual(await ask('feature/x'), { oid: two, kind: 'branch', ref: 'refs/heads/feature/x' })
    assert.deepEqual(await ask('light'), { oid: one, kind: 'tag', ref: 'refs/tags/light' })
    assert.deepEqual(await ask('heavy'), { oid: one, kind: 'tag', ref: 'refs/tags/heavy' })
    assert.deepEqual(await ask('nested'), { oid: one, kind: 'tag', ref: 'refs/tags/nested' })
    assert.deepEqual(await ask('refs/tags/heavy'), { oid: one, kind: 'tag', ref: 'refs/tags/heavy' })
    assert.deepEqual(await ask('refs/pull/1/head'), { oid: one, kind: 'ref', ref: 'refs/pull/1/head' })
    assert.deepEqual(await ask('both'), { oid: two, kind: 'branch', ref: 'refs/heads/both' })
    assert.deepEqual(await ask('refs/tags/both'), { oid: one, kind: 'tag', ref: 'refs/tags/both' })
    const byId = { oid: one, kind: 'commit', ref: null }
    assert.deepEqual(await ask(one), byId)
    assert.deepEqual(await ask(one.slice(0, 10)), byId)
    assert.deepEqual(await ask(one.slice(0, 10).toUpperCase()), byId)
    assert.deepEqual(await ask(await tree.git('rev-parse', 'heavy')), byId, 'the id of a tag is followed')
    assert.equal(await ask('of-a-file'), undefined, 'a tag of a file is no commit')
    assert.equal(await ask(await tree.git('rev-parse', 'HEAD:file')), undefined)
  })

test('revision expressions and flags of git are not resolved', async () => {
  await using tree = await makeWorkTree()
  await tree.commit('one')
  const two = await tree.commit('two')
  await tree.git('branch', 'other')
  await tree.git('update-ref', 'refs/remotes/abcdef', two)
  const id = await makeStorage(ctx)
  await loadWorkTree(ctx, id, tree.folder)
  const short = two.slice(0, 12)
  const words = [
    ...['main^', 'main~1', 'main^{commit}', 'main@{0}', '@', '@{-1}', 'main..other', 'main...other', '^main'],
    ...[
      ':/one',
      'HEAD:file',
      ':0:file',
      '--all',
      '-n1',
      '--output=x',
      'main other',
      'main\nother',
      'main\0other',
    ],
    ...[
      `${short}^`,
      `${short}..`,
      `${two}^{tree}`,
      'v1-0-gabcdef',
      'refs/heads/../heads/main',
      'heads/main',
      '',
    ],
    ...['abcdef', 'abc', 'zzzz', '0'.repeat(40), 'f'.repeat(41), '..', '/', 'refs/heads/', 'FETCH_HEAD'],
  ]
  for (const word of words)
    assert.equal(await resolveRevision(ctx, id, word), undefined, JSON.stringify(word))
})

test('an unreachable commit is found only by its full id and only with withLost', async () => {
  await using tree = await makeWorkTree()
  const kept = await tree.commit('kept')
  await tree.git('checkout', '--quiet', '-b', 'side')
  const lost = await tree.commit('lost')
  await tree.git('tag', '--annotate', '--message', 'about it', 'heavy', kept)
  const id = await makeStorage(ctx)
  await loadWorkTree(ctx, id, tree.folder)
  assert.equal((await resolveRevision(ctx, id, lost.slice(0, 7)))?.oid, lost)
  await dropRef(id, 'refs/heads/side')
  for (const digits of [7, 10, 39, 40])
    assert.equal(await resolveRevision(ctx, id, lost.slice(0, digits)), undefined, `${digits} digits`)
  assert.equal((await resolveRevision(ctx, id, kept.slice(0, 7)))?.oid, kept)
  assert.equal(await resolveRevision(ctx, id, kept.slice(0, 6)), undefined, 'six digits are too few')
  assert.equal((await resolveRevision(ctx, id, lost, { withLost: true }))?.oid, lost)
  assert.equal(await resolveRevision(ctx, id, lost.slice(0, 39), { withLost: true }), undefined)
})

test('ids are resolved in a repository with more refs than are written to disk', async () => {
  await using tree = await makeWorkTree()
  const kept = await tree.commit('kept')
  await tree.commit('newer')
  await tree.git('checkout', '--quiet', '-b', 'side', kept)
  const lost = await tree.commit('lost')
  const id = await makeStorage(ctx)
  await loadWorkTree(ctx, id, tree.folder)
  const { oid } = await forge.db
    .selectFrom('git_ref')
    .select('oid')
    .where('storage_id', '=', id)
    .where('name', '=', 'refs/heads/main')
    .executeTakeFirstOrThrow()
  await insertMany(
    forge.db,
    sql`insert into git_ref (storage_id, name, oid, generation)
    select ${id}, 'refs/heads/many-' || n, ${oid}, 1 from generate_series(1, 50001) as n`,
  )
  await dropRef(id, 'refs/heads/side')
  assert.equal((await resolveRevision(ctx, id, kept))?.oid, kept)
  assert.equal(await resolveRevision(ctx, id, lost), undefined)
})

/** As a push that deletes it would. */
async function dropRef(id: StorageId, name: string): Promise<void> {
  await forge.db.deleteFrom('git_ref').where('storage_id', '=', id).where('name', '=', name).execute()
  await transact(ctx, (ctx) => growGeneration(ctx.db, id, { now: ctx.now() }))
}

test('an ambiguous short id is not resolved', async () => {
  await using tree = await makeWorkTree()
  const root = await tree.feed('', 'mktree')
  const seen = new Map<string, string>()
  let twins: string[] = []
  for (let i = 0; twins.length === 0; i++) {
    const person = 'A <a@b> 1750000000 +0000'
    const body = `tree ${root}\nauthor ${person}\ncommitter ${person}\n\n${i}\n`
    const oid = createHash('sha1').update(`commit ${body.length}\0${body}`).digest('hex')
    const twin = seen.get(oid.slice(0, 7))
    if (twin !== undefined) twins = [twin, body]
    seen.set(oid.slice(0, 7), body)
  }
  const oids: string[] = []
  for (const body of twins) oids.push(await tree.feed(body, 'hash-object', '-t', 'commit', '-w', '--stdin'))
  for (const oid of oids) await tree.git('update-ref', `refs/heads/b-${oid}`, oid)
  const id = await makeStorage(ctx)
  await loadWorkTree(ctx, id, tree.folder)
  assert.equal(await resolveRevision(ctx, id, oids[0]?.slice(0, 7) ?? ''), undefined)
  assert.equal((await resolveRevision(ctx, id, oids[0]?.slice(0, 30) ?? ''))?.oid, oids[0])
})

test('an annotated tag is returned with its tagger, message and signature', async () => {
  await using tree = await makeWorkTree()
  const one = await tree.commit('one')
  await tree.git('tag', '--annotate', '--message', 'version one\n\nwith notes', 'v1')
  const head = `object ${one}\ntype commit\ntag v2\ntagger T <t@x> 1750000000 +0100\n`
  const message = '\nsigned\n-----BEGIN nothing\n'
  const signature = '-----BEGIN PGP SIGNATURE-----\n\nabc\n-----END PGP SIGNATURE-----\n'
  const signed = await tree.feed(`${head}${message}${signature}`, 'hash-object', '-t', 'tag', '-w', '--stdin')
  const old = `object ${one}\ntype commit\ntag v0\n\nwithout a tagger\n`
  const ancient = await tree.feed(old, 'hash-object', '-t', 'tag', '-w', '--literally', '--stdin')
  await tree.git('update-ref', 'refs/tags/v2', signed)
  await tree.git('update-ref', 'refs/tags/v0', ancient)
  const id = await makeStorage(ctx)
  await loadWorkTree(ctx, id, tree.folder)
  const v1 = await findTag(ctx, id, await tree.git('rev-parse', 'v1'))
  assert.deepEqual([v1?.name, v1?.target, v1?.tagger?.name], ['v1', { oid: one, type: 'commit' }, 'Cora'])
  assert.deepEqual([v1?.message, v1?.signature], ['version one\n\nwith notes\n', null])
  const tags = await findTags(ctx, id, [signed, ancient, one])
  assert.equal(tags.size, 2)
  assert.equal(tags.get(signed)?.message, 'signed\n-----BEGIN nothing\n')
  assert.equal(tags.get(signed)?.signature?.text, signature)
  assert.equal(tags.get(signed)?.signature?.payload.toString(), `${head}${message}`)
  assert.equal(tags.get(ancient)?.tagger, null)
  assert.equal(await findTag(ctx, id, one), undefined, 'a commit is no tag')
})
