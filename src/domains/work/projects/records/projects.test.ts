/** Projects and their columns over HTTP, on a real database. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { assertIndexed, type Forge, insertMany, startForge } from '#testing'
import { selectCounts } from '../cards/count-cards.ts'
import { selectColumns } from '../columns/store.ts'
import type { Home } from '../open-place.ts'
import { selectProjects } from './store.ts'

let forge: Forge
before(async () => {
  forge = await startForge()
  for (const login of ['ann', 'wes', 'rea', 'eve']) await forge.person(login)
  await forge.person('root', { is_admin: true })
  for (const [name, hidden] of [
    ['open', false],
    ['vault', true],
    ['off', false],
    ['old', false],
    ['owners', false],
  ] as const) {
    await forge.call('ann', 'POST', '/user/repos', { name, private: hidden })
    await forge.call('ann', 'PUT', `/repos/ann/${name}/collaborators/wes`, { permission: 'write' })
    await forge.call('ann', 'PUT', `/repos/ann/${name}/collaborators/rea`, { permission: 'read' })
  }
  for (const [username, visibility] of [
    ['smithy', 'public'],
    ['guild', 'limited'],
    ['lodge', 'private'],
  ]) {
    await forge.call('ann', 'POST', '/orgs', { username, visibility })
    for (const [login, level] of [
      ['wes', 'write'],
      ['rea', 'read'],
    ]) {
      const team = { name: level, permission: level, units_map: { 'repo.projects': level } }
      const { body } = await forge.call('ann', 'POST', `/orgs/${username}/teams`, team)
      await forge.call('ann', 'PUT', `/teams/${body.id}/members/${login}`)
    }
  }
})
after(() => forge[Symbol.asyncDispose]())

const CALLERS = [null, 'eve', 'rea', 'wes', 'ann', 'root'] as const

/** Statuses for anonymous, stranger, reader, writer, owner and site administrator. */
for (const [place, reading, writing] of [
  ['/repos/ann/open', [200, 200, 200, 200, 200, 200], [401, 403, 403, 201, 201, 201]],
  ['/repos/ann/vault', [404, 404, 200, 200, 200, 200], [404, 404, 403, 201, 201, 201]],
  ['/repos/ann/off', [403, 403, 403, 403, 200, 200], [403, 403, 403, 403, 201, 201]],
  ['/repos/ann/old', [200, 200, 200, 200, 200, 200], [401, 403, 403, 423, 423, 423]],
  ['/repos/ann/owners', [404, 404, 404, 404, 404, 404], [404, 404, 404, 404, 404, 404]],
  ['/user', [401, 200, 200, 200, 200, 200], [401, 201, 201, 201, 201, 201]],
  ['/orgs/smithy', [200, 200, 200, 200, 200, 200], [401, 404, 404, 201, 201, 201]],
  ['/orgs/guild', [404, 200, 200, 200, 200, 200], [404, 404, 404, 201, 201, 201]],
  ['/orgs/lodge', [404, 404, 200, 200, 200, 200], [404, 404, 404, 201, 201, 201]],
  ['/orgs/nowhere', [404, 404, 404, 404, 404, 404], [404, 404, 404, 404, 404, 404]],
] as const)
  test(`projects of ${place}: reading gives ${reading}, creating ${writing}`, async () => {
    await forge.call('ann', 'PATCH', '/repos/ann/off', { has_projects: false })
    await forge.call('ann', 'PATCH', '/repos/ann/old', { archived: true })
    await forge.call('ann', 'PATCH', '/repos/ann/owners', { has_projects: true, projects_mode: 'owner' })
    for (const [i, as] of CALLERS.entries()) {
      const read = await forge.call(as, 'GET', `${place}/projects`)
      assert.equal(read.status, reading[i], `${as} reads`)
      const made = await forge.call(as, 'POST', `${place}/projects`, { title: 'x' })
      assert.equal(made.status, writing[i], `${as} makes`)
    }
  })

const BOARDS = '/repos/ann/open/projects'
const make = async (body: object = {}, root = BOARDS): Promise<number> =>
  (await forge.call('wes', 'POST', root, { title: 'board', ...body })).body.id
const columnsOf = async (id: number, root = BOARDS) =>
  (await forge.call('wes', 'GET', `${root}/${id}/columns`)).body as {
    id: number
    title: string
    sorting: number
    default: boolean
  }[]

test('an edit changes all given fields of a project, or none if one is invalid', async () => {
  const id = await make({ template_type: 'basic_kanban' })
  const edit = (body: object) => forge.call('wes', 'PATCH', `${BOARDS}/${id}`, body)
  for (const wrong of [{ title: ' ' }, { card_type: 'video' }, { state: 'done' }, { state: '' }])
    assert.equal((await edit({ description: 'lost', ...wrong })).status, 422)
  const { body } = await edit({ title: ' plan ', card_type: 'images_and_text', state: 'closed' })
  assert.deepEqual(
    [body.title, body.description, body.card_type, body.state, body.is_closed],
    ['plan', '', 'images_and_text', 'closed', true],
  )
  assert.equal(body.closed_at, '2026-01-01T00:00:00Z')
  assert.equal((await edit({ state: 'open' })).body.closed_at, null)
})

test('the board of a closed project cannot be changed, the project itself can', async () => {
  const id = await make({ template_type: 'basic_kanban' })
  const columns = await columnsOf(id)
  await forge.call('wes', 'PATCH', `${BOARDS}/${id}`, { state: 'closed' })
  const at = `${BOARDS}/${id}/columns`
  const one = `${at}/${columns[1]?.id}`
  for (const [method, path, body] of [
    ['POST', at, { title: 'x' }],
    ['PATCH', one, { title: 'x' }],
    ['DELETE', one, undefined],
    ['POST', `${one}/default`, undefined],
    ['POST', `${at}/move`, { column_ids: columns.map((column) => column.id) }],
  ] as const)
    assert.equal((await forge.call('wes', method, path, body)).status, 403, `${method} ${path}`)
  assert.deepEqual(await columnsOf(id), columns)
  assert.equal((await forge.call('wes', 'PATCH', `${BOARDS}/${id}`, { title: 'y' })).status, 200)
})

test('a project is found only under its own owner', async () => {
  const id = await make()
  const own = await make({}, '/user/projects')
  for (const path of ['/repos/ann/vault/projects', '/user/projects', '/orgs/smithy/projects'])
    for (const method of ['GET', 'PATCH', 'DELETE'] as const)
      assert.equal(
        (await forge.call('ann', method, `${path}/${id}`, method === 'PATCH' ? {} : undefined)).status,
        404,
      )
  assert.equal((await forge.call('root', 'GET', `/user/projects/${own}`)).status, 404)
  assert.equal((await forge.call(null, 'GET', '/users/wes/projects')).body[0].id, own)
})

test('of fifty concurrent new columns twenty succeed, with distinct positions', async () => {
  const id = await make()
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, i) =>
      forge.call('wes', 'POST', `${BOARDS}/${id}/columns`, { title: `c${i}` }),
    ),
  )
  assert.equal(answers.filter(({ status }) => status === 201).length, 20)
  assert.equal(answers.filter(({ status }) => status === 422).length, 30)
  assert.deepEqual(
    (await columnsOf(id)).map(({ sorting }) => sorting),
    Array.from({ length: 20 }, (_, i) => i),
  )
})

test('concurrent ordering and default changes leave one order and one default', async () => {
  const id = await make({ template_type: 'bug_triage' })
  const ids = (await columnsOf(id)).map((column) => column.id)
  const at = `${BOARDS}/${id}/columns`
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      i % 2 === 0
        ? forge.call('wes', 'POST', `${at}/move`, {
            column_ids: [...ids.slice(i % 5), ...ids.slice(0, i % 5)],
          })
        : forge.call('wes', 'POST', `${at}/${ids[i % 5]}/default`),
    ),
  )
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([204]))
  const columns = await columnsOf(id)
  assert.deepEqual(
    columns.map(({ sorting }) => sorting),
    [0, 1, 2, 3, 4],
  )
  assert.equal(columns.filter((column) => column.default).length, 1)
  const turn = columns.findIndex((column) => column.id === ids[0])
  assert.deepEqual(
    [...columns.slice(turn), ...columns.slice(0, turn)].map((column) => column.id),
    ids,
  )
})

test('projects of a deleted creator stay, and those of a deleted owner are deleted', async () => {
  await forge.person('mortal')
  await forge.call('ann', 'PUT', '/repos/ann/open/collaborators/mortal', { permission: 'write' })
  const { body } = await forge.call('mortal', 'POST', BOARDS, {
    title: 'left',
    template_type: 'basic_kanban',
  })
  const own = (await forge.call('mortal', 'POST', '/user/projects', { title: 'gone' })).body.id
  assert.equal((await forge.call('root', 'DELETE', '/admin/users/mortal')).status, 204)
  const left = await forge.call(null, 'GET', `${BOARDS}/${body.id}`)
  assert.deepEqual([left.status, left.body.creator, left.body.creator_id], [200, undefined, 0])
  assert.equal((await columnsOf(body.id)).length, 4)
  const rows = await forge.db.selectFrom('project').select('id').where('id', '=', own).execute()
  assert.deepEqual(rows, [])
})

test('lists need the same few queries however long, by index among 100,000', async () => {
  await forge.call('ann', 'POST', '/user/repos', { name: 'few' })
  await forge.call('ann', 'POST', '/repos/ann/few/projects', {
    title: 'single',
    template_type: 'basic_kanban',
  })
  const cost = (path: string) => forge.countQueries(() => forge.call(null, 'GET', path))
  assert.equal(await cost('/repos/ann/few/projects?state=all'), await cost(`${BOARDS}?state=all`))
  const { id, owner_id } = await forge.db
    .selectFrom('repository')
    .select(['id', 'owner_id'])
    .where('name', '=', 'few')
    .executeTakeFirstOrThrow()
  const fields = sql`title, description, template_type, card_type, is_closed, created_at, updated_at`
  const values = sql`'p' || i, '', 'none', 'text_only', i % 3 = 0, now(), now()`
  await insertMany(
    forge.db,
    sql`insert into project (repository_id, ${fields})
    select ${id}, ${values} from generate_series(1, 50000) as i`,
  )
  await insertMany(
    forge.db,
    sql`insert into project (owner_id, ${fields})
    select ${owner_id}, ${values} from generate_series(1, 50000) as i`,
  )
  await sql`insert into project_column (project_id, title, color, is_default, sorting, created_at, updated_at)
    select id, 'c', '', true, 0, now(), now() from project on conflict do nothing`.execute(forge.db)
  await sql`insert into project_count (project_id, repository_id, is_pull)
    select id, ${id}, false from project on conflict do nothing`.execute(forge.db)
  await sql`analyze project, project_column, project_count, repository`.execute(forge.db)
  const owner = { id: owner_id, login: 'ann' }
  const repo = { id } as Home['repo']
  for (const isClosed of [null, false])
    for (const home of [
      { type: 'repository', owner, repo },
      { type: 'individual', owner, repo: null },
    ] as const)
      await assertIndexed(forge.db, selectProjects(forge.db, home, isClosed).limit(30), 'project')
  await assertIndexed(forge.db, selectColumns(forge.db, 7).limit(30), 'project_column')
  await assertIndexed(forge.db, selectCounts(forge.ctx, [1, 2, 3]), 'project_count')
})
