/** Searching repositories over REST: every caller finds exactly the repositories that they may see. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { type Forge, type Reply, startForge } from '#testing'

const OWNERS = ['ann', 'limited', 'hidden', 'openorg', 'limitedorg', 'hiddenorg']
const CALLERS = [
  'ann',
  'hidden',
  'collaborator',
  'reader',
  'unitreader',
  'insider',
  'restricted',
  'recipient',
  'stranger',
  'root',
  'tokenholder',
  null,
] as const

let forge: Forge
before(async () => {
  forge = await startForge()
  await forge.person('ann')
  await forge.person('limited', { visibility: 'limited' })
  await forge.person('hidden', { visibility: 'private' })
  await forge.person('root', { is_admin: true })
  await forge.person('restricted', { is_restricted: true })
  await forge.person('tokenholder', { is_admin: true }, ['public-only', 'read:repository'])
  for (const login of ['collaborator', 'reader', 'unitreader', 'insider', 'recipient', 'stranger'])
    await forge.person(login)
  for (const [username, visibility] of [
    ['openorg', 'public'],
    ['limitedorg', 'limited'],
    ['hiddenorg', 'private'],
  ])
    await done('ann', 'POST', '/orgs', { username, visibility })
  for (const owner of OWNERS) {
    const [as, path] = owner.endsWith('org') ? ['ann', `/orgs/${owner}/repos`] : [owner, '/user/repos']
    await done(as, 'POST', path, { name: 'open' })
    await done(as, 'POST', path, { name: 'closed', private: true })
  }
  await grant()
})
after(() => forge[Symbol.asyncDispose]())

async function grant(): Promise<void> {
  await done('hidden', 'PUT', '/repos/hidden/closed/collaborators/collaborator', { permission: 'read' })
  await done('ann', 'PUT', '/repos/limitedorg/closed/collaborators/collaborator', { permission: 'read' })
  await done('limited', 'PUT', '/repos/limited/closed/collaborators/restricted', { permission: 'read' })
  await team('limitedorg', 'reader', { permission: 'read' }, ['closed'])
  const wiki = { permission: 'none', units_map: { 'repo.wiki': 'read' } }
  await team('hiddenorg', 'unitreader', wiki, ['closed', 'open'])
  await team('openorg', 'unitreader', wiki, ['closed'])
  // A team that may only read a disabled wiki gives no access.
  await sql`update repository set units = '{code}' where owner_id =
    (select id from account where login = 'openorg') and name = 'closed'`.execute(forge.db)
  await team('hiddenorg', 'insider', { permission: 'read' }, [])
  await team('hiddenorg', 'restricted', { permission: 'read' }, [])
  await sql`insert into repository_transfer (repository_id, actor_id, recipient_id, created_at)
    select repository.id, repository.owner_id, recipient.id, now()
    from repository, account as recipient, account as owner
    where owner.login = 'ann' and repository.owner_id = owner.id and repository.name = 'closed'
      and recipient.login = 'recipient'`.execute(forge.db)
}

async function team(org: string, member: string, rights: object, repositories: string[]): Promise<void> {
  const { body } = await done('ann', 'POST', `/orgs/${org}/teams`, { name: `of-${member}`, ...rights })
  await done('ann', 'PUT', `/teams/${body.id}/members/${member}`)
  for (const name of repositories) await done('ann', 'PUT', `/teams/${body.id}/repos/${org}/${name}`)
}

async function done(...call: Parameters<Forge['call']>): Promise<Reply> {
  const reply = await forge.call(...call)
  assert.ok(reply.status < 300, `${call[1]} ${call[2]}: ${reply.status} ${JSON.stringify(reply.body)}`)
  return reply
}

const find = (as: string | null, query = '') => forge.call(as, 'GET', `/repos/search?limit=50&${query}`)
const namesOf = ({ body }: Reply): string[] => body.data.map((repo: { full_name: string }) => repo.full_name)

/** The lists of all owners who are visible to the caller have the same repositories. */
async function assertListed(as: string | null, seen: readonly string[]): Promise<void> {
  for (const owner of OWNERS) {
    const { status, body } = await forge.call(as, 'GET', `/users/${owner}/repos?limit=50`)
    if (status !== 200) continue
    const names = body.map((repo: { full_name: string }) => repo.full_name)
    const expected = seen.filter((name) => name.startsWith(`${owner}/`))
    assert.deepEqual(names.sort(), expected.toSorted(), `${as}: in the list of ${owner}`)
  }
}

async function assertAgreement(): Promise<void> {
  for (const as of CALLERS) {
    const seen: string[] = []
    for (const owner of OWNERS)
      for (const name of ['open', 'closed'])
        if ((await forge.call(as, 'GET', `/repos/${owner}/${name}`)).status === 200)
          seen.push(`${owner}/${name}`)
    const found = await find(as)
    assert.deepEqual(namesOf(found).sort(), seen.sort(), `${as}`)
    assert.equal(found.headers.get('x-total-count'), String(seen.length), `${as}: total`)
    const narrowed = await find(as, 'archived=false')
    assert.equal(narrowed.headers.get('x-total-count'), String(seen.length), `${as}: counted anew`)
    await assertListed(as, seen)
  }
}

test('a search finds what single lookups show, for every caller', async () => {
  await assertAgreement()
  assert.equal(namesOf(await find('unitreader')).includes('hiddenorg/closed'), true)
  assert.equal(namesOf(await find('unitreader')).includes('openorg/closed'), false)
  assert.equal(namesOf(await find('recipient')).includes('ann/closed'), true)
})

test('search and lookups agree after owners and repositories change visibility', async () => {
  await done('ann', 'PATCH', '/orgs/openorg', { visibility: 'private' })
  await done('ann', 'PATCH', '/orgs/hiddenorg', { visibility: 'limited' })
  await done('ann', 'PATCH', '/repos/ann/open', { private: true })
  await done('ann', 'PATCH', '/repos/limitedorg/closed', { private: false })
  await assertAgreement()
  await done('ann', 'PATCH', '/orgs/openorg', { visibility: 'public' })
  await done('ann', 'PATCH', '/orgs/hiddenorg', { visibility: 'private' })
  await done('ann', 'PATCH', '/repos/ann/open', { private: false })
  await done('ann', 'PATCH', '/repos/limitedorg/closed', { private: true })
  await assertAgreement()
})

test('every sort order lists every repository once across pages', async () => {
  const all = namesOf(await find('root')).sort()
  for (const sort of [
    '',
    'alpha',
    'created',
    'updated',
    'size',
    'git_size',
    'lfs_size',
    'stars',
    'forks',
    'id',
  ])
    for (const order of ['asc', 'desc']) {
      const names: string[] = []
      for (let page = 1; page <= 5; page++)
        names.push(
          ...namesOf(
            await forge.call('root', 'GET', `/repos/search?limit=3&page=${page}&sort=${sort}&order=${order}`),
          ),
        )
      assert.deepEqual(names.sort(), all, `${sort} ${order}`)
    }
})

test('open and granted repositories are merged into one order across pages', async () => {
  const whole = namesOf(await find('ann', 'sort=alpha'))
  const paged: string[] = []
  for (let page = 1; page <= 6; page++)
    paged.push(...namesOf(await forge.call('ann', 'GET', `/repos/search?sort=alpha&limit=2&page=${page}`)))
  assert.deepEqual(paged, whole)
  assert.deepEqual(whole, whole.toSorted())
})

for (const [what, query, expected] of [
  ['a part of a name, in capitals', 'q=LOSE', ['ann/closed', 'openorg/closed']],
  ['one keyword or another', 'q=opE,nothing', ['ann/open', 'openorg/open']],
  ['an empty keyword among others', 'q=nothing,', []],
  ['a part of an owner and of a name', 'q=rg/clo', ['openorg/closed']],
  ['an owner and any name', 'q=ann/', ['ann/closed', 'ann/open']],
  ['what has a meaning in a pattern', 'q=%25', []],
  ['an underscore', 'q=_', []],
  ['a topic', 'q=fire', ['openorg/open']],
  ['a part of a topic only, when whole ones are asked for', 'q=fir&topic=true', []],
  ['two topics in one keyword', 'q=fire%2cforge', ['openorg/open']],
  ['across the border of two topics', 'q=firef', []],
  ['a description without being asked to', 'q=heavy', []],
  ['a description', 'q=Heavy&includeDesc=true', ['ann/open']],
] as const)
  test(`keyword search: ${what}`, async () => {
    await done('ann', 'PUT', '/repos/openorg/open/topics', { topics: ['fire', 'forge'] })
    await done('ann', 'PATCH', '/repos/ann/open', { description: 'Very HEAVY things' })
    const names = namesOf(await find('ann', query)).filter((name) => /^(ann|openorg)\//.test(name))
    assert.deepEqual(names.sort(), expected)
  })

for (const [query, status] of [
  ['mode=nonsense', 422],
  ['sort=nonsense', 422],
  ['sort=id&order=nonsense', 422],
  ['order=nonsense', 200],
  [`q=${'x'.repeat(256)}`, 422],
  [`q=${'x'.repeat(255)}`, 200],
  ['uid=x&team_id=&starredBy=-1&page=-3&limit=0', 200],
] as const)
  test(`?${query.slice(0, 40)} gets ${status}`, async () => {
    assert.equal((await find('ann', query)).status, status)
  })

test('finding fifty repositories takes as many queries as finding one', async () => {
  await forge.person('maker')
  for (let i = 0; i < 50; i++) await done('maker', 'POST', '/user/repos', { name: `made${i}` })
  const cost = (query: string) => forge.countQueries(() => find('collaborator', query))
  assert.equal((await find('collaborator', 'q=made')).body.data.length, 50)
  assert.equal(await cost('q=made'), await cost('q=made49'))
})
