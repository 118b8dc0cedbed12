/** Objects that no ref needs are collected after a grace; an object that a batch request has named within the grace is kept. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { StorageId } from '#git'
import { type Forge, GitClient, startForge } from '#testing'
import {
  assertNothingLost,
  batch,
  get,
  type LfsObject,
  lfs,
  objectOf,
  pointerTo,
  upload,
} from '#testing/slices/lfs'
import { collectLinks } from './collect.ts'

const DAY_MS = 86_400_000

let forge: Forge
before(async () => {
  forge = await startForge({ nodes: 2 })
  for (const name of ['ann', 'bob']) await forge.person(name)
})
after(() => forge[Symbol.asyncDispose]())

async function make(name: string): Promise<string> {
  const made = { name, auto_init: true, default_branch: 'main' }
  assert.equal((await forge.call('ann', 'POST', '/user/repos', made)).status, 201)
  return `ann/${name}`
}

async function commit(repo: string, object: LfsObject, branch = 'main'): Promise<void> {
  const content = Buffer.from(pointerTo(object)).toString('base64')
  const into = branch === 'main' ? { branch } : { branch: 'main', new_branch: branch }
  const path = `/repos/${repo}/contents/${object.oid.slice(0, 12)}.bin`
  const { status } = await forge.call('ann', 'POST', path, { content, message: 'pointer', ...into })
  assert.equal(status, 201)
}

/** As cron does every day, and an administrator by `POST /admin/cron/gc_lfs`. */
async function collect(): Promise<void> {
  await forge.runTask('gc_lfs')
  await forge.makeJobsDue()
  await forge.runJobs()
  await forge.runTask('gc_lfs')
}

async function storageOf(repo: string): Promise<StorageId> {
  const [, name = ''] = repo.split('/')
  const row = await forge.db
    .selectFrom('repository')
    .select('storage_id')
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  return row.storage_id
}

const statusOf = async (repo: string, { oid }: LfsObject) => (await get(forge, 'ann', repo, oid)).status
const objectRow = ({ oid }: LfsObject) =>
  forge.db.selectFrom('lfs_object').select('key').where('oid', '=', oid).executeTakeFirst()
const usedIn = async (repo: string) =>
  (
    await forge.db
      .selectFrom('repository_count')
      .innerJoin('repository', 'repository.id', 'repository_count.repository_id')
      .select('lfs_bytes')
      .where('storage_id', '=', await storageOf(repo))
      .executeTakeFirstOrThrow()
  ).lfs_bytes

test('an object that no ref needs is removed after the grace, and its bytes a day later', async () => {
  const repo = await make('loses')
  const [kept, lost] = [objectOf('kept by main'), objectOf('never pushed')]
  for (const object of [kept, lost]) await upload(forge, 'ann', repo, object)
  await commit(repo, kept)
  await collect()
  forge.advance(13 * DAY_MS)
  await collect()
  assert.deepEqual([await statusOf(repo, kept), await statusOf(repo, lost)], [200, 200])
  forge.advance(2 * DAY_MS)
  await collect()
  assert.deepEqual([await statusOf(repo, kept), await statusOf(repo, lost)], [200, 404])
  assert.equal(await usedIn(repo), kept.size)
  assert.equal(await objectRow(lost), undefined)
  const stored = async () => (await Array.fromAsync(forge.world.store.list('lfs/'))).length
  const before = await stored()
  await forge.runTask('delete_discarded_objects')
  assert.equal(await stored(), before)
  forge.advance(1.1 * DAY_MS)
  await forge.runTask('delete_discarded_objects')
  assert.equal(await stored(), before - 1)
  await assertNothingLost(forge)
})

test('the objects of a deleted branch are kept while it can be restored, and for the grace after that', async () => {
  const repo = await make('branches')
  const object = objectOf('on a branch')
  await upload(forge, 'ann', repo, object)
  await commit(repo, object, 'side')
  await collect()
  assert.equal((await forge.call('ann', 'DELETE', `/repos/${repo}/branches/side`)).status, 204)
  forge.advance(6 * DAY_MS)
  await collect()
  const marks = () =>
    forge.db
      .selectFrom('lfs_link')
      .select('unreferenced_since')
      .where('unreferenced_since', 'is not', null)
      .execute()
  assert.deepEqual(await marks(), [])
  forge.advance(3 * DAY_MS)
  await forge.runTask('maintain_repos')
  await forge.runJobs()
  await collect()
  assert.equal((await marks()).length, 1)
  assert.equal(await statusOf(repo, object), 200)
  forge.advance(15 * DAY_MS)
  await collect()
  assert.equal(await statusOf(repo, object), 404)
})

test('an object stays for the repositories that need it', async () => {
  const repo = await make('parent')
  const object = objectOf('needed by the fork')
  await upload(forge, 'ann', repo, object)
  await commit(repo, object, 'side')
  assert.equal((await forge.call('bob', 'POST', `/repos/${repo}/forks`, {})).status, 202)
  await forge.call('ann', 'DELETE', `/repos/${repo}/branches/side`)
  await forge.db.deleteFrom('git_kept_tip').execute()
  await collect()
  forge.advance(15 * DAY_MS)
  await collect()
  assert.equal(await statusOf(repo, object), 404)
  assert.deepEqual((await get(forge, 'bob', 'bob/parent', object.oid)).bytes, object.bytes)
})

test('a client that names an object again gives it a new grace: by a batch, a verification, an upload', async () => {
  const repo = await make('names')
  const objects = ['batch', 'verify', 'upload', 'none'].map((it) => objectOf(`again by ${it}`))
  const [byBatch, byVerify, byUpload, by] = objects as [LfsObject, LfsObject, LfsObject, LfsObject]
  for (const object of objects) await upload(forge, 'ann', repo, object)
  await collect()
  forge.advance(13 * DAY_MS)
  const { json } = await batch(forge, 'ann', repo, 'upload', [byBatch])
  assert.equal(json.objects[0].actions, undefined)
  const { oid, size } = byVerify
  assert.equal((await lfs(forge, 'ann', 'POST', repo, '/verify', { json: { oid, size } })).status, 200)
  await upload(forge, 'ann', repo, byUpload)
  forge.advance(2 * DAY_MS)
  await collect()
  for (const object of [byBatch, byVerify, byUpload]) assert.equal(await statusOf(repo, object), 200)
  assert.equal(await statusOf(repo, by), 404)
  await commit(repo, byBatch)
  forge.advance(15 * DAY_MS)
  await collect()
  assert.deepEqual(await Promise.all([byBatch, byVerify].map((it) => statusOf(repo, it))), [200, 404])
})

test('a walk reads new commits alone while refs go on, and all commits after a force push', async () => {
  const repo = await make('walks')
  const id = await storageOf(repo)
  const [first, second, third] = [objectOf('first'), objectOf('second'), objectOf('third')]
  for (const object of [first, second, third]) await upload(forge, 'ann', repo, object)
  await using client = await GitClient.open(forge, 'ann', repo)
  const push = async (object: LfsObject, ...flags: string[]) => {
    await client.commit(`${object.oid}.bin`, pointerTo(object))
    await client.ok('push', '--quiet', ...flags, 'origin', 'HEAD:main')
  }
  await client.ok('pull', '--quiet', 'origin', 'main')
  const base = (await client.ok('rev-parse', 'HEAD')).trim()
  const marked = async () => {
    await collectLinks(forge.ctx, { storage_id: id })
    const rows = await forge.db
      .selectFrom('lfs_link')
      .innerJoin('lfs_object', 'lfs_object.id', 'lfs_link.object_id')
      .select('oid')
      .where('storage_id', '=', id)
      .where('unreferenced_since', 'is not', null)
      .execute()
    return new Set(rows.map(({ oid }) => oid))
  }
  await push(first)
  assert.deepEqual(await marked(), new Set([second.oid, third.oid]))
  await push(second)
  assert.deepEqual(await marked(), new Set([third.oid]))
  await client.ok('reset', '--quiet', '--hard', base)
  await push(third, '--force')
  assert.deepEqual(await marked(), new Set([first.oid, second.oid]))
})

test('of objects that clients name while a collection deletes them none is lost', async () => {
  const repo = await make('races')
  const id = await storageOf(repo)
  await commit(repo, objectOf('makes a ref'))
  const objects = Array.from({ length: 24 }, (_, i) => objectOf(`race ${i}`))
  for (const object of objects) await upload(forge, 'ann', repo, object)
  await collectLinks(forge.ctx, { storage_id: id })
  await forge.db
    .updateTable('lfs_link')
    .set({ unreferenced_since: new Date(0) })
    .where('storage_id', '=', id)
    .where('unreferenced_since', 'is not', null)
    .execute()
  let sent = 0
  const push = async (object: LfsObject, i: number) => {
    // Some before, some during and some after the collection.
    await new Promise((resolve) => setTimeout(resolve, i * 70))
    if (i % 3 === 0) await upload(forge, 'ann', repo, object)
    else {
      const { json } = await batch(forge, 'ann', repo, 'upload', [object])
      if (json.objects[0].actions === undefined) return
      sent++
      await upload(forge, 'ann', repo, object)
    }
  }
  const sweep = async () => {
    await collectLinks(forge.ctx, { storage_id: id })
    await forge.runTask('gc_lfs')
  }
  await Promise.all([sweep(), sweep(), ...objects.map(push)])
  await sweep()
  for (const object of objects)
    assert.deepEqual((await get(forge, 'ann', repo, object.oid)).bytes, object.bytes)
  assert.ok(sent > 0, 'some were deleted meanwhile, and the client was told to send them again')
  assert.equal(
    await usedIn(repo),
    objects.reduce((sum, it) => sum + it.size, 0),
  )
  await assertNothingLost(forge)
})

test('a collection that dies at any step is done again by the next', async () => {
  const repo = await make('dies')
  const id = await storageOf(repo)
  const kept = objectOf('needed all the time')
  await upload(forge, 'ann', repo, kept)
  await commit(repo, kept)
  for (let steps = 0; ; steps++) {
    const lost = objectOf(`lost at step ${steps}`)
    await upload(forge, 'ann', repo, lost)
    await collectLinks(forge.ctx, { storage_id: id })
    forge.advance(15 * DAY_MS)
    const isOver = await collectLinks(dyingAfter(steps), { storage_id: id }).then(
      () => true,
      () => false,
    )
    assert.equal(await statusOf(repo, kept), 200)
    await collectLinks(forge.ctx, { storage_id: id })
    assert.deepEqual([await statusOf(repo, kept), await statusOf(repo, lost)], [200, 404])
    assert.equal(await usedIn(repo), kept.size)
    if (isOver) return assert.ok(steps > 1)
  }
})

/** A context that fails when it begins one transaction more. */
function dyingAfter(steps: number): Forge['ctx'] {
  let left = steps
  const transactions = new Proxy(forge.ctx.transactions, {
    get(target, name) {
      if (name === 'transaction' && left-- <= 0) throw new Error('killed')
      const value = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return { ...forge.ctx, transactions }
}
