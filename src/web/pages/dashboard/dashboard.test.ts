/** Dashboard, lists across repositories, inbox, search and previews in a browser. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startForge } from '#testing'

const forge = await startForge()
after(() => forge[Symbol.asyncDispose]())
for (const login of ['ann', 'bob', 'eve']) await forge.person(login)
await forge.call('ann', 'POST', '/user/repos', { name: 'furnace' })
await forge.call('ann', 'PUT', '/repos/ann/furnace/collaborators/bob', { permission: 'write' })
await forge.call('ann', 'POST', '/user/repos', { name: 'secret', private: true })
const REPO = '/repos/ann/furnace'
const ann = await forge.browserOf('ann')
const bob = await forge.browserOf('bob')
const eve = await forge.browserOf('eve')
const stranger = forge.browser()

test('anonymous users are redirected to explore, and to sign-in on personal pages', async () => {
  assert.equal((await stranger.get('/')).headers.get('location'), '/explore/repos')
  for (const path of ['/issues', '/pulls', '/milestones', '/notifications'])
    assert.match((await stranger.get(path)).headers.get('location') ?? '', /^\/user\/login/, path)
})

test('a user without repositories is offered first steps, until there is one', async () => {
  await forge.person('newcomer')
  const newcomer = await forge.browserOf('newcomer')
  const links = async () =>
    [...(await newcomer.get('/')).text.matchAll(/class="title" href="(\/[^"]+)"/g)].map(([, to]) => to)
  assert.deepEqual(await links(), ['/repo/create', '/repo/migrate', '/user/settings/keys', '/explore/repos'])
  await forge.call('newcomer', 'POST', '/user/repos', { name: 'first' })
  assert.ok(!(await links()).includes('/repo/migrate'))
})

test('an empty inbox shows a note', async () => {
  const { status, text } = await eve.get('/notifications')
  assert.equal(status, 200)
  assert.match(text, /class="empty"/)
})

/** Titles and reasons of the list of what needs the user. */
async function turnOf(browser: typeof ann): Promise<string[]> {
  const part = (await browser.get('/')).text.split('class="box turn"')[1]?.split('</section>')[0] ?? ''
  const rows = part.matchAll(/data-open>([^<]*)<[\s\S]*?class="turn-reason">([^<]*)</g)
  return [...rows].map(([, title, reason]) => `${title}: ${reason}`)
}

test('the dashboard lists what needs the user, and says why', async () => {
  const file = { content: 'aXJvbg==', message: 'iron', branch: 'main' }
  await forge.call('ann', 'POST', `${REPO}/contents/a.txt`, file)
  await forge.call('bob', 'POST', `${REPO}/contents/b.txt`, { ...file, new_branch: 'side' })
  const wanted = { title: 'Bellows', head: 'side', base: 'main' }
  const { body: pull } = await forge.call('bob', 'POST', `${REPO}/pulls`, wanted)
  await forge.runJobs()
  const at = `${REPO}/pulls/${pull.number}`
  const waiting = async () =>
    (await bob.get('/')).text.split('Waiting for others')[1]?.split('</section>')[0] ?? ''
  const head = async () =>
    /class="whose-turn">[\s\S]*?<\/span> ([^<]*)/
      .exec((await ann.get(`/ann/furnace/pulls/${pull.number}`)).text)?.[1]
      ?.trim()
  const review = (event: string) => forge.call('ann', 'POST', `${at}/reviews`, { event, body: 'Harder.' })
  assert.equal(await head(), 'Ready to merge')
  assert.deepEqual(await turnOf(bob), [], 'nobody has to merge without a review')

  await forge.call('bob', 'POST', `${at}/requested_reviewers`, { reviewers: ['ann'] })
  assert.equal(await head(), 'Waiting for review by ann')
  assert.deepEqual(await turnOf(ann), ['Bellows: Your review was requested'])
  assert.match(await waiting(), /Bellows[\s\S]*Waiting for review by ann/)

  await review('REQUEST_CHANGES')
  assert.equal(await head(), 'bob: changes were requested')
  assert.deepEqual(
    [await turnOf(ann), await turnOf(bob)],
    [[], ['Bellows: Changes were requested on your pull request']],
  )
  assert.doesNotMatch(await waiting(), /Bellows/)

  await review('APPROVED')
  assert.equal(await head(), 'Ready to merge')
  assert.deepEqual(await turnOf(bob), ['Bellows: Approved: ready to merge'])

  const status = { state: 'failure', context: 'ci' }
  await forge.call('ann', 'POST', `${REPO}/statuses/${pull.head.sha}`, status)
  assert.equal(await head(), 'bob: checks failed')
  assert.deepEqual(await turnOf(bob), ['Bellows: Checks failed on your pull request'])

  await forge.call('ann', 'POST', `${REPO}/contents/b.txt`, { ...file, content: 'Y29hbA==' })
  await forge.runJobs()
  assert.equal(await head(), 'bob: conflicts must be resolved')
  assert.deepEqual(await turnOf(bob), ['Bellows: Your pull request has conflicts'])
  assert.match((await eve.get('/')).text, /You’re all caught up/)
})

test('a requested review of a team is done for the member who gave it, until the next push', async () => {
  await forge.call('ann', 'POST', '/orgs', { username: 'smithy' })
  await forge.call('ann', 'POST', '/orgs/smithy/repos', {
    name: 'anvil',
    auto_init: true,
    default_branch: 'main',
  })
  const crew = { name: 'crew', permission: 'write', units: ['repo.code', 'repo.pulls'] }
  const { body: team } = await forge.call('ann', 'POST', '/orgs/smithy/teams', crew)
  for (const login of ['bob', 'eve']) await forge.call('ann', 'PUT', `/teams/${team.id}/members/${login}`)
  await forge.call('ann', 'PUT', `/teams/${team.id}/repos/smithy/anvil`)
  const repo = '/repos/smithy/anvil'
  const push = (name: string, where: object) =>
    forge.call('ann', 'POST', `${repo}/contents/${name}`, { content: 'aXJvbg==', message: name, ...where })
  await push('a.txt', { branch: 'main', new_branch: 'side' })
  const { body: pull } = await forge.call('ann', 'POST', `${repo}/pulls`, {
    title: 'Horn',
    head: 'side',
    base: 'main',
  })
  const asked = { team_reviewers: ['crew'] }
  assert.equal(
    (await forge.call('ann', 'POST', `${repo}/pulls/${pull.number}/requested_reviewers`, asked)).status,
    201,
  )
  const mine = async (browser: typeof ann) => (await turnOf(browser)).filter((it) => it.startsWith('Horn'))
  const wanted = ['Horn: Your review was requested']
  assert.deepEqual([await mine(bob), await mine(eve)], [wanted, wanted])
  const given = { event: 'COMMENT', body: 'Looked at it.' }
  assert.equal((await forge.call('bob', 'POST', `${repo}/pulls/${pull.number}/reviews`, given)).status, 200)
  assert.deepEqual(await mine(bob), [])
  await push('b.txt', { branch: 'side' })
  await forge.runJobs()
  assert.deepEqual([await mine(bob), await mine(eve)], [wanted, wanted])
  await forge.call('ann', 'DELETE', repo)
})

test('unread mentions and assigned issues are listed until they are read or closed, in a fixed number of queries', async () => {
  const issue = async (facts: object) =>
    (await forge.call('ann', 'POST', `${REPO}/issues`, facts)).body.number as number
  await issue({ title: 'Named', body: 'What does @eve say?' })
  const assigned = await issue({ title: 'Given', assignees: ['bob'] })
  await forge.runJobs()
  assert.deepEqual(await turnOf(eve), ['Named: You were mentioned'])
  assert.ok((await turnOf(bob)).includes('Given: Assigned to you'))
  const { text } = await eve.get('/')
  const [, id = ''] = /name="id" value="(\d+)"/.exec(text.split('class="box turn"')[1] ?? '') ?? []
  assert.equal((await bob.submit('/', 'mark', { id })).status, 422)
  assert.equal((await eve.submit('/', 'mark', { id })).headers.get('location'), '/')
  assert.deepEqual(await turnOf(eve), [])
  await forge.call('ann', 'PATCH', `${REPO}/issues/${assigned}`, { state: 'closed' })
  assert.ok(!(await turnOf(bob)).includes('Given: Assigned to you'))

  const add = async (i: number) => {
    await issue({ title: `More ${i}`, body: '@bob', assignees: ['bob'] })
    const branch = `more-${i}`
    const file = { content: 'aXJvbg==', message: 'iron', branch: 'main', new_branch: branch }
    await forge.call('bob', 'POST', `${REPO}/contents/${branch}.txt`, file)
    await forge.call('bob', 'POST', `${REPO}/pulls`, { title: branch, head: branch, base: 'main' })
    await forge.runJobs()
  }
  await add(0)
  const few = await forge.countQueries(() => bob.get('/'))
  for (const i of [1, 2, 3]) await add(i)
  assert.equal(await forge.countQueries(() => bob.get('/')), few)
})

test("lists across repositories contain the user's issues, and none of hidden repositories", async () => {
  await forge.call('ann', 'POST', `${REPO}/issues`, { title: 'For Bob', assignees: ['bob'] })
  await forge.call('ann', 'POST', '/repos/ann/secret/issues', { title: 'Hidden thing' })
  assert.match((await bob.get('/issues')).text, /For Bob/)
  assert.doesNotMatch((await eve.get('/issues')).text, /For Bob/)
  assert.match((await eve.get('/issues?type=all')).text, /For Bob/)
  assert.match((await ann.get('/issues?type=created')).text, /Hidden thing/)
  for (const path of ['/issues?type=all', '/-/find?q=Hidden', '/-/find?q=secret'])
    assert.doesNotMatch((await eve.get(path)).text, /Hidden thing|ann\/secret/, path)
  assert.match((await bob.get('/pulls?type=created')).text, /Bellows/)
})

test('notifications are marked as read, unread and saved', async () => {
  const { body: issue } = await forge.call('bob', 'POST', `${REPO}/issues`, {
    title: 'Look <script>here</script>',
  })
  await forge.runJobs()
  const threads = async (status: string) =>
    (await forge.call('ann', 'GET', `/notifications?status-types=${status}`)).body as {
      id: number
      subject: { title: string }
    }[]
  const [thread] = (await threads('unread')).filter(({ subject }) => subject.title === issue.title)
  assert.ok(thread)
  const { text } = await ann.get('/notifications')
  assert.match(text, /Look &lt;script&gt;/)
  const mark = (to: string, as = ann) => as.submit('/notifications', 'mark', { id: `${thread.id}`, to })
  assert.equal((await mark('pinned')).status, 303)
  assert.match((await ann.get('/notifications?q=pinned')).text, /Look &lt;script&gt;/)
  await mark('unread')
  assert.equal((await mark('read', eve)).status, 422)
  assert.equal((await mark('nonsense')).status, 422)
  await ann.submit('/notifications', 'repository-read', { repository: 'ann/furnace' })
  assert.deepEqual(await threads('unread'), [])
  await mark('unread')
  await ann.submit('/notifications', 'all-read', {})
  assert.deepEqual(await threads('unread'), [])
})

test('opening a conversation marks its notification as read, unless something newer happened', async () => {
  const { body: issue } = await forge.call('bob', 'POST', `${REPO}/issues`, { title: 'Read by opening' })
  await forge.runJobs()
  const path = `/ann/furnace/issues/${issue.number}`
  const isUnread = async () => (await ann.get('/notifications')).text.includes('Read by opening')
  const { text } = await ann.get(path)
  assert.match(text, /<form[^>]* id="marks-read">/)
  assert.doesNotMatch((await forge.browser().get(path)).text, /id="marks-read"/)
  assert.ok(await isUnread(), 'a GET changes nothing')
  // As the island sends it: the page was requested before the notification came, then after it.
  const read = (as: typeof ann, ago: string) =>
    as.submit(path, 'read', { issue: `${issue.id}`, seen_ms_ago: ago })
  assert.equal((await read(ann, '600000')).status, 303)
  await read(eve, '0')
  assert.ok(await isUnread())
  await read(ann, '0')
  assert.ok(!(await isUnread()))
})

test('each notification shows its reason, and a mention stays the reason until it is read', async () => {
  const issue = async (facts: object) =>
    (await forge.call('ann', 'POST', `${REPO}/issues`, { title: 'Reasons', ...facts })).body.number as number
  const say = (as: string, number: number, body: string) =>
    forge.call(as, 'POST', `${REPO}/issues/${number}/comments`, { body })
  const named = await issue({ title: 'Why named', body: 'What does @bob say?' })
  const own = (await forge.call('bob', 'POST', `${REPO}/issues`, { title: 'Why own' })).body.number
  const assigned = await issue({ title: 'Why assigned', assignees: ['bob'] })
  await forge.runJobs()
  await say('ann', named, 'Nobody else is named here.')
  await say('ann', own, 'An answer.')
  await forge.runJobs()
  const reasonsOf = async (browser = bob) => {
    const { text } = await browser.get('/notifications')
    const rows = text.split('<li class="row"').filter((row) => row.includes('Why '))
    return Object.fromEntries(
      rows.map((row) => [/Why \w+/.exec(row)?.[0], /class="reason">([^<]*)/.exec(row)?.[1]]),
    )
  }
  assert.deepEqual(await reasonsOf(), {
    'Why named': 'You were mentioned',
    'Why own': 'You opened it',
    'Why assigned': 'Assigned to you',
  })
  assert.equal((await reasonsOf(ann))['Why own'], 'You watch the repository')
  await bob.submit('/notifications', 'all-read', {})
  await say('bob', named, 'I say so.')
  await say('ann', named, 'Thank you.')
  await say('ann', assigned, 'Well?')
  await forge.runJobs()
  assert.deepEqual(await reasonsOf(), { 'Why named': 'You participated', 'Why assigned': 'Assigned to you' })
})

test('a text is previewed, and can be submitted from the preview', async () => {
  const fields = {
    form: 'comment',
    body: 'See *#1* <script>alert(1)</script>',
    preview_field: 'body',
    preview_place: 'ann/furnace',
    preview_to: '/ann/furnace/issues/1',
    draft: 'comment:1',
  }
  const { status, text } = await ann.submit('/-/markup', 'preview', {
    ...fields,
    form: ['comment', 'preview'],
  })
  assert.equal(status, 200)
  assert.match(text, /<em><a href="[^"]*\/ann\/furnace\/\w+\/1"/)
  assert.ok(!text.includes('<script>alert'))
  assert.match(text, /action="\/ann\/furnace\/issues\/1"/)
  assert.match(text, /name="form" value="comment"/)
  const away = await ann.submit('/-/markup', 'preview', {
    ...fields,
    form: 'preview',
    preview_to: 'https://evil.example/',
  })
  assert.ok(!away.text.includes('action="https://evil'))
  const alone = await ann.submit(
    '/-/markup',
    'preview',
    { ...fields, form: ['comment', 'preview'] },
    { 'x-region': 'preview' },
  )
  assert.ok(alone.text.startsWith('<div id="preview"'))
  const stranger = await forge.browser().submit('/-/markup', 'preview', { ...fields, form: 'preview' })
  assert.equal(stranger.status, 401)
})

test('lists take the same number of queries for any length', async () => {
  for (const path of ['/', '/issues?type=all', '/notifications', '/-/find?q=more']) {
    await bob.get(path)
    const few = await forge.countQueries(() => bob.get(path))
    for (let i = 0; i < 3; i++)
      await forge.call('ann', 'POST', `${REPO}/issues`, { title: `more @bob ${i}`, assignees: ['bob'] })
    await forge.runJobs()
    const many = await forge.countQueries(() => bob.get(path))
    assert.equal(many, few, path)
  }
})

test('a list is saved as a view, found, overwritten and deleted; each user has their own views', async () => {
  const list = '/ann/furnace/issues'
  const asked = `${list}?state=closed&q=coal`
  const { text } = await ann.get(asked)
  const query = /name="query" value="([^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? ''
  assert.deepEqual([...new URLSearchParams(query)].sort(), [
    ['q', 'coal'],
    ['state', 'closed'],
  ])
  const save = (fields: Record<string, string>, as = ann) => as.submit('/-/views', 'save', fields)
  const saved = await save({ name: '<b>Coal</b>', path: list, query })
  assert.equal(saved.status, 303)
  assert.equal((await ann.get(saved.headers.get('location') ?? '')).status, 200)
  assert.match((await ann.get(list)).text, /&lt;b&gt;Coal/)
  assert.doesNotMatch((await bob.get(list)).text, /&lt;b&gt;Coal/)
  assert.doesNotMatch((await ann.get('/issues')).text, /&lt;b&gt;Coal/)
  await save({ name: '<b>Coal</b>', path: list, query: 'q=ore' })
  assert.match((await ann.get('/-/views')).text, /issues\?q=ore/)
  assert.equal((await save({ name: 'away', path: '//evil.example', query: '' })).status, 422)
  assert.equal((await save({ name: 'x'.repeat(101), path: list, query: '' })).status, 422)
  for (let i = 1; i < 50; i++) await save({ name: `view ${i}`, path: list, query })
  assert.equal((await save({ name: 'one too many', path: list, query })).status, 422)
  await bob.submit('/-/views', 'drop', { name: '<b>Coal</b>', path: list })
  assert.match((await ann.get(list)).text, /&lt;b&gt;Coal/)
  await ann.submit('/-/views', 'drop', { name: '<b>Coal</b>', path: list })
  assert.doesNotMatch((await ann.get(list)).text, /&lt;b&gt;Coal/)
})

test('lists of all repositories are sorted', async () => {
  await forge.person('sue')
  const sue = await forge.browserOf('sue')
  const made: number[] = []
  for (const name of ['left', 'right']) {
    await forge.call('sue', 'POST', '/user/repos', { name })
    for (const title of [`old ${name}`, `new ${name}`])
      made.push((await forge.call('sue', 'POST', `/repos/sue/${name}/issues`, { title })).body.number)
  }
  for (const body of ['one', 'two'])
    await forge.call('sue', 'POST', `/repos/sue/left/issues/${made[1]}/comments`, { body })
  await forge.call('sue', 'PATCH', `/repos/sue/left/issues/${made[0]}`, { due_date: '2030-01-02T00:00:00Z' })
  await forge.call('sue', 'PATCH', `/repos/sue/right/issues/${made[2]}`, { due_date: '2029-01-02T00:00:00Z' })
  const shown = async (sort: string) =>
    [
      ...(await sue.get(`/issues?type=created&sort=${sort}`)).text.matchAll(/data-open>((?:old|new) \w+)</g),
    ].map(([, title]) => title)
  assert.deepEqual(await shown('latest'), ['new right', 'old right', 'new left', 'old left'])
  assert.deepEqual(await shown('oldest'), ['old left', 'new left', 'old right', 'new right'])
  assert.equal((await shown('mostcomment'))[0], 'new left')
  assert.deepEqual((await shown('nearduedate')).slice(0, 2), ['old right', 'old left'])
  assert.deepEqual(await shown('no-such-order'), await shown('latest'))
  assert.match((await sue.get('/pulls')).text, /sort=oldest/)
})
