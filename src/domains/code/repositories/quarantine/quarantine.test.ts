/** Quarantined repositories and suspended accounts: who still sees what, over REST, git and pages. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { actorOf, findAccountById } from '#domains/people/users'
import { type Forge, GitClient, startForge } from '#testing'
import { send } from '#testing/slices/packages'
import { openToReadByKey } from '../access/open-by-key.ts'
import { openToWrite } from '../access/open-repository.ts'

const SPAM = 'spreads malware'
const PIXEL = Buffer.from('GIF89a\x01\0\x01\0', 'latin1').toString('base64')
const MODERATION = '/-/admin/moderation'
const SITE = '/repos/ann/site'

let forge: Forge
type Browser = Awaited<ReturnType<Forge['browserOf']>>
let root: Browser
let siteId: number
before(async () => {
  forge = await startForge()
  await forge.person('root', { is_admin: true })
  for (const login of ['ann', 'bob', 'eve']) await forge.person(login)
  root = await forge.browserOf('root')
  const made = await forge.call('ann', 'POST', '/user/repos', { name: 'old', auto_init: true })
  siteId = made.body.id
  await forge.call('ann', 'PATCH', '/repos/ann/old', { name: 'site' })
  await forge.call('ann', 'PUT', `${SITE}/collaborators/bob`, { permission: 'write' })
  await forge.call('ann', 'PUT', `${SITE}/topics`, { topics: ['loot'] })
  await forge.call('bob', 'POST', `${SITE}/issues`, { title: 'found in quarantine' })
  await forge.call('bob', 'PUT', '/user/starred/ann/site')
  await forge.call('bob', 'PUT', `${SITE}/subscription`)
  await forge.call('ann', 'POST', `${SITE}/issues/1/comments`, { body: 'thanks, @bob' })
  await forge.runJobs()
})
after(() => forge[Symbol.asyncDispose]())

/** Everything that leads to the repository; each is 404 for everybody but site administrators. */
const PATHS = () => [
  SITE,
  '/repos/ann/old',
  `/repositories/${siteId}`,
  `${SITE}/issues/1`,
  `${SITE}/contents/README.md`,
  `${SITE}/raw/README.md`,
  `${SITE}/archive/main.zip`,
  `${SITE}/activities/feeds`,
  `${SITE}/forks`,
  `${SITE}/hooks`,
  '//ann/site.rss',
  '//ann/site/raw/branch/main/README.md',
  '//ann/site.git/info/refs?service=git-upload-pack',
]
const LISTS = [
  '/repos/search?q=site',
  '/users/ann/repos',
  '/users/ann/activities/feeds',
  '/repos/issues/search?q=quarantine',
  '/user/repos',
  '/user/starred',
  '/user/subscriptions',
  '/users/bob/subscriptions',
  '/notifications?all=true',
  '//explore/repos?q=site',
  '//ann',
  '//ann.rss',
]
const statusesOf = async (as: string | null) =>
  Promise.all(PATHS().map(async (path) => (await forge.call(as, 'GET', path)).status))
const mentionsOf = async (as: string | null) =>
  Promise.all(LISTS.map(async (path) => JSON.stringify((await forge.call(as, 'GET', path)).body)))

test('a quarantined repository is seen by site administrators alone, and its owner reads the reason', async () => {
  await using git = await GitClient.open(forge, 'ann', 'ann/site')
  await git.commit('file', 'content')
  const fork = await forge.call('eve', 'POST', `${SITE}/forks`, {})
  assert.equal(fork.body.parent.full_name, 'ann/site')
  const seen = (await mentionsOf('bob')).map((text, i) => (text.includes('ann/site') ? '' : LISTS[i]))
  assert.deepEqual(seen.filter(Boolean), [], 'the lists show it before')
  await root.submit(MODERATION, 'quarantine', { repository: 'ann/site', reason: SPAM })
  for (const as of ['bob', 'eve']) {
    const statuses = await statusesOf(as)
    assert.ok(
      statuses.every((status) => status === 404),
      `${as} ${statuses}`,
    )
  }
  const anonymous = await statusesOf(null)
  assert.ok(
    anonymous.every((status) => status === 404 || status === 401),
    `${anonymous}`,
  )
  for (const as of [null, 'ann', 'bob', 'eve'])
    for (const [i, text] of (await mentionsOf(as)).entries())
      assert.ok(!text.includes('ann/site'), `${as} ${LISTS[i]}`)
  const all = await forge.call(null, 'GET', '/repos/search')
  assert.equal(all.headers.get('x-total-count'), String(all.body.data.length), 'it is not counted either')
  const told = await forge.call('ann', 'GET', SITE)
  assert.equal(told.status, 403)
  assert.match(told.body.message, /quarantined/)
  const page = await (await forge.browserOf('ann')).get('/ann/site')
  assert.match(page.text, new RegExp(SPAM))
  const push = await git.run('push', 'origin', 'HEAD:refs/heads/more')
  assert.match(push.output, /403|quarantined/)
  assert.equal((await forge.call('root', 'GET', SITE)).status, 200)
  assert.equal(
    (await forge.call('eve', 'GET', '/repos/eve/site')).body.parent,
    null,
    'a fork stays, without it',
  )
  assert.equal((await forge.call('eve', 'GET', '/repos/eve/site')).body.private, false)
  assert.match((await root.get(MODERATION)).text, new RegExp(`ann/site.*${SPAM}`, 's'))
  await root.submit(MODERATION, 'end-quarantine', { repository: 'ann/site' })
  assert.deepEqual((await statusesOf('bob')).slice(0, 4), [200, 301, 200, 200])
  assert.equal((await forge.call('eve', 'GET', '/repos/eve/site')).body.parent.full_name, 'ann/site')
  assert.equal((await forge.call(null, 'GET', '/topics/search?q=loot')).body.topics[0].repo_count, 1)
})

test('the avatar of a quarantined repository is hidden with it', async () => {
  assert.equal((await forge.call('ann', 'POST', `${SITE}/avatar`, { image: PIXEL })).status, 204)
  const { avatar_url } = (await forge.call(null, 'GET', SITE)).body
  const statusOf = async () =>
    (await forge.call(null, 'GET', avatar_url.replace('http://forge.test', '/'))).status
  assert.equal(await statusOf(), 200)
  await root.submit(MODERATION, 'quarantine', { repository: 'ann/site', reason: SPAM })
  assert.equal(await statusOf(), 404)
  await root.submit(MODERATION, 'end-quarantine', { repository: 'ann/site' })
  assert.equal(await statusOf(), 200)
})

test('a deploy key and a job token do not open a quarantined repository', async () => {
  const path = { owner: 'ann', repo: 'site' }
  const findKey = async (repository_id: number) => ({ repository_id, is_read_only: true })
  const byKey = () => openToReadByKey(forge.ctx, path, 'code', findKey)
  const job = { repositoryId: siteId, units: { code: 'write' as const } }
  const token = { publicOnly: false, via: 'token' as const, tokenId: null, grant: job }
  const account = await findAccountById(forge.db, (await forge.call('bob', 'GET', '/user')).body.id)
  assert.ok(account)
  const byJob = () => openToWrite({ ...forge.ctx, actor: actorOf(account, token) }, path, 'code')
  await byKey()
  await byJob()
  await root.submit(MODERATION, 'quarantine', { repository: 'ann/site', reason: SPAM })
  await assert.rejects(byKey(), { kind: 'not_found' })
  await assert.rejects(byJob(), { kind: 'not_found' })
  await root.submit(MODERATION, 'end-quarantine', { repository: 'ann/site' })
})

test('a suspended account is refused everywhere and hidden with all it made, until it is lifted', async () => {
  await forge.call('eve', 'POST', `${SITE}/issues`, { title: 'cheap watches' })
  await forge.call('eve', 'POST', `${SITE}/issues/1/comments`, { body: 'cheap pills' })
  const token = await forge.call('eve', 'GET', '/user')
  assert.equal(token.status, 200)
  await root.submit(MODERATION, 'suspend', { username: 'eve', reason: 'advertises watches' })
  assert.equal((await forge.call('eve', 'GET', '/user')).status, 403)
  for (const as of [null, 'ann', 'bob']) {
    assert.equal((await forge.call(as, 'GET', '/users/eve')).status, 404)
    assert.equal((await forge.call(as, 'GET', '/repos/eve/site')).status, 404)
    const issues = await forge.call(as, 'GET', `${SITE}/issues?state=all`)
    assert.equal(issues.body.length, 1)
    assert.equal((await forge.call(as, 'GET', `${SITE}/issues/2`)).status, 404)
    for (const path of ['/issues/1/comments', '/issues/comments', '/issues/1/timeline'])
      assert.ok(!JSON.stringify((await forge.call(as, 'GET', SITE + path)).body).includes('pills'), path)
  }
  assert.equal((await forge.call('root', 'GET', `${SITE}/issues/2`)).body.title, 'cheap watches')
  assert.equal((await forge.call('root', 'GET', `${SITE}/issues/1/comments`)).body.length, 2)
  const undone = await forge.call('root', 'PATCH', '/admin/users/eve', { prohibit_login: false })
  assert.equal(undone.status, 422)
  await root.submit(MODERATION, 'lift', { username: 'eve' })
  assert.equal((await forge.call('eve', 'GET', '/user')).status, 200)
  assert.equal((await forge.call(null, 'GET', '/repos/eve/site')).status, 200)
  assert.equal((await forge.call(null, 'GET', `${SITE}/issues/2`)).status, 200)
  assert.equal((await forge.call(null, 'GET', `${SITE}/issues/1/comments`)).body.length, 2)
})

test('a user who was prohibited from signing in stays so when a suspension is lifted', async () => {
  const prohibit = (prohibit_login: boolean) =>
    forge.call('root', 'PATCH', '/admin/users/eve', { prohibit_login })
  const suspendAndLift = async (meanwhile: () => Promise<unknown>) => {
    await root.submit(MODERATION, 'suspend', { username: 'eve', reason: SPAM })
    await meanwhile()
    await root.submit(MODERATION, 'lift', { username: 'eve' })
    return (await forge.call('eve', 'GET', '/user')).status
  }
  await prohibit(true)
  assert.equal(await suspendAndLift(async () => undefined), 403)
  await prohibit(false)
  // The reason is changed by a second suspension, which does not see the state before the first one.
  const again = () => root.submit(MODERATION, 'suspend', { username: 'eve', reason: 'worse' })
  assert.equal(await suspendAndLift(again), 200)
  assert.equal(await suspendAndLift(() => prohibit(true)), 403)
  await prohibit(false)
})

const avatarOf = async (login: string, as: string | null = null): Promise<string> =>
  (await forge.call(as, 'GET', `/users/${login}`)).body.avatar_url.replace('http://forge.test', '/')

/** Each leads to the organization or to something that it owns. */
const OF_ORGANIZATION = [
  '/orgs/mill',
  '/users/mill',
  '/orgs/mill/repos',
  '/orgs/mill/members',
  '/orgs/mill/teams',
  '/repos/mill/corn',
  '/repos/mill/corn/contents/README.md',
  '/packages/mill',
  '//mill',
  '//mill.png',
  '//mill/corn',
  '//mill/corn.git/info/refs?service=git-upload-pack',
  '//api/packages/mill/generic/tool/1.0/tool.bin',
]
/** Memberships are private, so another user's list does not show it. */
const ANNS = 3
/** These know users by sessions only. */
const PAGES = new Set(['//mill', '//mill/corn'])
const LISTS_OF_ORGANIZATIONS = [
  '/orgs',
  '/user/orgs',
  '/user/teams',
  '/users/ann/orgs',
  '/repos/search',
  '/user/repos',
  '//explore/organizations',
  '//v2/_catalog',
]

/** The catalog of container images lists packages of this type. */
async function addImage(login: string): Promise<void> {
  const { id } = (await forge.call('ann', 'GET', `/users/${login}`)).body
  const image = { owner_id: id, repository_id: null, type: 'container', name: 'image', name_key: 'image' }
  await forge.db
    .insertInto('package')
    .values({ ...image, created_at: forge.ctx.now() })
    .execute()
}

test('a suspended organization is hidden with all it owns from strangers, members and git', async () => {
  await forge.call('ann', 'POST', '/orgs', { username: 'mill' })
  await forge.call('ann', 'POST', '/orgs/mill/avatar', { image: PIXEL })
  await forge.call('ann', 'POST', '/orgs/mill/repos', { name: 'corn', auto_init: true })
  const hands = { name: 'hands', permission: 'write', units: ['repo.code', 'repo.packages'] }
  const team = (await forge.call('ann', 'POST', '/orgs/mill/teams', hands)).body.id
  assert.equal((await forge.call('ann', 'PUT', `/teams/${team}/members/bob`)).status, 204)
  assert.equal((await forge.call('ann', 'PUT', `/teams/${team}/repos/mill/corn`)).status, 204)
  const file = '/api/packages/mill/generic/tool/1.0/tool.bin'
  assert.equal((await send(forge, 'ann', 'PUT', file, { body: 'bytes' })).status, 201)
  await addImage('mill')
  await using git = await GitClient.open(forge, 'bob', 'mill/corn')
  await git.ok('fetch', 'origin')
  await git.commit('grain', 'rye')
  const avatar = await avatarOf('mill')
  const statusesOf = (as: string | null) =>
    Promise.all([...OF_ORGANIZATION, avatar].map(async (path) => (await forge.call(as, 'GET', path)).status))
  const listsOf = (as: string | null) =>
    Promise.all(
      LISTS_OF_ORGANIZATIONS.map(async (path) => JSON.stringify((await forge.call(as, 'GET', path)).body)),
    )
  const shown = await statusesOf('bob')
  assert.ok((await listsOf('bob')).every((text, i) => i === ANNS || text.includes('mill')))
  assert.ok(
    shown.every((status) => status < 400),
    `${shown}`,
  )
  await root.submit(MODERATION, 'suspend', { username: 'mill', reason: 'grinds malware' })
  for (const as of [null, 'eve', 'bob']) {
    const statuses = await statusesOf(as)
    assert.ok(
      statuses.every((status) => status === 404 || (as === null && status === 401)),
      `${as} ${statuses}`,
    )
    for (const [i, text] of (await listsOf(as)).entries())
      assert.ok(!text.includes('mill'), `${as} ${LISTS_OF_ORGANIZATIONS[i]}`)
  }
  for (const act of [
    ['fetch', 'origin'],
    ['push', 'origin', 'HEAD:refs/heads/more'],
  ])
    assert.notEqual((await git.run(...act)).code, 0, act.join(' '))
  assert.notEqual((await send(forge, 'bob', 'PUT', `${file}.2`, { body: 'bytes' })).status, 201)
  const told = await forge.call('ann', 'GET', '/orgs/mill')
  assert.equal(told.status, 403)
  assert.match(told.body.message, /suspended/)
  assert.match((await (await forge.browserOf('ann')).get('/mill')).text, /grinds malware/)
  for (const [path, body] of [
    ['/orgs/mill/repos', { name: 'rye' }],
    [`${SITE}/forks`, { organization: 'mill', name: 'fork' }],
    [`${SITE}/transfer`, { new_owner: 'mill' }],
  ] as const)
    assert.ok((await forge.call('ann', 'POST', path, body)).status >= 400, path)
  const seen = (await statusesOf('root')).filter((_, i) => !PAGES.has(OF_ORGANIZATION[i] ?? avatar))
  assert.deepEqual(
    seen.filter((status) => status >= 400),
    [404],
    'of all addresses only that of the avatar is hidden from administrators',
  )
  assert.equal((await root.get('/mill')).status, 200)
  assert.match(await avatarOf('mill', 'root'), /\/avatars\/\d+$/, 'the default avatar')
  assert.match((await root.get(MODERATION)).text, /mill.*grinds malware/s)
  await root.submit(MODERATION, 'lift', { username: 'mill' })
  assert.deepEqual(await statusesOf('bob'), shown)
  await git.ok('push', 'origin', 'HEAD:refs/heads/more')
})

test('a suspended person reads why when signing in, and appeals once', async () => {
  const password = 'correct horse'
  await forge.call('root', 'POST', '/admin/users', {
    username: 'sue',
    email: 'sue@x.test',
    password,
    must_change_password: false,
  })
  await root.submit(MODERATION, 'suspend', { username: 'sue', reason: 'floods issues' })
  const browser = forge.browser()
  const wrong = await browser.submit('/user/login', 'sign-in', { user_name: 'sue', password: 'another one' })
  assert.ok(!wrong.text.includes('floods issues'))
  const told = await browser.submit('/user/login', 'sign-in', { user_name: 'sue', password })
  assert.match(told.text, /suspended.*floods issues.*\/user\/appeal/s)
  const appeal = { user_name: 'sue', password, text: 'it was my <b>script</b>' }
  assert.match((await browser.submit('/user/appeal', 'appeal', appeal)).text, /appeal was sent/)
  assert.equal((await browser.submit('/user/appeal', 'appeal', appeal)).status, 422)
  assert.match((await root.get(MODERATION)).text, /floods issues.*it was my &lt;b&gt;script/s)
  const admin = await root.submit(MODERATION, 'suspend', { username: 'root', reason: 'no' })
  assert.equal(admin.status, 422)
})
