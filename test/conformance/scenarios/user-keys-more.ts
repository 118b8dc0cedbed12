/** Public SSH keys of a user: what user-keys leaves out (kinds of keys, titles, scopes, paging, the administrator). */
import type { Stage } from '../stage.ts'

const ED25519 = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILRLm0zOM4pLV93mwtTCsfQvbFGMfd8PvWNVLY+HD8xK'
const ED25519_B = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOPKfa2aEcAZ0qIPrTjoLViKkCujR59mZtEn3QFrQo4z'
const ED25519_C = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFSfjfkeFMLYfixoYjSDPFJxtQAe9O0FhO8OBcYP8D0T'
const GIVEN = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILJclnNy/yqPj96LruUJosuNPcAe5czK1vpXVEy/dt1U'
const RSA_2048 =
  'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQDQbM/u4C3tfomtvIRK3bVVJ0nrb66d2WtCsMlKN2/KEBQyPyD7V5kHsAMcwSbWqZR3lmW/F6kp9e1lwaOeJYNqoNjgX+N7wNXWnyacPs8mV94CBI5ISZkGNbTLqHmR6D5FbQR33pM6Zq8yKedTnoSuXCib+6Afg4tiSsLfv1JvsjrVCyF94ryikAsaRHhG+XsHxF4CwomwtVfqRUQrdQipqyShf7fA+HQPLKo0+DlmDsT7TFuZ/VDBYWYkK+spGnuP6m4GD58YcxQjyu8Ga0pd6tMEzSzvam9WwdfJpqqgmn15CfvdpdVVADy/QPXLJAbEUxmH+V2ApEBRbvI9K/sz'
const RSA_3072 =
  'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQDgaQCyM+1Xhpha51J4i7RR1hZyBnFkzcngrabVfeDRL2XbGkCpKPFUJ2+q/RhMoDVb06MHptZubbqMP2LV9GH7huNzK0gABzXtbL3XIDC1oxRTuDXmGg7fqwsZ2C50u1uQYsLpi5IjPhESj5Qi+hawFlXXl1ugj4DzQUC8D4336MfcXzyfzGoubvl4DyPwyZMgieYPUvs2aFldTDCpBwwxIWgQ+WvPa3uIVKe8AZ0U/o0uZMszZQ7pXX5jGmO6kdMyjFCIL2mtY4xlOEskRMAL2CWMxcua6lPhfN0ZU0CQZ+o5Xd/m8gZMMJug/k/71kgWPZzjFXsNBy9sGgxQFP3Bvf3xsLRC7O40bzCNggTDDFi3Gtkl9q+z+29l+/2yBXxYQZ2US9G3hg+qNsigd82+h4z3A2HzD9n1t3WmltmRO1khl12Hav0DaPcHDrWahlI9xM1cQXFmkEFFNkjpQhA+3WL/X3BGzf7TytTGs9561jG//S1nxyc267luwTq5Vbc='
const ECDSA =
  'ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBH+PetpYlg3lw58GrvmgNiHlanaEzbxJF4+0hYVjmO6LZjWdcykXlLvjRl51i5QmgVgInLp3JGtCVN9Tshc2Q7A='
const FORM = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILUl6rxbGFPVMLwHLCCCllCA5Bo6tkkPpIlZqgMiFbw7'
const SUDO = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIO6epdU4Vfbe9/p9iKlsPlxOhhdBatzTSjoJC9CTSZIM'
const DEPLOY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIF2clWrnp+y94cuE/rRB+y7Jd84XZkHoEIUxGQFxnh+m'
const RFC4716 =
  '---- BEGIN SSH2 PUBLIC KEY ----\nComment: "from the forge"\nAAAAC3NzaC1lZDI1NTE5AAAAINC+11u3gdHjt5yYJwrLsCSeAvz+YGho0lyBXoC+D+pR\n---- END SSH2 PUBLIC KEY ----'

export async function play(t: Stage): Promise<void> {
  await t.person('keysmore-ann', { full_name: 'Ann Key' })
  await t.person('keysmore-bob')
  await t.person('keysmore-hidden', { visibility: 'private' })
  const token = async (as: string, name: string, scopes: string[]) =>
    `token ${(await t.stage(as, 'POST', `/users/${as}/tokens`, { name, scopes })).body.sha1}`
  const writes = await token('keysmore-ann', 'writes', ['write:user'])
  const reads = await token('keysmore-ann', 'reads', ['read:user'])
  const other = await token('keysmore-ann', 'other', ['write:repository'])
  const open = await token('keysmore-ann', 'open', ['write:user', 'public-only'])
  const add = (step: string, body: unknown, authorization?: string) =>
    t.call(
      step,
      'keysmore-ann',
      'POST',
      '/user/keys',
      authorization ? { body, headers: { authorization } } : { body },
    )

  await add('a token that may only read', { key: ED25519, title: 'x' }, reads)
  await add('a token of another category', { key: ED25519, title: 'x' }, other)
  await add('a token limited to public things', { key: ED25519, title: 'x' }, open)
  await add('a wrong token', { key: ED25519, title: 'x' }, 'token 0000000000000000000000000000000000000000')
  const first = await add('a token that may write', { key: ED25519, title: 'by token' }, writes)
  const second = await add('with a comment of several words', {
    key: `${ED25519_B}  ann at the  forge `,
    title: ' spaced ',
  })
  await add('the same title', { key: ED25519_C, title: 'by token' })
  await add('a key with the type left out', { key: ED25519_C.split(' ')[1], title: 'bare' })
  await add('an RSA key of 2048 bits is too short', { key: RSA_2048, title: 'rsa 2048' })
  await add('an RSA key of 3072 bits', { key: RSA_3072, title: 'rsa 3072' })
  await add('an ECDSA key', { key: ECDSA, title: 'ecdsa' })
  await add('a key in the RFC 4716 form', { key: RFC4716, title: 'rfc 4716' })
  await add('a private key', {
    key: ['BEGIN', 'END']
      .map((word) => `-----${word} OPENSSH PRIVATE KEY-----`)
      .join('\nb3BlbnNzaC1rZXktdjEAAAAA\n'),
    title: 'private',
  })
  await add('two keys in one text', { key: `${ED25519_C}\n${ED25519_B}`, title: 'two' })
  await add('an empty key', { key: '', title: 'empty' })
  await add('an empty title', { key: ED25519_C, title: '' })
  await t.call(
    'a title of 300 letters',
    'keysmore-ann',
    'POST',
    '/user/keys',
    { body: { key: GIVEN, title: 't'.repeat(300) } },
    { decision: 'D13', status: 422 },
  )
  await add('a number as title', { key: ED25519_C, title: 7 })
  await t.call('broken JSON', 'keysmore-ann', 'POST', '/user/keys', {
    raw: { type: 'application/json', data: '{"key":' },
  })
  await t.call('a form instead of JSON', 'keysmore-ann', 'POST', '/user/keys', {
    raw: {
      type: 'application/x-www-form-urlencoded',
      data: new URLSearchParams({ title: 'by form', key: FORM }).toString(),
    },
  })

  await t.call('own keys', 'keysmore-ann', 'GET', '/user/keys')
  await t.call('own keys, page 1', 'keysmore-ann', 'GET', '/user/keys?limit=2')
  await t.call('own keys, page 2', 'keysmore-ann', 'GET', '/user/keys?limit=2&page=2')
  await t.call(
    'own keys by fingerprint',
    'keysmore-ann',
    'GET',
    `/user/keys?fingerprint=${encodeURIComponent(second.body.fingerprint)}`,
  )
  await t.call(
    'own keys by a fingerprint of nobody',
    'keysmore-ann',
    'GET',
    '/user/keys?fingerprint=SHA256:none',
  )
  await t.call('a token that may only read reads keys', null, 'GET', '/user/keys?limit=1', {
    headers: { authorization: reads },
  })
  await t.call('a token of another category does not read keys', null, 'GET', '/user/keys', {
    headers: { authorization: other },
  })
  await t.call('nobody has no own keys', null, 'GET', '/user/keys')
  await t.call('keys of another user', 'keysmore-bob', 'GET', '/users/keysmore-ann/keys?limit=2')
  await t.call(
    'keys of another user by fingerprint',
    'keysmore-bob',
    'GET',
    `/users/keysmore-ann/keys?fingerprint=${encodeURIComponent(first.body.fingerprint)}`,
  )
  await t.call(
    'keys of another user, seen by the administrator',
    'admin',
    'GET',
    '/users/keysmore-ann/keys?limit=2',
  )
  await t.call('keys of nobody known', 'keysmore-bob', 'GET', '/users/keysmore-none/keys')
  await t.call('keys of a hidden user', 'keysmore-bob', 'GET', '/users/keysmore-hidden/keys')
  await t.call('one key, seen by the administrator', 'admin', 'GET', `/user/keys/${first.body.id}`)
  await t.call('a key id that is no number', 'keysmore-ann', 'GET', '/user/keys/nonsense')
  await t.call('nobody may not read one key', null, 'GET', `/user/keys/${first.body.id}`)
  await t.call('nobody may not delete a key', null, 'DELETE', `/user/keys/${first.body.id}`)

  const given = await t.call(
    'the administrator gives bob a key',
    'admin',
    'POST',
    '/admin/users/keysmore-bob/keys',
    { body: { key: GIVEN, title: 'given', read_only: true } },
  )
  await t.call('bob may not give ann a key', 'keysmore-bob', 'POST', '/admin/users/keysmore-ann/keys', {
    body: { key: GIVEN, title: 'given' },
  })
  await t.call('the administrator gives a key twice', 'admin', 'POST', '/admin/users/keysmore-bob/keys', {
    body: { key: GIVEN, title: 'again' },
  })
  await t.call(
    'the administrator gives a missing user a key',
    'admin',
    'POST',
    '/admin/users/keysmore-none/keys',
    { body: { key: GIVEN, title: 'given' } },
  )
  await t.call(
    'the administrator gives a key without title',
    'admin',
    'POST',
    '/admin/users/keysmore-bob/keys',
    { body: { key: GIVEN } },
  )
  await t.call('bob sees the key he was given', 'keysmore-bob', 'GET', '/user/keys')
  await t.call(
    'the administrator adds a key in the name of bob',
    'admin',
    'POST',
    '/user/keys?sudo=keysmore-bob',
    { body: { key: SUDO, title: 'sudo' } },
  )
  await t.call(
    'bob may not take a key by the way of the administrator',
    'keysmore-bob',
    'DELETE',
    `/admin/users/keysmore-bob/keys/${given.body.id}`,
  )
  await t.call(
    'a key taken under the name of another user',
    'admin',
    'DELETE',
    `/admin/users/keysmore-ann/keys/${given.body.id}`,
  )
  await t.call(
    'the administrator takes a key that does not exist',
    'admin',
    'DELETE',
    '/admin/users/keysmore-bob/keys/99999999',
  )
  await t.call(
    'the administrator takes a key',
    'admin',
    'DELETE',
    `/admin/users/keysmore-bob/keys/${given.body.id}`,
  )
  await t.call('ann deletes her key with a token', null, 'DELETE', `/user/keys/${first.body.id}`, {
    headers: { authorization: writes },
  })
  await t.call('the deleted key can be added by another', 'keysmore-bob', 'POST', '/user/keys', {
    body: { key: ED25519, title: 'second hand' },
  })
  await t.stage('keysmore-bob', 'POST', '/user/repos', { name: 'deploy', auto_init: true })
  await t.stage('keysmore-bob', 'POST', '/repos/keysmore-bob/deploy/keys', { key: DEPLOY, title: 'deploy' })
  await t.call('a key that is a deploy key already', 'keysmore-bob', 'POST', '/user/keys', {
    body: { key: DEPLOY, title: 'was deploy' },
  })
}
