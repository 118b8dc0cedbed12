// Deletion.
import assert from 'node:assert/strict'
import { admin, guest, me, org, owner, refused, repo, test, UNIQUE, withPassword } from './kit.mjs'

await test('repos: repoDelete', async () => {
  for (const [who, name] of [
    [owner, repo],
    [org, 'inside'],
    [org, `gen${UNIQUE}`],
  ]) {
    assert.equal((await me.repos.repoDelete(who, name)).status, 204)
  }
  await refused(404, () => me.repos.repoGet(owner, repo))
})
await test('orgs: orgDelete', async () => {
  assert.equal((await me.orgs.orgDelete(org)).status, 204)
})
await test('admin: adminDeleteUser', async () => {
  assert.equal((await admin.admin.adminDeleteUser(guest, { purge: true })).status, 204)
  await refused(404, () => admin.users.userGet(guest))
})
await test('users: userDeleteAccessToken', async () => {
  assert.equal((await withPassword(owner).users.userDeleteAccessToken(owner, 'js')).status, 204)
  await refused(401, () => me.user.userGetCurrent())
})
await test('admin: adminDeleteUser of the owner', async () => {
  assert.equal((await admin.admin.adminDeleteUser(owner, { purge: true })).status, 204)
})
