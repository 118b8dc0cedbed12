/**
 * Rights belong to accounts, and never to names. Everybody is renamed, newcomers take all the old names, and each right is
 * tried by both: the renamed account keeps it, and the newcomer has none.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Forge, GitClient, startForge } from '#testing'

const PEOPLE = ['owner', 'writer', 'member', 'reader', 'author'] as const
type Person = (typeof PEOPLE)[number]
const root = (owner: string) => `/repos/${owner}`

let forge: Forge
/** The tokens of those who had the names first. */
const firsts = new Map<string, string>()
before(async () => {
  forge = await startForge()
  await forge.person('root', { is_admin: true })
  for (const login of PEOPLE) await forge.person(login)
  await grantEverything()
  for (const login of PEOPLE) firsts.set(login, forge.tokenOf(login))
  for (const login of [...PEOPLE, 'guild']) {
    const url = PEOPLE.includes(login as Person) ? `/admin/users/${login}/rename` : `/orgs/${login}/rename`
    const body = PEOPLE.includes(login as Person)
      ? { new_username: `${login}-2` }
      : { new_name: `${login}-2` }
    await must('root', 'POST', url, body)
  }
  for (const login of PEOPLE) await forge.person(login, { email: `new-${login}@example.test` })
  await must('owner', 'POST', '/orgs', { username: 'guild' })
})
after(() => forge[Symbol.asyncDispose]())

async function must(as: string, method: 'POST' | 'PUT', path: string, body?: object): Promise<void> {
  const { status, body: said } = await forge.call(as, method, path, body)
  assert.ok(status < 300, `${method} ${path}: ${status} ${JSON.stringify(said)}`)
}

/** Every kind of right that is given by a name over REST or by a push. */
async function grantEverything(): Promise<void> {
  const made = { name: 'site', private: true, auto_init: true, default_branch: 'main' }
  await must('owner', 'POST', '/user/repos', made)
  await must('owner', 'PUT', `${root('owner/site')}/collaborators/writer`, { permission: 'write' })
  await must('owner', 'PUT', `${root('owner/site')}/collaborators/reader`, { permission: 'read' })
  await must('owner', 'PUT', `${root('owner/site')}/collaborators/author`, { permission: 'read' })
  await must('owner', 'POST', `${root('owner/site')}/branch_protections`, {
    rule_name: 'main',
    enable_push: true,
    enable_push_whitelist: true,
    push_whitelist_usernames: ['writer'],
  })
  await must('owner', 'POST', `${root('owner/site')}/issues`, { title: 'one', assignees: ['writer'] })
  await must('owner', 'POST', '/orgs', { username: 'guild', visibility: 'private' })
  await must('owner', 'POST', '/orgs/guild/repos', made)
  const team = { name: 'smiths', permission: 'write', units_map: { 'repo.code': 'write' } }
  const { body } = await forge.call('owner', 'POST', '/orgs/guild/teams', team)
  await must('owner', 'PUT', `/teams/${body.id}/members/member`)
  await must('owner', 'PUT', `/teams/${body.id}/repos/guild/site`)
  await using git = await GitClient.open(forge, 'author', 'owner/site')
  await git.ok('fetch', '--quiet', 'origin')
  await git.ok('checkout', '--quiet', '-B', 'topic', 'origin/main')
  await git.commit('a.txt', 'a')
  await git.ok('push', '--quiet', 'origin', 'HEAD:refs/for/main/topic')
}

const call = (token: string, method: 'GET' | 'POST' | 'PUT', path: string, body?: object) =>
  forge.call(null, method, path, body, { authorization: `token ${token}` })

let files = 0
const file = () => ({ content: 'YQ==', message: 'm', branch: 'main', path: `f${++files}` })

/** Who had it, what is tried, and with which status the renamed account and the newcomer are answered. */
const RIGHTS: readonly (readonly [string, Person, (token: string) => Promise<number>, number, number])[] = [
  ['owns', 'owner', async (it) => (await call(it, 'GET', `${root('owner-2/site')}/hooks`)).status, 200, 404],
  ['writes', 'writer', async (it) => write(it, 'owner-2/site'), 201, 404],
  ['reads', 'reader', async (it) => (await call(it, 'GET', root('owner-2/site'))).status, 200, 404],
  ['is in a team', 'member', async (it) => write(it, 'guild-2/site'), 201, 404],
  [
    'sees a private organization',
    'member',
    async (it) => (await call(it, 'GET', '/orgs/guild-2')).status,
    200,
    404,
  ],
  [
    'owns an organization',
    'owner',
    async (it) => (await call(it, 'GET', '/orgs/guild-2/hooks')).status,
    200,
    404,
  ],
  [
    'reads by the old address',
    'reader',
    async (it) => (await call(it, 'GET', root('owner/site'))).status,
    404,
    404,
  ],
]

async function write(token: string, repository: string): Promise<number> {
  const { path, ...body } = file()
  return (await call(token, 'POST', `${root(repository)}/contents/${path}`, body)).status
}

for (const [right, person, attempt, renamed, newcomer] of RIGHTS)
  test(`${right}: the account that was called ${person} is answered ${renamed}, and its namesake ${newcomer}`, async () => {
    assert.equal(await attempt(firsts.get(person) ?? ''), renamed, 'renamed')
    assert.equal(await attempt(forge.tokenOf(person)), newcomer, 'newcomer')
  })

test('an allowlist of a protected branch names accounts: a namesake who may write does not pass it', async () => {
  const token = firsts.get('owner') ?? ''
  const added = await call(token, 'PUT', `${root('owner-2/site')}/collaborators/writer`, {
    permission: 'write',
  })
  assert.equal(added.status, 204)
  assert.equal(await write(firsts.get('writer') ?? '', 'owner-2/site'), 201)
  assert.equal(await write(forge.tokenOf('writer'), 'owner-2/site'), 403)
})

test('a pull request by push belongs to an account: the renamed author adds a version, a namesake does not', async () => {
  const token = firsts.get('owner') ?? ''
  await call(token, 'PUT', `${root('owner-2/site')}/collaborators/author`, { permission: 'read' })
  const push = async (bearer: string, name: string) => {
    await using git = await GitClient.open(forge, null, 'owner-2/site')
    const at = `${forge.base.replace('://', `://x:${bearer}@`)}/owner-2/site.git`
    await git.ok('fetch', '--quiet', at, 'refs/pull/2/head')
    await git.ok('checkout', '--quiet', 'FETCH_HEAD')
    await git.commit(name, name)
    return await git.run('push', at, 'HEAD:refs/for/main/topic')
  }
  const headOf = async () => (await call(token, 'GET', `${root('owner-2/site')}/pulls/2`)).body.head.sha
  const first = await headOf()
  await push(forge.tokenOf('author'), 'evil.txt')
  assert.equal(await headOf(), first, 'the namesake opened one of their own at most')
  const pushed = await push(firsts.get('author') ?? '', 'good.txt')
  assert.equal(pushed.code, 0, pushed.output)
  assert.notEqual(await headOf(), first)
})
