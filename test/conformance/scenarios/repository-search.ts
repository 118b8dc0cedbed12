/** Search over repositories: each parameter, each order, each caller. */
import type { Stage } from '../stage.ts'

export async function play(t: Stage): Promise<void> {
  const ann = 'search-ann'
  for (const name of [ann, 'search-bob', 'search-stranger']) await t.person(name)
  await t.person('search-shy', { visibility: 'limited' })
  await t.stage(ann, 'POST', '/orgs', { username: 'search-org' })
  await t.stage(ann, 'POST', '/orgs', { username: 'search-veiled', visibility: 'private' })
  const ids = {
    ann: (await t.stage(ann, 'GET', '/user')).body.id,
    bob: (await t.stage('search-bob', 'GET', '/user')).body.id,
    org: (await t.stage(ann, 'GET', '/orgs/search-org')).body.id,
  }
  await t.stage(ann, 'POST', '/user/repos', { name: 'srch-banana', description: 'A yellowsrch fruit' })
  await t.stage(ann, 'POST', '/user/repos', { name: 'srch-apple', auto_init: true })
  await t.stage(ann, 'POST', '/user/repos', { name: 'srch-cherry', private: true })
  await t.stage(ann, 'POST', '/user/repos', { name: 'srch-template', template: true })
  await t.stage(ann, 'POST', '/user/repos', { name: 'srch-old' })
  await t.stage(ann, 'POST', '/orgs/search-org/repos', { name: 'srch-team', private: true })
  await t.stage(ann, 'POST', '/orgs/search-org/repos', { name: 'srch-apricot' })
  await t.stage(ann, 'POST', '/orgs/search-veiled/repos', { name: 'srch-inside' })
  await t.stage('search-shy', 'POST', '/user/repos', { name: 'srch-shy' })
  await t.stage('search-bob', 'POST', '/user/repos', { name: 'srch-bobs' })
  await t.stage('search-bob', 'POST', `/repos/${ann}/srch-apple/forks`, { name: 'srch-fork' })
  await t.stage(ann, 'POST', '/repos/migrate', {
    clone_addr: `${t.base}/${ann}/srch-apple.git`,
    repo_name: 'srch-mirror',
    mirror: true,
  })
  await t.stage(ann, 'PATCH', `/repos/${ann}/srch-old`, { archived: true })
  await t.stage(ann, 'PUT', `/repos/${ann}/srch-banana/topics/srch-fruit`)
  await t.stage(ann, 'PUT', `/repos/${ann}/srch-cherry/topics/srch-fruit`)
  await t.stage(ann, 'PUT', `/repos/${ann}/srch-cherry/collaborators/search-bob`, { permission: 'read' })
  await t.stage('search-bob', 'PUT', `/user/starred/${ann}/srch-apple`)
  await t.stage('search-bob', 'PUT', `/user/starred/${ann}/srch-banana`)
  await t.stage(ann, 'PUT', `/user/starred/${ann}/srch-apple`)
  const team = await t.stage(ann, 'POST', '/orgs/search-org/teams', {
    name: 'readers',
    permission: 'read',
    units_map: { 'repo.code': 'read' },
  })
  // First the member, then the repository: the other way round the reference makes the member watch it in the background.
  await t.stage(ann, 'PUT', `/teams/${team.body.id}/members/search-bob`)
  await t.stage(ann, 'PUT', `/teams/${team.body.id}/repos/search-org/srch-team`)
  const find = (step: string, as: string | null, query: string, extra = {}) =>
    t.call(step, as, 'GET', `/repos/search?${query}`, {}, extra)

  await find('the owner sees all of it', ann, 'q=srch-')
  await find('a collaborator and team member', 'search-bob', 'q=srch-')
  await find('a stranger', 'search-stranger', 'q=srch-')
  await find('nobody', null, 'q=srch-')
  await find('the site administrator', 'admin', 'q=srch-')
  await find('the site administrator without private ones', 'admin', 'q=srch-&private=false')
  await find('the owner without private ones', ann, 'q=srch-&private=false')
  await find('only private ones', ann, 'q=srch-&is_private=true')
  await find('only public ones', ann, 'q=srch-&is_private=false')
  await find('only private ones, asked by nobody', null, 'q=srch-&is_private=true')
  await find('only templates', ann, 'q=srch-&template=true')
  await find('no templates', ann, 'q=srch-&template=false')
  await find('only archived ones', ann, 'q=srch-&archived=true')
  await find('no archived ones', ann, 'q=srch-&archived=false')
  for (const mode of ['source', 'fork', 'mirror', 'collaborative'])
    await find(`mode ${mode}`, ann, `q=srch-&mode=${mode}`)
  await find('an unknown mode', ann, 'q=srch-&mode=nonsense')
  await find('capital letters', ann, 'q=SRCH-APP')
  await find('two words with a comma', ann, 'q=srch-apple,srch-team')
  await find('owner and name with a slash', ann, `q=${ann}/srch-a`)
  await find('a topic is found too', ann, 'q=srch-fruit')
  await find('only topics', ann, 'q=srch-fruit&topic=true')
  await find('a topic matches whole only', ann, 'q=srch-frui&topic=true')
  await find('a word of the description without the flag', ann, 'q=yellowsrch')
  await find('a word of the description with the flag', ann, 'q=yellowsrch&includeDesc=true')
  await find('nothing matches', ann, 'q=srch-no-such-thing')
  await find('of a user: owned and contributed', ann, `uid=${ids.ann}`)
  await find('of a user: owned only', ann, `uid=${ids.ann}&exclusive=true`)
  await find('of a user, asked by nobody', null, `uid=${ids.ann}`)
  await find('of a collaborator', 'search-bob', `uid=${ids.bob}`)
  await find('of a collaborator: what is not his own', 'search-bob', `uid=${ids.bob}&mode=collaborative`)
  await find('of an organization', ann, `uid=${ids.org}`)
  await find('of an unknown user', ann, 'uid=999999')
  await find('of a team', ann, `team_id=${team.body.id}`)
  await find('of a team, asked by a stranger', 'search-stranger', `team_id=${team.body.id}`)
  await find('of an unknown team', ann, 'team_id=999999')
  await find('starred by a user', ann, `starredBy=${ids.bob}`)
  await find('starred by an unknown user', ann, 'starredBy=999999')
  await find('an owner first', ann, `q=srch-&priority_owner_id=${ids.org}&private=false`)
  // Equal seconds and equal counts have no defined order.
  for (const sort of ['alpha', 'created', 'id', 'stars', 'forks'])
    for (const order of ['asc', 'desc'])
      await find(
        `sorted by ${sort}, ${order}`,
        ann,
        `q=srch-&sort=${sort}&order=${order}`,
        sort === 'alpha' || sort === 'id' ? {} : { unordered: true },
      )
  for (const sort of ['updated', 'size', 'git_size', 'lfs_size'])
    await find(`sorted by ${sort}`, ann, `q=srch-&sort=${sort}`, { unordered: true })
  await find('most stars first', ann, `q=srch-a&sort=stars&order=desc&uid=${ids.ann}&exclusive=true&limit=1`)
  await find('most forks first', ann, 'q=srch-&sort=forks&order=desc&limit=1')
  await find('sorted without order', ann, 'q=srch-&sort=id')
  await find('an order without sort is ignored', ann, 'q=srch-&order=nonsense')
  await find('an unknown sort', ann, 'q=srch-&sort=nonsense')
  await find('an unknown order', ann, 'q=srch-&sort=alpha&order=nonsense')
  await find('first page', ann, 'q=srch-&limit=2')
  await find('second page', ann, 'q=srch-&limit=2&page=2')
  await find('last page', ann, 'q=srch-&limit=5&page=3')
  await find('a page past the end', ann, 'q=srch-&limit=5&page=9')
  await find('page and limit that are no numbers', ann, 'q=srch-a&limit=x&page=y')
  await find('a negative page and limit', ann, 'q=srch-a&limit=-1&page=-1')
  await t.call('wrong password', ann, 'GET', '/repos/search?q=srch-', {
    headers: { authorization: `Basic ${Buffer.from(`${ann}:wrong`).toString('base64')}` },
  })
  const token = async (name: string, scopes: string[]) =>
    `token ${(await t.stage(ann, 'POST', `/users/${ann}/tokens`, { name, scopes })).body.sha1}`
  await t.call('a token without the scope', null, 'GET', '/repos/search?q=srch-', {
    headers: { authorization: await token('user', ['read:user']) },
  })
  await t.call('a token for public things', null, 'GET', '/repos/search?q=srch-', {
    headers: { authorization: await token('public', ['public-only', 'read:repository']) },
  })
}
