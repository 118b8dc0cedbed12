/** A forge that is only tried out starts also where it can have no SSH. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sshRefusal } from './ssh-refusal.ts'

test('a user without a shell gets no SSH, and root makes a user for it', async () => {
  assert.match(
    (await sshRefusal({ uid: 65_534, username: 'nobody' })) ?? '',
    /nobody has no shell|without root/,
  )
  assert.equal(await sshRefusal({ uid: 0, username: 'root' }), undefined)
})
