/** Projects of an organization. */
import type { Stage } from '../stage.ts'

export async function play(t: Stage): Promise<void> {
  const [ann, bob, cat, eve] = [
    'org-projects-ann',
    'org-projects-bob',
    'org-projects-cat',
    'org-projects-eve',
  ]
  for (const name of [ann, bob, cat, eve]) await t.person(name)
  const call = (step: string, as: string | null, method: string, path: string, body?: unknown) =>
    t.call(step, as, method, path, body === undefined ? {} : { body })
  await t.stage(ann, 'POST', '/orgs', { username: 'org-projects-open' })
  await t.stage(ann, 'POST', '/orgs', { username: 'org-projects-hidden', visibility: 'private' })
  const team = async (name: string, level: string, member: string) => {
    const id = (
      await t.stage(ann, 'POST', '/orgs/org-projects-open/teams', {
        name,
        permission: level,
        units_map: { 'repo.projects': level, 'repo.issues': level },
      })
    ).body.id
    await t.stage(ann, 'PUT', `/teams/${id}/members/${member}`)
  }
  await team('writers', 'write', bob)
  await team('readers', 'read', cat)
  await t.stage(ann, 'POST', '/orgs/org-projects-open/repos', { name: 'forge' })
  const projects = '/orgs/org-projects-open/projects'
  const hidden = '/orgs/org-projects-hidden/projects'

  await call('nobody may not create', null, 'POST', projects, { title: 'x' })
  await call('a stranger may not create', eve, 'POST', projects, { title: 'x' })
  await call('a member who only reads may not create', cat, 'POST', projects, { title: 'x' })
  await call('no such organization', ann, 'POST', '/orgs/org-projects-none/projects', { title: 'x' })
  await call('no title', ann, 'POST', projects, {})
  await call('an unknown template', ann, 'POST', projects, { title: 'x', template_type: 'scrum' })
  const plain = (await call('a member who writes creates', bob, 'POST', projects, { title: 'plain' })).body.id
  const kanban = (
    await call('all fields', ann, 'POST', projects, {
      title: 'kanban',
      description: 'all',
      template_type: 'basic_kanban',
      card_type: 'images_and_text',
    })
  ).body.id
  await call('the administrator creates', 'admin', 'POST', projects, {
    title: 'of the administrator',
    template_type: 'bug_triage',
  })
  const secret = (await t.stage(ann, 'POST', hidden, { title: 'secret' })).body.id
  await call('projects for nobody', null, 'GET', projects)
  await call('projects for a stranger', eve, 'GET', projects)
  await call('projects two to a page', bob, 'GET', `${projects}?limit=2`)
  await call('projects of a hidden organization for a stranger', eve, 'GET', hidden)
  await call('projects of a hidden organization for nobody', null, 'GET', hidden)
  await call(
    'projects of an organization by the path of users',
    bob,
    'GET',
    '/users/org-projects-open/projects',
  )
  await call('one project', cat, 'GET', `${projects}/${kanban}`)
  await call('a project of another organization', ann, 'GET', `${projects}/${secret}`)
  await call('a project of the hidden organization for a stranger', eve, 'GET', `${hidden}/${secret}`)
  await call('a member who only reads may not edit', cat, 'PATCH', `${projects}/${plain}`, { title: 'x' })
  await call('nobody may not edit', null, 'PATCH', `${projects}/${plain}`, { title: 'x' })
  await call('an empty title is refused', bob, 'PATCH', `${projects}/${plain}`, { title: ' ' })
  await call('an unknown state is refused', bob, 'PATCH', `${projects}/${plain}`, { state: 'done' })
  await call('all fields are edited', bob, 'PATCH', `${projects}/${plain}`, {
    title: 'plainer',
    description: 'words',
    card_type: 'images_and_text',
    state: 'closed',
  })
  await call('closed projects', null, 'GET', `${projects}?state=closed`)
  await call('all projects', null, 'GET', `${projects}?state=all`)
  await call('a column for a closed project', bob, 'POST', `${projects}/${plain}/columns`, { title: 'x' })
  await call('open again', bob, 'PATCH', `${projects}/${plain}`, { state: 'open' })

  const columns = `${projects}/${plain}/columns`
  await call('columns of the template', null, 'GET', `${projects}/${kanban}/columns`)
  await call('a member who only reads may not add a column', cat, 'POST', columns, { title: 'x' })
  await call('a column without a title', bob, 'POST', columns, {})
  await call('a bad colour', bob, 'POST', columns, { title: 'x', color: 'red' })
  const one = (await call('a column', bob, 'POST', columns, { title: 'one' })).body.id
  const two = (await call('a column with a colour', bob, 'POST', columns, { title: 'two', color: '#00ff00' }))
    .body.id
  await call('one column', cat, 'GET', `${columns}/${two}`)
  await call('a member who only reads may not change a column', cat, 'PATCH', `${columns}/${one}`, {
    title: 'x',
  })
  await call('a column is changed', bob, 'PATCH', `${columns}/${one}`, {
    title: 'uno',
    color: '#0000ff',
    sorting: 7,
  })
  await call('sorting out of range', bob, 'PATCH', `${columns}/${one}`, { sorting: 200 })
  await call('columns two to a page', bob, 'GET', `${columns}?limit=1&page=2`)
  await call('columns are moved', bob, 'POST', `${columns}/move`, { column_ids: [one, two] })
  await call('the default column is chosen', bob, 'POST', `${columns}/${two}/default`)
  const issue = (await t.stage(ann, 'POST', '/repos/org-projects-open/forge/issues', { title: 'work' })).body
    .id
  await t.stage(ann, 'POST', '/user/repos', { name: 'own' })
  const far = (await t.stage(ann, 'POST', `/repos/${ann}/own/issues`, { title: 'far' })).body.id
  await call('an issue of a repository of the organization', ann, 'POST', `${columns}/${one}/issues/${issue}`)
  await call('an issue of a repository of another owner', ann, 'POST', `${columns}/${one}/issues/${far}`)
  await call('a member who only reads may not put an issue', cat, 'POST', `${columns}/${one}/issues/${issue}`)
  await call('issues of a column', null, 'GET', `${columns}/${one}/issues`)
  await call('an issue is moved', ann, 'POST', `${projects}/${plain}/issues/${issue}/move`, {
    column_id: two,
  })
  await call('the issue names its project', null, 'GET', '/repos/org-projects-open/forge/issues/1')
  await call('an issue is taken out', ann, 'DELETE', `${columns}/${two}/issues/${issue}`)
  await call('a column is deleted', bob, 'DELETE', `${columns}/${one}`)
  await call('the default column is not deleted', bob, 'DELETE', `${columns}/${two}`)
  await call('a member who only reads may not delete', cat, 'DELETE', `${projects}/${plain}`)
  await call('a project is deleted', bob, 'DELETE', `${projects}/${plain}`)
  await call('a project is deleted twice', bob, 'DELETE', `${projects}/${plain}`)
}
