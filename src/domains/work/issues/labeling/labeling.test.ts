/** Labels and assignees of issues over HTTP, on a real database. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Forge, startForge } from '#testing'

let forge: Forge
before(async () => {
  forge = await startForge()
  for (const login of ['ann', 'wes', 'eve', 'sam']) await forge.person(login)
  await forge.call('ann', 'POST', '/orgs', { username: 'smithy' })
  await forge.call('ann', 'POST', '/orgs/smithy/repos', { name: 'one' })
  await forge.call('ann', 'POST', '/orgs/smithy/repos', { name: 'few' })
  await forge.call('ann', 'PUT', `${ROOT}/collaborators/wes`, { permission: 'write' })
})
after(() => forge[Symbol.asyncDispose]())

const ROOT = '/repos/smithy/one'
const open = async (body: object = {}): Promise<number> =>
  (await forge.call('wes', 'POST', `${ROOT}/issues`, { title: 'work', ...body })).body.number
const labelOf = async (name: string, root = ROOT, exclusive = false): Promise<number> =>
  (await forge.call('ann', 'POST', `${root}/labels`, { name, color: '#abc', exclusive })).body.id
const label = (
  as: string | null,
  number: number,
  labels: readonly (number | string)[],
  how: 'POST' | 'PUT' = 'POST',
) => forge.call(as, how, `${ROOT}/issues/${number}/labels`, { labels })
const namesOn = async (number: number): Promise<string[]> =>
  (await forge.call(null, 'GET', `${ROOT}/issues/${number}/labels`)).body.map(
    ({ name }: { name: string }) => name,
  )
const countOf = (id: number) =>
  forge.db
    .selectFrom('label_count')
    .select(['issues', 'closed_issues'])
    .where('label_id', '=', id)
    .executeTakeFirst()

test('labels of the repository and of its organization can be used, by id or name, and no others', async () => {
  const [own, shared] = [await labelOf('own'), await labelOf('shared', '/orgs/smithy')]
  const far = await labelOf('far', '/repos/smithy/few')
  const n = await open()
  assert.equal((await label('eve', n, [own])).status, 403)
  assert.equal((await label('wes', n, [own, far])).status, 200)
  assert.equal((await label('wes', n, ['shared', 'far'])).status, 200)
  assert.deepEqual(await namesOn(n), ['own', 'shared'])
  assert.equal((await label('wes', n, [own, 'shared'])).status, 400)
  const { body } = await forge.call(null, 'GET', `${ROOT}/issues?labels=own,shared`)
  assert.deepEqual(
    body.map((issue: { number: number }) => issue.number),
    [n],
  )
  assert.equal((await forge.call('wes', 'DELETE', `${ROOT}/issues/${n}/labels/${far}`)).status, 404)
  assert.equal((await forge.call('wes', 'DELETE', `${ROOT}/issues/${n}/labels/${shared}`)).status, 204)
  assert.deepEqual(await namesOn(n), ['own'])
  assert.equal((await forge.call('wes', 'DELETE', `${ROOT}/issues/${n}/labels`)).status, 204)
  assert.deepEqual(await namesOn(n), [])
})

test('an exclusive label replaces those of its scope, also in bulk, and counters stay right', async () => {
  const sizes = [await labelOf('size/s', ROOT, true), await labelOf('size/l', ROOT, true)]
  const n = await open()
  await Promise.all(Array.from({ length: 20 }, (_, i) => label('wes', n, [sizes[i % 2] ?? 0])))
  const [name = '', ...more] = await namesOn(n)
  assert.deepEqual([more.length, name.startsWith('size/')], [0, true])
  const counted = await Promise.all(sizes.map(countOf))
  assert.equal(
    counted.map((it) => it?.issues ?? 0).reduce((a, b) => a + b),
    1,
  )
})

test('a label counts its issues and its closed issues', async () => {
  const id = await labelOf('counted')
  const n = await open({ labels: [id] })
  assert.deepEqual(await countOf(id), { issues: 1, closed_issues: 0 })
  await forge.call('wes', 'PATCH', `${ROOT}/issues/${n}`, { state: 'closed' })
  assert.deepEqual(await countOf(id), { issues: 1, closed_issues: 1 })
  await label('wes', n, [], 'PUT')
  assert.deepEqual(await countOf(id), { issues: 0, closed_issues: 0 })
  await label('wes', n, [id])
  await forge.call('ann', 'DELETE', `${ROOT}/issues/${n}`)
  assert.deepEqual(await countOf(id), { issues: 0, closed_issues: 0 })
})

test('a transferred repository loses the labels of its old organization', async () => {
  await forge.call('ann', 'POST', '/orgs/smithy/repos', { name: 'mover' })
  const id = await labelOf('of the house', '/orgs/smithy')
  await forge.call('ann', 'POST', '/repos/smithy/mover/issues', { title: 'work', labels: [id] })
  assert.deepEqual(await countOf(id), { issues: 1, closed_issues: 0 })
  assert.equal(
    (await forge.call('ann', 'POST', '/repos/smithy/mover/transfer', { new_owner: 'ann' })).status,
    202,
  )
  assert.deepEqual((await forge.call(null, 'GET', '/repos/ann/mover/issues/1')).body.labels, [])
  assert.deepEqual(await countOf(id), { issues: 0, closed_issues: 0 })
})

test('writers add and remove assignees, who must have access', async () => {
  const n = await open()
  const at = `${ROOT}/issues/${n}/assignees`
  const logins = (body: { assignees: { login: string }[] }) => body.assignees.map(({ login }) => login).sort()
  assert.equal((await forge.call('eve', 'POST', at, { assignees: ['eve'] })).status, 403)
  const { status, body } = await forge.call('wes', 'POST', at, { assignees: ['sam', 'Wes'] })
  assert.deepEqual([status, logins(body)], [201, ['sam', 'wes']])
  for (const nobody of ['smithy', 'nobody-knows'])
    assert.equal((await forge.call('wes', 'POST', at, { assignees: [nobody] })).status, 422)
  assert.equal((await forge.call(null, 'GET', `${at}/sam`)).status, 204)
  assert.equal((await forge.call(null, 'GET', `${at}/nobody-knows`)).status, 404)
  assert.deepEqual(logins((await forge.call('wes', 'DELETE', at, { assignees: ['sam'] })).body), ['wes'])
  await forge.call('sam', 'PUT', '/user/blocks/wes')
  assert.equal((await forge.call('wes', 'POST', at, { assignees: ['sam'] })).status, 403)
})
