/** Public SSH keys of a user. */
import type { Stage } from '../stage.ts'

const ED25519 = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKBlrk5IQyVPsWX5k0vx6CO5iwDrVJRYPz4ZSYvZbPz3 laptop'

export async function play(t: Stage): Promise<void> {
  await t.person('keys-ann')
  await t.person('keys-bob')
  await t.call('nobody may not add a key', null, 'POST', '/user/keys', {
    body: { key: ED25519, title: 'laptop' },
  })
  const added = await t.call('a key is added', 'keys-ann', 'POST', '/user/keys', {
    body: { key: ED25519, title: 'laptop', read_only: true },
  })
  await t.call('the same key again', 'keys-ann', 'POST', '/user/keys', {
    body: { key: ED25519, title: 'other' },
  })
  await t.call('the same key by another user', 'keys-bob', 'POST', '/user/keys', {
    body: { key: ED25519, title: 'laptop' },
  })
  await t.call('a text that is no key', 'keys-ann', 'POST', '/user/keys', {
    body: { key: 'ssh-ed25519 nonsense', title: 'x' },
  })
  await t.call('no title', 'keys-ann', 'POST', '/user/keys', { body: { key: ED25519 } })
  await t.call('no body', 'keys-ann', 'POST', '/user/keys')
  await t.call('own keys', 'keys-ann', 'GET', '/user/keys')
  await t.call('keys of another, seen by nobody', null, 'GET', '/users/keys-ann/keys')
  await t.call('one key', 'keys-ann', 'GET', `/user/keys/${added.body.id}`)
  await t.call('one key, asked for by another', 'keys-bob', 'GET', `/user/keys/${added.body.id}`)
  await t.call('another may not delete it', 'keys-bob', 'DELETE', `/user/keys/${added.body.id}`)
  await t.call('deleted', 'keys-ann', 'DELETE', `/user/keys/${added.body.id}`)
  await t.call('deleted twice', 'keys-ann', 'DELETE', `/user/keys/${added.body.id}`)
}
