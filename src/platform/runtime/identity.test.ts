/** The identity of a forge: a node with another store or other keys is refused. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { openSeal } from '#platform/seal'
import { type Forge, startForge } from '#testing'
import { type ObjectStore, openObjectStore } from '../object-store/index.ts'
import { checkIdentity, claimIdentity } from './identity.ts'

let forge: Forge
let folder: string
const keyOf = () => randomBytes(32).toString('hex')
const [OLD, NEW] = [keyOf(), keyOf()]

before(async () => {
  forge = await startForge()
  folder = await mkdtemp(join(tmpdir(), 'bloomery-identity-'))
})
after(async () => {
  await rm(folder, { recursive: true, force: true })
  await forge[Symbol.asyncDispose]()
})
beforeEach(() => forge.db.deleteFrom('forge_identity').execute())

let stores = 0
const newStore = () => openObjectStore({ driver: 'disk', folder: join(folder, String(++stores)) })
const parts = (store: ObjectStore, keys: readonly string[] = [OLD]) => ({
  db: forge.db,
  store,
  seal: openSeal(keys),
})

test('nodes with the same store and keys serve, also when they start at once', async () => {
  const store = await newStore()
  assert.equal(await checkIdentity(parts(store)), undefined)
  await Promise.all(Array.from({ length: 8 }, () => claimIdentity(parts(store))))
  await claimIdentity(parts(store))
})

test('a node with another store is refused and names both stores', async () => {
  await claimIdentity(parts(await newStore()))
  const other = await newStore()
  await assert.rejects(
    claimIdentity(parts(other)),
    /has no object forge-id, but this database belongs to store/,
  )
  assert.equal(await other.stat('forge-id'), undefined, 'the refused node marks no store')
  const foreign = Buffer.from('1b4e28ba-2fa1-11d2-883f-0016d3cca427')
  await other.create('forge-id', foreign, { bytes: foreign.length })
  await assert.rejects(checkIdentity(parts(other)), /is store 1b4e28ba-2fa1-11d2-883f-0016d3cca427/)
})

test('of two stores that are claimed at once, one is refused', async () => {
  const claims = [await newStore(), await newStore()].map((store) => claimIdentity(parts(store)))
  const settled = await Promise.allSettled(claims)
  assert.equal(settled.filter(({ status }) => status === 'fulfilled').length, 1)
})

test('a node with other keys is refused, and one with the old keys behind a new one is not', async () => {
  const store = await newStore()
  await claimIdentity(parts(store, [OLD]))
  await assert.rejects(claimIdentity(parts(store, [NEW])), /secrets\.keys do not open/)
  await claimIdentity(parts(store, [NEW, OLD]))
  await claimIdentity(parts(store, [NEW]))
  await assert.rejects(checkIdentity(parts(store, [OLD])), /secrets\.keys do not open/)
})

test('a database without its row adopts the id of the store', async () => {
  const store = await newStore()
  await claimIdentity(parts(store))
  const first = await checkIdentity(parts(store))
  await forge.db.deleteFrom('forge_identity').execute()
  await claimIdentity(parts(store))
  assert.ok(first)
  assert.equal((await checkIdentity(parts(store)))?.store_id, first.store_id)
})
