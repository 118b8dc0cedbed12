/** Collaborators and teams of a repository, and what they may do. */
import type { Stage } from '../stage.ts'

export async function play(t: Stage): Promise<void> {
  const ann = 'collab-ann'
  for (const name of [ann, 'collab-admin', 'collab-writer', 'collab-reader', 'collab-stranger'])
    await t.person(name)
  await t.stage(ann, 'POST', '/orgs', { username: 'collab-org' })
  await t.stage(ann, 'POST', '/user/repos', { name: 'one', private: true })
  await t.stage(ann, 'POST', '/user/repos', { name: 'odd' })
  const list = `/repos/${ann}/one/collaborators`
  const add = (step: string, as: string | null, who: string, body?: unknown, extra = {}) =>
    t.call(step, as, 'PUT', `${list}/${who}`, body === undefined ? {} : { body }, extra)
  await t.call('none yet', ann, 'GET', list)
  await add('without a level', ann, 'collab-writer', {})
  await t.call('without a level: what it became', ann, 'GET', `${list}/collab-writer/permission`)
  await add('without a body', ann, 'collab-writer', undefined, { decision: 'D29', status: 204 })
  await add('as administrator', ann, 'collab-admin', { permission: 'admin' })
  await add('as reader', ann, 'collab-reader', { permission: 'read' })
  await add('the level is changed', ann, 'collab-writer', { permission: 'write' })
  await add(
    'an unknown level',
    ann,
    'collab-stranger',
    { permission: 'nonsense' },
    { decision: 'D13', status: 422 },
  )
  await add('level owner', ann, 'collab-stranger', { permission: 'owner' }, { decision: 'D13', status: 422 })
  await add('a missing user', ann, 'collab-missing', { permission: 'read' })
  await t.call('an organization', ann, 'PUT', `/repos/${ann}/odd/collaborators/collab-org`, {
    body: { permission: 'read' },
  })
  await t.call('the owner himself', ann, 'PUT', `/repos/${ann}/odd/collaborators/${ann}`, {
    body: { permission: 'read' },
  })
  await add('nobody adds', null, 'collab-stranger', { permission: 'read' })
  await add('a writer adds', 'collab-writer', 'collab-stranger', { permission: 'read' })
  await add('a collaborator with admin access adds', 'collab-admin', 'collab-reader', { permission: 'read' })
  await t.call('all of them', ann, 'GET', list, {}, { unordered: true })
  await t.call('all of them, seen by a reader', 'collab-reader', 'GET', list, {}, { unordered: true })
  await t.call('all of them, seen by a stranger', 'collab-stranger', 'GET', list)
  await t.call('all of them, seen by nobody', null, 'GET', list)
  await t.call('a page past the end', ann, 'GET', `${list}?limit=2&page=9`)
  await t.call('is one', ann, 'GET', `${list}/collab-writer`)
  await t.call('is none', ann, 'GET', `${list}/collab-stranger`)
  await t.call('is missing', ann, 'GET', `${list}/collab-missing`)
  await t.call('is the owner', ann, 'GET', `${list}/${ann}`)
  for (const who of [
    'collab-admin',
    'collab-writer',
    'collab-reader',
    'collab-stranger',
    ann,
    'admin',
    'collab-missing',
  ])
    await t.call(`level of ${who}`, ann, 'GET', `${list}/${who}/permission`)
  await t.call('own level', 'collab-reader', 'GET', `${list}/collab-reader/permission`)
  await t.call(
    'level of another, asked by a reader',
    'collab-reader',
    'GET',
    `${list}/collab-writer/permission`,
  )
  await t.call(
    'level of another, asked by the site administrator',
    'admin',
    'GET',
    `${list}/collab-writer/permission`,
  )
  await t.call('who can be assigned', ann, 'GET', `/repos/${ann}/one/assignees`, {}, { unordered: true })
  await t.call('who can review', ann, 'GET', `/repos/${ann}/one/reviewers`, {}, { unordered: true })
  await t.call('may be assigned', ann, 'GET', `/repos/${ann}/one/assignees/collab-writer`)
  await t.call('may not be assigned', ann, 'GET', `/repos/${ann}/one/assignees/collab-stranger`)
  await t.call('nobody removes', null, 'DELETE', `${list}/collab-writer`)
  await t.call('a writer removes', 'collab-writer', 'DELETE', `${list}/collab-reader`)
  await t.call('a reader removes himself', 'collab-reader', 'DELETE', `${list}/collab-reader`)
  await t.call('removed', ann, 'DELETE', `${list}/collab-writer`)
  await t.call('removed twice', ann, 'DELETE', `${list}/collab-writer`)
  await t.call('a missing user is removed', ann, 'DELETE', `${list}/collab-missing`)
  await t.call('access is gone', 'collab-writer', 'GET', `/repos/${ann}/one`)

  await t.stage(ann, 'POST', '/orgs/collab-org/repos', { name: 'two', private: true })
  const team = await t.stage(ann, 'POST', '/orgs/collab-org/teams', {
    name: 'Crew',
    permission: 'write',
    units_map: { 'repo.code': 'write', 'repo.issues': 'read' },
  })
  await t.stage(ann, 'PUT', `/teams/${team.body.id}/members/collab-writer`)
  await t.stage(ann, 'PUT', '/repos/collab-org/two/collaborators/collab-reader', { permission: 'read' })
  const teams = '/repos/collab-org/two/teams'
  // The reference sends the deprecated `units` in any order; `units_map` holds the same.
  const anyUnits = { unordered: true, ignore: ['units'] }
  await t.call('teams', ann, 'GET', teams, {}, anyUnits)
  await t.call('a team is not there', ann, 'GET', `${teams}/Crew`)
  await t.call('a team is added', ann, 'PUT', `${teams}/Crew`)
  await t.call('a team is added twice', ann, 'PUT', `${teams}/crew`)
  await t.call('a missing team is added', ann, 'PUT', `${teams}/Nobodies`)
  await t.call('a reader adds a team', 'collab-reader', 'PUT', `${teams}/Crew`)
  await t.call('a team is there', ann, 'GET', `${teams}/Crew`, {}, anyUnits)
  await t.call('teams, with the new one', ann, 'GET', teams, {}, anyUnits)
  await t.call('teams, seen by a reader', 'collab-reader', 'GET', teams, {}, anyUnits)
  await t.call(
    'a member of the team has its level',
    ann,
    'GET',
    '/repos/collab-org/two/collaborators/collab-writer/permission',
  )
  await t.call('a member of the team sees it', 'collab-writer', 'GET', '/repos/collab-org/two')
  await t.call('the repositories of the team', ann, 'GET', `/teams/${team.body.id}/repos`)
  await t.call('a team is removed', ann, 'DELETE', `${teams}/Crew`)
  await t.call('a team is removed twice', ann, 'DELETE', `${teams}/Crew`)
  await t.call("a user's repository has no teams", ann, 'GET', `/repos/${ann}/one/teams`)
}
