/** Questions about projects of repositories and their columns. */
import type { Audit } from '../kit/audit.ts'
import { type Answer, type Json, type RequestOptions, sending } from '../kit/client.ts'
import { fits } from '../kit/fits.ts'
import type { Stage } from '../kit/stage.ts'
import { allOf, each, equals, hasErrorShape, hasStatus, holds, isJson } from '../kit/verdicts.ts'

const CREATE = 'POST /repos/{owner}/{repo}/projects'
const EDIT = 'PATCH /repos/{owner}/{repo}/projects/{id}'
const ADD_COLUMN = 'POST /repos/{owner}/{repo}/projects/{id}/columns'
const TEMPLATES = { none: 0, basic_kanban: 4, bug_triage: 5 }
const NO_PROJECTS = [
  '{"title":"x","card_type":"zzz"}',
  '{"title":"x","template_type":"zzz"}',
  '{}',
  '{"title":""}',
  '{"title":5}',
  '{"title":"x","description":5}',
  '[]',
  '{',
  '',
  '{"title":"x","card_type":5}',
]
const NO_EDITS = [
  { state: 'zzz' },
  { card_type: 'zzz' },
  { title: '' },
  { title: '  ' },
  { title: 5 },
  { state: true },
  { description: [] },
]
const NO_COLUMNS = [
  {},
  { title: '' },
  { color: '#ffffff' },
  { title: 'x', color: 'ffffff' },
  { title: 'x', color: '#fff' },
  { title: 'x', color: '#gggggg' },
  { title: 'x', color: '#1234567' },
  { title: 'x', color: 'red' },
  { title: 5 },
  { title: 'x', color: 5 },
  [],
]

type Send = (body: unknown, asking?: RequestOptions & { id?: number | string }) => Promise<Answer>

export async function askAboutRepositoryProjects(audit: Audit, stage: Stage): Promise<void> {
  const { call } = audit
  const { alice } = stage
  const place = `${alice}/open`
  const create: Send = (body, asking = {}) =>
    call(CREATE, 'POST', `/repos/${asking.at ?? place}/projects`, sending(alice, asking, body))
  const project = await askAboutCreation(audit, stage, create)
  const edit: Send = (body, asking = {}) => {
    const path = `/repos/${asking.at ?? place}/projects/${asking.id ?? project.id}`
    return call(EDIT, 'PATCH', path, sending(alice, asking, body))
  }
  const addColumn: Send = (body, asking = {}) => {
    const path = `/repos/${asking.at ?? place}/projects/${asking.id ?? project.id}/columns`
    return call(ADD_COLUMN, 'POST', path, sending(alice, asking, body))
  }
  await askAboutEdits(audit, edit)
  await askAboutRefusedEdits(audit, stage, edit)
  await askAboutCounts(audit, stage, edit, project.id)
  await askAboutColumns(audit, addColumn, project.id)
  await askAboutRefusedColumns(audit, stage, addColumn, edit)
  await demand25Columns(audit, create, addColumn)
}

/** Returns the first created project. */
async function askAboutCreation(audit: Audit, stage: Stage, create: Send): Promise<Json> {
  const { demand, request } = audit
  const { alice, carol } = stage
  const facts = {
    title: 'Tafel 🙂',
    description: 'd',
    card_type: 'images_and_text',
    template_type: 'basic_kanban',
  }
  let project: Json
  await demand(CREATE, 'A new project is answered with every field and as it was asked for.', async () => {
    const answer = await create(facts)
    project = answer.json
    const { title, description, card_type, template_type, type, state, is_closed } = project
    return allOf(
      hasStatus(answer, 201),
      isJson(answer),
      fits('Project', project),
      equals([title, description, card_type, template_type], Object.values(facts)),
      equals([type, state, is_closed, project.creator_id], ['repository', 'open', false, project.creator.id]),
    )
  })
  await demand(CREATE, 'closed_at and updated_at are there in an open project.', async () =>
    holds('closed_at' in project && 'updated_at' in project, String(Object.keys(project))),
  )
  for (const [template_type, columns] of Object.entries(TEMPLATES))
    await demand(CREATE, `The template ${template_type} makes a project with its columns.`, async () => {
      const answer = await create({ title: template_type, template_type })
      const path = `/repos/${alice}/open/projects/${answer.json.id}/columns`
      const { json } = await request('GET', path, { as: alice })
      return allOf(
        hasStatus(answer, 201),
        equals([answer.json.template_type, json.length], [template_type, columns]),
      )
    })
  for (const card_type of ['text_only', 'images_and_text'])
    await demand(CREATE, `The card type ${card_type} is kept.`, async () =>
      equals((await create({ title: card_type, card_type })).json.card_type, card_type),
    )
  await demand(CREATE, 'A project with only a title has no template and cards of text.', async () => {
    const { template_type, card_type } = (await create({ title: 'x' })).json
    return equals([template_type, card_type], ['none', 'text_only'])
  })
  await demand(CREATE, 'A body that is no project is refused with 422.', () =>
    each(NO_PROJECTS, async (raw) => {
      const answer = await create(null, { raw })
      return allOf(hasStatus(answer, 422), hasErrorShape(answer))
    }),
  )
  await demand(CREATE, 'An unknown and a hidden repository are not found.', () =>
    each([{ at: `${alice}/nope` }, { at: `${alice}/hidden`, as: carol }], async (asking) => {
      const answer = await create({ title: 'x' }, asking)
      return allOf(hasStatus(answer, 404), hasErrorShape(answer))
    }),
  )
  await demand(CREATE, 'An archived repository is refused with 423, message and url.', async () => {
    const answer = await create({ title: 'x' }, { at: `${alice}/old` })
    return allOf(hasStatus(answer, 423), hasErrorShape(answer))
  })
  await demand(
    CREATE,
    'A caller without credentials is unauthorized, and a stranger is forbidden.',
    async () => {
      const nobody = await create({ title: 'x' }, { as: null })
      const stranger = await create({ title: 'x' }, { as: carol })
      return allOf(
        hasStatus(nobody, 401),
        hasErrorShape(nobody),
        hasStatus(stranger, 403),
        hasErrorShape(stranger),
      )
    },
  )
  await demand(CREATE, 'A title of 5,000 characters and unknown fields are no server error.', async () =>
    hasErrorShape(await create({ title: 't'.repeat(5_000), zzz: 1 })),
  )
  return project
}

async function askAboutEdits({ demand }: Audit, edit: Send): Promise<void> {
  await demand(EDIT, 'state closes and opens a project, and other given fields are updated.', async () => {
    const facts = { state: 'closed', title: 'neu', description: 'e', card_type: 'text_only' }
    const answer = await edit(facts)
    const { json: open } = await edit({ state: 'open' })
    const { state, title, description, card_type, is_closed, closed_at } = answer.json
    return allOf(
      hasStatus(answer, 200),
      fits('Project', answer.json),
      equals([state, title, description, card_type, is_closed], [...Object.values(facts), true]),
      holds(closed_at, 'closed_at is empty'),
      equals([open.state, open.title, open.closed_at], ['open', 'neu', null]),
    )
  })
  await demand(EDIT, 'The state that a project has can be given again.', async () =>
    equals((await edit({ state: 'open' })).json.state, 'open'),
  )
  await demand(EDIT, 'Absent fields stay, and an empty object and no body change nothing.', async () => {
    const { title, description } = (await edit({ description: 'only' })).json
    const empty = await edit({})
    const absent = await edit(undefined)
    return allOf(equals([title, description], ['neu', 'only']), hasStatus(empty, 200), hasErrorShape(absent))
  })
  await demand(
    EDIT,
    'An empty description removes it, and null is the same as an absent field.',
    async () => {
      const { json: removed } = await edit({ description: '' })
      const answer = await edit({ title: null, description: null, state: null, card_type: null })
      return allOf(hasStatus(answer, 200), equals([removed.description, answer.json.title], ['', 'neu']))
    },
  )
}

async function askAboutRefusedEdits(audit: Audit, stage: Stage, edit: Send): Promise<void> {
  const { demand, request, must } = audit
  const { alice, carol, archivedProject } = stage
  await demand(EDIT, 'Unknown words, an empty title and wrong types are refused with 422.', () =>
    each(NO_EDITS, async (body) => {
      const answer = await edit(body)
      return allOf(hasStatus(answer, 422), hasErrorShape(answer))
    }),
  )
  await demand(
    EDIT,
    'Unknown projects, other words and projects of another repository are not found.',
    async () => {
      const asking = { as: alice, body: { title: 'h' } }
      const other = await must(request('POST', `/repos/${alice}/hidden/projects`, asking))
      return each([99_999_999, 'abc', -1, other.id, '9223372036854775808'], async (id) => {
        const answer = await edit({ title: 'x' }, { id })
        return allOf(hasStatus(answer, 404), hasErrorShape(answer))
      })
    },
  )
  await demand(EDIT, 'A project of an archived repository is refused with 423.', async () => {
    const answer = await edit({ title: 'x' }, { at: `${alice}/old`, id: archivedProject.id })
    return allOf(hasStatus(answer, 423), hasErrorShape(answer))
  })
  await demand(
    EDIT,
    'A caller without credentials is unauthorized, and a stranger is forbidden.',
    async () => {
      const nobody = await edit({ title: 'x' }, { as: null })
      const stranger = await edit({ title: 'x' }, { as: carol })
      return allOf(hasStatus(nobody, 401), hasStatus(stranger, 403), hasErrorShape(stranger))
    },
  )
}

async function askAboutCounts(audit: Audit, stage: Stage, edit: Send, id: number): Promise<void> {
  const { demand, request, must } = audit
  const { alice, makeIssue } = stage
  const place = `${alice}/open`
  const change = ({ number }: Json, body: object) =>
    must(request('PATCH', `/repos/${place}/issues/${number}`, { as: alice, body }))
  const countsOf = (it: Json) => [it.num_issues, it.num_open_issues, it.num_closed_issues]
  await demand(EDIT, 'A project counts its issues, open ones and closed ones.', async () => {
    const [one, two] = [await makeIssue(place, 'in project', alice), await makeIssue(place, 'too', alice)]
    for (const issue of [one, two]) await change(issue, { projects: [id] })
    await change(two, { state: 'closed' })
    return equals(countsOf((await edit({})).json), [2, 1, 1])
  })
  await demand(EDIT, 'A project inside an issue has the same counts.', async () => {
    const { json } = await request('GET', `/repos/${place}/issues?state=all`, { as: alice })
    const issue = json.find((it: Json) => it.projects.length > 0)
    return equals(countsOf(issue.projects[0]), [2, 1, 1])
  })
}

async function askAboutColumns({ demand }: Audit, addColumn: Send, id: number): Promise<void> {
  await demand(ADD_COLUMN, 'A new column is answered with every field.', async () => {
    const answer = await addColumn({ title: 'Spalte 🙂', color: '#Ab12eF' })
    const { title, color, project_id } = answer.json
    return allOf(
      hasStatus(answer, 201),
      fits('ProjectColumn', answer.json),
      equals([title, color.toLowerCase(), project_id], ['Spalte 🙂', '#ab12ef', id]),
    )
  })
  await demand(ADD_COLUMN, 'The colour of a column without one is a text.', async () => {
    const answer = await addColumn({ title: 'plain' })
    return allOf(hasStatus(answer, 201), equals(typeof answer.json.color, 'string'))
  })
}

async function askAboutRefusedColumns(
  { demand }: Audit,
  { alice, carol, archivedProject }: Stage,
  addColumn: Send,
  edit: Send,
): Promise<void> {
  await demand(ADD_COLUMN, 'A column without a title or with a wrong colour is refused with 422.', () =>
    each(NO_COLUMNS, async (body) => {
      const answer = await addColumn(body)
      return allOf(hasStatus(answer, 422), hasErrorShape(answer))
    }),
  )
  await demand(ADD_COLUMN, 'A colour that ends with a line break is refused with 422.', async () =>
    hasStatus(await addColumn({ title: 'x', color: '#ffffff\n' }), 422),
  )
  await demand(ADD_COLUMN, 'A stranger is forbidden, and so is a closed project.', async () => {
    const stranger = await addColumn({ title: 'x' }, { as: carol })
    await edit({ state: 'closed' })
    const closed = await addColumn({ title: 'x' })
    await edit({ state: 'open' })
    return allOf(
      hasStatus(stranger, 403),
      hasErrorShape(stranger),
      hasStatus(closed, 403),
      hasErrorShape(closed),
    )
  })
  await demand(ADD_COLUMN, 'An unknown project is not found.', () =>
    each([99_999_999, 'abc'], async (id) => {
      const answer = await addColumn({ title: 'x' }, { id })
      return allOf(hasStatus(answer, 404), hasErrorShape(answer))
    }),
  )
  await demand(ADD_COLUMN, 'An archived repository is refused with 423.', async () => {
    const answer = await addColumn({ title: 'x' }, { at: `${alice}/old`, id: archivedProject.id })
    return allOf(hasStatus(answer, 423), hasErrorShape(answer))
  })
}

async function demand25Columns({ demand }: Audit, create: Send, addColumn: Send): Promise<void> {
  await demand(ADD_COLUMN, 'A project takes 25 columns or refuses further ones with 422.', async () => {
    const { id } = (await create({ title: 'many' })).json
    for (let i = 0; i < 25; i++) {
      const answer = await addColumn({ title: `c${i}` }, { id })
      if (answer.status !== 201) return allOf(hasStatus(answer, 422), hasErrorShape(answer))
    }
    return true
  })
}
