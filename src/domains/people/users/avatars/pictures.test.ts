/** Avatars: accepted formats, permissions and URLs. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Forge, startForge } from '#testing'
import { drawPicture } from './drawn-picture.ts'
import { imageKindOf } from './image-kind.ts'

let forge: Forge
before(async () => {
  forge = await startForge()
  await forge.person('ann')
  await forge.person('eve')
  await forge.person('root', { is_admin: true })
  await forge.call('ann', 'POST', '/orgs', { username: 'smithy' })
})
after(() => forge[Symbol.asyncDispose]())

/** A PNG header, which is all that is read. */
function png(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(64)
  Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').copy(bytes)
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes
}
const webp = (chunk: string, rest: string) =>
  Buffer.concat([Buffer.from(`RIFF\0\0\0\0WEBP${chunk}`, 'latin1'), Buffer.from(rest, 'hex')])

for (const [what, bytes, kind] of [
  ['a PNG', png(3, 2), ['image/png', 3, 2]],
  ['a GIF', Buffer.concat([Buffer.from('GIF89a'), Buffer.from('03000200', 'hex')]), ['image/gif', 3, 2]],
  [
    'a JPEG with a comment and fill bytes before its frame',
    Buffer.from('ffd8fffe0004aaaaffffc00011080002000303', 'hex'),
    ['image/jpeg', 3, 2],
  ],
  ['a WebP with losses', webp('VP8 ', `00000000${'00'.repeat(3)}9d012a03000200`), ['image/webp', 3, 2]],
  ['a WebP without losses', webp('VP8L', `000000002f02400000`), ['image/webp', 3, 2]],
  ['a WebP with more in it', webp('VP8X', `0a00000000000000020000010000`), ['image/webp', 3, 2]],
] as const)
  test(`${what} is detected by its header, and not by fewer bytes`, () => {
    const found = imageKindOf(bytes)
    assert.deepEqual([found?.type, found?.width, found?.height], kind)
    for (let length = 0; length < 10; length++)
      assert.equal(imageKindOf(bytes.subarray(0, length)), undefined)
  })

test('other content is not detected as an image', () => {
  for (const text of [
    '',
    'text',
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
    '\xff\xd8\xff\xd9',
    'RIFF....WAVE',
  ])
    assert.equal(imageKindOf(Buffer.from(text, 'latin1')), undefined)
})

const send = (as: string | null, path: string, bytes: Buffer) =>
  forge.call(as, 'POST', path, { image: bytes.toString('base64') })

for (const [what, bytes, status] of [
  ['a small one', png(1, 1), 204],
  ['the largest', png(4096, 4096), 204],
  ['one that is too wide', png(4097, 1), 422],
  ['one without a height', png(1, 0), 422],
  ['one of too many bytes', Buffer.concat([png(1, 1), Buffer.alloc(1024 * 1024)]), 422],
  ['no picture', Buffer.from('text'), 422],
] as const)
  test(`setting an avatar, ${what}: ${status}`, async () => {
    assert.equal((await send('ann', '/user/avatar', bytes)).status, status)
  })

for (const [as, path, status] of [
  [null, '/user/avatar', 401],
  [null, '/orgs/smithy/avatar', 401],
  ['eve', '/orgs/smithy/avatar', 403],
  ['ann', '/orgs/smithy/avatar', 204],
  ['root', '/orgs/smithy/avatar', 204],
] as const)
  test(`${as ?? 'anonymous'} sets an avatar at ${path}: ${status}`, async () => {
    assert.equal((await send(as, path, png(2, 2))).status, status)
    assert.equal((await forge.call(as, 'DELETE', path)).status, status)
  })

test('an avatar that is not base64 is refused with 400', async () => {
  for (const image of ['%%%', 'a', 'ab_c', 'YQ=', 'YQ==YQ=='])
    assert.equal((await forge.call('ann', 'POST', '/user/avatar', { image })).status, 400, image)
})

test('a new avatar replaces the old one, whose object is deleted later', async () => {
  const address = async () =>
    (await forge.call(null, 'GET', '/users/ann')).body.avatar_url.replace('http://forge.test', '/')
  await send('ann', '/user/avatar', png(5, 5))
  const old = await address()
  const seen = await forge.call(null, 'GET', old)
  assert.equal(seen.headers.get('content-type'), 'image/png')
  assert.match(seen.headers.get('content-security-policy') ?? '', /sandbox/)
  await send('ann', '/user/avatar', png(6, 6))
  assert.notEqual(await address(), old)
  assert.equal((await forge.call(null, 'GET', old)).status, 404)
  const bytesOf = (shown: string) => forge.ctx.store.stat(`pictures/${shown.split('/').at(-1)}`)
  assert.notEqual(await bytesOf(old), undefined, 'a failover may bring its row back')
  await forge.deleteDiscarded()
  assert.equal(await bytesOf(old), undefined)
  assert.equal((await forge.call(null, 'GET', await address())).status, 200)
})

test('an account without an avatar gets a stable default one', async () => {
  const { avatar_url } = (await forge.call(null, 'GET', '/users/eve')).body
  const drawn = await forge.call(null, 'GET', avatar_url.replace('http://forge.test', '/'))
  assert.deepEqual([drawn.status, drawn.headers.get('content-type')], [200, 'image/svg+xml'])
  assert.equal(drawPicture('7'), drawPicture('7'))
  assert.notEqual(drawPicture('7'), drawPicture('8'))
})

for (const name of ['..%2fsecret', 'nothing', '%00', '00000000-0000-4000-8000-000000000000'])
  test(`an unknown avatar name is 404: ${name}`, async () => {
    assert.equal((await forge.call(null, 'GET', `//avatars/${name}`)).status, 404)
  })
