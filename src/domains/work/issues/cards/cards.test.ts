/** Issues on project boards, over three nodes, on a real database. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Forge, startForge } from '#testing'

let forge: Forge
before(async () => {
  forge = await startForge({ nodes: 3 })
  for (const login of ['ann', 'wes', 'eve']) await forge.person(login)
  await forge.call('ann', 'POST', '/orgs', { username: 'smithy' })
  for (const name of ['one', 'two']) {
    await forge.call('ann', 'POST', '/orgs/smithy/repos', { name })
    await forge.call('ann', 'PUT', `/repos/smithy/${name}/collaborators/wes`, { permission: 'write' })
  }
})
after(() => forge[Symbol.asyncDispose]())

const ONE = '/repos/smithy/one'
const ORG = '/orgs/smithy'
interface Made {
  readonly id: number
  readonly number: number
}
const open = async (body: object = {}, root = ONE): Promise<Made> =>
  (await forge.call('ann', 'POST', `${root}/issues`, { title: 'work', ...body })).body

/** Creates a board whose first column is the default. */
async function board(root = ONE, template_type = 'basic_kanban') {
  const { body } = await forge.call('ann', 'POST', `${root}/projects`, { title: 'board', template_type })
  const at = `${root}/projects/${body.id}`
  const columns: Made[] = (await forge.call('ann', 'GET', `${at}/columns`)).body
  const ids = columns.map(({ id }) => id)
  const inColumn = (column: number | undefined) => `${at}/columns/${column}/issues`
  const move = (issue: Made, column_id: number | undefined, sorting?: number, as = 'ann') =>
    forge.call(as, 'POST', `${at}/issues/${issue.id}/move`, { column_id, sorting })
  return {
    id: body.id as number,
    at,
    columns: ids,
    inColumn,
    put: (issue: Made, column: number | undefined, as: string | null = 'ann') =>
      forge.call(as, 'POST', `${inColumn(column)}/${issue.id}`),
    take: (issue: Made, column: number | undefined, as: string | null = 'ann') =>
      forge.call(as, 'DELETE', `${inColumn(column)}/${issue.id}`),
    move,
    cards: async (column: number | undefined, as: string | null = 'ann'): Promise<number[]> => {
      const { headers, body } = await forge.call(as, 'GET', `${inColumn(column)}?limit=50`)
      assert.equal(headers.get('x-total-count'), `${body.length}`)
      return body.map(({ id }: Made) => id)
    },
    counts: async (as: string | null = 'ann'): Promise<number[]> => {
      const { body } = await forge.call(as, 'GET', at)
      return [body.num_open_issues, body.num_closed_issues, body.num_issues]
    },
  }
}
const kindsOf = async ({ number }: Made, root = ONE): Promise<string[]> =>
  (await forge.call('ann', 'GET', `${root}/issues/${number}/timeline`)).body.map(
    (entry: { type: string }) => entry.type,
  )
const projectsOf = async ({ number }: Made, as: string | null = 'ann', root = ONE): Promise<number[]> =>
  (await forge.call(as, 'GET', `${root}/issues/${number}`)).body.projects.map(({ id }: Made) => id)

test('after fifty concurrent moves each card is in one place, and all nodes agree on the order', async () => {
  const { columns, move, put, cards, counts } = await board()
  const issues = await Promise.all(Array.from({ length: 10 }, (_, i) => open({ title: `card ${i}` })))
  await Promise.all(issues.map((issue) => put(issue, columns[0])))
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, i) => {
      const issue = issues[i % issues.length] as Made
      return i % 3 === 0
        ? put(issue, columns[i % 4])
        : move(issue, columns[i % 4], i % 3 === 1 ? i : undefined)
    }),
  )
  for (const { status } of answers) assert.ok(status === 201 || status === 204, `${status}`)
  const looks: number[][][] = []
  for (let node = 0; node < 3; node++) looks.push(await Promise.all(columns.map((column) => cards(column))))
  // Four lists are requested at a time, so each comes from another node in each round.
  assert.deepEqual(looks[1], looks[0])
  assert.deepEqual(looks[2], looks[0])
  const seen = (looks[0] ?? []).flat()
  assert.deepEqual(
    seen.toSorted((a, b) => a - b),
    issues.map(({ id }) => id).sort((a, b) => a - b),
  )
  assert.deepEqual(await counts(), [10, 0, 10])
})

test('concurrent adds to a column, removals and edits of issues lose no card', async () => {
  const { id, columns, put, take, cards, counts } = await board()
  const issues = await Promise.all(Array.from({ length: 25 }, () => open()))
  await Promise.all(
    issues.flatMap((issue, i) => [
      put(issue, columns[i % 2]),
      forge.call('wes', 'PATCH', `${ONE}/issues/${issue.number}`, { projects: [id], state: 'closed' }),
    ]),
  )
  assert.deepEqual(await counts(), [0, 25, 25])
  assert.equal((await cards(columns[0])).length + (await cards(columns[1])).length, 25)
  const rows = await forge.db
    .selectFrom('project_card')
    .select(['column_id', 'sorting'])
    .where('project_id', '=', id)
    .execute()
  assert.equal(new Set(rows.map((row) => `${row.column_id} ${row.sorting}`)).size, 25)
  await Promise.all(issues.map(async (issue, i) => take(issue, columns[i % 2])))
  const left = (await cards(columns[0])).length + (await cards(columns[1])).length
  assert.deepEqual(await counts(), [0, left, left])
})

test('a card is where it was moved: sorting counts from the front, and on ties the newer issue is first', async () => {
  const { columns, move, put, cards } = await board()
  const issues = [await open(), await open(), await open()] as const
  const [a, b, c] = issues
  for (const issue of issues) assert.equal((await put(issue, columns[1])).status, 201)
  assert.deepEqual(await cards(columns[1]), [a.id, b.id, c.id])
  await move(c, columns[1], -1)
  assert.deepEqual(await cards(columns[1]), [c.id, a.id, b.id])
  await move(b, columns[1], 0)
  assert.deepEqual(await cards(columns[1]), [c.id, b.id, a.id])
  await move(c, columns[1])
  assert.deepEqual(await cards(columns[1]), [b.id, a.id, c.id])
  assert.equal((await put(b, columns[1])).status, 201)
  assert.deepEqual(await cards(columns[1]), [b.id, a.id, c.id])
  assert.deepEqual(await kindsOf(b), ['project', 'project_board'])
  await move(a, columns[2])
  assert.deepEqual(await kindsOf(a), ['project', 'project_board', 'project_board'])
})

test('the first card of a board creates a default column or uses an existing one', async () => {
  const empty = await board(ONE, 'none')
  const issue = await open({ projects: [empty.id] })
  const { body: columns } = await forge.call('ann', 'GET', `${empty.at}/columns`)
  assert.deepEqual([columns.length, columns[0].title, columns[0].default], [1, 'Uncategorized', true])
  assert.deepEqual(await empty.cards(columns[0].id), [issue.id])
  assert.deepEqual(await kindsOf(issue), ['project'])
  const bare = await board(ONE, 'none')
  for (const title of ['late', 'first']) await forge.call('ann', 'POST', `${bare.at}/columns`, { title })
  const { body: made } = await forge.call('ann', 'GET', `${bare.at}/columns`)
  await forge.call('ann', 'PATCH', `${bare.at}/columns/${made[1].id}`, { sorting: -3 })
  await bare.put(await open(), made[0].id)
  const { body: chosen } = await forge.call('ann', 'GET', `${bare.at}/columns`)
  assert.deepEqual(
    chosen.map((column: { title: string; default: boolean }) => [column.title, column.default]),
    [
      ['first', true],
      ['late', false],
    ],
  )
})

test('counters follow issues that are closed, reopened and deleted', async () => {
  const { id, at, columns, put, counts, cards } = await board()
  const [a, b] = [await open({ projects: [id] }), await open({ closed: true })]
  await put(b, columns[1])
  assert.deepEqual(await counts(), [1, 1, 2])
  await forge.call('wes', 'PATCH', `${ONE}/issues/${a.number}`, { state: 'closed' })
  assert.deepEqual(await counts(), [0, 2, 2])
  await forge.call('wes', 'PATCH', `${ONE}/issues/${b.number}`, { state: 'open', projects: [] })
  assert.deepEqual(await counts(), [0, 1, 1])
  assert.equal((await forge.call('ann', 'DELETE', `${ONE}/issues/${a.number}`)).status, 204)
  assert.deepEqual([await counts(), await cards(columns[0])], [[0, 0, 0], []])
  const c = await open({ projects: [id] })
  assert.equal((await forge.call('ann', 'DELETE', at)).status, 204)
  assert.deepEqual(await projectsOf(c), [])
  for (const table of ['project_column', 'project_card', 'project_count'] as const)
    assert.deepEqual(
      await forge.db.selectFrom(table).select('project_id').where('project_id', '=', id).execute(),
      [],
    )
})

test('cards of a deleted column move to the end of the default column, also under concurrent moves', async () => {
  const { at, columns, put, move, cards } = await board()
  const issues = await Promise.all(Array.from({ length: 12 }, () => open()))
  await Promise.all(issues.map((issue, i) => put(issue, columns[i % 2])))
  await Promise.all([
    forge.call('ann', 'DELETE', `${at}/columns/${columns[1]}`),
    ...issues.map((issue) => move(issue, columns[1])),
  ])
  const left = await cards(columns[0])
  assert.deepEqual(
    left.toSorted((a, b) => a - b),
    issues.map(({ id }) => id).sort((a, b) => a - b),
  )
})

test('a board of an organization has issues of its repositories, and readers see only those they may read', async () => {
  const { id, columns, put, cards, counts } = await board(ORG)
  const [shown, kept] = [await open(), await open({}, '/repos/smithy/two')]
  for (const issue of [shown, kept]) assert.equal((await put(issue, columns[0])).status, 201)
  assert.deepEqual(
    [await cards(columns[0], null), await counts(null)],
    [
      [shown.id, kept.id],
      [2, 0, 2],
    ],
  )
  await forge.call('ann', 'PATCH', '/repos/smithy/two', { private: true })
  for (const as of [null, 'eve'])
    assert.deepEqual([await cards(columns[0], as), await counts(as)], [[shown.id], [1, 0, 1]])
  for (const as of ['ann', 'wes'])
    assert.deepEqual(
      [await cards(columns[0], as), await counts(as)],
      [
        [shown.id, kept.id],
        [2, 0, 2],
      ],
    )
  await forge.call('ann', 'PATCH', ONE, { has_issues: false })
  assert.deepEqual([await cards(columns[0], 'ann'), await counts('ann')], [[kept.id], [1, 0, 1]])
  await forge.call('ann', 'PATCH', ONE, { has_issues: true })

  assert.equal((await put(kept, columns[1], 'eve')).status, 404)
  await forge.call('ann', 'PATCH', '/repos/smithy/two', { archived: true })
  assert.equal((await put(kept, columns[1])).status, 423)
  await forge.call('ann', 'PATCH', '/repos/smithy/two', { archived: false, private: false })
  await forge.call('ann', 'POST', '/user/repos', { name: 'own' })
  const far = await open({}, '/repos/ann/own')
  assert.equal((await put(far, columns[0])).status, 403)
  const asked = await forge.call('ann', 'PATCH', `/repos/ann/own/issues/${far.number}`, { projects: [id] })
  assert.equal(asked.status, 400)
})

test('the project in an issue has the same counters as the project itself, per reader', async () => {
  const boards = [await board(ORG), await board(), await board()] as const
  const [shared] = boards
  const listed = (as: string | null, root = ONE) => forge.call(as, 'GET', `${root}/issues?state=all&limit=50`)
  const shown = await open({ projects: [shared.id] })
  await open({ projects: [shared.id], closed: true })
  const kept = await open({ projects: [shared.id] }, '/repos/smithy/two')
  await forge.call('ann', 'PATCH', '/repos/smithy/two', { private: true })
  for (const [as, expected] of [
    ['ann', [2, 1, 3]],
    ['eve', [1, 1, 2]],
    [null, [1, 1, 2]],
  ] as const) {
    assert.deepEqual(await shared.counts(as), expected)
    const { body } = await listed(as)
    const { projects } = body.find(({ id }: Made) => id === shown.id)
    const [{ num_open_issues, num_closed_issues, num_issues }] = projects
    assert.deepEqual([num_open_issues, num_closed_issues, num_issues], expected)
  }
  const few = await forge.countQueries(() => listed('ann', '/repos/smithy/two'))
  for (const { id } of boards) await open({ projects: [id] })
  assert.equal(await forge.countQueries(() => listed('ann')), few)
  await forge.call('ann', 'PATCH', '/repos/smithy/two', { private: false })
  await forge.call('ann', 'DELETE', `/repos/smithy/two/issues/${kept.number}`)
})

test('a transferred repository leaves the boards of its old owner, and keeps its own', async () => {
  await forge.call('ann', 'POST', '/orgs/smithy/repos', { name: 'mover' })
  const root = '/repos/smithy/mover'
  const [house, own] = [await board(ORG), await board(root)]
  const issue = await open({ projects: [house.id, own.id] }, root)
  assert.deepEqual(await projectsOf(issue, 'ann', root), [house.id, own.id])
  assert.equal((await forge.call('ann', 'POST', `${root}/transfer`, { new_owner: 'ann' })).status, 202)
  assert.deepEqual(await projectsOf(issue, 'ann', '/repos/ann/mover'), [own.id])
  assert.deepEqual([await house.cards(house.columns[0]), await house.counts()], [[], [0, 0, 0]])
})

test('an issue lists the projects the reader may see, and edits keep the others', async () => {
  await forge.call('ann', 'POST', '/orgs', { username: 'lodge', visibility: 'private' })
  await forge.call('ann', 'POST', '/orgs/lodge/repos', { name: 'den' })
  const root = '/repos/lodge/den'
  await forge.call('ann', 'PUT', `${root}/collaborators/wes`, { permission: 'write' })
  const [house, own] = [await board('/orgs/lodge'), await board(root)]
  const issue = await open({ projects: [house.id, own.id] }, root)
  const edit = (as: string, projects: number[]) =>
    forge.call(as, 'PATCH', `${root}/issues/${issue.number}`, { projects })
  assert.deepEqual(await projectsOf(issue, 'wes', root), [own.id])
  assert.equal((await edit('wes', [house.id])).status, 400)
  assert.deepEqual((await edit('wes', [])).body.projects, [])
  assert.deepEqual(await projectsOf(issue, 'ann', root), [house.id])
  await edit('ann', [own.id])
  await forge.call('ann', 'PATCH', root, { has_projects: false })
  assert.deepEqual(await projectsOf(issue, 'wes', root), [])
  assert.deepEqual(await projectsOf(issue, 'ann', root), [own.id])
})

test('a reader, or the author of an issue, cannot put it on a board', async () => {
  const { id, columns, put, take, move } = await board()
  const issue: Made = (await forge.call('eve', 'POST', `${ONE}/issues`, { title: 'mine', projects: [id] }))
    .body
  assert.deepEqual(await projectsOf(issue), [])
  const edited = await forge.call('eve', 'PATCH', `${ONE}/issues/${issue.number}`, { projects: [id] })
  assert.deepEqual([edited.status, edited.body.projects], [201, []])
  for (const [as, status] of [
    [null, 401],
    ['eve', 403],
  ] as const) {
    assert.equal((await put(issue, columns[0], as)).status, status)
    assert.equal((await take(issue, columns[0], as)).status, status)
  }
  assert.equal((await move(issue, columns[0], 0, 'eve')).status, 403)
  assert.equal((await move(issue, columns[0], 0, 'wes')).status, 422)
  assert.equal((await put(issue, columns[0], 'wes')).status, 201)
  assert.equal((await take(issue, columns[1], 'wes')).status, 404)
  assert.equal((await take(issue, columns[0], 'wes')).status, 204)
  assert.deepEqual(await kindsOf(issue), ['project', 'project'])
})

test('an issue can be in at most fifty projects', async () => {
  const issue = await open()
  const ids: number[] = []
  for (let i = 0; i < 51; i++)
    ids.push((await forge.call('ann', 'POST', `${ONE}/projects`, { title: `p${i}` })).body.id)
  const edit = (projects: number[]) =>
    forge.call('ann', 'PATCH', `${ONE}/issues/${issue.number}`, { projects })
  assert.equal((await edit(ids)).status, 400)
  assert.equal((await edit(ids.slice(1))).body.projects.length, 50)
  const at = `${ONE}/projects/${ids[0]}/columns`
  const { body } = await forge.call('ann', 'POST', at, { title: 'one' })
  assert.equal((await forge.call('ann', 'POST', `${at}/${body.id}/issues/${issue.id}`)).status, 422)
  assert.deepEqual((await edit([])).body.projects, [])
})

test('the issues of a column need the same few queries, however many issues and repositories', async () => {
  const { columns, put, inColumn } = await board(ORG)
  const cost = () => forge.countQueries(() => forge.call('wes', 'GET', inColumn(columns[0])))
  await put(await open(), columns[0])
  const few = await cost()
  for (const root of [ONE, '/repos/smithy/two'])
    for (let i = 0; i < 5; i++) await put(await open({}, root), columns[0])
  assert.equal(await cost(), few)
})
