/** The audit log in a browser. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Forge, startForge } from '#testing'

let forge: Forge
before(async () => {
  forge = await startForge()
  await forge.person('root', { is_admin: true })
  for (const login of ['ann', 'bob']) await forge.person(login)
  await forge.call('ann', 'POST', '/orgs', { username: 'guild' })
  await forge.call('ann', 'POST', '/orgs/guild/repos', { name: 'ore', auto_init: true })
  await forge.call('bob', 'POST', '/repos/guild/ore/issues', { title: 'one' })
})
after(() => forge[Symbol.asyncDispose]())

/** The operation follows the account. */
const rowsOf = (text: string) =>
  [...text.matchAll(/<\/th><td><code>(\w+)<\/code><\/td>/g)].map(([, name]) => name)

test('administrators see all records and filter them by account, repository, operation and outcome', async () => {
  const root = await forge.browserOf('root')
  const list = async (query = '') => rowsOf((await root.get(`/-/admin/audit${query}`)).text)
  assert.deepEqual(await list(), ['issueCreateIssue', 'createOrgRepo', 'orgCreate'])
  assert.deepEqual(await list('?account=bob'), ['issueCreateIssue'])
  assert.deepEqual(await list('?repository=guild/ore&operation=createOrgRepo'), ['createOrgRepo'])
  assert.deepEqual(await list('?outcome=refused'), [])
  assert.deepEqual(await list('?account=nobody-by-this-name'), [])
  assert.match((await root.get('/-/admin/audit')).text, /127\.0\.0\.1/)
})

test('owners of an organization see its records without addresses, and members see no such page', async () => {
  const path = '/org/guild/settings/audit'
  const ann = await forge.browserOf('ann')
  const { status, text } = await ann.get(path)
  assert.equal(status, 200)
  assert.deepEqual(rowsOf(text), ['issueCreateIssue', 'createOrgRepo', 'orgCreate'])
  assert.doesNotMatch(text, /127\.0\.0\.1/)
  assert.equal((await (await forge.browserOf('bob')).get(path)).status, 404)
})
