/** Projects of the calling user. */
import type { Stage } from '../stage.ts'

export async function play(t: Stage): Promise<void> {
  const [ann, bob] = ['user-projects-ann', 'user-projects-bob']
  for (const name of [ann, bob]) await t.person(name)
  await t.stage(ann, 'POST', '/user/repos', { name: 'forge' })
  await t.stage(ann, 'POST', '/user/repos', { name: 'vault', private: true })
  await t.stage(bob, 'POST', '/user/repos', { name: 'bench' })
  const call = (step: string, as: string | null, method: string, path: string, body?: unknown) =>
    t.call(step, as, method, path, body === undefined ? {} : { body })
  const projects = '/user/projects'

  await call('nobody may not create', null, 'POST', projects, { title: 'x' })
  await call('no title', ann, 'POST', projects, { description: 'x' })
  await call('an unknown template', ann, 'POST', projects, { title: 'x', template_type: 'scrum' })
  await call('an unknown kind of cards', ann, 'POST', projects, { title: 'x', card_type: 'video' })
  const plain = (await call('only a title', ann, 'POST', projects, { title: 'plain' })).body.id
  const kanban = (
    await call('all fields', ann, 'POST', projects, {
      title: 'kanban',
      description: 'all',
      template_type: 'basic_kanban',
      card_type: 'images_and_text',
    })
  ).body.id
  await call('bug triage', ann, 'POST', projects, { title: 'triage', template_type: 'bug_triage' })
  await call('own projects', ann, 'GET', projects)
  await call('own projects two to a page', ann, 'GET', `${projects}?limit=2`)
  await call('own projects, second page', ann, 'GET', `${projects}?limit=2&page=2`)
  await call('own projects of nobody', null, 'GET', projects)
  await call('own projects of another', bob, 'GET', projects)
  await call('projects of a user, seen by another', bob, 'GET', `/users/${ann}/projects`)
  await call('projects of a user, seen by nobody', null, 'GET', `/users/${ann}/projects`)
  await call('projects of an unknown user', bob, 'GET', '/users/user-projects-none/projects')
  await call('one project', ann, 'GET', `${projects}/${kanban}`)
  await call('one project for another', bob, 'GET', `${projects}/${kanban}`)
  await call('one project for nobody', null, 'GET', `${projects}/${kanban}`)
  await call('no such project', ann, 'GET', `${projects}/987654`)

  const edit = (step: string, as: string | null, body: unknown, id: number | string = plain) =>
    call(step, as, 'PATCH', `${projects}/${id}`, body)
  await edit('nobody may not edit', null, { title: 'x' })
  await edit('another may not edit', bob, { title: 'x' })
  await edit('not even the administrator', 'admin', { title: 'x' })
  await edit('no such project to edit', ann, { title: 'x' }, 987654)
  await edit('a word instead of an id', ann, { title: 'x' }, 'abc')
  await edit('an empty object changes nothing', ann, {})
  await edit('the title', ann, { title: ' plainer ' })
  await edit('an empty title is refused', ann, { title: ' ' })
  await edit('a title of 300 letters is cut', ann, { title: 'x'.repeat(300) })
  await edit('the description', ann, { description: 'words' })
  await edit('the description emptied', ann, { description: '' })
  await edit('the kind of cards', ann, { card_type: 'images_and_text' })
  await edit('an empty kind of cards', ann, { card_type: '' })
  await edit('an unknown kind of cards is refused', ann, { card_type: 'video' })
  await edit('an unknown state is refused', ann, { state: 'done' })
  await edit('an empty state', ann, { state: '' })
  await edit('one wrong field', ann, { title: 'never', state: 'done' })
  await call('then nothing was changed', ann, 'GET', `${projects}/${plain}`)
  await edit('closed', ann, { state: 'closed' })
  await edit('closed again', ann, { state: 'closed' })
  await edit('the title of a closed project', ann, { title: 'closed' })
  await call('closed projects', ann, 'GET', `${projects}?state=closed`)
  await call('all projects', ann, 'GET', `${projects}?state=all`)
  await call('closed projects of a user, seen by another', bob, 'GET', `/users/${ann}/projects?state=closed`)
  await edit('all fields, open again', ann, {
    title: 'plain',
    description: 'again',
    card_type: 'text_only',
    state: 'open',
  })

  const columns = (id: number | string) => `${projects}/${id}/columns`
  await call('nobody may not see the columns', null, 'GET', columns(kanban))
  await call('another may not see the columns', bob, 'GET', columns(kanban))
  await call('columns of no project', ann, 'GET', columns(987654))
  await call('columns of the template', ann, 'GET', columns(kanban))
  await call('columns two to a page', ann, 'GET', `${columns(kanban)}?limit=2`)
  await call('columns, last page', ann, 'GET', `${columns(kanban)}?limit=2&page=2`)
  await call('a page behind the last', ann, 'GET', `${columns(kanban)}?limit=2&page=9`)
  await call('no columns', ann, 'GET', columns(plain))
  await call('another may not add a column', bob, 'POST', columns(plain), { title: 'x' })
  await call('a column without a title', ann, 'POST', columns(plain), { color: '#ff0000' })
  await call('a bad colour', ann, 'POST', columns(plain), { title: 'x', color: '#ff000g' })
  const one = (await call('a column', ann, 'POST', columns(plain), { title: 'one' })).body.id
  const two = (
    await call('a column with a colour', ann, 'POST', columns(plain), { title: 'two', color: '#00FF00' })
  ).body.id
  await call('one column', ann, 'GET', `${columns(plain)}/${two}`)
  await call('one column for another', bob, 'GET', `${columns(plain)}/${two}`)

  const change = (step: string, as: string | null, body: unknown, id = one, project = plain) =>
    call(step, as, 'PATCH', `${columns(project)}/${id}`, body)
  await change('nobody may not change a column', null, { title: 'x' })
  await change('another may not change a column', bob, { title: 'x' })
  await change('no such column', ann, { title: 'x' }, 987654)
  await change('a column of another project', ann, { title: 'x' }, one, kanban)
  await change('an empty object changes nothing of a column', ann, {})
  await change('the title of a column', ann, { title: ' uno ' })
  await change('an empty title of a column', ann, { title: '' })
  await change('the colour of a column', ann, { color: '#abcdef' })
  await change('no colour of a column', ann, { color: '' })
  await change('a colour without #', ann, { color: 'abcdef' })
  await change('a colour of eight digits', ann, { color: '#abcdef00' })
  for (const sorting of [127, -128, 0, 128, -129, 3]) await change(`sorting ${sorting}`, ann, { sorting })
  await change('sorting as a text', ann, { sorting: 'first' })
  await change('all fields of a column', ann, { title: 'one', color: '#123456', sorting: 9 })
  await call('columns in their new order', ann, 'GET', columns(plain))
  await call('columns are moved', ann, 'POST', `${columns(plain)}/move`, { column_ids: [one, two] })
  await call('not all columns are named', ann, 'POST', `${columns(plain)}/move`, { column_ids: [one] })
  await call('the default column is chosen', ann, 'POST', `${columns(plain)}/${one}/default`)
  await call('the default column is not deleted', ann, 'DELETE', `${columns(plain)}/${one}`)

  const issue = async (as: string, path: string, title: string): Promise<number> =>
    (await t.stage(as, 'POST', `/repos/${path}/issues`, { title })).body.id
  const near = await issue(ann, `${ann}/forge`, 'near')
  const hidden = await issue(ann, `${ann}/vault`, 'hidden')
  const far = await issue(bob, `${bob}/bench`, 'far')
  await call('an issue of an own repository', ann, 'POST', `${columns(plain)}/${one}/issues/${near}`)
  await call('an issue of an own hidden repository', ann, 'POST', `${columns(plain)}/${one}/issues/${hidden}`)
  await call('an issue of a repository of another', ann, 'POST', `${columns(plain)}/${one}/issues/${far}`)
  await call('issues of a column', ann, 'GET', `${columns(plain)}/${one}/issues`)
  await call('an issue is moved', ann, 'POST', `${projects}/${plain}/issues/${near}/move`, {
    column_id: two,
    sorting: 0,
  })
  await call('an issue is taken out', ann, 'DELETE', `${columns(plain)}/${two}/issues/${near}`)
  await call('the project counts its issues', ann, 'GET', `${projects}/${plain}`)
  await call('what another sees of it is counted', bob, 'GET', `/users/${ann}/projects`)
  await t.stage(ann, 'PATCH', `/repos/${ann}/vault`, { archived: true })
  await call(
    'an issue of an archived repository',
    ann,
    'POST',
    `${projects}/${plain}/issues/${hidden}/move`,
    { column_id: two },
  )
  await t.stage(ann, 'PATCH', `${projects}/${plain}`, { state: 'closed' })
  await change('a closed project: a column is changed', ann, { title: 'x' })
  await call('a closed project: a column', ann, 'POST', columns(plain), { title: 'x' })
  await call('a closed project: its columns', ann, 'GET', columns(plain))
  await call('another may not delete', bob, 'DELETE', `${projects}/${plain}`)
  await call('a project is deleted', ann, 'DELETE', `${projects}/${plain}`)
  await call('a project is deleted twice', ann, 'DELETE', `${projects}/${plain}`)
  await call('a column of a deleted project', ann, 'PATCH', `${columns(plain)}/${one}`, { title: 'x' })

  const token = async (name: string, scopes: string[]) =>
    `token ${(await t.stage(ann, 'POST', `/users/${ann}/tokens`, { name, scopes })).body.sha1}`
  const withToken = (step: string, authorization: string) =>
    t.call(step, ann, 'PATCH', `${projects}/${kanban}`, {
      body: { title: 'by token' },
      headers: { authorization },
    })
  await withToken('a token that may write issues only', await token('issues', ['write:issue']))
  await withToken('a token that may write users only', await token('users', ['write:user']))
  await withToken('a token that may write both', await token('both', ['write:issue', 'write:user']))
}
