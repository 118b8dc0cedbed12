/** Issues over HTTP, on a real database. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { assertIndexed, type Forge, insertMany, startForge } from '#testing'
import { hasLabel, hasMilestone, type IssueFilter } from '../search/filter.ts'
import { loadSays } from '../search/text.ts'
import { selectIssues } from './store.ts'

let forge: Forge
before(async () => {
  forge = await startForge()
  for (const login of ['ann', 'wes', 'eve', 'sam']) await forge.person(login)
  await forge.call('ann', 'POST', '/user/repos', { name: 'one' })
  await forge.call('ann', 'POST', '/user/repos', { name: 'vault', private: true })
  await forge.call('ann', 'PUT', '/repos/ann/one/collaborators/wes', { permission: 'write' })
})
after(() => forge[Symbol.asyncDispose]())

const ROOT = '/repos/ann/one/issues'
const create = (as: string | null, body: object, root = ROOT) => forge.call(as, 'POST', root, body)
const edit = (as: string | null, number: number, body: object) =>
  forge.call(as, 'PATCH', `${ROOT}/${number}`, body)
const number = async (as = 'eve', body: object = { title: 'work', body: 'text' }): Promise<number> =>
  (await create(as, body)).body.number
const counts = async () => (await forge.call(null, 'GET', '/repos/ann/one')).body.open_issues_count

for (const [as, root, status] of [
  [null, ROOT, 401],
  ['eve', ROOT, 201],
  [null, '/repos/ann/vault/issues', 404],
  ['eve', '/repos/ann/vault/issues', 404],
  ['ann', '/repos/ann/vault/issues', 201],
] as const)
  test(`${as ?? 'an anonymous caller'} creates an issue in ${root}: ${status}`, async () => {
    assert.equal((await create(as, { title: 'one' }, root)).status, status)
  })

test('numbers are unique among fifty concurrent creations, and not reused after a deletion', async () => {
  const made = await Promise.all(
    Array.from({ length: 50 }, (_, i) => create('eve', { title: `at once ${i}` })),
  )
  const numbers = made.map(({ body }) => body.number as number)
  assert.equal(new Set(numbers).size, 50)
  const last = Math.max(...numbers)
  assert.equal((await forge.call('ann', 'DELETE', `${ROOT}/${last}`)).status, 204)
  assert.equal(await number(), last + 1)
})

test('without write access, deadline, milestone and assignees are ignored without an error', async () => {
  const plans = { assignees: ['wes'], due_date: '2031-05-06T10:00:00Z' }
  const { body: theirs } = await create('eve', { title: 'all', ...plans })
  assert.deepEqual([theirs.assignees, theirs.due_date], [[], null])
  const { body: made } = await create('wes', { title: 'all', ...plans })
  assert.deepEqual([made.assignees[0].login, made.due_date], ['wes', '2031-05-06T23:59:59Z'])
})

test('assignee is added to assignees and comes first', async () => {
  const n = await number('wes', { title: 'shared', assignees: ['wes'] })
  const { body } = await edit('wes', n, { assignee: 'ann', assignees: ['wes', 'ann'] })
  assert.deepEqual(
    body.assignees.map(({ login }: { login: string }) => login),
    ['ann', 'wes'],
  )
  assert.equal(body.assignee.login, 'ann')
})

test('the author and writers can edit an issue, readers cannot', async () => {
  const n = await number('eve')
  for (const [as, status] of [
    [null, 401],
    ['sam', 403],
    ['eve', 201],
    ['wes', 201],
    ['ann', 201],
  ] as const)
    assert.equal((await edit(as, n, { title: `by ${as}` })).status, status)
  assert.equal((await edit('ann', 9999, { title: 'x' })).status, 404)
})

test('fifty concurrent edits lose no field, and only an outdated content_version is refused', async () => {
  const n = await number('ann', { title: 'first', body: 'first' })
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, i) =>
      edit('ann', n, i % 2 === 0 ? { body: `text ${i}` } : { ref: `ref-${i}` }),
    ),
  )
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]))
  const { body } = await forge.call(null, 'GET', `${ROOT}/${n}`)
  assert.equal(body.content_version, 25)
  assert.match(body.ref, /^ref-\d+$/)
  const races = await Promise.all(
    Array.from({ length: 8 }, (_, i) => edit('ann', n, { body: `raced ${i}`, content_version: 25 })),
  )
  assert.deepEqual(races.map(({ status }) => status).sort(), [201, ...Array.from({ length: 7 }, () => 409)])
})

test('an edit changes all given fields or none', async () => {
  const n = await number('wes', { title: 'kept', body: 'kept' })
  for (const [wrong, status] of [
    [{ milestone: 987654 }, 400],
    [{ assignees: ['nobody-knows'] }, 400],
    [{ state: 'done' }, 400],
    [{ unset_due_date: false }, 400],
    [{ content_version: 7 }, 409],
  ] as const)
    assert.equal((await edit('wes', n, { title: 'lost', body: 'lost', ...wrong })).status, status)
  const { body } = await forge.call(null, 'GET', `${ROOT}/${n}`)
  assert.deepEqual([body.title, body.body, body.content_version], ['kept', 'kept', 0])
})

test('open_issues_count follows creating, closing, reopening and deleting', async () => {
  const start = await counts()
  const n = await number('eve')
  const closed = await number('wes', { title: 'closed', closed: true })
  assert.equal(await counts(), start + 1)
  await edit('eve', n, { state: 'closed' })
  await edit('eve', n, { state: 'closed' })
  assert.equal(await counts(), start)
  await edit('wes', closed, { state: 'open' })
  assert.equal(await counts(), start + 1)
  await forge.call('ann', 'DELETE', `${ROOT}/${closed}`)
  assert.equal(await counts(), start)
})

test('a user blocked by the owner cannot create issues or edit texts, but can close their own', async () => {
  await forge.person('pat')
  const n = await number('pat')
  await forge.call('ann', 'PUT', '/user/blocks/pat')
  assert.equal((await create('pat', { title: 'x' })).status, 403)
  assert.equal((await edit('pat', n, { title: 'x' })).status, 403)
  assert.equal((await edit('pat', n, { body: 'x' })).status, 403)
  assert.equal((await edit('pat', n, { state: 'closed' })).status, 201)
})

test('an archived repository refuses new issues, and one without issues has none', async () => {
  await forge.call('ann', 'POST', '/user/repos', { name: 'old' })
  const root = '/repos/ann/old/issues'
  await create('eve', { title: 'before' }, root)
  await forge.call('ann', 'PATCH', '/repos/ann/old', { archived: true })
  assert.equal((await create('ann', { title: 'x' }, root)).status, 423)
  assert.equal((await forge.call(null, 'GET', `${root}/1`)).status, 200)
  await forge.call('ann', 'PATCH', '/repos/ann/old', { archived: false, has_issues: false })
  assert.equal((await create('ann', { title: 'x' }, root)).status, 404)
  assert.equal((await forge.call(null, 'GET', `${root}/1`)).status, 404)
  assert.deepEqual((await forge.call('ann', 'GET', root)).body, [])
  await forge.call('ann', 'PATCH', '/repos/ann/old', { has_pull_requests: false })
  assert.equal((await forge.call('ann', 'GET', root)).status, 404)
})

test('the author of an issue is Ghost after the account is deleted', async () => {
  await forge.person('boss', { is_admin: true })
  await forge.person('mortal')
  const n = await number('mortal')
  assert.equal((await forge.call('boss', 'DELETE', '/admin/users/mortal')).status, 204)
  const { body } = await forge.call(null, 'GET', `${ROOT}/${n}`)
  assert.deepEqual([body.user.id, body.user.login], [-1, 'Ghost'])
})

test('changes of issues emit events', async () => {
  const told = async (subject: string) =>
    (await forge.db.selectFrom('event').select('payload').where('subject', '=', subject).execute()).map(
      ({ payload }) => payload as { number: number; old_title?: string },
    )
  const n = await number('eve', { title: 'before' })
  await edit('wes', n, { title: 'after', state: 'closed', assignees: ['wes'] })
  for (const subject of ['issue.created', 'issue.edited', 'issue.closed', 'issue.assigned'])
    assert.ok(
      (await told(subject)).some((event) => event.number === n),
      subject,
    )
  const [edited] = (await told('issue.edited')).filter((event) => event.number === n)
  assert.equal(edited?.old_title, 'before')
})

const ANY: IssueFilter = {
  isClosed: null,
  isPull: null,
  authorId: null,
  assigneeId: null,
  since: null,
  before: null,
  showsHidden: true,
  conditions: [],
}

test('a list needs the same few queries however long, by index among 100,000 issues', async () => {
  await forge.call('ann', 'POST', '/user/repos', { name: 'few' })
  await create('eve', { title: 'single' }, '/repos/ann/few/issues')
  const cost = (name: string) =>
    forge.countQueries(() => forge.call(null, 'GET', `/repos/ann/${name}/issues?state=all`))
  assert.equal(await cost('few'), await cost('one'))
  const { id } = await forge.db
    .selectFrom('repository')
    .select('id')
    .where('name', '=', 'few')
    .executeTakeFirstOrThrow()
  const rows = sql`insert into issue (repository_id, number, is_pull, author_id, title, body, is_closed, ref, created_at, updated_at)
    select ${id}, 100 + i, false, (select id from account where login = 'eve'), 'title ' || i, 'body', i % 3 = 0, '', now(), now()
    from generate_series(1, 100000) as i`
  await insertMany(forge.db, rows)
  await sql`analyze issue`.execute(forge.db)
  const other = await forge.db
    .selectFrom('repository')
    .select('id')
    .where('name', '=', 'one')
    .executeTakeFirstOrThrow()
  for (const filter of [
    ANY,
    { ...ANY, isClosed: false },
    { ...ANY, isPull: true },
    { ...ANY, isPull: true, isClosed: true },
    { ...ANY, authorId: id },
    { ...ANY, assigneeId: id },
    { ...ANY, conditions: [hasMilestone([7])] },
    { ...ANY, conditions: [hasLabel([7])] },
    { ...ANY, conditions: [await loadSays(forge.db, 'single')] },
    { ...ANY, conditions: [await loadSays(forge.db, '4711')] },
  ])
    for (const repositoryId of [id, other.id])
      await assertIndexed(
        forge.db,
        selectIssues(forge.db, repositoryId, filter)
          .selectAll()
          .orderBy('created_at', 'desc')
          .orderBy('id', 'desc')
          .limit(30),
        'issue',
      )
})
