/** Who sees which repository, and what a role may do in it. */
import type { Stage } from '../stage.ts'

export async function play(t: Stage): Promise<void> {
  const owner = 'visible-owner'
  for (const name of [owner, 'visible-stranger', 'visible-member', 'visible-guest', 'visible-tester'])
    await t.person(name)
  await t.person('visible-restricted')
  await t.stage('admin', 'PATCH', '/admin/users/visible-restricted', {
    login_name: 'visible-restricted',
    source_id: 0,
    restricted: true,
  })
  const callers: Record<string, string | null> = {
    nobody: null,
    'a stranger': 'visible-stranger',
    'a restricted user': 'visible-restricted',
    'a member': 'visible-member',
    'a collaborator': 'visible-guest',
    'the owner': owner,
    'the site administrator': 'admin',
  }
  for (const visibility of ['public', 'limited', 'private']) {
    const org = `visible-${visibility}`
    await t.stage(owner, 'POST', '/orgs', { username: org, visibility })
    const team = await t.stage(owner, 'POST', `/orgs/${org}/teams`, {
      name: 'idle',
      permission: 'read',
      units_map: { 'repo.code': 'read' },
    })
    await t.stage(owner, 'PUT', `/teams/${team.body.id}/members/visible-member`)
    for (const kind of ['open', 'closed']) {
      await t.stage(owner, 'POST', `/orgs/${org}/repos`, {
        name: kind,
        private: kind === 'closed',
        auto_init: true,
      })
      await t.stage(owner, 'PUT', `/repos/${org}/${kind}/collaborators/visible-guest`, { permission: 'read' })
      for (const [who, as] of Object.entries(callers))
        await t.call(
          `${kind} repository of a ${visibility} organization, seen by ${who}`,
          as,
          'GET',
          `/repos/${org}/${kind}`,
        )
    }
    await t.call(
      `all repositories of a ${visibility} organization, seen by a member`,
      'visible-member',
      'GET',
      `/repos/search?q=${org}/`,
    )
    await t.call(
      `all repositories of a ${visibility} organization, seen by a stranger`,
      'visible-stranger',
      'GET',
      `/repos/search?q=${org}/`,
    )
    await t.call(
      `all repositories of a ${visibility} organization, seen by a restricted user`,
      'visible-restricted',
      'GET',
      `/repos/search?q=${org}/`,
    )
    await t.call(
      `all repositories of a ${visibility} organization, seen by nobody`,
      null,
      'GET',
      `/repos/search?q=${org}/`,
    )
  }
  // A team with access to issues only.
  const testers = await t.stage(owner, 'POST', '/orgs/visible-public/teams', {
    name: 'testers',
    permission: 'read',
    units_map: { 'repo.issues': 'write' },
  })
  await t.stage(owner, 'PUT', `/teams/${testers.body.id}/members/visible-tester`)
  await t.stage(owner, 'PUT', `/teams/${testers.body.id}/repos/visible-public/closed`)
  const repo = '/repos/visible-public/closed'
  const tester = (step: string, method: string, path: string, body?: unknown) =>
    t.call(
      `issues only: ${step}`,
      'visible-tester',
      method,
      `${repo}${path}`,
      body === undefined ? {} : { body },
    )
  await tester('the repository', 'GET', '')
  await tester('no commits', 'GET', '/commits')
  await tester('no files', 'GET', '/contents')
  await tester('no branches', 'GET', '/branches')
  await tester('no releases', 'GET', '/releases')
  await tester('no pull requests', 'GET', '/pulls')
  await tester('no pages', 'GET', '/wiki/pages')
  await tester('no keys', 'GET', '/keys')
  await tester('issues', 'GET', '/issues')
  await tester('a new issue', 'POST', '/issues', { title: 'Found it' })
  await tester('no new file', 'POST', '/contents/x.txt', { content: 'eA==' })
  await tester('the feed', 'GET', '/activities/feeds?date=2001-01-01')
  await t.call(
    'issues only: found by search',
    'visible-tester',
    'GET',
    '/repos/search?q=visible-public/closed',
  )
}
