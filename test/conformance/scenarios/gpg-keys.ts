/** GPG keys of a user. */
import type { Stage } from '../stage.ts'

/** Of gpg-ann@example.test, valid until 2030. */
const ANN = `-----BEGIN PGP PUBLIC KEY BLOCK-----

mDMEZ3YCJRYJKwYBBAHaRw8BAQdAtRKqJ4YhLYOpIDBY/H5UPh/3W82SqSUCD6SK
uHNQ4vC0HkdwZyBBbm4gPGdwZy1hbm5AZXhhbXBsZS50ZXN0PoiWBBMWCAA+FiEE
W4Gp4aFxmasrimQUQo3agH/Ga4YFAmd2AiUCGwMFCQlmfxsFCwkIBwIGFQoJCAsC
BBYCAwECHgECF4AACgkQQo3agH/Ga4YOCQEAiOLF82PK3+nZaI9WjBuo/ZnDUwx0
qDwNcb2BfWlHPNABAJUVJPHRmXgBbjk+/M/uccBi/Xdlj0QUDc2gnYuBH0cL
=Kz+b
-----END PGP PUBLIC KEY BLOCK-----
`
/** Of a person without an account here. */
const OTHER = `-----BEGIN PGP PUBLIC KEY BLOCK-----

mDMEZ3YCJRYJKwYBBAHaRw8BAQdACRqJ2f6JRLIhSnm/zd7vYNsU+SRzyp6b1Qqy
g8vbEbW0JVN0cmFuZ2VyIDxzb21lYm9keS1lbHNlQGV4YW1wbGUudGVzdD6IkAQT
FggAOBYhBBqmgH/ejf23GITTDimqrKxKC501BQJndgIlAhsDBQsJCAcCBhUKCQgL
AgQWAgMBAh4BAheAAAoJECmqrKxKC5012BABAJYWegAQIVQwU5uqCkAz0QQj/HLy
BXJWcXm+n8IUndJJAP4sLKZ6oyXJN7QDWeU4sBZr3U9QmaSvZ5nlZ3h/Jo7JCw==
=MRu+
-----END PGP PUBLIC KEY BLOCK-----
`

/** The reference pads an empty text with spaces here. */
const padded = { ignore: ['primary_key_id'] }

export async function play(t: Stage): Promise<void> {
  await t.person('gpg-ann')
  await t.person('gpg-bob')
  const add = (step: string, body: unknown, as: string | null = 'gpg-ann') =>
    t.call(step, as, 'POST', '/user/gpg_keys', { body })
  await add('nobody may not add a key', { armored_public_key: ANN }, null)
  const key = await add('a key whose address is known', { armored_public_key: ANN })
  await add('the same key again', { armored_public_key: ANN })
  await add('the same key by another', { armored_public_key: ANN }, 'gpg-bob')
  await add('a key of another address, without proof', { armored_public_key: OTHER })
  await add(
    'a key with a wrong proof',
    { armored_public_key: OTHER, armored_signature: 'nonsense' },
    'gpg-bob',
  )
  await t.call('own keys', 'gpg-ann', 'GET', '/user/gpg_keys', {}, padded)
  await t.call('own keys, page 1', 'gpg-ann', 'GET', '/user/gpg_keys?limit=1', {}, padded)
  await t.call('keys of another', 'gpg-bob', 'GET', '/users/gpg-ann/gpg_keys', {}, padded)
  await t.call('keys of another, seen by nobody', null, 'GET', '/users/gpg-ann/gpg_keys', {}, padded)
  await t.call('one key', 'gpg-ann', 'GET', `/user/gpg_keys/${key.body.id}`, {}, padded)
  await t.call('one key of another', 'gpg-bob', 'GET', `/user/gpg_keys/${key.body.id}`, {}, padded)
  await t.call('another deletes nothing with it', 'gpg-bob', 'DELETE', `/user/gpg_keys/${key.body.id}`)
  await t.call('it is still there', 'gpg-ann', 'GET', `/user/gpg_keys/${key.body.id}`, {}, padded)
  await t.call('a proof that is none', 'gpg-ann', 'POST', '/user/gpg_key_verify', {
    body: { key_id: key.body.key_id, armored_signature: 'nonsense' },
  })
  await t.call('deleted', 'gpg-ann', 'DELETE', `/user/gpg_keys/${key.body.id}`)
  await t.call('gone', 'gpg-ann', 'GET', `/user/gpg_keys/${key.body.id}`, {}, padded)
}
