/** Visibility of teams: the decision as a table, and the same over REST. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startForge } from '#testing'
import { canSeeTeam } from './can-see-team.ts'

const VISIBILITIES = ['public', 'limited', 'private'] as const

for (const { role, isInTeam, sees } of [
  { role: 'stranger', isInTeam: false, sees: [true, false, false] },
  { role: 'member', isInTeam: false, sees: [true, true, false] },
  { role: 'member', isInTeam: true, sees: [true, true, true] },
  { role: 'owner', isInTeam: false, sees: [true, true, true] },
  { role: 'owner', isInTeam: true, sees: [true, true, true] },
] as const)
  test(`${role}, ${isInTeam ? 'in' : 'outside'} the team: sees public, limited, private: ${sees}`, () => {
    assert.deepEqual(
      VISIBILITIES.map((it) => canSeeTeam(it, { role, isInTeam })),
      sees,
    )
  })

const forge = await startForge()
after(() => forge[Symbol.asyncDispose]())
for (const name of ['owner', 'insider', 'member', 'stranger']) await forge.person(name)
await forge.person('root', { is_admin: true })
await forge.person('restricted', { is_restricted: true })
await forge.person('limited-token', {}, ['public-only', 'read:organization', 'read:user'])
await forge.call('owner', 'POST', '/orgs', { username: 'guild' })
await forge.call('owner', 'POST', '/orgs', { username: 'closed', visibility: 'private' })
const ids: Record<string, number> = {}
for (const visibility of VISIBILITIES) {
  ids[visibility] = await team('guild', visibility)
  for (const name of ['insider', 'limited-token']) await put(ids[visibility], name)
}
await put(await team('guild', 'private', 'others'), 'member')
const closedPublic = await team('closed', 'public')

/** Statuses in the order of VISIBILITIES: for the team, and for its members. */
const VIEWERS = [
  { as: null, team: [401, 401, 401], members: [401, 401, 401], lists: 401 },
  { as: 'stranger', team: [200, 404, 404], members: [403, 404, 404], lists: ['public'] },
  { as: 'restricted', team: [200, 404, 404], members: [403, 404, 404], lists: ['public'] },
  { as: 'limited-token', team: [200, 403, 403], members: [403, 403, 403], lists: ['public'] },
  {
    as: 'member',
    team: [200, 200, 403],
    members: [200, 200, 403],
    lists: ['Owners', 'limited', 'others', 'public'],
  },
  {
    as: 'insider',
    team: [200, 200, 200],
    members: [200, 200, 200],
    lists: ['Owners', 'limited', 'private', 'public'],
  },
  {
    as: 'owner',
    team: [200, 200, 200],
    members: [200, 200, 200],
    lists: ['Owners', 'limited', 'others', 'private', 'public'],
  },
  {
    as: 'root',
    team: [200, 200, 200],
    members: [200, 200, 200],
    lists: ['Owners', 'limited', 'others', 'private', 'public'],
  },
] as const

for (const viewer of VIEWERS) {
  const as = viewer.as ?? 'nobody'
  test(`${as} gets a public, a limited and a private team: ${viewer.team}`, async () => {
    for (const [i, visibility] of VISIBILITIES.entries()) {
      const { status } = await forge.call(viewer.as, 'GET', `/teams/${ids[visibility]}`)
      assert.equal(status, viewer.team[i], visibility)
    }
  })
  test(`${as} lists the members of a public, a limited and a private team: ${viewer.members}`, async () => {
    for (const [i, visibility] of VISIBILITIES.entries())
      for (const path of ['members', 'members/insider']) {
        const { status } = await forge.call(viewer.as, 'GET', `/teams/${ids[visibility]}/${path}`)
        assert.equal(status, viewer.members[i], `${visibility}, ${path}`)
      }
  })
  test(`${as} lists and searches teams: ${viewer.lists}`, async () => {
    const list = await forge.call(viewer.as, 'GET', '/orgs/guild/teams')
    const found = await forge.call(viewer.as, 'GET', '/orgs/guild/teams/search?q=')
    if (typeof viewer.lists === 'number') {
      assert.deepEqual([list.status, found.status], [viewer.lists, viewer.lists])
      return
    }
    for (const { body, headers } of [list, { ...found, body: found.body.data }]) {
      assert.deepEqual(
        body.map((it: { name: string }) => it.name),
        viewer.lists,
      )
      assert.equal(headers.get('x-total-count'), String(viewer.lists.length))
    }
  })
}

test('a non-member is refused the teams of an organization without public teams', async () => {
  await forge.call('owner', 'POST', '/orgs', { username: 'shut' })
  for (const path of ['/orgs/shut/teams', '/orgs/shut/teams/search'])
    assert.equal((await forge.call('stranger', 'GET', path)).status, 403)
})

test('a public team of a private organization is invisible to non-members', async () => {
  assert.equal((await forge.call('stranger', 'GET', `/teams/${closedPublic}`)).status, 404)
  assert.equal((await forge.call('stranger', 'PATCH', `/teams/${closedPublic}`, {})).status, 404)
  assert.equal((await forge.call('stranger', 'GET', '/orgs/closed/teams')).status, 404)
  assert.equal((await forge.call('owner', 'GET', `/teams/${closedPublic}`)).status, 200)
})

test('GET /user/teams lists the caller’s teams, with a public-only token the public ones', async () => {
  const teams = async (as: string) =>
    (await forge.call(as, 'GET', '/user/teams')).body.map((it: { name: string }) => it.name)
  assert.deepEqual(await teams('insider'), ['public', 'limited', 'private'])
  assert.deepEqual(await teams('limited-token'), ['public'])
  assert.deepEqual(await teams('stranger'), [])
  const { body } = await forge.call('insider', 'GET', '/user/teams')
  assert.equal(body[0].organization.name, 'guild')
  assert.equal((await forge.call(null, 'GET', '/user/teams')).status, 401)
})

async function team(org: string, visibility: string, name = visibility): Promise<number> {
  const { body } = await forge.call('owner', 'POST', `/orgs/${org}/teams`, { name, visibility })
  return body.id
}

async function put(id: number | undefined, login: string): Promise<void> {
  assert.equal((await forge.call('owner', 'PUT', `/teams/${id}/members/${login}`)).status, 204)
}
