/** Git LFS of imports, mirrors and push mirrors, between two forges and against a hostile LFS server. */
import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { type Forge, GitClient, startForge } from '#testing'
import { assertNothingLost, get, type LfsObject, objectOf, pointerTo, upload } from '#testing/slices/lfs'

/** Answers a batch, or another request to the server. */
type Answer = (body: string, path: string) => { readonly status?: number; readonly body: string | Buffer }

let source: Forge
let forge: Forge
let server: Server
let answer: Answer = () => ({ status: 500, body: '' })
let asked: { path: string; authorization: string | undefined }[] = []
before(async () => {
  const config = { 'log.level': 'silent', 'outbound.allow_private': true } as const
  source = await startForge({ config })
  // Its answers to batches lead to the forge, which looks up no names.
  Object.assign(source.world.site, { url: source.base })
  forge = await startForge({ config: { ...config, 'lfs.object_bytes_max': 100_000 } })
  await source.person('ann')
  await forge.person('bob')
  server = createServer(async (request, response) => {
    const chunks = await Array.fromAsync(request as AsyncIterable<Buffer>)
    const path = request.url ?? ''
    asked.push({ path, authorization: request.headers.authorization })
    const { status = 200, body } = answer(Buffer.concat(chunks).toString(), path)
    response.writeHead(status, { 'content-type': 'application/vnd.git-lfs+json' }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
after(async () => {
  server.close()
  await forge[Symbol.asyncDispose]()
  await source[Symbol.asyncDispose]()
})

const elsewhere = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const urlOf = (name: string) => `${source.base}/ann/${name}.git`
const credentials = () => ({ auth_username: 'ann', auth_password: source.tokenOf('ann') })

async function make(name: string, objects: readonly LfsObject[]): Promise<GitClient> {
  await source.call('ann', 'POST', '/user/repos', { name, private: true })
  const client = await GitClient.open(source, 'ann', `ann/${name}`)
  await push(client, `ann/${name}`, objects)
  return client
}

async function push(client: GitClient, repo: string, objects: readonly LfsObject[]): Promise<void> {
  for (const object of objects) {
    await upload(source, 'ann', repo, object)
    await client.commit(`${object.oid}.bin`, pointerTo(object))
  }
  await client.ok('push', '--quiet', 'origin', 'HEAD:main')
}

async function migrate(name: string, body: object = {}) {
  const given = { clone_addr: urlOf(name), repo_name: name, lfs: true, ...credentials(), ...body }
  const asking = forge.call('bob', 'POST', '/repos/migrate', given)
  return forge.withJobs(asking)
}

const bytesOf = async (name: string, { oid }: LfsObject) =>
  (await get(forge, 'bob', `bob/${name}`, oid)).bytes
const statusOf = async (name: string, { oid }: LfsObject) =>
  (await get(forge, 'bob', `bob/${name}`, oid)).status
async function lfsBytes(name: string): Promise<number> {
  const { lfs_bytes } = await forge.db
    .selectFrom('repository_count')
    .innerJoin('repository', 'repository.id', 'repository_count.repository_id')
    .select('lfs_bytes')
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  return lfs_bytes
}

test('an import with lfs brings the objects of all commits, counts them, and leaves the rest', async () => {
  const [old, current, unpushed] = [objectOf('of an old commit'), objectOf('current'), objectOf('unpushed')]
  await using client = await make('assets', [old, current])
  await client.ok('rm', '-q', `${old.oid}.bin`)
  await client.commit('readme.txt', 'text')
  await client.ok('push', '--quiet', 'origin', 'HEAD:main')
  await upload(source, 'ann', 'ann/assets', unpushed)
  assert.equal((await migrate('assets')).status, 201)
  assert.deepEqual(await bytesOf('assets', old), old.bytes)
  assert.deepEqual(await bytesOf('assets', current), current.bytes)
  assert.equal(await statusOf('assets', unpushed), 404)
  assert.equal(await lfsBytes('assets'), old.size + current.size)
  assert.equal((await migrate('assets', { repo_name: 'pointers', lfs: false })).status, 201)
  assert.equal(await statusOf('pointers', current), 404)
  await assertNothingLost(forge)
})

test('objects that the source lacks, or that are too large here, are left out', async () => {
  const [there, large, gone] = [objectOf('there'), objectOf(100_001), objectOf('never uploaded')]
  await using client = await make('gaps', [there, large])
  await client.commit('gone.bin', pointerTo(gone))
  await client.ok('push', '--quiet', 'origin', 'HEAD:main')
  assert.equal((await migrate('gaps')).status, 201)
  const statuses = await Promise.all([there, large, gone].map((it) => statusOf('gaps', it)))
  assert.deepEqual(statuses, [200, 404, 404])
})

test('an import beyond the quota of its owner is refused and leaves nothing', async () => {
  const object = objectOf(2_000)
  await using _ = await make('costly', [object])
  await forge.db
    .updateTable('account_usage')
    .set((eb) => ({ bytes_max: eb('bytes', '+', 1_999) }))
    .where('kind', '=', 'lfs')
    .execute()
  assert.equal((await migrate('costly')).status, 422)
  assert.equal((await forge.call('bob', 'GET', '/repos/bob/costly')).status, 404)
  await forge.db.updateTable('account_usage').set({ bytes_max: null }).where('kind', '=', 'lfs').execute()
  assert.equal((await migrate('costly')).status, 201)
  assert.deepEqual(await bytesOf('costly', object), object.bytes)
})

test('a mirror brings the objects of new commits, and after a failure those that are missing', async () => {
  const [first, second, third] = [objectOf('mirrored 1'), objectOf('mirrored 2'), objectOf('mirrored 3')]
  await using client = await make('followed', [first])
  assert.equal((await migrate('followed', { mirror: true, mirror_interval: '8h' })).status, 201)
  const sync = async () => {
    assert.equal((await forge.call('bob', 'POST', '/repos/bob/followed/mirror-sync')).status, 200)
    await forge.runJobs()
  }
  await push(client, 'ann/followed', [second])
  await sync()
  assert.deepEqual(await bytesOf('followed', first), first.bytes)
  assert.deepEqual(await bytesOf('followed', second), second.bytes)
  await forge.db.updateTable('mirror').set({ lfs_endpoint: elsewhere() }).execute()
  answer = () => ({ status: 503, body: '' })
  await push(client, 'ann/followed', [third])
  await sync()
  assert.equal(await statusOf('followed', third), 404)
  const error = () => forge.db.selectFrom('mirror').select('last_error').executeTakeFirstOrThrow()
  assert.match((await error()).last_error, /Git LFS server of the remote failed/)
  await forge.db.updateTable('mirror').set({ lfs_endpoint: null }).execute()
  await sync()
  assert.deepEqual(await bytesOf('followed', third), third.bytes)
  assert.equal((await error()).last_error, '')
})

test('a push mirror sends its objects before its refs, each once', async () => {
  const [first, second] = [objectOf('sent first'), objectOf('sent second')]
  await forge.call('bob', 'POST', '/user/repos', { name: 'origin' })
  await source.call('ann', 'POST', '/user/repos', { name: 'target' })
  await using client = await GitClient.open(forge, 'bob', 'bob/origin')
  const { status } = await forge.call('bob', 'POST', '/repos/bob/origin/push_mirrors', {
    remote_address: urlOf('target'),
    remote_username: 'ann',
    remote_password: source.tokenOf('ann'),
    sync_on_commit: true,
  })
  assert.equal(status, 200)
  for (const object of [first, second]) {
    await upload(forge, 'bob', 'bob/origin', object)
    const pushed = await client.commit(`${object.oid}.bin`, pointerTo(object))
    await client.ok('push', '--quiet', 'origin', 'HEAD:main')
    await forge.runJobs()
    const { body } = await forge.call('bob', 'GET', '/repos/bob/origin/push_mirrors')
    assert.equal(body[0].last_error, '')
    assert.deepEqual((await get(source, 'ann', 'ann/target', object.oid)).bytes, object.bytes)
    const branch = await source.call('ann', 'GET', '/repos/ann/target/branches/main')
    assert.equal(branch.body.commit.id, pushed)
  }
})

test('an import that is claimed again has the objects of the worker that died', async () => {
  const [early, late] = [objectOf('before the death'), objectOf('after the death')]
  await using _ = await make('resumed', [early, late])
  let served: string[] = []
  const objects = new Map([early, late].map((it) => [it.oid, it]))
  let dies = true
  answer = (body, path) => {
    if (path.startsWith('/objects/batch')) {
      const { objects: wanted } = JSON.parse(body) as { objects: { oid: string; size: number }[] }
      const present = ({ oid, size }: { oid: string; size: number }) => ({
        oid,
        size,
        actions: { download: { href: `${elsewhere()}/get/${oid}` } },
      })
      return { body: JSON.stringify({ objects: wanted.map(present) }) }
    }
    const oid = path.slice('/get/'.length)
    if (dies && oid === late.oid) return { status: 500, body: '' }
    served.push(oid)
    return { body: objects.get(oid)?.bytes ?? '' }
  }
  assert.equal((await migrate('resumed', { lfs_endpoint: elsewhere() })).status, 422)
  assert.deepEqual(served, [early.oid])
  // As if the worker had died in place of failing.
  dies = false
  served = []
  const row = await forge.db.selectFrom('import').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow()
  await forge.db
    .updateTable('import')
    .set({ state: 'waiting', failure: null, ended_at: null })
    .where('id', '=', row.id)
    .execute()
  const { runImport } = await import('./orders/run-import.ts')
  await runImport(forge.ctx, { import_id: row.id })
  assert.deepEqual(served, [late.oid])
  assert.deepEqual(await bytesOf('resumed', early), early.bytes)
  assert.deepEqual(await bytesOf('resumed', late), late.bytes)
})

const HOSTILE: [what: string, answer: (object: LfsObject) => Answer][] = [
  ['no JSON', () => () => ({ body: '<html>' })],
  [
    'a list that is too long',
    () => () => ({ body: JSON.stringify({ objects: Array(101).fill({ oid: 'x' }) }) }),
  ],
  ['an answer without end', () => () => ({ body: Buffer.alloc(2_000_000, 0x20) })],
  ['other bytes', (object) => serving(object, Buffer.alloc(object.size))],
  ['too many bytes', (object) => serving(object, Buffer.alloc(object.size + 1))],
  ['too few bytes', (object) => serving(object, object.bytes.subarray(1))],
  [
    'an address within the site',
    ({ oid, size }) =>
      () => ({
        body: JSON.stringify({
          objects: [{ oid, size, actions: { download: { href: 'http://169.254.169.254/latest' } } }],
        }),
      }),
  ],
  [
    'an address of a file',
    ({ oid, size }) =>
      () => ({
        body: JSON.stringify({
          objects: [{ oid, size, actions: { download: { href: 'file:///etc/passwd' } } }],
        }),
      }),
  ],
]

function serving({ oid, size }: LfsObject, bytes: Buffer): Answer {
  return (_, path) =>
    path.startsWith('/objects/batch')
      ? {
          body: JSON.stringify({
            objects: [{ oid, size, actions: { download: { href: `${elsewhere()}/get/${oid}` } } }],
          }),
        }
      : { body: bytes }
}

for (const [what, make] of HOSTILE)
  test(`an LFS server that answers with ${what} fails the import, and nothing is linked`, async () => {
    const object = objectOf(`hostile ${what}`)
    const name = `hostile-${what.replaceAll(' ', '-')}`
    await using _ = await makeSource(name, object)
    answer = make(object)
    const { status } = await migrate(name, { lfs_endpoint: elsewhere() })
    assert.equal(status, 422)
    assert.equal((await forge.call('bob', 'GET', `/repos/bob/${name}`)).status, 404)
    assert.equal(
      await forge.db.selectFrom('lfs_object').select('id').where('oid', '=', object.oid).executeTakeFirst(),
      undefined,
    )
    await assertNothingLost(forge)
  })

const makeSource = (name: string, object: LfsObject) => make(name, [object])

test('an LFS server on another host gets no credentials of the remote', async () => {
  const object = objectOf('without credentials')
  await using _ = await make('elsewhere', [object])
  answer = serving(object, object.bytes)
  asked = []
  assert.equal((await migrate('elsewhere', { lfs_endpoint: elsewhere() })).status, 201)
  assert.equal(asked.length, 2)
  assert.deepEqual([...new Set(asked.map(({ authorization }) => authorization))], [undefined])
  const refused = await migrate('never', { lfs_endpoint: 'http://a:b@127.0.0.1/x', repo_name: 'never' })
  assert.equal(refused.status, 422)
})
