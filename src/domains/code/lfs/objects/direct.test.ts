/** Transfers straight to and from the object store, with a real S3 server. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Forge } from '#testing'
import { assertNothingLost, batch, get, type LfsObject, lfs, objectOf } from '#testing/slices/lfs'
import { type DirectForge, startDirectForge } from '#testing/slices/lfs-direct'

let direct: DirectForge
let forge: Forge
before(async () => {
  direct = await startDirectForge({ config: { 'log.level': 'silent' } })
  forge = direct.forge
  for (const login of ['ann', 'eve']) await forge.person(login)
  for (const [owner, name] of [
    ['ann', 'vault'],
    ['ann', 'other'],
    ['eve', 'own'],
  ] as const)
    await forge.call(owner, 'POST', '/user/repos', { name, private: true })
})
after(() => direct[Symbol.asyncDispose]())

interface Actions {
  readonly upload: { readonly href: string; readonly header: Record<string, string> }
  readonly verify: { readonly href: string }
}

async function order(as: string, repo: string, object: LfsObject): Promise<Actions> {
  const { json } = await batch(forge, as, repo, 'upload', [object])
  return json.objects[0].actions
}

async function store({ upload }: Actions, body: Uint8Array, header = upload.header): Promise<number> {
  return (await fetch(upload.href, { method: 'PUT', headers: header, body: new Uint8Array(body) })).status
}

function verify(as: string, repo: string, { verify }: Actions, { oid, size }: LfsObject) {
  const path = verify.href.slice(verify.href.indexOf('/verify'))
  return lfs(forge, as, 'POST', repo, path, { json: { oid, size } })
}

async function passed(): Promise<number> {
  const metrics = await forge.world.telemetry.scrape()
  return [...metrics.matchAll(/bloomery_lfs_bytes_total\{[^}]*\} (\d+)/g)].reduce(
    (sum, [, it]) => sum + Number(it),
    0,
  )
}

test('an object is stored and read at the store, and no byte of it passes through the node', async () => {
  const object = objectOf(12_000_000)
  const actions = await order('ann', 'ann/vault', object)
  assert.ok(actions.upload.href.startsWith(`${direct.server.store.endpoint}/`))
  assert.equal((await get(forge, 'ann', 'ann/vault', object.oid)).status, 404)
  assert.equal(await store(actions, object.bytes), 200)
  assert.equal((await verify('ann', 'ann/vault', actions, object)).status, 200)
  // A client that got no answer asks again.
  assert.equal((await verify('ann', 'ann/vault', actions, object)).status, 200)
  const { json } = await batch(forge, 'ann', 'ann/vault', 'download', [object])
  const { href } = json.objects[0].actions.download
  assert.ok(href.startsWith(`${direct.server.store.endpoint}/`))
  const got = await fetch(href)
  assert.deepEqual(Buffer.from(await got.arrayBuffer()), object.bytes)
  assert.equal(got.headers.get('content-type'), 'application/octet-stream')
  assert.match(got.headers.get('content-disposition') ?? '', /^attachment/)
  const rest = await fetch(href, { headers: { range: 'bytes=11999990-' } })
  assert.deepEqual(Buffer.from(await rest.arrayBuffer()), object.bytes.subarray(-10))
  assert.equal(await passed(), 0)
  await assertNothingLost(forge)
})

test('the store refuses other bytes, another length, a changed digest and a second upload', async () => {
  const object = objectOf('the only bytes of this address')
  const actions = await order('ann', 'ann/vault', object)
  const other = Buffer.from(object.bytes).fill(0)
  const digest = Buffer.from(objectOf(other.toString()).oid, 'hex').toString('base64')
  assert.equal(await store(actions, other), 400)
  assert.ok((await store(actions, object.bytes.subarray(1))) >= 400)
  assert.equal(
    await store(actions, other, { ...actions.upload.header, 'x-amz-checksum-sha256': digest }),
    403,
  )
  assert.equal(await store(actions, object.bytes, {}), 403)
  assert.equal((await verify('ann', 'ann/vault', actions, object)).status, 422)
  assert.equal(await store(actions, object.bytes), 200)
  assert.equal(await store(actions, object.bytes), 412)
  assert.equal((await verify('ann', 'ann/vault', actions, object)).status, 200)
})

test('an address is good for its method and its key, and expires', async () => {
  const object = objectOf('for one address')
  const { upload } = await order('ann', 'ann/vault', object)
  for (const method of ['GET', 'DELETE', 'POST'])
    assert.ok((await fetch(upload.href, { method, headers: upload.header })).status >= 400, method)
  const elsewhere = upload.href.replace(/\/lfs\/(..)\/[^?]+/, '/lfs/$1/another')
  assert.equal(
    (await fetch(elsewhere, { method: 'PUT', headers: upload.header, body: new Uint8Array(object.bytes) }))
      .status,
    403,
  )
  forge.advance(-2 * 3_600_000)
  const late = await order('ann', 'ann/vault', objectOf('late'))
  forge.advance(2 * 3_600_000)
  assert.equal(await store(late, Buffer.from('late')), 403)
})

test('a ticket verifies its own upload alone: not in another repository, of another object, or made up', async () => {
  const object = objectOf('secret of ann')
  const actions = await order('ann', 'ann/vault', object)
  assert.equal(await store(actions, object.bytes), 200)
  assert.equal((await verify('eve', 'eve/own', actions, object)).status, 422)
  assert.equal((await verify('ann', 'ann/other', actions, object)).status, 422)
  assert.equal((await verify('eve', 'ann/vault', actions, object)).status, 404)
  assert.equal((await verify('ann', 'ann/vault', actions, objectOf('another'))).status, 422)
  assert.equal((await verify('ann', 'ann/vault', actions, { ...object, size: 1 })).status, 422)
  const forged = { ...actions, verify: { href: `${actions.verify.href.slice(0, -2)}xx` } }
  assert.equal((await verify('ann', 'ann/vault', forged, object)).status, 422)
  const bare = { ...actions, verify: { href: actions.verify.href.replace(/\?.*/, '') } }
  assert.equal((await verify('ann', 'ann/vault', bare, object)).status, 404)
  assert.equal((await verify('ann', 'ann/vault', actions, object)).status, 200)
})

test('equal bytes of another repository are uploaded again and stored once', async () => {
  const object = objectOf('equal bytes')
  const mine = await order('ann', 'ann/vault', object)
  await store(mine, object.bytes)
  assert.equal((await verify('ann', 'ann/vault', mine, object)).status, 200)
  const theirs = await order('eve', 'eve/own', object)
  assert.equal((await verify('eve', 'eve/own', theirs, object)).status, 422)
  await store(theirs, object.bytes)
  assert.equal((await verify('eve', 'eve/own', theirs, object)).status, 200)
  const rows = await forge.db.selectFrom('lfs_object').selectAll().where('oid', '=', object.oid).execute()
  assert.equal(rows.length, 1)
  await assertNothingLost(forge)
})

test('a right that was lost after the upload is asked for at its verification', async () => {
  await forge.person('bob')
  const permit = (permission: string) =>
    forge.call('ann', 'PUT', '/repos/ann/vault/collaborators/bob', { permission })
  await permit('write')
  const object = objectOf('too late')
  const actions = await order('bob', 'ann/vault', object)
  assert.equal(await store(actions, object.bytes), 200)
  await permit('read')
  assert.equal((await verify('bob', 'ann/vault', actions, object)).status, 403)
  assert.equal((await get(forge, 'ann', 'ann/vault', object.oid)).status, 404)
})

test('an upload that is never verified is deleted after a day, and cannot be verified then', async () => {
  const object = objectOf('forgotten')
  const actions = await order('ann', 'ann/vault', object)
  assert.equal(await store(actions, object.bytes), 200)
  forge.advance(25 * 3_600_000)
  await forge.runTask('delete_discarded_objects')
  assert.equal((await verify('ann', 'ann/vault', actions, object)).status, 422)
  forge.advance(-25 * 3_600_000)
  assert.equal((await verify('ann', 'ann/vault', actions, object)).status, 422)
  await assertNothingLost(forge)
})
