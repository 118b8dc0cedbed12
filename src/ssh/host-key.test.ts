/** The host key: one for all nodes, whatever happens to their disks and to the keys that encrypt it. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { openObjectStore } from '#platform/object-store'
import { openSeal } from '#platform/seal'
import { findHostKeyIds, openHostKey, resealHostKey } from './host-key.ts'

let work: string
const [first, second, third] = [0, 0, 0].map(() => randomBytes(32).toString('hex')) as [
  string,
  string,
  string,
]

before(async () => {
  work = await mkdtemp(join(tmpdir(), 'bloomery-host-key-'))
})

after(() => rm(work, { recursive: true, force: true }))

test('nodes that start at the same moment on an empty store get the same key', async () => {
  const store = await newStore()
  const nodes = ['a', 'b', 'c', 'd', 'e'].map((name) => join(work, `same-${name}`))
  await Promise.all(nodes.map((file) => openHostKey({ store, seal: openSeal([first]) }, file)))
  const keys = await Promise.all(nodes.map((file) => readFile(file, 'utf8')))
  assert.equal(new Set(keys).size, 1)
  assert.match(keys[0] ?? '', /^-----BEGIN OPENSSH PRIVATE KEY-----\n/)
  assert.equal((await stat(nodes[0] ?? '')).mode & 0o777, 0o600)
})

test('the store holds the key only encrypted', async () => {
  const store = await newStore()
  const file = join(work, 'sealed')
  await openHostKey({ store, seal: openSeal([first]) }, file)
  const kept = await Array.fromAsync(store.list(''))
  assert.equal(kept.length, 1)
  const { body } = await store.read(kept[0]?.key ?? '')
  assert.doesNotMatch((await body.toArray()).join(''), /PRIVATE KEY/)
})

test('a new node gets the existing key, also after secrets.keys were rotated', async () => {
  const store = await newStore()
  await openHostKey({ store, seal: openSeal([first]) }, join(work, 'old'))
  const key = await readFile(join(work, 'old'), 'utf8')
  for (const [i, keys] of [[second, first], [second], [third, second, first], [third]].entries()) {
    const file = join(work, `new-${i}`)
    await openHostKey({ store, seal: openSeal(keys) }, file)
    assert.equal(await readFile(file, 'utf8'), key)
  }
})

test('reseal leaves one copy, encrypted with the first key', async () => {
  const store = await newStore()
  await openHostKey({ store, seal: openSeal([first]) }, join(work, 'before'))
  const seal = openSeal([second, first])
  await resealHostKey({ store, seal: openSeal([third]) })
  assert.deepEqual(await findHostKeyIds({ store }), openSeal([first]).keyIds, 'without its key it stays')
  await resealHostKey({ store, seal })
  assert.deepEqual(await findHostKeyIds({ store }), seal.keyIds.slice(0, 1))
  await openHostKey({ store, seal: openSeal([second]) }, join(work, 'after'))
  assert.equal(await readFile(join(work, 'after'), 'utf8'), await readFile(join(work, 'before'), 'utf8'))
})

test('a key that cannot be decrypted is not replaced by another one', async () => {
  const store = await newStore()
  const file = join(work, 'first')
  await openHostKey({ store, seal: openSeal([first]) }, file)
  await assert.rejects(openHostKey({ store, seal: openSeal([second]) }, join(work, 'none')), /secrets\.keys/)
  // A node that still has a copy can store it again.
  const before = await readFile(file, 'utf8')
  await openHostKey({ store, seal: openSeal([second]) }, file)
  assert.equal(await readFile(file, 'utf8'), before)
  await openHostKey({ store, seal: openSeal([second]) }, join(work, 'none'))
  assert.equal(await readFile(join(work, 'none'), 'utf8'), before)
})

test('an existing key file is adopted by the forge', async () => {
  const store = await newStore()
  await writeFile(join(work, 'brought'), 'a key from elsewhere\n')
  await openHostKey({ store, seal: openSeal([first]) }, join(work, 'brought'))
  await openHostKey({ store, seal: openSeal([first]) }, join(work, 'other'))
  assert.equal(await readFile(join(work, 'other'), 'utf8'), 'a key from elsewhere\n')
})

async function newStore() {
  return openObjectStore({ driver: 'disk', folder: await mkdtemp(join(work, 'store-')) })
}
