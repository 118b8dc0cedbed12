/** Questions about projects of users and their columns. */
import type { Audit } from '../kit/audit.ts'
import { type Answer, type Json, type RequestOptions, sending } from '../kit/client.ts'
import { fits, fitsAll } from '../kit/fits.ts'
import type { Stage } from '../kit/stage.ts'
import { allOf, each, equals, hasErrorShape, hasStatus, holds } from '../kit/verdicts.ts'

const EDIT = 'PATCH /user/projects/{id}'
const LIST = 'GET /user/projects/{id}/columns'
const EDIT_COLUMN = 'PATCH /user/projects/{id}/columns/{column_id}'

type Send = (
  body: unknown,
  asking?: RequestOptions & { id?: number | string; column?: number | string },
) => Promise<Answer>
type List = (query?: string, asking?: RequestOptions & { id?: number | string }) => Promise<Answer>

export async function askAboutUserProjects(audit: Audit, stage: Stage): Promise<void> {
  const { call, demand, request, must } = audit
  const { alice, org } = stage
  const facts = { title: 'mine', template_type: 'basic_kanban' }
  const project = await must(request('POST', '/user/projects', { as: alice, body: facts }))
  const pathOf = (asking: { id?: number | string }) => `/user/projects/${asking.id ?? project.id}`
  const edit: Send = (body, asking = {}) => call(EDIT, 'PATCH', pathOf(asking), sending(alice, asking, body))
  const list: List = (query = '', asking = {}) =>
    call(LIST, 'GET', `${pathOf(asking)}/columns${query}`, { as: alice, ...asking })
  await askAboutEdits(audit, stage, edit)
  await askAboutLists(audit, stage, list)
  const { id: second } = (await list()).json[1]
  const editColumn: Send = (body, asking = {}) => {
    const path = `${pathOf(asking)}/columns/${asking.column ?? second}`
    return call(EDIT_COLUMN, 'PATCH', path, sending(alice, asking, body))
  }
  await askAboutColumns(audit, editColumn, list, second)
  await askAboutRefusedColumns(audit, stage, editColumn, edit)
  await demand(
    'Project',
    'A project of an organization has the type organization and every field.',
    async () => {
      const answer = await request('POST', `/orgs/${org}/projects`, { as: alice, body: { title: 'o' } })
      return allOf(
        hasStatus(answer, 201),
        equals(answer.json.type, 'organization'),
        fits('Project', answer.json),
      )
    },
  )
}

async function askAboutEdits(
  { demand, must, request }: Audit,
  { alice, bob }: Stage,
  edit: Send,
): Promise<void> {
  await demand(
    EDIT,
    'A project of a user takes a state and other fields, and is of the type individual.',
    async () => {
      const facts = { state: 'closed', title: 'Meins', description: 'x', card_type: 'images_and_text' }
      const answer = await edit(facts)
      const { json: open } = await edit({ state: 'open' })
      const { type, state, title, description, card_type } = answer.json
      return allOf(
        hasStatus(answer, 200),
        fits('Project', answer.json),
        equals([state, title, description, card_type], Object.values(facts)),
        equals([type, open.state], ['individual', 'open']),
      )
    },
  )
  await demand(EDIT, 'Unknown words, an empty title and wrong types are refused with 422.', () =>
    each([{ state: 'zzz' }, { card_type: 'zzz' }, { title: '' }, { title: 5 }], async (body) => {
      const answer = await edit(body)
      return allOf(hasStatus(answer, 422), hasErrorShape(answer))
    }),
  )
  await demand(EDIT, 'Unknown projects, another’s and those of repositories are not found.', async () => {
    const asking = { as: alice, body: { title: 'p' } }
    const { id } = await must(request('POST', `/repos/${alice}/open/projects`, asking))
    return each([{ id: 99_999_999 }, { as: bob }, { id }, { id: 'abc' }], async (asking) => {
      const answer = await edit({ title: 'x' }, asking)
      return allOf(hasStatus(answer, 404), hasErrorShape(answer))
    })
  })
  await demand(
    EDIT,
    'A caller without credentials is unauthorized, and an empty object changes nothing.',
    async () => allOf(hasStatus(await edit({}, { as: null }), 401), hasStatus(await edit({}), 200)),
  )
}

async function askAboutLists({ demand }: Audit, { bob }: Stage, list: List): Promise<void> {
  await demand(LIST, 'The list holds columns with every field.', async () => {
    const answer = await list()
    return allOf(hasStatus(answer, 200), fitsAll('ProjectColumn', answer.json), equals(answer.json.length, 4))
  })
  await demand(LIST, 'The list has pages and a count.', async () => {
    const [first, second] = [await list('?limit=1&page=1'), await list('?limit=1&page=2')]
    const beyond = await list('?page=99')
    return allOf(
      equals([first.json.length, beyond.json, first.headers['x-total-count']], [1, [], '4']),
      holds(first.json[0].id !== second.json[0].id, 'both pages show the same'),
    )
  })
  await demand(
    LIST,
    'Unknown projects and another’s are not found, and a caller without credentials is unauthorized.',
    async () => {
      const unknown = await list('', { id: 99_999_999 })
      const others = await list('', { as: bob })
      const word = await list('', { id: 'abc' })
      const nobody = await list('', { as: null })
      return allOf(
        hasStatus(unknown, 404),
        hasErrorShape(unknown),
        hasStatus(others, 404),
        hasStatus(word, 404),
        hasStatus(nobody, 401),
      )
    },
  )
}

async function askAboutColumns({ demand }: Audit, edit: Send, list: List, id: number): Promise<void> {
  const order = async (): Promise<number[]> => (await list()).json.map((it: Json) => it.id)
  await demand(EDIT_COLUMN, 'A column takes title, color and sorting.', async () => {
    const facts = { title: 'Neu', color: '#00ff00', sorting: 5 }
    const answer = await edit(facts)
    const { title, color, sorting } = answer.json
    return allOf(
      hasStatus(answer, 200),
      fits('ProjectColumn', answer.json),
      equals([title, color, sorting], Object.values(facts)),
    )
  })
  for (const sorting of [-128, 127, 0])
    await demand(EDIT_COLUMN, `The sorting ${sorting} is taken.`, async () => {
      const answer = await edit({ sorting })
      return allOf(hasStatus(answer, 200), equals(answer.json.sorting, sorting))
    })
  for (const sorting of ['-129', '128', '1000000000', '1.5', '"5"', '"x"'])
    await demand(EDIT_COLUMN, `The sorting ${sorting} is refused with 422.`, async () => {
      const answer = await edit(null, { raw: `{"sorting":${sorting}}` })
      return allOf(hasStatus(answer, 422), hasErrorShape(answer))
    })
  await demand(EDIT_COLUMN, 'sorting moves a column in the list.', async () => {
    await edit({ sorting: 127 })
    const last = (await order()).at(-1)
    await edit({ sorting: -128 })
    const [first] = await order()
    return equals([last, first], [id, id])
  })
}

async function askAboutRefusedColumns(
  { demand, must, request }: Audit,
  { alice, bob }: Stage,
  editColumn: Send,
  edit: Send,
): Promise<void> {
  await demand(EDIT_COLUMN, 'A wrong colour and a wrong title are refused with 422.', () =>
    each([{ color: 'red' }, { color: '#12345' }, { title: '' }, { title: 5 }], async (body) => {
      const answer = await editColumn(body)
      return allOf(hasStatus(answer, 422), hasErrorShape(answer))
    }),
  )
  await demand(
    EDIT_COLUMN,
    'Unknown projects and columns, those of another project and another’s are not found.',
    async () => {
      const asking = { as: alice, body: { title: 'p', template_type: 'basic_kanban' } }
      const other = await must(request('POST', '/user/projects', asking))
      const { json } = await request('GET', `/user/projects/${other.id}/columns`, { as: alice })
      const places = [
        { id: 99_999_999 },
        { column: 99_999_999 },
        { column: json[0].id as number },
        { as: bob },
        { column: 'abc' },
      ]
      return each(places, async (place) => {
        const answer = await editColumn({ title: 'x' }, place)
        return allOf(hasStatus(answer, 404), hasErrorShape(answer))
      })
    },
  )
  await demand(EDIT_COLUMN, 'A column of a closed project is forbidden.', async () => {
    await edit({ state: 'closed' })
    const answer = await editColumn({ title: 'x' })
    await edit({ state: 'open' })
    return allOf(hasStatus(answer, 403), hasErrorShape(answer))
  })
  await demand(EDIT_COLUMN, 'An empty object leaves the fields as they are.', async () => {
    const answer = await editColumn({})
    return allOf(hasStatus(answer, 200), equals(answer.json.title, 'Neu'))
  })
}
