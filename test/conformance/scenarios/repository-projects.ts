/** Projects of a repository: boards, columns, issues in columns. */
import type { Expectation, Stage } from '../stage.ts'

export async function play(t: Stage): Promise<void> {
  const [owner, writer, reader, stranger] = [
    'repository-projects-owner',
    'repository-projects-writer',
    'repository-projects-reader',
    'repository-projects-stranger',
  ]
  for (const name of [owner, writer, reader, stranger]) await t.person(name)
  for (const [name, hidden] of [
    ['forge', false],
    ['vault', true],
  ] as const)
    await t.stage(owner, 'POST', '/user/repos', { name, private: hidden })
  const repo = `/repos/${owner}/forge`
  const vault = `/repos/${owner}/vault`
  await t.stage(owner, 'PUT', `${repo}/collaborators/${writer}`, { permission: 'write' })
  await t.stage(owner, 'PUT', `${repo}/collaborators/${reader}`, { permission: 'read' })
  const issue = async (title: string, where = repo): Promise<number> =>
    (await t.stage(owner, 'POST', `${where}/issues`, { title })).body.id
  const call = (
    step: string,
    as: string | null,
    method: string,
    path: string,
    body?: unknown,
    expectation: Expectation = {},
  ) => t.call(step, as, method, path, body === undefined ? {} : { body }, expectation)

  const create = (step: string, as: string | null, body: unknown, where = repo) =>
    call(step, as, 'POST', `${where}/projects`, body)
  await create('nobody may not create', null, { title: 'x' })
  await create('a reader may not create', reader, { title: 'x' })
  await create('a stranger may not create', stranger, { title: 'x' })
  await create('a stranger does not see the hidden repository', stranger, { title: 'x' }, vault)
  await create('no title', owner, {})
  await create('an empty title', owner, { title: '' })
  await create('an unknown template', owner, { title: 'x', template_type: 'scrum' })
  await create('an unknown kind of cards', owner, { title: 'x', card_type: 'video' })
  await create('a number as title', owner, { title: 7 })
  const plain = (await create('only a title', writer, { title: 'plain' })).body.id
  const kanban = (
    await create('all fields', owner, {
      title: 'kanban',
      description: 'all of it',
      template_type: 'basic_kanban',
      card_type: 'images_and_text',
    })
  ).body.id
  const triage = (
    await create('bug triage', 'admin', {
      title: 'triage',
      template_type: 'bug_triage',
      card_type: 'text_only',
    })
  ).body.id
  await create('template none, blank as title', owner, { title: ' ', template_type: 'none', card_type: '' })
  await create('a title of 300 letters is cut', owner, { title: 'x'.repeat(300) })
  const distant = (
    await t.stage(owner, 'POST', `${vault}/projects`, { title: 'distant', template_type: 'basic_kanban' })
  ).body.id

  await call('projects for nobody', null, 'GET', `${repo}/projects`)
  await call('projects two to a page', null, 'GET', `${repo}/projects?limit=2`)
  await call('projects, last page', null, 'GET', `${repo}/projects?limit=2&page=3`)
  await call('projects of a hidden repository for a stranger', stranger, 'GET', `${vault}/projects`)
  await call('one project', null, 'GET', `${repo}/projects/${kanban}`)
  await call('no such project', null, 'GET', `${repo}/projects/987654`)
  await call('a project of another repository', owner, 'GET', `${repo}/projects/${distant}`)
  await call('a word instead of an id', owner, 'GET', `${repo}/projects/abc`)

  const edit = (step: string, as: string | null, id: number, body: unknown) =>
    call(step, as, 'PATCH', `${repo}/projects/${id}`, body)
  await edit('nobody may not edit', null, plain, { title: 'x' })
  await edit('a reader may not edit', reader, plain, { title: 'x' })
  await edit('no such project to edit', owner, 987654, { title: 'x' })
  await edit('a project of another repository to edit', owner, distant, { title: 'x' })
  await edit('an empty object changes nothing', writer, plain, {})
  await edit('the title', writer, plain, { title: '  plainer ' })
  await edit('an empty title is refused', writer, plain, { title: '' })
  await edit('blanks as title are refused', writer, plain, { title: '   ' })
  await edit('the description', writer, plain, { description: 'words' })
  await edit('the description emptied', writer, plain, { description: '' })
  await edit('the kind of cards', writer, plain, { card_type: 'images_and_text' })
  await edit('an unknown kind of cards is refused', writer, plain, { card_type: 'video' })
  await edit('an unknown state is refused', writer, plain, { state: 'done' })
  await edit('closed', writer, plain, { state: 'closed' })
  await edit('closed again, with a title', writer, plain, { state: 'closed', title: 'closed' })
  await call('closed projects', null, 'GET', `${repo}/projects?state=closed`)
  await call('all projects', null, 'GET', `${repo}/projects?state=all`)
  await call('projects in an unknown state', null, 'GET', `${repo}/projects?state=done`)
  await call('a column for a closed project', writer, 'POST', `${repo}/projects/${plain}/columns`, {
    title: 'x',
  })
  await edit('all fields, open again', owner, plain, {
    title: 'open again',
    description: 'again',
    card_type: 'text_only',
    state: 'open',
  })

  const columns = (id: number) => `${repo}/projects/${id}/columns`
  await call('columns of the template', null, 'GET', columns(kanban))
  await call('columns of the other template', null, 'GET', columns(triage))
  await call('columns two to a page', null, 'GET', `${columns(triage)}?limit=2&page=2`)
  await call('no columns', null, 'GET', columns(plain))
  await call('columns of no project', null, 'GET', columns(987654))
  const column = (step: string, as: string | null, body: unknown, id = plain) =>
    call(step, as, 'POST', columns(id), body)
  await column('nobody may not add a column', null, { title: 'x' })
  await column('a reader may not add a column', reader, { title: 'x' })
  await column('a column for no project', owner, { title: 'x' }, 987654)
  await column('a column without a title', owner, {})
  await column('a colour without #', owner, { title: 'x', color: 'ff0000' })
  await column('a colour of three digits', owner, { title: 'x', color: '#f00' })
  await column('a colour that is a word', owner, { title: 'x', color: 'red' })
  const one = (await column('a column', writer, { title: 'one' })).body.id
  const two = (await column('a column with a colour', writer, { title: 'two', color: '#Ff00aA' })).body.id
  const three = (await column('a third column, empty colour', owner, { title: 'three', color: '' })).body.id
  await call('one column', null, 'GET', `${columns(plain)}/${two}`)
  await call('a column of another project', null, 'GET', `${columns(kanban)}/${two}`)
  await call('no such column', null, 'GET', `${columns(plain)}/987654`)
  const change = (step: string, as: string | null, id: number, body: unknown) =>
    call(step, as, 'PATCH', `${columns(plain)}/${id}`, body)
  await change('nobody may not change a column', null, one, { title: 'x' })
  await change('a reader may not change a column', reader, one, { title: 'x' })
  await change('no such column to change', owner, 987654, { title: 'x' })
  await change('an empty object changes nothing of a column', writer, one, {})
  await change('the title of a column', writer, one, { title: ' uno ' })
  await change('an empty title of a column', writer, one, { title: ' ' })
  await change('the colour of a column', writer, one, { color: '#00ff00' })
  await change('no colour of a column', writer, one, { color: '' })
  await change('a bad colour of a column', writer, one, { color: '#00ff0' })
  for (const sorting of [127, -128, 0, 128, -129, 5])
    await change(`sorting ${sorting}`, writer, one, { sorting })
  await change('all fields of a column', writer, one, { title: 'one', color: '#123456', sorting: 9 })
  await call('columns in their new order', null, 'GET', columns(plain))
  await call('a reader may not move columns', reader, 'POST', `${columns(plain)}/move`, {
    column_ids: [one, two, three],
  })
  await call('columns are moved', writer, 'POST', `${columns(plain)}/move`, { column_ids: [three, one, two] })
  await call('not all columns are named', writer, 'POST', `${columns(plain)}/move`, {
    column_ids: [three, one],
  })
  await call('a column is named twice', writer, 'POST', `${columns(plain)}/move`, {
    column_ids: [three, one, one],
  })
  await call('no columns are named', writer, 'POST', `${columns(plain)}/move`, {})
  await call('columns after the move', null, 'GET', columns(plain))
  await call('a reader may not choose the default column', reader, 'POST', `${columns(plain)}/${two}/default`)
  await call('the default column is chosen', writer, 'POST', `${columns(plain)}/${two}/default`)
  await call('no such column as default', writer, 'POST', `${columns(plain)}/987654/default`)
  await call('columns with a default', null, 'GET', columns(plain))
  await call('the default column is not deleted', writer, 'DELETE', `${columns(plain)}/${two}`)

  const [i1, i2, i3] = [await issue('first'), await issue('second'), await issue('third')]
  const far = await issue('far', vault)
  const put = (step: string, as: string | null, columnId: number, id: number, method = 'POST') =>
    call(step, as, method, `${columns(plain)}/${columnId}/issues/${id}`)
  await put('nobody may not put an issue', null, one, i1)
  await put('a reader may not put an issue', reader, one, i1)
  await put('an issue is put into a column', writer, one, i1)
  await put('the same issue again', writer, one, i1)
  await put('a second issue', writer, one, i2)
  await put('an issue into another column', writer, three, i3)
  await put('no such issue', writer, one, 987654)
  await put('an issue of another repository', owner, one, far)
  await put('no such column for an issue', writer, 987654, i1)
  await call('issues of a column', null, 'GET', `${columns(plain)}/${one}/issues`)
  await call(
    'issues of a column, one to a page',
    null,
    'GET',
    `${columns(plain)}/${one}/issues?limit=1&page=2`,
  )
  await call('issues of no column', null, 'GET', `${columns(plain)}/987654/issues`)
  await call('the project counts its issues', null, 'GET', `${repo}/projects/${plain}`)
  const move = (step: string, as: string | null, id: number, body: unknown) =>
    call(step, as, 'POST', `${repo}/projects/${plain}/issues/${id}/move`, body)
  await move('a reader may not move an issue', reader, i1, { column_id: two })
  await move('an issue is moved', writer, i1, { column_id: three })
  await move('an issue is moved to the front', writer, i2, { column_id: three, sorting: 0 })
  await move('an issue moved to a column of another project', writer, i1, { column_id: 987654 })
  await move('an issue moved without a column', writer, i1, {})
  await move('an issue that is not in the project', writer, far, { column_id: two })
  await call('issues of the column after the moves', null, 'GET', `${columns(plain)}/${three}/issues`)
  await call('the moves in the timeline', null, 'GET', `${repo}/issues/1/timeline`)
  await put('an issue is taken out of a column where it is not', writer, one, i1, 'DELETE')
  await put('a reader may not take it out', reader, three, i1, 'DELETE')
  await put('an issue is taken out', writer, three, i1, 'DELETE')
  await call('a reader may not delete a column', reader, 'DELETE', `${columns(plain)}/${three}`)
  await call('a column is deleted', writer, 'DELETE', `${columns(plain)}/${three}`)
  await call('a column is deleted twice', writer, 'DELETE', `${columns(plain)}/${three}`)
  await call('its issues are in the default column', null, 'GET', `${columns(plain)}/${two}/issues`)

  await t.stage(owner, 'PATCH', `${repo}/projects/${plain}`, { state: 'closed' })
  await change('a closed project: a column is changed', writer, one, { title: 'x' })
  await put('a closed project: an issue is put', writer, one, i1)
  await move('a closed project: an issue is moved', writer, i2, { column_id: one })
  await call('a closed project: a column is deleted', writer, 'DELETE', `${columns(plain)}/${one}`)
  await call('a closed project: the default is chosen', writer, 'POST', `${columns(plain)}/${one}/default`)
  await call('a closed project: its columns', null, 'GET', columns(plain))
  await call('nobody may not delete a project', null, 'DELETE', `${repo}/projects/${plain}`)
  await call('a reader may not delete a project', reader, 'DELETE', `${repo}/projects/${plain}`)
  await call('a project is deleted', writer, 'DELETE', `${repo}/projects/${plain}`)
  await call('a project is deleted twice', writer, 'DELETE', `${repo}/projects/${plain}`)

  const full = (await t.stage(owner, 'POST', `${repo}/projects`, { title: 'full' })).body.id
  for (let i = 1; i <= 20; i++) await t.stage(owner, 'POST', columns(full), { title: `c${i}` })
  await column('the 21st column', owner, { title: 'c21' }, full)

  const token = async (name: string, scopes: string[]) =>
    `token ${(await t.stage(writer, 'POST', `/users/${writer}/tokens`, { name, scopes })).body.sha1}`
  await t.call('a token that may only read issues', writer, 'POST', `${repo}/projects`, {
    body: { title: 'x' },
    headers: { authorization: await token('reads', ['read:issue']) },
  })
  await t.call('a token that may write repositories', writer, 'POST', `${repo}/projects`, {
    body: { title: 'x' },
    headers: { authorization: await token('repositories', ['write:repository']) },
  })
  await t.call('a token that may write issues', writer, 'POST', `${repo}/projects`, {
    body: { title: 'by token' },
    headers: { authorization: await token('writes', ['write:issue']) },
  })

  await t.stage(owner, 'PATCH', repo, { archived: true })
  await create('an archived repository: create', owner, { title: 'x' })
  await edit('an archived repository: edit', owner, kanban, { title: 'x' })
  await column('an archived repository: a column', owner, { title: 'x' }, kanban)
  await call('an archived repository: delete', owner, 'DELETE', `${repo}/projects/${kanban}`)
  await call('an archived repository: projects', null, 'GET', `${repo}/projects/${kanban}`)
  await t.stage(owner, 'PATCH', repo, { archived: false })
  await t.stage(owner, 'PATCH', repo, { has_projects: true, projects_mode: 'owner' })
  await create('only projects of the owner: create', owner, { title: 'x' })
  await call('only projects of the owner: list', owner, 'GET', `${repo}/projects`)
  await t.stage(owner, 'PATCH', repo, { has_projects: false })
  await create('projects switched off: the owner', owner, { title: 'switched off' })
  await create('projects switched off: a writer', writer, { title: 'x' })
  await call('projects switched off: nobody', null, 'GET', `${repo}/projects`)
}
