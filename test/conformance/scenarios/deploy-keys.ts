/** Deploy keys of a repository. */
import type { Stage } from '../stage.ts'

const KEYS = [
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKBlrk5IQyVPsWX5k0vx6CO5iwDrVJRYPz4ZSYvZbPz4 one',
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKBlrk5IQyVPsWX5k0vx6CO5iwDrVJRYPz4ZSYvZbPz5 two@host with words',
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKBlrk5IQyVPsWX5k0vx6CO5iwDrVJRYPz4ZSYvZbPz6',
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKBlrk5IQyVPsWX5k0vx6CO5iwDrVJRYPz4ZSYvZbPz7 four',
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKBlrk5IQyVPsWX5k0vx6CO5iwDrVJRYPz4ZSYvZbPz8 five',
]

export async function play(t: Stage): Promise<void> {
  const owner = 'deploykeys-owner'
  const keys = `/repos/${owner}/one/keys`
  for (const name of [owner, 'deploykeys-admin', 'deploykeys-writer', 'deploykeys-stranger'])
    await t.person(name)
  for (const name of ['one', 'two']) await t.stage(owner, 'POST', '/user/repos', { name })
  await t.stage(owner, 'POST', '/user/repos', { name: 'hidden', private: true })
  await t.stage(owner, 'PUT', `/repos/${owner}/one/collaborators/deploykeys-admin`, { permission: 'admin' })
  await t.stage(owner, 'PUT', `/repos/${owner}/one/collaborators/deploykeys-writer`, { permission: 'write' })

  await t.call('none yet', owner, 'GET', keys)
  const first = await t.call('a key with write access', owner, 'POST', keys, {
    body: { title: 'builder', key: KEYS[0] },
  })
  const second = await t.call('a key that may only read', owner, 'POST', keys, {
    body: { title: 'reader', key: KEYS[1], read_only: true },
  })
  await t.call('a key without comment, with blanks around', owner, 'POST', keys, {
    body: { title: '  bare  ', key: `  ${KEYS[2]}\n`, read_only: false },
  })
  await t.call('a collaborator with admin access adds one', 'deploykeys-admin', 'POST', keys, {
    body: { title: 'by admin', key: KEYS[3] },
  })

  await t.call('the same key again', owner, 'POST', keys, { body: { title: 'other title', key: KEYS[0] } })
  await t.call('the same title again', owner, 'POST', keys, { body: { title: 'builder', key: KEYS[4] } })
  await t.call('the same key in another repository', owner, 'POST', `/repos/${owner}/two/keys`, {
    body: { title: 'shared', key: KEYS[0], read_only: true },
  })
  await t.stage('deploykeys-stranger', 'POST', '/user/keys', { title: 'mine', key: KEYS[4] })
  await t.call("a key that is somebody's user key", owner, 'POST', keys, {
    body: { title: 'of a user', key: KEYS[4] },
  })
  await t.call('a user key that is a deploy key already', 'deploykeys-stranger', 'POST', '/user/keys', {
    body: { title: 'taken', key: KEYS[1] },
  })
  await t.call('a text that is no key', owner, 'POST', keys, { body: { title: 'bad', key: 'nonsense' } })
  await t.call('a key type with a wrong body', owner, 'POST', keys, {
    body: { title: 'bad', key: 'ssh-ed25519 AAAA' },
  })
  await t.call('a private key', owner, 'POST', keys, {
    body: {
      title: 'bad',
      key: '-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----',
    },
  })
  await t.call('a weak RSA key', owner, 'POST', keys, {
    body: {
      title: 'weak',
      key: 'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAgQDAu7tvIvX6ZHrRXuZNfkR3XLHSsuCK9Zn3X58lxBcQzuo5xZgB6vRwwm/QtJuF+zZPtY5hsQILBLmF+BZ5WpKZp1jBeSjH2G7lxet9kbcH+kIVj0tPFEoyKI9wvWqIwC4prx/WVk2wLTJjzBAhyNxfEq7C9CeiX9pQEbEqJfkKCQ== weak',
    },
  })
  await t.call('no title', owner, 'POST', keys, { body: { key: KEYS[4] } })
  await t.call('no key', owner, 'POST', keys, { body: { title: 'x' } })
  await t.call('no body', owner, 'POST', keys)

  await t.call('nobody may not add', null, 'POST', keys, { body: { title: 'x', key: KEYS[4] } })
  await t.call('a writer may not add', 'deploykeys-writer', 'POST', keys, {
    body: { title: 'x', key: KEYS[4] },
  })
  await t.call('a stranger may not add', 'deploykeys-stranger', 'POST', keys, {
    body: { title: 'x', key: KEYS[4] },
  })
  await t.call(
    'a stranger and a hidden repository',
    'deploykeys-stranger',
    'POST',
    `/repos/${owner}/hidden/keys`,
    { body: { title: 'x', key: KEYS[4] } },
  )
  await t.call('nobody and a hidden repository', null, 'GET', `/repos/${owner}/hidden/keys`)
  await t.call('a missing repository', owner, 'POST', `/repos/${owner}/missing/keys`, {
    body: { title: 'x', key: KEYS[4] },
  })

  await t.call('the owner lists', owner, 'GET', keys)
  await t.call('a collaborator with admin access lists', 'deploykeys-admin', 'GET', keys)
  await t.call('the site administrator lists', 'admin', 'GET', keys)
  await t.call('nobody may not list', null, 'GET', keys)
  await t.call('a writer may not list', 'deploykeys-writer', 'GET', keys)
  await t.call('a stranger may not list', 'deploykeys-stranger', 'GET', keys)
  await t.call('first page of two', owner, 'GET', `${keys}?limit=2`)
  await t.call('second page of two', owner, 'GET', `${keys}?limit=2&page=2`)
  await t.call('a page past the end', owner, 'GET', `${keys}?limit=2&page=9`)
  await t.call('by key_id', owner, 'GET', `${keys}?key_id=${second.body.key_id}`)
  await t.call('by an unknown key_id', owner, 'GET', `${keys}?key_id=999999`)
  await t.call('a key_id that is no number filters nothing', owner, 'GET', `${keys}?key_id=abc&limit=1`)
  await t.call(
    'by fingerprint',
    owner,
    'GET',
    `${keys}?fingerprint=${encodeURIComponent(first.body.fingerprint)}`,
  )
  await t.call('by an unknown fingerprint', owner, 'GET', `${keys}?fingerprint=SHA256:nonsense`)
  await t.call(
    'both filters that disagree',
    owner,
    'GET',
    `${keys}?key_id=${second.body.key_id}&fingerprint=${encodeURIComponent(first.body.fingerprint)}`,
  )
  await t.call('the other repository lists its own entry', owner, 'GET', `/repos/${owner}/two/keys`)

  await t.call('one key', owner, 'GET', `${keys}/${first.body.id}`)
  await t.call('one key, by the site administrator', 'admin', 'GET', `${keys}/${second.body.id}`)
  await t.call(
    'one key, through another repository',
    owner,
    'GET',
    `/repos/${owner}/two/keys/${first.body.id}`,
  )
  await t.call('a missing key', owner, 'GET', `${keys}/999999`)
  await t.call('one key, asked for by a writer', 'deploykeys-writer', 'GET', `${keys}/${first.body.id}`)
  await t.call('nobody may not delete', null, 'DELETE', `${keys}/${first.body.id}`)
  await t.call('a writer may not delete', 'deploykeys-writer', 'DELETE', `${keys}/${first.body.id}`)
  await t.call('deleted', owner, 'DELETE', `${keys}/${first.body.id}`)
  await t.call('deleted twice', owner, 'DELETE', `${keys}/${first.body.id}`)
  await t.call('gone', owner, 'GET', `${keys}/${first.body.id}`)
  await t.call('still in the other repository', owner, 'GET', `/repos/${owner}/two/keys`)
  await t.call('added again after the deletion', owner, 'POST', keys, {
    body: { title: 'builder', key: KEYS[0], read_only: true },
  })

  const token = async (name: string, scopes: string[]) =>
    `token ${(await t.stage(owner, 'POST', `/users/${owner}/tokens`, { name, scopes })).body.sha1}`
  const reading = await token('read', ['read:repository'])
  await t.call('a reading token lists', null, 'GET', `${keys}?limit=1`, {
    headers: { authorization: reading },
  })
  await t.call('a reading token may not add', null, 'POST', keys, {
    body: { title: 'x', key: KEYS[4] },
    headers: { authorization: reading },
  })
  await t.stage(owner, 'PATCH', `/repos/${owner}/two`, { archived: true })
  await t.call('an archived repository accepts keys', owner, 'POST', `/repos/${owner}/two/keys`, {
    body: { title: 'late', key: KEYS[2] },
  })
  await t.call(
    'a key of kind token',
    owner,
    'POST',
    `/repos/${owner}/hidden/keys/tokens`,
    { body: { title: 'https', read_only: true } },
    { decision: 'D6', status: 201 },
  )
}
