/** Repositories transferred to another owner. */
import type { Stage } from '../stage.ts'

export async function play(t: Stage): Promise<void> {
  const ann = 'transfer-ann'
  const bob = 'transfer-bob'
  for (const name of [ann, bob, 'transfer-helper', 'transfer-stranger']) await t.person(name)
  await t.stage(ann, 'POST', '/orgs', { username: 'transfer-org' })
  await t.stage(bob, 'POST', '/orgs', { username: 'transfer-foreign' })
  const team = await t.stage(ann, 'POST', '/orgs/transfer-org/teams', {
    name: 'helpers',
    permission: 'read',
    units_map: { 'repo.code': 'read' },
  })
  for (const name of ['one', 'two', 'three', 'four', 'five', 'six'])
    await t.stage(ann, 'POST', '/user/repos', { name, private: name === 'three' })
  await t.stage(ann, 'PUT', `/repos/${ann}/one/collaborators/transfer-helper`, { permission: 'admin' })
  await t.stage(bob, 'POST', '/user/repos', { name: 'six' })
  const give = (step: string, as: string | null, name: string, body: unknown) =>
    t.call(step, as, 'POST', `/repos/${ann}/${name}/transfer`, { body })

  await give('nobody hands over', null, 'one', { new_owner: bob })
  await give('a stranger hands over', 'transfer-stranger', 'one', { new_owner: bob })
  await give('a collaborator with admin access hands over', 'transfer-helper', 'one', { new_owner: bob })
  await give('no new owner', ann, 'one', {})
  await give('a missing new owner', ann, 'one', { new_owner: 'transfer-missing' })
  await give('a missing repository', ann, 'missing', { new_owner: bob })
  await give('to oneself', ann, 'one', { new_owner: ann })
  await give('teams, although the new owner is a user', ann, 'one', {
    new_owner: bob,
    team_ids: [team.body.id],
  })
  await give('a name that is taken there', ann, 'six', { new_owner: bob })
  await give('to another user, who has to accept', ann, 'one', { new_owner: bob })
  await give('while one is pending', ann, 'one', { new_owner: 'transfer-stranger' })
  await t.call('pending, seen by the giver', ann, 'GET', `/repos/${ann}/one`)
  await t.call('pending, seen by the receiver', bob, 'GET', `/repos/${ann}/one`)
  await t.call('pending, seen by nobody', null, 'GET', `/repos/${ann}/one`)
  await t.call('nobody accepts', null, 'POST', `/repos/${ann}/one/transfer/accept`)
  await t.call('a stranger accepts', 'transfer-stranger', 'POST', `/repos/${ann}/one/transfer/accept`)
  await t.call('a stranger rejects', 'transfer-stranger', 'POST', `/repos/${ann}/one/transfer/reject`)
  await t.call('the receiver accepts', bob, 'POST', `/repos/${ann}/one/transfer/accept`)
  await t.call('accepted twice', bob, 'POST', `/repos/${bob}/one/transfer/accept`)
  await t.call('it lives at its new owner', bob, 'GET', `/repos/${bob}/one`)
  await t.call('its old address leads there', null, 'GET', `/repos/${ann}/one`)
  await t.call('the old owner is no longer in charge', ann, 'PATCH', `/repos/${bob}/one`, {
    body: { description: 'x' },
  })
  await t.call('nothing pending to accept', ann, 'POST', `/repos/${ann}/two/transfer/accept`)
  await t.call('nothing pending to reject', ann, 'POST', `/repos/${ann}/two/transfer/reject`)
  await t.call('a second offer', ann, 'POST', `/repos/${ann}/two/transfer`, { body: { new_owner: bob } })
  await t.call('the receiver rejects', bob, 'POST', `/repos/${ann}/two/transfer/reject`)
  await t.call('rejected: it stays', ann, 'GET', `/repos/${ann}/two`)
  await t.call('a private one is offered', ann, 'POST', `/repos/${ann}/three/transfer`, {
    body: { new_owner: bob },
  })
  await t.call('the receiver of a private one may see it', bob, 'GET', `/repos/${ann}/three`)
  await t.call('to an own organization at once, with a team', ann, 'POST', `/repos/${ann}/four/transfer`, {
    body: { new_owner: 'transfer-org', team_ids: [team.body.id] },
  })
  await t.call(
    'the team came along',
    ann,
    'GET',
    '/repos/transfer-org/four/teams',
    {},
    { unordered: true, ignore: ['units'] },
  )
  await give('with a missing team', ann, 'five', { new_owner: 'transfer-org', team_ids: [999999] })
  await give('to an organization of others', ann, 'five', { new_owner: 'transfer-foreign' })
  await t.call('an owner of that organization accepts', bob, 'POST', `/repos/${ann}/five/transfer/accept`)
  await t.call('the site administrator hands over at once', 'admin', 'POST', `/repos/${ann}/two/transfer`, {
    body: { new_owner: bob },
  })
}
