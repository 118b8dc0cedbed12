/**
 * Rights belong to accounts, not to names. All users are renamed and new accounts take the old names; then each right is
 * tried by both: the renamed account keeps it, and the new account does not have it.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Forge, GitClient, startForge } from '#testing'

const PEOPLE = ['owner', 'writer', 'member', 'reader', 'author'] as const
type Person = (typeof PEOPLE)[number]
const root = (owner: string) => `/repos/${owner}`

let forge: Forge
/** The tokens of the accounts that had the names first. */
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

/** Grants every kind of right that REST or a push grants by name. */
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

/** The right, its first holder, the attempt, and the statuses for the renamed account and for the new account. */
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
  test(`${right}: the renamed account of ${person} gets ${renamed}, a new account with the old name gets ${newcomer}`, async () => {
    assert.equal(await attempt(firsts.get(person) ?? ''), renamed, 'renamed')
    assert.equal(await attempt(forge.tokenOf(person)), newcomer, 'newcomer')
  })

test('an allowlist entry of a protected branch does not pass to a new account with the old name', async () => {
  const token = firsts.get('owner') ?? ''
  const added = await call(token, 'PUT', `${root('owner-2/site')}/collaborators/writer`, {
    permission: 'write',
  })
  assert.equal(added.status, 204)
  assert.equal(await write(firsts.get('writer') ?? '', 'owner-2/site'), 201)
  assert.equal(await write(forge.tokenOf('writer'), 'owner-2/site'), 403)
})

test('only the renamed author, not a new account with the old name, can push a version of a pull request', async () => {
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
