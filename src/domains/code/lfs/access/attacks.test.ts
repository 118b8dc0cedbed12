/** Attacks on Git LFS: each names an object, a repository or a right that the caller does not have, and is refused. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Forge, hold, startForge, until } from '#testing'
import {
  assertNothingLost,
  batch,
  get,
  type LfsObject,
  lfs,
  objectOf,
  put,
  upload,
} from '#testing/slices/lfs'
import { issueSshToken } from './ssh-bearer.ts'

let forge: Forge
const ids: Record<string, number> = {}
/** Ann's, in her private repository. */
const secret = objectOf('what only ann and her collaborators may read')

before(async () => {
  forge = await startForge({ config: { 'lfs.object_bytes_max': 10_000, 'log.level': 'silent' } })
  for (const login of ['ann', 'bob', 'eve', 'carl']) await forge.person(login)
  for (const [owner, name, isPrivate] of [
    ['ann', 'vault', true],
    ['ann', 'open', false],
    ['eve', 'own', false],
    ['ann', 'done', false],
  ] as const) {
    const { body } = await forge.call(owner, 'POST', '/user/repos', {
      name,
      private: isPrivate,
      auto_init: true,
    })
    ids[name] = body.id
  }
  await forge.call('ann', 'PUT', '/repos/ann/vault/collaborators/bob', { permission: 'read' })
  await upload(forge, 'ann', 'ann/vault', secret)
  await forge.call('ann', 'PATCH', '/repos/ann/done', { archived: true })
})
after(() => forge[Symbol.asyncDispose]())

async function isSafe(): Promise<void> {
  assert.equal((await get(forge, 'eve', 'eve/own', secret.oid)).status, 404)
  assert.deepEqual((await get(forge, 'ann', 'ann/vault', secret.oid)).bytes, secret.bytes)
  await assertNothingLost(forge)
}

async function tokenOf(login: string, scopes: string[]): Promise<string> {
  await forge.person(login, {}, scopes)
  return forge.tokenOf(login)
}

const basic = (token: string) => ({
  authorization: `Basic ${Buffer.from(`x:${token}`).toString('base64')}`,
})

test('a digest alone links no object: neither batch, verify nor an upload of other bytes', async () => {
  const { oid, size } = secret
  for (const operation of ['upload', 'download']) {
    const { json } = await batch(forge, 'eve', 'eve/own', operation, [secret])
    if (operation === 'upload') assert.ok(json.objects[0].actions.upload, 'it must be uploaded again')
    else assert.equal(json.objects[0].error.code, 404)
  }
  assert.equal((await lfs(forge, 'eve', 'POST', 'eve/own', '/verify', { json: { oid, size } })).status, 404)
  assert.equal((await put(forge, 'eve', 'eve/own', { ...secret, bytes: Buffer.alloc(size) })).status, 422)
  await isSafe()
})

test('a batch answers the same for an object of other users and for one that does not exist', async () => {
  const ask = async ({ oid, size }: LfsObject, operation: string) => {
    const { status, bytes } = await batch(forge, 'eve', 'eve/own', operation, [{ oid, size }])
    return [status, bytes.toString().replaceAll(oid, 'OID')]
  }
  const unknown = objectOf(secret.size)
  for (const operation of ['upload', 'download'])
    assert.deepEqual(await ask(secret, operation), await ask(unknown, operation))
})

for (const [what, change] of [
  ['longer', (it: LfsObject) => ({ ...it, bytes: Buffer.concat([it.bytes, Buffer.from('x')]) })],
  ['shorter', (it: LfsObject) => ({ ...it, bytes: it.bytes.subarray(1) })],
  ['empty', (it: LfsObject) => ({ ...it, bytes: Buffer.alloc(0) })],
  ['announced with another size', (it: LfsObject) => ({ ...it, size: it.size - 1 })],
] as const)
  test(`bytes that are ${what} are refused, and no row or link is made`, async () => {
    const object = objectOf(`wrong: ${what}`)
    assert.equal((await put(forge, 'eve', 'eve/own', change(object))).status, 422)
    assert.equal((await get(forge, 'eve', 'eve/own', object.oid)).status, 404)
    await isSafe()
  })

const HOSTILE = [
  '..',
  '../../../../etc/passwd',
  '..%2f..%2fetc%2fpasswd',
  secret.oid.toUpperCase(),
  `${secret.oid}0`,
  secret.oid.slice(1),
  `${secret.oid}%00`,
  `${secret.oid}%0a`,
  'sha256:'.padEnd(64, 'a'),
  "' or true --",
]
test('an oid that is no digest is refused in an address and in a batch', async () => {
  for (const oid of HOSTILE) {
    const path = encodeURI(oid)
    const got = await lfs(forge, 'ann', 'GET', 'ann/vault', `/objects/${path}`)
    assert.ok([400, 404].includes(got.status), `${oid} ${got.status}`)
    const sent = await lfs(forge, 'ann', 'PUT', 'ann/vault', `/objects/${path}/1`, { body: 'x' })
    assert.ok([400, 404, 422].includes(sent.status), `${oid} ${sent.status}`)
    const { json } = await batch(forge, 'ann', 'ann/vault', 'download', [{ oid: decodeURI(oid), size: 1 }])
    assert.equal(json.objects[0].error.code, 422)
  }
  await isSafe()
})

test('a size that is no number of bytes is refused', async () => {
  for (const size of [-1, 1.5, '1', null, 1e300, 9_007_199_254_740_992]) {
    const { json } = await batch(forge, 'eve', 'eve/own', 'upload', [{ oid: secret.oid, size }])
    assert.equal(json.objects[0].error.code, 422, String(size))
  }
  for (const size of ['-1', '1e3', '0x10', '99999999999999999999'])
    assert.equal(
      (await lfs(forge, 'eve', 'PUT', 'eve/own', `/objects/${secret.oid}/${size}`, { body: 'x' })).status,
      422,
    )
})

test('an object beyond the limit is refused by the batch and by the upload', async () => {
  const large = objectOf(10_001)
  const { json } = await batch(forge, 'eve', 'eve/own', 'upload', [large])
  assert.equal(json.objects[0].error.code, 413)
  assert.equal((await put(forge, 'eve', 'eve/own', large)).status, 413)
})

test('a batch with too many objects, or a body that is too large or no batch, is refused', async () => {
  const many = Array.from({ length: 1_001 }, () => ({ oid: secret.oid, size: 1 }))
  const refused = await batch(forge, 'eve', 'eve/own', 'download', many)
  assert.equal(refused.status, 413)
  assert.match(refused.headers.get('content-type') ?? '', /git-lfs\+json/)
  assert.match(refused.json.message, /1000 objects/)
  const post = (body: string) => lfs(forge, 'eve', 'POST', 'eve/own', '/objects/batch', { body })
  assert.equal((await post(JSON.stringify({ x: 'x'.repeat(2_000_000) }))).status, 413)
  for (const [body, status] of [
    ['{', 400],
    ['[]', 400],
    ['"x"', 400],
    ['{}', 422],
    ['{"operation":"delete","objects":[]}', 422],
    ['{"operation":"download","objects":{}}', 422],
    ['{"operation":"download","objects":[1,null]}', 422],
    ['{"operation":"download","objects":[],"transfers":["ssh"]}', 422],
    ['{"operation":"download","objects":[],"hash_algo":"md5"}', 409],
  ] as const)
    assert.equal((await post(body)).status, status, body)
})

test('a private repository looks like one that does not exist', async () => {
  for (const path of ['/objects/batch', '/verify']) {
    const of = async (as: string | null, repo: string) => {
      const json = { operation: 'download', objects: [], oid: secret.oid, size: secret.size }
      const { status, headers, bytes } = await lfs(forge, as, 'POST', repo, path, { json })
      return [status, headers.get('www-authenticate'), bytes.toString()]
    }
    assert.deepEqual(await of(null, 'ann/vault'), await of(null, 'ann/nothing'))
    assert.deepEqual(await of('eve', 'ann/vault'), await of('eve', 'ann/nothing'))
  }
  const stranger = await get(forge, null, 'ann/vault', secret.oid)
  assert.equal(stranger.status, 401)
  assert.equal(stranger.headers.get('www-authenticate'), 'Basic realm="Gitea", charset="UTF-8"')
  assert.ok(stranger.headers.get('lfs-authenticate'))
  assert.equal((await get(forge, 'eve', 'ann/vault', secret.oid)).status, 404)
  assert.equal((await get(forge, 'eve', 'ann/vault.wiki', secret.oid)).status, 404)
})

const object = objectOf('not for readers to send')
test('a reader uploads nothing, to a batch, an address or the verification', async () => {
  const { oid, size } = object
  assert.equal((await batch(forge, 'bob', 'ann/vault', 'upload', [object])).status, 403)
  assert.equal((await put(forge, 'bob', 'ann/vault', object)).status, 403)
  assert.equal((await lfs(forge, 'bob', 'POST', 'ann/vault', '/verify', { json: { oid, size } })).status, 403)
  assert.equal((await put(forge, null, 'ann/open', object)).status, 401)
  assert.equal((await batch(forge, null, 'ann/open', 'upload', [object])).status, 401)
  assert.equal((await get(forge, 'ann', 'ann/vault', oid)).status, 404)
})

test('a token uploads within its scopes only, and none without the scope of repositories downloads', async () => {
  for (const [login, scopes, downloads, uploads] of [
    ['reads', ['read:repository'], 200, 403],
    ['issues', ['write:issue'], 403, 403],
    ['public', ['public-only', 'write:repository'], 404, 404],
  ] as const) {
    const token = await tokenOf(login, [...scopes])
    await forge.call('ann', 'PUT', `/repos/ann/vault/collaborators/${login}`, { permission: 'write' })
    const ask = (operation: string) => batch(forge, login, 'ann/vault', operation, [secret])
    assert.equal((await ask('download')).status, downloads, login)
    assert.equal((await ask('upload')).status, uploads, login)
    assert.equal((await put(forge, login, 'ann/vault', object)).status, uploads, login)
    const byBasic = await lfs(forge, null, 'GET', 'ann/vault', `/objects/${secret.oid}`, {
      headers: basic(token),
    })
    assert.equal(byBasic.status, downloads, login)
  }
})

test('a deploy token reaches its repository, and writes only if it may', async () => {
  const add = async (title: string, read_only: boolean) => {
    const { body } = await forge.call('ann', 'POST', '/repos/ann/vault/keys/tokens', { title, read_only })
    return basic(body.token)
  }
  const [reader, writer] = [await add('reader', true), await add('writer', false)]
  const path = `/objects/${object.oid}/${object.size}`
  const ask = (headers: Record<string, string>, repo: string, method: 'GET' | 'PUT') =>
    lfs(forge, null, method, repo, method === 'GET' ? `/objects/${secret.oid}` : path, {
      headers,
      ...(method === 'PUT' && { body: object.bytes }),
    })
  assert.equal((await ask(reader, 'ann/vault', 'GET')).status, 200)
  assert.equal((await ask(reader, 'ann/vault', 'PUT')).status, 403)
  assert.equal((await ask(writer, 'ann/open', 'GET')).status, 404)
  assert.equal((await ask(writer, 'eve/own', 'PUT')).status, 404)
  assert.equal((await ask(writer, 'ann/vault', 'PUT')).status, 200)
})

test('an archived repository and a mirror take no objects', async () => {
  assert.equal((await put(forge, 'ann', 'ann/done', object)).status, 403)
  assert.equal((await batch(forge, 'ann', 'ann/done', 'upload', [object])).status, 403)
  await forge.db
    .updateTable('repository')
    .set({ is_mirror: true })
    .where('id', '=', ids.open ?? 0)
    .execute()
  assert.equal((await put(forge, 'ann', 'ann/open', object)).status, 403)
  await forge.db
    .updateTable('repository')
    .set({ is_mirror: false })
    .where('id', '=', ids.open ?? 0)
    .execute()
})

async function announced(): Promise<number> {
  const rows = await forge.db.selectFrom('discarded_object').select('key').execute()
  return rows.length
}

const LOSSES: [what: string, status: number, lose: (login: string) => Promise<unknown>][] = [
  [
    'is removed from the repository',
    404,
    (it) => forge.call('ann', 'DELETE', `/repos/ann/vault/collaborators/${it}`),
  ],
  [
    'becomes a reader',
    403,
    (it) => forge.call('ann', 'PUT', `/repos/ann/vault/collaborators/${it}`, { permission: 'read' }),
  ],
  [
    'is suspended',
    403,
    (it) => forge.db.updateTable('account').set({ prohibits_login: true }).where('login', '=', it).execute(),
  ],
]
for (const [i, [what, status, lose]] of LOSSES.entries())
  test(`an upload of a user who ${what} meanwhile is refused, and links nothing`, async () => {
    const login = `late${i}`
    await forge.person(login)
    await forge.call('ann', 'PUT', `/repos/ann/vault/collaborators/${login}`, { permission: 'write' })
    const late = objectOf(`late ${i}`)
    const path = `/ann/vault.git/info/lfs/objects/${late.oid}/${late.size}`
    const asked = { method: 'PUT' as const, path, type: 'application/octet-stream' }
    const before = await announced()
    const held = hold(forge, `token ${forge.tokenOf(login)}`, asked, late.bytes, 2)
    await until(async () => (await announced()) > before)
    await lose(login)
    assert.equal((await held.finish()).status, status)
    assert.equal((await get(forge, 'ann', 'ann/vault', late.oid)).status, 404)
    await isSafe()
  })

test('a fork that became private is no source for those who may not read it', async () => {
  const family = objectOf('of the private fork')
  await forge.call('carl', 'POST', '/repos/ann/open/forks', {})
  await forge.call('eve', 'POST', '/repos/ann/open/forks', {})
  await upload(forge, 'carl', 'carl/open', family)
  const linked = async () => (await batch(forge, 'eve', 'eve/open', 'upload', [family])).json.objects[0]
  await forge.db
    .updateTable('repository')
    .set({ is_private: true })
    .where('name', '=', 'open')
    .where('owner_id', '=', (eb) => eb.selectFrom('account').select('id').where('login', '=', 'carl'))
    .execute()
  assert.ok((await linked()).actions.upload, 'eve must send the bytes')
  assert.equal((await get(forge, 'eve', 'eve/open', family.oid)).status, 404)
  await forge.call('carl', 'PUT', '/repos/carl/open/collaborators/eve', { permission: 'read' })
  assert.equal((await linked()).actions, undefined)
  assert.deepEqual((await get(forge, 'eve', 'eve/open', family.oid)).bytes, family.bytes)
})

// -- tokens of SSH

const PRINT = 'SHA256:'.padEnd(50, 'k')
async function sshToken(
  facts: Partial<Parameters<typeof issueSshToken>[1]> = {},
): Promise<Record<string, string>> {
  const { id } = await forge.db
    .selectFrom('account')
    .select('id')
    .where('login', '=', 'ann')
    .executeTakeFirstOrThrow()
  await forge.db
    .insertInto('public_key')
    .values({
      account_id: id,
      title: 'k',
      fingerprint: PRINT,
      key: 'k',
      created_at: forge.ctx.now(),
      last_used_at: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const claims = {
    fingerprint: PRINT,
    accountId: id,
    repositoryId: ids.vault ?? 0,
    operation: 'upload' as const,
  }
  return { authorization: `Bearer ${issueSshToken(forge.ctx, { ...claims, ...facts })}` }
}

const read = (headers: Record<string, string>, repo = 'ann/vault') =>
  lfs(forge, null, 'GET', repo, `/objects/${secret.oid}`, { headers })
const send = (headers: Record<string, string>, repo = 'ann/vault') =>
  lfs(forge, null, 'PUT', repo, `/objects/${object.oid}/${object.size}`, { headers, body: object.bytes })

test('a token of SSH opens its repository for its operation, until it expires', async () => {
  const [uploads, downloads] = [await sshToken(), await sshToken({ operation: 'download' })]
  assert.deepEqual([(await read(uploads)).status, (await send(uploads)).status], [200, 200])
  assert.deepEqual([(await read(downloads)).status, (await send(downloads)).status], [200, 403])
  const json = { operation: 'upload', objects: [{ oid: object.oid, size: object.size }] }
  const asked = { headers: downloads, json }
  assert.equal((await lfs(forge, null, 'POST', 'ann/vault', '/objects/batch', asked)).status, 403)
  // Of another repository that the same account may write.
  assert.deepEqual(
    [(await read(uploads, 'ann/open')).status, (await send(uploads, 'ann/open')).status],
    [404, 404],
  )
  const { authorization = '' } = uploads
  const forged = { authorization: `${authorization.slice(0, -3)}AAA` }
  assert.equal((await read(forged)).status, 401)
  // It is no token of anything else.
  assert.equal((await forge.call(null, 'GET', '/user', undefined, uploads)).status, 401)
  forge.advance(31 * 60_000)
  assert.equal((await read(uploads)).status, 401)
  assert.equal((await send(uploads)).status, 401)
})

test('a token of SSH reads the fork network as its account does', async () => {
  const { body: fork } = await forge.call('ann', 'POST', '/repos/eve/own/forks', {})
  const later = objectOf('later in the parent')
  await upload(forge, 'eve', 'eve/own', later)
  const json = { operation: 'upload', objects: [{ oid: later.oid, size: later.size }] }
  const headers = await sshToken({ repositoryId: fork.id })
  const asked = await lfs(forge, null, 'POST', 'ann/own', '/objects/batch', { headers, json })
  assert.deepEqual(asked.json.objects, [{ oid: later.oid, size: later.size }])
  assert.deepEqual((await get(forge, 'ann', 'ann/own', later.oid)).bytes, later.bytes)
})

test('a token of SSH ends with its key, with its account, and with the rights of the account', async () => {
  const token = await sshToken()
  const key = forge.db.updateTable('public_key').where('fingerprint', '=', PRINT)
  await key.set({ is_read_only: true }).execute()
  assert.deepEqual([(await read(token)).status, (await send(token)).status], [200, 403])
  await key.set({ is_read_only: false }).execute()
  const ann = forge.db.updateTable('account').where('login', '=', 'ann')
  await ann.set({ is_suspended: true }).execute()
  assert.deepEqual([(await read(token)).status, (await send(token)).status], [403, 403])
  await ann.set({ is_suspended: false }).execute()
  const eve = await forge.db
    .selectFrom('account')
    .select('id')
    .where('login', '=', 'eve')
    .executeTakeFirstOrThrow()
  await key.set({ account_id: eve.id }).execute()
  assert.equal((await read(token)).status, 401)
  await forge.db.deleteFrom('public_key').where('fingerprint', '=', PRINT).execute()
  assert.equal((await read(token)).status, 401)
})
