/** Objects of Git LFS: uploaded, deduplicated, downloaded, shared with forks, counted, deleted. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { undeleteRepository } from '#domains/code/repositories'
import { type Forge, hold, startForge } from '#testing'
import { assertNothingLost, batch, get, lfs, objectOf, put, upload } from '#testing/slices/lfs'

const DAY_MS = 86_400_000

let forge: Forge
before(async () => {
  forge = await startForge({ nodes: 2, config: { 'lfs.object_bytes_max': 20_000_000 } })
  for (const name of ['ann', 'bob', 'eve']) await forge.person(name)
  await forge.person('root', { is_admin: true })
})
after(() => forge[Symbol.asyncDispose]())

async function make(owner: string, name: string, facts: object = {}): Promise<string> {
  const { status } = await forge.call(owner, 'POST', '/user/repos', { name, auto_init: true, ...facts })
  assert.equal(status, 201)
  return `${owner}/${name}`
}

async function usedBy(login: string): Promise<number> {
  const row = await forge.db
    .selectFrom('account_usage')
    .innerJoin('account', 'account.id', 'account_usage.account_id')
    .select('account_usage.bytes')
    .where('account.login', '=', login)
    .where('account_usage.kind', '=', 'lfs')
    .executeTakeFirst()
  return row?.bytes ?? 0
}

const objects = () => forge.db.selectFrom('lfs_object').selectAll().execute()

test('an object is uploaded to the address of the batch, verified, and downloaded', async () => {
  const repo = await make('ann', 'plain')
  const object = objectOf('the bytes of a picture')
  const asked = await batch(forge, 'ann', repo, 'upload', [object])
  assert.equal(asked.status, 200, asked.bytes.toString())
  assert.match(asked.headers.get('content-type') ?? '', /^application\/vnd\.git-lfs\+json/)
  const [{ actions, authenticated }] = asked.json.objects
  const root = `http://forge.test/${repo}.git/info/lfs`
  const header = { Authorization: `token ${forge.tokenOf('ann')}` }
  assert.deepEqual(actions, {
    upload: { href: `${root}/objects/${object.oid}/${object.size}`, header },
    verify: { href: `${root}/verify`, header },
  })
  assert.equal(authenticated, true)
  const { oid, size } = object
  assert.equal((await lfs(forge, 'ann', 'POST', repo, '/verify', { json: { oid, size } })).status, 404)
  await upload(forge, 'ann', repo, object)
  assert.equal((await lfs(forge, 'ann', 'POST', repo, '/verify', { json: { oid, size } })).status, 200)
  assert.equal((await lfs(forge, 'ann', 'POST', repo, '/verify', { json: { oid, size: 1 } })).status, 422)
  const again = await batch(forge, 'ann', repo, 'upload', [object])
  assert.deepEqual(again.json.objects, [{ oid, size }])
  // Nobody signed in: the repository is public.
  const found = await batch(forge, null, repo, 'download', [object])
  assert.deepEqual(found.json.objects[0].actions, { download: { href: `${root}/objects/${oid}` } })
  const got = await get(forge, null, repo, oid)
  assert.deepEqual([got.status, got.bytes], [200, object.bytes])
  assert.equal(got.headers.get('content-length'), String(size))
  const named = await lfs(forge, null, 'GET', repo, `/objects/${oid}/cat.png`)
  assert.match(named.headers.get('content-disposition') ?? '', /filename\*=UTF-8''cat\.png/)
})

test('a download that broke off goes on, and one past the end is refused', async () => {
  const repo = await make('ann', 'ranges')
  const object = objectOf(9_000_000)
  await upload(forge, 'ann', repo, object)
  const rest = await get(forge, 'ann', repo, object.oid, { range: 'bytes=8999990-' })
  assert.equal(rest.status, 206)
  assert.equal(rest.headers.get('content-range'), 'bytes 8999990-8999999/9000000')
  assert.deepEqual(rest.bytes, object.bytes.subarray(8_999_990))
  assert.equal((await get(forge, 'ann', repo, object.oid, { range: 'bytes=9000000-' })).status, 416)
  assert.equal(
    (await get(forge, 'ann', repo, object.oid, { 'if-none-match': `"${object.oid}"` })).status,
    304,
  )
  assert.deepEqual((await get(forge, 'ann', repo, object.oid)).bytes, object.bytes)
})

test('an empty object is an object', async () => {
  const repo = await make('ann', 'empty')
  const object = objectOf('')
  await upload(forge, 'ann', repo, object)
  const got = await get(forge, 'ann', repo, object.oid)
  assert.deepEqual([got.status, got.bytes.length], [200, 0])
})

test('equal bytes are stored once, and each repository needs them uploaded', async () => {
  const [one, other] = [await make('ann', 'one'), await make('bob', 'other')]
  const object = objectOf('shared by chance')
  await upload(forge, 'ann', one, object)
  const before = await objects()
  const asked = await batch(forge, 'bob', other, 'upload', [object])
  assert.ok(asked.json.objects[0].actions.upload, 'bob must send the bytes')
  assert.equal((await get(forge, 'bob', other, object.oid)).status, 404)
  await upload(forge, 'bob', other, object)
  assert.deepEqual(await objects(), before)
  assert.deepEqual((await get(forge, 'bob', other, object.oid)).bytes, object.bytes)
  await assertNothingLost(forge)
})

test('two uploads of the same bytes at the same moment make one object', async () => {
  const repos = await Promise.all(['left', 'right'].map((name) => make('ann', name)))
  const object = objectOf('at the same moment')
  const before = (await objects()).length
  await Promise.all([...repos, ...repos].map((repo) => upload(forge, 'ann', repo, object)))
  assert.equal((await objects()).length, before + 1)
  await assertNothingLost(forge)
})

test('bytes that the store has lost are replaced by the next upload', async () => {
  const [one, other] = [await make('ann', 'lost'), await make('bob', 'found')]
  const object = objectOf('lost and found')
  await upload(forge, 'ann', one, object)
  const row = (await objects()).find(({ oid }) => oid === object.oid)
  const key = row?.key ?? ''
  await forge.world.store.delete(`lfs/${key.slice(0, 2)}/${key}`)
  forge.world.log.level = 'silent'
  assert.equal((await get(forge, 'ann', one, object.oid)).status, 500)
  forge.world.log.level = 'error'
  await upload(forge, 'bob', other, object)
  assert.deepEqual((await get(forge, 'ann', one, object.oid)).bytes, object.bytes)
  await assertNothingLost(forge)
})

test('an upload that breaks off or has other bytes leaves the object of others', async () => {
  const [one, other] = [await make('ann', 'safe'), await make('bob', 'breaks')]
  const object = objectOf('not to be taken away')
  await upload(forge, 'ann', one, object)
  const path = `/${other}.git/info/lfs/objects/${object.oid}/${object.size}`
  const wrong = Buffer.from(object.bytes).fill(0)
  assert.equal((await put(forge, 'bob', other, { ...object, bytes: wrong })).status, 422)
  const held = hold(
    forge,
    `token ${forge.tokenOf('bob')}`,
    { method: 'PUT', path, type: 'x/y' },
    object.bytes,
    5,
  )
  held.drop()
  forge.advance(3 * DAY_MS)
  for (const task of ['gc_lfs', 'delete_discarded_objects']) await forge.runTask(task)
  assert.deepEqual((await get(forge, 'ann', one, object.oid)).bytes, object.bytes)
  assert.equal((await get(forge, 'bob', other, object.oid)).status, 404)
  await assertNothingLost(forge)
})

test('a fork reads the objects of its parent, and keeps them when the parent is deleted', async () => {
  const repo = await make('ann', 'parent')
  const object = objectOf('of the parent')
  await upload(forge, 'ann', repo, object)
  assert.equal((await forge.call('bob', 'POST', `/repos/${repo}/forks`, {})).status, 202)
  const later = objectOf('later in the parent')
  await upload(forge, 'ann', repo, later)
  assert.deepEqual((await get(forge, 'bob', 'bob/parent', object.oid)).bytes, object.bytes)
  assert.equal((await get(forge, 'bob', 'bob/parent', later.oid)).status, 404)
  // Bob may read them in the parent, so he need not send them.
  const asked = await batch(forge, 'bob', 'bob/parent', 'upload', [later])
  assert.deepEqual(asked.json.objects, [{ oid: later.oid, size: later.size }])
  assert.deepEqual((await get(forge, 'bob', 'bob/parent', later.oid)).bytes, later.bytes)
  await forge.call('ann', 'DELETE', `/repos/${repo}`)
  forge.advance(9 * DAY_MS)
  for (const task of ['sweep_storages', 'gc_lfs', 'delete_discarded_objects']) await forge.runTask(task)
  assert.deepEqual((await get(forge, 'bob', 'bob/parent', object.oid)).bytes, object.bytes)
})

test('an undeleted repository has its objects, and a swept one gives its bytes back', async () => {
  const repo = await make('eve', 'back')
  const object = objectOf('back again')
  await upload(forge, 'eve', repo, object)
  const { body } = await forge.call('eve', 'GET', `/repos/${repo}`)
  assert.equal(await usedBy('eve'), object.size)
  await forge.call('eve', 'DELETE', `/repos/${repo}`)
  assert.equal(await usedBy('eve'), 0)
  forge.advance(3 * DAY_MS)
  for (const task of ['sweep_storages', 'gc_lfs', 'delete_discarded_objects']) await forge.runTask(task)
  await undeleteRepository(forge.ctx, body.id, { actorId: null })
  assert.equal(await usedBy('eve'), object.size)
  assert.deepEqual((await get(forge, 'eve', repo, object.oid)).bytes, object.bytes)
  await forge.call('eve', 'DELETE', `/repos/${repo}`)
  forge.advance(9 * DAY_MS)
  for (const task of ['sweep_storages', 'gc_lfs']) await forge.runTask(task)
  assert.equal(
    (await objects()).find(({ oid }) => oid === object.oid),
    undefined,
  )
  forge.advance(2 * DAY_MS)
  await forge.runTask('delete_discarded_objects')
  await assertNothingLost(forge)
})

test('objects count for the owner, move with a transfer, and are refused beyond the quota', async () => {
  const repo = await make('bob', 'counted')
  const before = await usedBy('bob')
  const object = objectOf(1_000)
  await upload(forge, 'bob', repo, object)
  await upload(forge, 'bob', repo, object)
  assert.equal((await usedBy('bob')) - before, 1_000)
  await forge.call('bob', 'POST', `/repos/${repo}/transfer`, { new_owner: 'eve' })
  const had = await usedBy('eve')
  await forge.call('eve', 'POST', `/repos/${repo}/transfer/accept`)
  assert.equal((await usedBy('eve')) - had, 1_000)
  assert.equal(await usedBy('bob'), before)
  await forge.db
    .updateTable('account_usage')
    .set((eb) => ({ bytes_max: eb('bytes', '+', 500) }))
    .where('kind', '=', 'lfs')
    .execute()
  const more = objectOf(501)
  const refused = await put(forge, 'eve', 'eve/counted', more)
  assert.deepEqual(
    [refused.status, refused.json.message],
    [413, 'quota exceeded: Git LFS storage of the owner is full'],
  )
  assert.equal((await get(forge, 'eve', 'eve/counted', more.oid)).status, 404)
  assert.equal((await put(forge, 'eve', 'eve/counted', objectOf(500))).status, 200)
  await forge.db.updateTable('account_usage').set({ bytes_max: null }).where('kind', '=', 'lfs').execute()
})

test('a batch costs the same number of statements for one object as for a hundred', async () => {
  const repo = await make('ann', 'many')
  const count = (number: number) =>
    forge.countQueries(() =>
      batch(
        forge,
        'ann',
        repo,
        'upload',
        Array.from({ length: number }, () => objectOf(8)),
      ),
    )
  assert.equal(await count(100), await count(1))
})
