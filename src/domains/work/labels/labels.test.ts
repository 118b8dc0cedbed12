/** Labels over HTTP, on a real database. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { assertIndexed, type Forge, insertMany, startForge } from '#testing'
import { selectLabels } from './store.ts'

let forge: Forge
before(async () => {
  forge = await startForge()
  await forge.person('ann')
  await forge.person('eve')
  await forge.call('ann', 'POST', '/orgs', { username: 'smithy' })
  await forge.call('ann', 'POST', '/user/repos', { name: 'one', issue_labels: 'Default' })
  await forge.call('ann', 'POST', '/user/repos', { name: 'bare' })
  await forge.call('ann', 'POST', '/user/repos', { name: 'closed', private: true, issue_labels: 'Default' })
})
after(() => forge[Symbol.asyncDispose]())

const add = (as: string | null, body: object) => forge.call(as, 'POST', '/orgs/smithy/labels', body)

test('labels are listed by name, in pages', async () => {
  const page = await forge.call(null, 'GET', '/repos/ann/one/labels?limit=2&page=2')
  assert.deepEqual(
    page.body.map(({ name }: { name: string }) => name),
    ['enhancement', 'help wanted'],
  )
  assert.equal(page.headers.get('x-total-count'), '7')
  assert.equal(page.body[0].url, `http://forge.test/api/v1/repos/ann/one/labels/${page.body[0].id}`)
})

test('the labels of a repository are visible to users who may see the repository', async () => {
  assert.equal((await forge.call('eve', 'GET', '/repos/ann/closed/labels')).status, 404)
  assert.equal((await forge.call('ann', 'GET', '/repos/ann/closed/labels')).body.length, 7)
})

for (const [as, status] of [
  [null, 401],
  ['eve', 403],
  ['ann', 201],
] as const)
  test(`${as ?? 'an anonymous caller'} adds a label to an organization: ${status}`, async () => {
    assert.equal((await add(as, { name: 'bug', color: '#F00' })).status, status)
  })

for (const [color, kept] of [
  ['#F00', 'ff0000'],
  ['0af', '00aaff'],
  ['#00AABB', '00aabb'],
  ['reddish', undefined],
  ['#12345', undefined],
  ['##123456', undefined],
] as const)
  test(`the color ${color} is stored as ${kept ?? 'nothing'}`, async () => {
    const made = await add('ann', { name: 'painted', color })
    assert.deepEqual([made.status, made.body.color], kept === undefined ? [422, undefined] : [201, kept])
  })

test('writers create, edit and delete labels, only in their own repository', async () => {
  const root = '/repos/ann/bare/labels'
  const make = (as: string | null) =>
    forge.call(as, 'POST', root, { name: 'kind/bug', color: '#f00', is_archived: true })
  assert.equal((await make(null)).status, 401)
  assert.equal((await make('eve')).status, 403)
  const { status, body } = await make('ann')
  assert.deepEqual([status, body.is_archived], [201, true])
  assert.equal((await forge.call(null, 'GET', `${root}/${encodeURIComponent('kind/bug')}`)).body.id, body.id)
  const edited = await forge.call('ann', 'PATCH', `${root}/${body.id}`, { name: 'bug', is_archived: false })
  assert.deepEqual([edited.body.name, edited.body.color, edited.body.is_archived], ['bug', 'ff0000', false])
  assert.equal((await forge.call('eve', 'PATCH', `${root}/${body.id}`, { name: 'x' })).status, 403)
  const elsewhere = `/repos/ann/one/labels/${body.id}`
  assert.equal((await forge.call('ann', 'PATCH', elsewhere, { name: 'x' })).status, 404)
  assert.equal((await forge.call('ann', 'DELETE', elsewhere)).status, 204)
  assert.equal((await forge.call(null, 'GET', `${root}/${body.id}`)).status, 200)
  assert.equal((await forge.call('eve', 'DELETE', `${root}/${body.id}`)).status, 403)
  assert.equal((await forge.call('ann', 'DELETE', `${root}/${body.id}`)).status, 204)
  assert.equal((await forge.call(null, 'GET', `${root}/${body.id}`)).status, 404)
})

test("an organization's labels are edited and deleted by its owners, and read by signed-in users", async () => {
  const { body } = await add('ann', { name: 'house', color: '#F00' })
  const path = `/orgs/smithy/labels/${body.id}`
  assert.equal((await forge.call(null, 'GET', path)).status, 401)
  assert.equal((await forge.call('eve', 'GET', '/orgs/smithy/labels/house')).body.id, body.id)
  assert.equal((await forge.call('eve', 'PATCH', path, { name: 'x' })).status, 403)
  assert.equal((await forge.call('ann', 'PATCH', path, { is_archived: true })).body.is_archived, true)
  assert.equal((await forge.call('eve', 'DELETE', path)).status, 403)
  assert.equal((await forge.call('ann', 'DELETE', path)).status, 204)
  assert.equal((await forge.call('ann', 'GET', path)).status, 404)
})

test('labels are deleted with their repository', async () => {
  const rows = () =>
    forge.db
      .selectFrom('label_count')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
  const { n } = await rows()
  await forge.call('ann', 'DELETE', '/repos/ann/closed')
  assert.equal((await rows()).n, n - 7)
})

test('a list needs the same few queries however long, by index among 100,000 labels', async () => {
  const cost = (name: string) =>
    forge.countQueries(() => forge.call(null, 'GET', `/repos/ann/${name}/labels`))
  assert.equal(await cost('one'), await cost('bare'))
  const ids = await forge.db.selectFrom('repository').select('id').where('name', '=', 'bare').execute()
  const org = await forge.db
    .selectFrom('account')
    .select('id')
    .where('login', '=', 'smithy')
    .executeTakeFirst()
  for (const [column, id] of [
    ['repository_id', ids[0]?.id],
    ['organization_id', org?.id],
  ] as const)
    for (let bite = 0; bite < 10; bite++)
      await insertMany(
        forge.db,
        sql`insert into label (${sql.ref(column)}, name, color, created_at, updated_at)
        select ${id}, 'l' || i, '000000', now(), now() from generate_series(1, 5000) as i`,
      )
  await sql`analyze label`.execute(forge.db)
  await assertIndexed(forge.db, selectLabels(forge.db, { repository_id: 1 }).limit(30), 'label')
  await assertIndexed(forge.db, selectLabels(forge.db, { organization_id: 1 }).limit(30), 'label')
})
