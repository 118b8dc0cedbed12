/** Verification finds damage and names the damaged pack or ref. */
import assert from 'node:assert/strict'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { startForge } from '#testing'
import { packKey, type Sidecar } from '../packs/keys.ts'
import type { Pack } from '../tables.ts'
import { collectGarbage } from './packs/collect-garbage.ts'
import { listPacks } from './packs/pack-rows.ts'
import { type Growing, grow } from './testing.ts'
import { verifyStorage } from './verify.ts'

const forge = await startForge()
after(() => forge[Symbol.asyncDispose]())

test('a sound repository has no findings, before and after collection', async () => {
  await using repo = await grow(forge.ctx)
  assert.deepEqual(await verifyStorage(forge.ctx, repo.id), { packs: 0, refs: 0, findings: [] })
  await repo.push()
  await repo.push('side')
  assert.deepEqual(await verifyStorage(forge.ctx, repo.id), { packs: 2, refs: 2, findings: [] })
  await repo.drop('side')
  await collectGarbage(forge.ctx, repo.id)
  assert.deepEqual(await verifyStorage(forge.ctx, repo.id), { packs: 2, refs: 1, findings: [] })
})

for (const { sidecar, fault } of [
  { sidecar: 'pack', fault: /checksum mismatch/ },
  { sidecar: 'idx', fault: /index is damaged/ },
] as const)
  test(`one flipped byte of a .${sidecar} is found`, async () => {
    await using repo = await grow(forge.ctx)
    await repo.push()
    const pack = await onlyPack(repo)
    await flip(pack, sidecar)
    const { findings } = await verifyStorage(forge.ctx, repo.id)
    assert.equal(findings[0]?.about, `pack ${pack.digest}`)
    assert.match(findings[0]?.fault ?? '', fault)
  })

for (const { sidecar, fault } of [
  { sidecar: 'pack', fault: 'is missing from the object store' },
  { sidecar: 'idx', fault: 'has no index in the object store' },
] as const)
  test(`a missing .${sidecar} is found`, async () => {
    await using repo = await grow(forge.ctx)
    await repo.push()
    const pack = await onlyPack(repo)
    await rm(fileOf(pack, sidecar))
    const { findings } = await verifyStorage(forge.ctx, repo.id)
    assert.deepEqual(findings, [{ about: `pack ${pack.digest}`, fault }])
  })

test('the index of another pack is found', async () => {
  await using repo = await grow(forge.ctx)
  await repo.push()
  await repo.push()
  const [one, two] = await listPacks(forge.db, repo.id)
  assert.ok(one && two)
  const { body, bytes } = await forge.ctx.store.read(packKey(two, 'idx'))
  await rm(fileOf(one, 'idx'))
  await forge.ctx.store.create(packKey(one, 'idx'), body, { bytes })
  const { findings } = await verifyStorage(forge.ctx, repo.id)
  assert.match(findings[0]?.fault ?? '', /belongs to another pack/)
})

test('an object that a ref needs and no pack has is found', async () => {
  await using repo = await grow(forge.ctx)
  const base = await repo.commit(undefined)
  const oid = await repo.commit(base)
  // The pack lacks the parent of the tip.
  await repo.move('main', repo.zero, oid, [await repo.pack([oid, `^${base}`])])
  const { findings } = await verifyStorage(forge.ctx, repo.id)
  assert.equal(findings.length, 1)
  assert.equal(findings[0]?.about, 'objects')
  assert.match(findings[0]?.fault ?? '', new RegExp(base))
})

test('refs to missing objects and tags with a wrong peeled object are found', async () => {
  await using repo = await grow(forge.ctx)
  const oid = await repo.push()
  const nowhere = '1'.repeat(40)
  await forge.db
    .insertInto('git_ref')
    .values([
      { storage_id: repo.id, name: 'refs/heads/lost', oid: nowhere, peeled_oid: null, generation: 1 },
      { storage_id: repo.id, name: 'refs/tags/wrong', oid, peeled_oid: nowhere, generation: 1 },
    ])
    .execute()
  const { findings } = await verifyStorage(forge.ctx, repo.id)
  assert.deepEqual(findings, [
    { about: 'refs/heads/lost', fault: `points to ${nowhere}, which is missing` },
    { about: 'refs/tags/wrong', fault: `has the wrong peeled object ${nowhere}` },
  ])
})

async function onlyPack(repo: Growing): Promise<Pack> {
  const [pack] = await listPacks(forge.db, repo.id)
  assert.ok(pack)
  return pack
}

async function flip(pack: Pack, sidecar: Sidecar): Promise<void> {
  await using file = await open(fileOf(pack, sidecar), 'r+')
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, 20)
  await file.write(Buffer.from([(buffer[0] ?? 0) ^ 1]), 0, 1, 20)
}

function fileOf(pack: Pack, sidecar: Sidecar): string {
  return join(forge.ctx.config['store.folder'], packKey(pack, sidecar))
}
