/** Fields of User, Organization and Team. */
import type { Audit } from '../kit/audit.ts'
import { signIn } from '../kit/browser.ts'
import type { Json } from '../kit/client.ts'
import { fits } from '../kit/fits.ts'
import type { Stage } from '../kit/stage.ts'
import { allOf, each, equals, hasStatus, holds } from '../kit/verdicts.ts'

const VISIBILITIES = ['public', 'limited', 'private']
const UNITS_MAP = {
  'repo.code': 'read',
  'repo.issues': 'write',
  'repo.ext_issues': 'none',
  'repo.wiki': 'admin',
  'repo.pulls': 'read',
  'repo.releases': 'none',
  'repo.projects': 'none',
  'repo.ext_wiki': 'none',
}

export async function askAboutPeople(audit: Audit, stage: Stage): Promise<void> {
  await askAboutUsers(audit, stage)
  await askAboutTeams(audit, stage)
}

async function askAboutUsers({ base, demand, request, must, suffix }: Audit, stage: Stage): Promise<void> {
  const { alice, bob, org, makeUser } = stage
  const self = async () => (await request('GET', '/user', { as: alice })).json
  await demand('User', 'A user has every field and the type User.', async () => {
    const { json } = await request('GET', `/users/${alice}`)
    return allOf(fits('User', json), equals(json.type, 'User'))
  })
  await demand(
    'User',
    'last_login is null for a user who has only called the interface, and set by a sign-in.',
    async () => {
      const before = await self()
      await signIn(base, alice)
      const after = await self()
      return allOf(equals(before.last_login, null), holds(after.last_login, 'last_login stays null'))
    },
  )
  await demand('User', 'Anybody can follow avatar_url and html_url.', async () => {
    const user = await self()
    return each(['avatar_url', 'html_url'], async (name) => {
      const { pathname } = new URL(user[name])
      return hasStatus(await request('GET', pathname, { as: null, root: true }), 200)
    })
  })
  await demand('User', 'followers_count, following_count and starred_repos_count count.', async () => {
    await must(request('PUT', `/user/following/${alice}`, { as: bob }))
    await must(request('PUT', `/user/starred/${alice}/open`, { as: alice }))
    const { json: followed } = await request('GET', `/users/${alice}`, { as: alice })
    const { json: follower } = await request('GET', `/users/${bob}`, { as: alice })
    const counts = [followed.followers_count, follower.following_count, followed.starred_repos_count]
    return equals(counts, [1, 1, 1])
  })
  for (const visibility of VISIBILITIES)
    await demand('User', `A user made with visibility ${visibility} has it.`, async () => {
      const name = `v${visibility}-${suffix}`
      await makeUser(name, { visibility })
      return equals((await request('GET', `/users/${name}`)).json.visibility, visibility)
    })
  await demand('User', 'The owner of an organization’s repository has the type Organization.', async () => {
    const { json } = await request('GET', `/repos/${org}/main`, { as: alice })
    return equals(json.owner.type, 'Organization')
  })
  await demand('User', 'The account that jobs act as has the type Bot.', async () => {
    const { json } = await request('GET', '/users/gitea-actions')
    return allOf(fits('User', json), equals(json.type, 'Bot'))
  })
  await demand(
    'Organization',
    'An organization has every field, and its deprecated username too.',
    async () => {
      const { json } = await request('GET', `/orgs/${org}`, { as: alice })
      return allOf(fits('Organization', json), equals(json.username, org))
    },
  )
}

async function askAboutTeams({ demand, request }: Audit, stage: Stage): Promise<void> {
  const { alice, bob, carol, org, team } = stage
  const makeTeam = (body: object) => request('POST', `/orgs/${org}/teams`, { as: alice, body })
  await demand('Team', 'A team has every field.', async () =>
    fits('Team', (await request('GET', `/teams/${team.id}`, { as: alice })).json),
  )
  for (const visibility of VISIBILITIES)
    await demand('Team', `A team made with visibility ${visibility} has it.`, async () => {
      const facts = { name: `t-${visibility}`, permission: 'read', units: ['repo.code'], visibility }
      const made = await makeTeam(facts)
      return allOf(hasStatus(made, 201), equals(made.json.visibility, visibility))
    })
  await demand(
    'Team',
    'Members and owners list private teams, members limited ones, and signed-in users public ones.',
    async () => {
      const seenBy = async (as: string) => {
        const { json } = await request('GET', `/orgs/${org}/teams?limit=50`, { as })
        return json
          .map(({ name }: Json) => name)
          .filter((it: string) => it.startsWith('t-'))
          .sort()
      }
      return allOf(
        equals(await seenBy(alice), ['t-limited', 't-private', 't-public'], 'an owner'),
        equals(await seenBy(bob), ['t-limited', 't-public'], 'a member of another team'),
        equals(await seenBy(carol), ['t-public'], 'a stranger'),
      )
    },
  )
  for (const [permission, told] of [
    ['read', 'none'],
    ['write', 'none'],
    ['admin', 'admin'],
  ] as const)
    await demand(
      'Team',
      `A team made with permission ${permission} and some units has the permission ${told}.`,
      async () => {
        const facts = { name: `p-${permission}`, permission, units: ['repo.code', 'repo.issues'] }
        const made = await makeTeam(facts)
        return allOf(hasStatus(made, 201), equals(made.json.permission, told))
      },
    )
  await demand('Team', 'units_map names units and their levels.', async () => {
    const made = await makeTeam({ name: 'um', permission: 'read', units_map: UNITS_MAP })
    const { 'repo.issues': issues, 'repo.code': code } = made.json.units_map
    return allOf(hasStatus(made, 201), equals([issues, code], ['write', 'read']))
  })
}
