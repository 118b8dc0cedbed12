/** Questions about the search of repositories. */
import type { Audit } from '../kit/audit.ts'
import type { Answer, Json, RequestOptions } from '../kit/client.ts'
import { fitsAll } from '../kit/fits.ts'
import type { Stage } from '../kit/stage.ts'
import { allOf, equals, hasErrorShape, hasStatus, holds, isJson, type Verdict } from '../kit/verdicts.ts'

const SEARCH = 'GET /repos/search'

/** The field each order sorts by; there are no LFS objects here. */
const SORTS: Readonly<Record<string, (repo: Json) => Json>> = {
  alpha: (it) => it.name,
  created: (it) => it.created_at,
  updated: (it) => it.updated_at,
  size: (it) => it.size,
  git_size: (it) => it.size,
  lfs_size: () => 0,
  stars: (it) => it.stars_count,
  forks: (it) => it.forks_count,
  id: (it) => it.id,
}

type Search = (query: string, asking?: RequestOptions) => Promise<Answer>

const namesIn = ({ json }: Answer): string[] => json.data.map((it: Json) => it.name)
const placesIn = ({ json }: Answer): string[] => json.data.map((it: Json) => it.full_name)

export async function askAboutSearch(audit: Audit, stage: Stage): Promise<void> {
  const { call, request, must, suffix } = audit
  const { alice, bob, makeRepo } = stage
  const search: Search = (query, asking) =>
    call(SEARCH, 'GET', `/repos/search${query}`, { as: alice, ...asking })
  await makeRepo(alice, `zeta-${suffix}`, { description: `needle-${suffix}` })
  await makeRepo(alice, `alpha-${suffix}`, { private: true })
  await makeRepo(alice, `tmpl-${suffix}`, { template: true })
  const zeta = `${alice}/zeta-${suffix}`
  await must(request('PUT', `/repos/${zeta}/topics/topic-${suffix}`, { as: alice }))
  await must(request('POST', `/repos/${zeta}/forks`, { as: bob, body: {} }), 201, 202)
  await must(request('PUT', `/user/starred/${zeta}`, { as: bob }))
  const idOf = async (as: string): Promise<number> => (await request('GET', '/user', { as })).json.id
  const ids = { alice: await idOf(alice), bob: await idOf(bob) }
  await askAboutKeywords(audit, stage, search)
  await askAboutPeople(audit, stage, search, ids)
  await askAboutFilters(audit, search, ids.alice)
  await askAboutTypes(audit, stage, search, ids.bob)
  await askAboutOrder(audit, search, ids.alice)
}

async function askAboutKeywords({ demand, suffix }: Audit, stage: Stage, search: Search): Promise<void> {
  const { carol } = stage
  await demand(SEARCH, 'The answer is an object with repositories in data and a boolean ok.', async () => {
    const answer = await search('?limit=5')
    return allOf(
      hasStatus(answer, 200),
      isJson(answer),
      equals(answer.json.ok, true),
      fitsAll('Repository', answer.json.data),
    )
  })
  await demand(SEARCH, 'A caller without credentials finds public repositories only.', async () => {
    const answer = await search(`?q=${suffix}`, { as: null })
    const arePublic = answer.json.data.every((it: Json) => !it.private)
    return allOf(hasStatus(answer, 200), holds(arePublic, 'a private one is shown'))
  })
  await demand(SEARCH, 'The search lists only repositories that the caller can access.', async () => {
    const stranger = await search(`?q=alpha-${suffix}`, { as: carol })
    const owner = await search(`?q=alpha-${suffix}`)
    return equals([namesIn(stranger), namesIn(owner)], [[], [`alpha-${suffix}`]])
  })
  await demand(SEARCH, 'q selects by keyword in any case.', async () => {
    const found = await search(`?q=ZETA-${suffix}&exclusive=true&uid=${stage.hidden.owner.id}`)
    return equals(namesIn(found), [`zeta-${suffix}`])
  })
  await demand(SEARCH, 'topic looks for the keyword in topics only.', async () => {
    const topics = await search(`?q=topic-${suffix}&topic=true`)
    const names = await search(`?q=zeta-${suffix}&topic=true`)
    return allOf(holds(namesIn(topics).includes(`zeta-${suffix}`), 'topic'), equals(namesIn(names), []))
  })
  await demand(SEARCH, 'includeDesc looks for the keyword in descriptions too.', async () => {
    const without = await search(`?q=needle-${suffix}`)
    const found = await search(`?q=needle-${suffix}&includeDesc=true`)
    return allOf(
      equals(namesIn(without), []),
      holds(namesIn(found).includes(`zeta-${suffix}`), 'the description is not searched'),
    )
  })
}

async function askAboutPeople(
  { demand, suffix }: Audit,
  { alice, bob, org, team }: Stage,
  search: Search,
  ids: { alice: number; bob: number },
): Promise<void> {
  await demand(SEARCH, 'uid selects what a user owns or contributes to.', async () => {
    const places = placesIn(await search(`?uid=${ids.bob}&limit=50`, { as: bob }))
    return allOf(
      holds(places.includes(`${bob}/zeta-${suffix}`), 'the own fork is missing'),
      holds(places.includes(`${org}/main`), 'the repository of the team is missing'),
    )
  })
  await demand(SEARCH, 'exclusive selects only what the user owns.', async () => {
    const { json } = await search(`?uid=${ids.bob}&exclusive=true&limit=50`, { as: bob })
    const areOwn = json.data.length > 0 && json.data.every((it: Json) => it.owner.id === ids.bob)
    return holds(areOwn, 'others are shown')
  })
  await demand(SEARCH, 'priority_owner_id puts the repositories of an owner first.', async () => {
    const { json } = await search(`?q=zeta-${suffix}&priority_owner_id=${ids.bob}`)
    return equals(json.data[0]?.owner.login, bob)
  })
  await demand(SEARCH, 'team_id selects the repositories of a team.', async () => {
    const { json } = await search(`?team_id=${team.id}&limit=50`, { as: bob })
    const areOfOrg = json.data.length > 0 && json.data.every((it: Json) => it.owner.login === org)
    return holds(areOfOrg, 'others are shown')
  })
  await demand(SEARCH, 'starredBy selects what a user has starred.', async () =>
    equals(placesIn(await search(`?starredBy=${ids.bob}`)), [`${alice}/zeta-${suffix}`]),
  )
}

async function askAboutFilters({ demand, suffix }: Audit, search: Search, id: number): Promise<void> {
  const own = (query = '') => search(`?uid=${id}&exclusive=true&limit=50${query}`)
  const template = `tmpl-${suffix}`
  await demand(SEARCH, 'Private repositories are included unless private is false.', async () => {
    const all = (await own()).json.data
    const open = (await own('&private=false')).json.data
    return allOf(
      holds(
        all.some((it: Json) => it.private),
        'the default hides private ones',
      ),
      holds(open.length > 0 && open.every((it: Json) => !it.private), 'private=false shows private ones'),
    )
  })
  await demand(SEARCH, 'is_private selects private or public repositories.', async () => {
    const hidden = (await own('&is_private=true')).json.data
    const open = (await own('&is_private=false')).json.data
    return allOf(
      holds(hidden.length > 0 && hidden.every((it: Json) => it.private), 'is_private=true'),
      holds(open.length > 0 && open.every((it: Json) => !it.private), 'is_private=false'),
    )
  })
  await demand(SEARCH, 'template=true includes templates and leaves the others in.', async () => {
    const answer = await own('&template=true')
    return allOf(
      holds(namesIn(answer).includes(template), 'the template is missing'),
      holds(
        answer.json.data.some((it: Json) => !it.template),
        `only templates are shown: ${namesIn(answer)}`,
      ),
    )
  })
  await demand(SEARCH, 'template=false leaves templates out, and the default includes them.', async () => {
    const without = namesIn(await own('&template=false'))
    const all = namesIn(await own())
    return equals([without.includes(template), all.includes(template)], [false, true])
  })
  await demand(SEARCH, 'archived selects archived repositories, others, or all of them.', async () => {
    const archived = namesIn(await own('&archived=true'))
    const living = namesIn(await own('&archived=false'))
    const all = namesIn(await own())
    return equals([archived, living.includes('old'), all.includes('old')], [['old'], false, true])
  })
}

async function askAboutTypes({ demand }: Audit, { bob }: Stage, search: Search, id: number): Promise<void> {
  const checks: Readonly<Record<string, (repos: Json[]) => Verdict>> = {
    fork: (repos) => holds(repos.length > 0 && repos.every((it) => it.fork), 'others are shown'),
    source: (repos) =>
      holds(
        repos.every((it) => !it.fork && !it.mirror),
        'forks or mirrors are shown',
      ),
    mirror: (repos) =>
      holds(
        repos.every((it) => it.mirror),
        'others are shown',
      ),
    collaborative: (repos) => holds(repos.length > 0 && repos.every((it) => it.owner.id !== id), 'own ones'),
  }
  for (const [mode, check] of Object.entries(checks))
    await demand(SEARCH, `The repository type ${mode} selects repositories of this type.`, async () => {
      const answer = await search(`?mode=${mode}&uid=${id}&limit=50`, { as: bob })
      return allOf(hasStatus(answer, 200), check(answer.json.data))
    })
  await demand(SEARCH, 'An unknown repository type is refused with 422.', async () => {
    const answer = await search('?mode=zzz')
    return allOf(hasStatus(answer, 422), hasErrorShape(answer))
  })
}

async function askAboutOrder({ demand }: Audit, search: Search, id: number): Promise<void> {
  const own = (query = '') => search(`?uid=${id}&exclusive=true${query}`)
  for (const [sort, keyOf] of Object.entries(SORTS))
    await demand(SEARCH, `sort=${sort} sorts upwards by order=asc and downwards by order=desc.`, async () => {
      const up = await own(`&sort=${sort}&order=asc&limit=50`)
      const down = await own(`&sort=${sort}&order=desc&limit=50`)
      return allOf(
        hasStatus(up, 200),
        hasStatus(down, 200),
        holds(isSorted(up.json.data.map(keyOf)), 'asc is not sorted'),
        holds(isSorted(down.json.data.map(keyOf).reverse()), 'desc is not sorted'),
      )
    })
  await demand(SEARCH, 'Repositories are sorted by name unless sort says otherwise.', async () => {
    const names = namesIn(await own('&limit=50')).map((it) => it.toLowerCase())
    return equals(names, [...names].sort())
  })
  await demand(SEARCH, 'order is ignored when sort is absent.', async () =>
    equals(namesIn(await own('&order=desc&limit=50')), namesIn(await own('&limit=50'))),
  )
  await demand(SEARCH, 'An unknown sort or order is refused with 422.', async () => {
    const [sort, order] = [await search('?sort=zzz'), await search('?sort=id&order=zzz')]
    return allOf(hasStatus(sort, 422), hasErrorShape(sort), hasStatus(order, 422), hasErrorShape(order))
  })
  await demand(SEARCH, 'The search has pages, a count and links to further pages.', async () => {
    const first = await own('&limit=2&page=1')
    const second = namesIn(await own('&limit=2&page=2'))
    const beyond = await own('&limit=2&page=999')
    return allOf(
      equals(namesIn(first).length, 2),
      holds(!namesIn(first).some((it) => second.includes(it)), 'pages overlap'),
      equals(beyond.json.data, []),
      holds(Number(first.headers['x-total-count']) >= 6, 'X-Total-Count is too small'),
      holds(/rel="next"/.test(String(first.headers.link)), 'Link names no next page'),
    )
  })
}

function isSorted(keys: readonly Json[]): boolean {
  return keys.every((it, i) => i === 0 || keys[i - 1] <= it)
}
