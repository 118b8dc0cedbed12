/** Explore, search, profiles, organizations and teams in a browser. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Forge, startForge } from '#testing'

let forge: Forge
const HOSTILE = `<script>alert(1)</script>"'&‮`

before(async () => {
  forge = await startForge()
  for (const login of ['ann', 'bob', 'eve']) await forge.person(login, { full_name: HOSTILE })
  await forge.person('hidden', { visibility: 'private' })
  await forge.call('ann', 'POST', '/user/repos', { name: 'open', description: HOSTILE, auto_init: true })
  await forge.call('ann', 'POST', '/user/repos', { name: 'shut', private: true, auto_init: true })
  await forge.call('ann', 'POST', '/orgs', { username: 'smithy', description: HOSTILE })
  await forge.call('ann', 'POST', '/orgs/smithy/repos', { name: 'anvil' })
  await forge.call('ann', 'PATCH', '/user/settings', { website: 'javascript:alert(1)', location: HOSTILE })
})
after(() => forge[Symbol.asyncDispose]())

test('anonymous users see public repositories and accounts only', async () => {
  const stranger = forge.browser()
  for (const path of [
    '/explore/repos',
    '/ann',
    '/search?q=ann',
    '/ann?tab=activity',
    '/ann?tab=followers',
    '/smithy',
    '/org/smithy/teams',
  ]) {
    const { status, text } = await stranger.get(path)
    assert.equal(status, 200, path)
    assert.ok(!text.includes('shut'), path)
    assert.ok(!text.includes('<script>alert'), path)
  }
  assert.match((await stranger.get('/explore/repos')).text, /ann\/open/)
  assert.ok(!(await stranger.get('/explore/users')).text.includes('>hidden<'))
  assert.equal((await stranger.get('/hidden')).status, 404)
  assert.equal((await stranger.get('/nobody')).status, 404)
  const own = await forge.browserOf('ann')
  assert.match((await own.get('/ann')).text, /ann\/shut/)
})

test('user text is escaped, and javascript: links are not rendered', async () => {
  const { text } = await (await forge.browserOf('bob')).get('/ann')
  assert.match(text, /&lt;script&gt;alert\(1\)&lt;\/script&gt;&quot;&#39;&amp;/)
  assert.ok(!text.includes('href="javascript'))
})

test('a user is followed, unfollowed, blocked and unblocked', async () => {
  const browser = await forge.browserOf('bob')
  const follows = async () => (await forge.call('bob', 'GET', '/user/following/ann')).status
  assert.equal((await browser.submit('/ann', 'follow', {})).status, 303)
  assert.equal(await follows(), 204)
  assert.match((await browser.get('/ann')).text, />Unfollow</)
  await browser.submit('/ann', 'unfollow', {})
  assert.equal(await follows(), 404)
  await browser.submit('/eve', 'block', {})
  assert.equal((await forge.call('bob', 'GET', '/user/blocks/eve')).status, 204)
  await browser.submit('/eve', 'unblock', {})
  assert.equal((await forge.call('bob', 'GET', '/user/blocks/eve')).status, 404)
  const stranger = await forge.browser().submit('/ann', 'follow', {})
  assert.equal(stranger.status, 401)
})

test('search and filters are in the address, and are kept in page links', async () => {
  for (let number = 0; number < 25; number++)
    await forge.call('eve', 'POST', '/user/repos', { name: `ore-${number}` })
  await forge.call('eve', 'PUT', '/repos/eve/ore-7/topics', { topics: ['iron'] })
  const browser = forge.browser()
  const first = (await browser.get('/explore/repos?q=ore&sort=alpha')).text
  assert.match(first, /eve\/ore-0</)
  assert.match(first, /rel="next" href="\/explore\/repos\?q=ore&amp;sort=alpha&amp;page=2"/)
  assert.equal((first.match(/class="title"/g) ?? []).length, 20)
  const topic = (await browser.get('/explore/repos?q=iron&topic=true')).text
  assert.match(topic, /eve\/ore-7</)
  assert.equal((topic.match(/class="title"/g) ?? []).length, 1)
  assert.match((await browser.get('/search?q=eve&type=people')).text, /href="\/eve"/)
  assert.match((await browser.get('/explore/repos?q=nothing-of-this')).text, /No repositories match/)
  // The first tab that has results is shown, and each tab has its number.
  await forge.call('eve', 'POST', '/repos/eve/ore-7/issues', { title: 'Bellows leak' })
  const found = (await browser.get('/search?q=Bellows')).text
  assert.match(
    found,
    /aria-current="page"><span data-text="Issues">Issues<\/span> <span class="counter">1<\/span>/,
  )
  assert.match(found, /Bellows leak/)
  assert.match(
    (await browser.get('/search?q=ore&type=people')).text,
    /Repositories<\/span> <span class="counter">25</,
  )
})

test('lists take the same number of queries for any length', async () => {
  const browser = await forge.browserOf('hidden')
  const count = (path: string) => forge.countQueries(() => browser.get(path))
  for (const [few, many] of [
    ['/explore/repos?q=anvil', '/explore/repos?q=ore'],
    ['/ann', '/eve'],
    ['/search?q=anvil', '/search?q=ore'],
  ] as const)
    assert.equal(await count(many), await count(few), many)
})

test('keys and avatars of a user are served at plain addresses', async () => {
  const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl'
  assert.equal((await forge.call('ann', 'POST', '/user/keys', { title: 'a', key })).status, 201)
  const answer = await forge.browser().get('/ann.keys')
  assert.equal(answer.headers.get('content-type'), 'text/plain; charset=utf-8')
  assert.equal(answer.text, `${key}\n`)
  assert.equal((await forge.browser().get('/hidden.keys')).status, 404)
  assert.equal((await forge.browser().get('/ann.gpg')).status, 200)
  assert.match((await forge.browser().get('/ann.png')).headers.get('location') ?? '', /\/avatars\//)
})

test('an owner creates, fills, edits and deletes a team', async () => {
  const browser = await forge.browserOf('ann')
  const fields = { name: 'strikers', description: 'hit', permission: 'write', visibility: 'limited' }
  const made = await browser.submit('/org/smithy/teams/new', 'create', fields)
  const team = '/org/smithy/teams/strikers'
  assert.equal(made.headers.get('location'), team)
  await browser.submit(team, 'add-member', { username: 'bob' })
  await browser.submit(team, 'add-repository', { repo: 'anvil' })
  assert.equal((await forge.call('bob', 'GET', '/repos/smithy/anvil')).body.permissions.push, true)
  assert.match((await browser.get(team)).text, /href="\/bob"/)
  const refused = await browser.submit(team, 'add-member', { username: 'nobody-here' })
  assert.equal(refused.status, 422)
  const eve = await forge.browserOf('eve')
  assert.notEqual((await eve.get(team)).status, 200)
  const bob = await forge.browserOf('bob')
  const removed = await browser.submit(team, 'remove-member', { username: 'bob' })
  const { text: notice } = await browser.get(removed.headers.get('location') ?? '')
  const [, id = ''] = /bob removed from strikers\.[\s\S]*?name="id" value="(\d+)"/.exec(notice) ?? []
  assert.doesNotMatch((await browser.get(team)).text, /href="\/bob"/)
  assert.equal((await browser.submit('/-/undo', 'undo', { id, to: team })).status, 303)
  assert.match((await browser.get(team)).text, /href="\/bob"/)
  assert.equal((await bob.submit(team, 'add-member', { username: 'eve' })).status, 422)
  assert.equal((await bob.submit(`${team}/edit`, 'delete', {})).status, 422)
  await browser.submit('/org/smithy/members', 'publish', { username: 'bob' })
  assert.equal((await forge.call(null, 'GET', '/orgs/smithy/public_members/bob')).status, 204)
  assert.match((await forge.browser().get('/org/smithy/members')).text, /href="\/bob"/)
  const renamed = await browser.submit(`${team}/edit`, 'save', {
    ...fields,
    name: 'hammers',
    permission: 'read',
  })
  assert.equal(renamed.headers.get('location'), '/org/smithy/teams/hammers')
  assert.equal((await forge.call('bob', 'GET', '/repos/smithy/anvil')).body.permissions.push, false)
  await browser.submit('/org/smithy/teams/hammers/edit', 'delete', {})
  assert.equal((await forge.call('ann', 'GET', '/orgs/smithy/teams')).body.length, 1)
})

test('the readme of .profile is shown above everything else', async () => {
  await forge.call('bob', 'POST', '/user/repos', { name: '.profile', auto_init: true })
  const { sha } = (await forge.call('bob', 'GET', '/repos/bob/.profile/contents/README.md')).body
  const content = Buffer.from('# Hello from **bob**').toString('base64')
  await forge.call('bob', 'PUT', '/repos/bob/.profile/contents/README.md', { content, sha })
  assert.match((await forge.browser().get('/bob')).text, /Hello from <strong>bob<\/strong>/)
})

test('a comment in the feed is one line without Markdown markers', async () => {
  const { number } = (await forge.call('ann', 'POST', '/repos/ann/open/issues', { title: 'Two *stars*' }))
    .body
  const body = '> Really?\n\n**Yes**, see [the log](https://example.test/log): `2*3` and snake_case.'
  await forge.call('ann', 'POST', `/repos/ann/open/issues/${number}/comments`, { body })
  await forge.runJobs()
  const { text } = await forge.browser().get('/ann?tab=activity')
  assert.match(text, new RegExp(`#${number} Really\\? Yes, see the log: 2\\*3 and snake_case\\.<`))
  assert.match(text, new RegExp(`#${number} Two \\*stars\\*<`))
})

test('a profile has one heading, and is that of its user at any spelling of the address', async () => {
  await forge.call('ann', 'PUT', '/orgs/smithy/public_members/ann')
  const ann = await forge.browserOf('ann')
  const { text } = await ann.get('/ANN')
  assert.equal(text.match(/<h1/g)?.length, 1)
  assert.match(text, /<h2>Organizations<\/h2>/)
  assert.match(text, /href="\/user\/settings">/)
  assert.ok(!text.includes('value="follow"'))
})

test('a profile begins with an overview of repositories and activity', async () => {
  await forge.runJobs()
  const { text } = await forge.browser().get('/ann')
  assert.match(text, /aria-current="page"[^>]*><svg[^>]*>.*?<\/svg><span data-text="Overview">Overview</)
  assert.match(text, /href="\/ann\/open"/)
  assert.match(text, /class="heatmap"/)
  assert.match(text, /class="rows feed"/)
  assert.match((await forge.browser().get('/ann?tab=repositories')).text, /href="\/ann\/open"/)
})
