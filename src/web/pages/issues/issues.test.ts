/** Issues in a browser: pages, forms, access and cost. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { startForge } from '#testing'

const forge = await startForge()
after(() => forge[Symbol.asyncDispose]())
for (const login of ['ann', 'bob', 'eve']) await forge.person(login)
await forge.call('ann', 'POST', '/user/repos', { name: 'furnace' })
await forge.call('ann', 'PUT', '/repos/ann/furnace/collaborators/bob', { permission: 'write' })
await forge.call('ann', 'POST', '/user/repos', { name: 'secret', private: true })
const REPO = '/repos/ann/furnace'
const HOSTILE = '"><script>alert(1)</script>\u202e'
const ann = await forge.browserOf('ann')
const bob = await forge.browserOf('bob')
const eve = await forge.browserOf('eve')
const stranger = forge.browser()

interface Made {
  readonly id: number
  readonly number: number
}
const open = async (facts: object = {}, as = 'ann'): Promise<Made> =>
  (await forge.call(as, 'POST', `${REPO}/issues`, { title: 'It goes out', ...facts })).body
const pageOf = ({ number }: Made) => `/ann/furnace/issues/${number}`
const record = async ({ number }: Made) => (await forge.call('ann', 'GET', `${REPO}/issues/${number}`)).body

test('an issue is opened, discussed, closed and reopened by forms alone', async () => {
  const made = await ann.submit('/ann/furnace/issues/new', 'create', {
    title: 'No coal',
    body: 'At *night*.',
  })
  assert.equal(made.status, 303)
  const path = made.headers.get('location') ?? ''
  const shown = await stranger.get(path)
  assert.equal(shown.status, 200)
  assert.match(shown.text, /<em>night<\/em>/)
  const said = await bob.submit(path, 'comment', { body: 'I take **Mondays**.' })
  assert.match(said.headers.get('location') ?? '', /#issuecomment-\d+$/)
  const closed = await ann.submit(path, 'close', { body: 'Thank you.' })
  assert.equal(closed.status, 303)
  const after = await ann.get(path)
  assert.match(after.text, /<strong>Mondays<\/strong>/)
  assert.match(after.text, /Thank you\./)
  assert.match(after.text, /closed this/)
  const [, id = ''] =
    /Issue #\d+ closed\.[\s\S]*?name="id" value="(\d+)"/.exec(
      (await ann.get(closed.headers.get('location') ?? '')).text,
    ) ?? []
  assert.equal((await ann.submit('/-/undo', 'undo', { id, to: path })).headers.get('location'), path)
  const { body } = await forge.call('ann', 'GET', `/repos${path}`)
  assert.deepEqual([body.state, body.comments], ['open', 2])
})

test('a refused form keeps its text', async () => {
  const issue = await open()
  const text = `${'x'.repeat(200)}\n${HOSTILE}`
  await forge.call('ann', 'PUT', `${REPO}/issues/${issue.number}/lock`, {})
  const refused = await eve.submit(pageOf(issue), 'comment', { body: text })
  assert.equal(refused.status, 422)
  const untitled = await eve.submit('/ann/furnace/issues/new', 'create', { title: ' ', body: text })
  assert.equal(untitled.status, 422)
  assert.ok(untitled.text.includes('x'.repeat(200)))
  assert.match(untitled.text, /role="alert"/)
  assert.ok(!untitled.text.includes('<script>alert'))
})

test('user text is escaped wherever it is shown', async () => {
  const label = await forge.call('ann', 'POST', `${REPO}/labels`, { name: HOSTILE, color: '#00aabb' })
  const milestone = await forge.call('ann', 'POST', `${REPO}/milestones`, { title: HOSTILE })
  const issue = await open({
    title: HOSTILE,
    body: HOSTILE,
    labels: [label.body.id],
    milestone: milestone.body.id,
  })
  await forge.call('ann', 'PATCH', `${REPO}/issues/${issue.number}`, { title: `${HOSTILE} again` })
  await forge.call('bob', 'POST', `${REPO}/issues/${issue.number}/comments`, { body: HOSTILE })
  for (const path of [
    pageOf(issue),
    '/ann/furnace/issues',
    `/ann/furnace/issues?q=${encodeURIComponent(HOSTILE)}`,
  ]) {
    const { status, text } = await ann.get(path)
    assert.equal(status, 200)
    assert.ok(!text.includes('<script>alert'), path)
    assert.ok(text.includes('&lt;script&gt;'), path)
  }
})

test('issues of a private repository are 404 for others', async () => {
  await forge.call('ann', 'POST', '/repos/ann/secret/issues', { title: 'hidden' })
  for (const path of ['/ann/secret/issues', '/ann/secret/issues/1', '/ann/secret/issues/new/choose'])
    assert.equal((await eve.get(path)).status, 404, path)
  assert.equal((await eve.submit('/ann/secret/issues/1', 'comment', { body: 'hello' })).status, 422)
  const asked = await stranger.get('/ann/furnace/issues/new')
  assert.match(asked.headers.get('location') ?? '', /^\/user\/login/)
})

test('a reader is not offered forms that would be refused, and is refused them', async () => {
  const issue = await open()
  const { text } = await eve.get(pageOf(issue))
  assert.deepEqual(text.match(/<h1[^>]*>[^<]*/g), ['<h1>It goes out '])
  for (const form of ['labels', 'assignees', 'milestone', 'lock', 'close', 'title'])
    assert.ok(!text.includes(`name="form" value="${form}"`), form)
  assert.equal((await eve.submit(pageOf(issue), 'labels', { label: '1' })).status, 422)
  assert.equal((await eve.submit(pageOf(issue), 'close', { body: '' })).status, 422)
  assert.equal((await record(issue)).state, 'open')
})

test('a reader attaches a file to a comment', async () => {
  const issue = await open()
  assert.match((await eve.get(pageOf(issue))).text, /enctype="multipart\/form-data"[\s\S]*type="file"/)
  const form = new FormData()
  for (const [name, value] of Object.entries({ form: 'comment', body: 'See [it](attachment:smoke.txt)' }))
    form.set(name, value)
  form.set('files', new File(['smoke'], 'smoke.txt'))
  const sent = await eve.post(pageOf(issue), form as unknown as URLSearchParams)
  assert.equal(sent.status, 303)
  const { text } = await stranger.get(pageOf(issue))
  assert.match(text, /smoke\.txt/)
  assert.match(text, /See <a href="[^"]*\/attachments\/[0-9a-f-]{36}"[^>]*>it<\/a>/)
})

test('users, issues and emoji are suggested while a text is written', async () => {
  const { number } = await open({ title: 'Bellows leak' })
  const suggested = async (query: string, browser = eve) =>
    [...(await browser.get(`/-/suggest?${query}`)).text.matchAll(/data-insert="([^"]*)"/g)].map(
      ([, it]) => it,
    )
  assert.deepEqual(await suggested('kind=users&q=an'), ['@ann'])
  assert.deepEqual(await suggested('kind=issues&q=bellows&place=ann/furnace'), [`#${number}`])
  assert.equal((await suggested(`kind=issues&q=${number}&place=ann/furnace`))[0], `#${number}`)
  assert.equal((await suggested('kind=emoji&q=tad'))[0], '🎉')
  await forge.call('ann', 'POST', '/user/repos', { name: 'vault', private: true })
  await forge.call('ann', 'POST', '/repos/ann/vault/issues', { title: 'Gold' })
  assert.deepEqual(await suggested('kind=issues&q=&place=ann/vault', ann), ['#1'])
  assert.deepEqual(await suggested('kind=issues&q=&place=ann/vault'), [])
  assert.equal((await stranger.get('/-/suggest?kind=users&q=an')).status, 303)
})

test('labels, assignees, milestone, due date, dependencies and time are set in the sidebar', async () => {
  const issue = await open()
  const other = await open({ title: 'First this' })
  const { body: label } = await forge.call('ann', 'POST', `${REPO}/labels`, { name: 'bug', color: '#d73a4a' })
  const { body: milestone } = await forge.call('ann', 'POST', `${REPO}/milestones`, { title: 'First melt' })
  const path = pageOf(issue)
  const did: [string, Record<string, string>][] = [
    ['labels', { label: `${label.id}` }],
    ['assignees', { assignee: 'bob' }],
    ['milestone', { milestone: `${milestone.id}` }],
    ['due-date', { due_date: '2030-02-03' }],
    ['depend', { other: `#${other.number}` }],
    ['add-time', { time: '1h 30m' }],
    ['subscribe', {}],
    ['title', { title: 'Better' }],
    ['react', { id: '0', content: 'heart' }],
    ['pin', {}],
    ['lock', {}],
  ]
  for (const [form, fields] of did) {
    const { status, text } = await ann.submit(path, form, fields)
    assert.equal(status, 303, `${form} ${/role="alert"[^>]*>([^<]*)/.exec(text)?.[1]}`)
  }
  const now = await record(issue)
  assert.deepEqual(
    [now.labels[0].name, now.assignees[0].login, now.milestone.title, now.due_date.slice(0, 10), now.title],
    ['bug', 'bob', 'First melt', '2030-02-03', 'Better'],
  )
  assert.deepEqual([now.is_locked, now.pin_order], [true, 1])
  const { text } = await ann.get(path)
  for (const word of ['First this', '1h 30m', 'changed the title', 'locked the conversation', '❤️'])
    assert.ok(text.includes(word), word)
  assert.equal((await ann.submit(path, 'depend', { other: 'nonsense' })).status, 422)
  assert.equal((await ann.submit(path, 'labels', {})).status, 303)
  assert.deepEqual((await record(issue)).labels, [])
})

test('task boxes are ticked, unless the text has changed', async () => {
  const issue = await open({ body: '- [ ] coal\n- [x] ore\n\n```\n- [ ] no box\n```\n' })
  const { text } = await ann.get(pageOf(issue))
  assert.equal(text.match(/name="task"/g)?.length, 2)
  const ticked = await ann.submit(pageOf(issue), 'tasks', { id: '0', boxes: '2', task: ['0', '1'] })
  assert.equal(ticked.status, 303)
  assert.equal((await record(issue)).body, '- [x] coal\n- [x] ore\n\n```\n- [ ] no box\n```\n')
  assert.equal((await ann.submit(pageOf(issue), 'tasks', { id: '0', boxes: '3', task: [] })).status, 422)
  assert.ok(!(await eve.get(pageOf(issue))).text.includes('name="task"'))
})

test('a comment is quoted, edited, reacted to and deleted', async () => {
  const issue = await open()
  const path = pageOf(issue)
  const { body: said } = await forge.call('bob', 'POST', `${REPO}/issues/${issue.number}/comments`, {
    body: 'one\ntwo',
  })
  const quoted = await eve.get(`${path}?quote=issuecomment-${said.id}`)
  assert.match(quoted.text, /&gt; one\n&gt; two/)
  const editing = await bob.get(`${path}?edit=issuecomment-${said.id}`)
  assert.match(editing.text, /value="edit-comment"/)
  assert.ok(!(await eve.get(path)).text.includes(`?edit=issuecomment-${said.id}`))
  await bob.submit(path, 'edit-comment', { id: `${said.id}`, body: 'three' })
  await eve.submit(path, 'react', { id: `${said.id}`, content: '+1' })
  const seen = await eve.get(path)
  assert.match(seen.text, /three/)
  const isMine = /class="reaction"[^>]*aria-pressed="true"/
  assert.match(seen.text, isMine)
  await eve.submit(path, 'react', { id: `${said.id}`, remove: '+1' })
  assert.doesNotMatch((await eve.get(path)).text, isMine)
  assert.equal((await eve.submit(path, 'delete-comment', { id: `${said.id}` })).status, 422)
  assert.equal((await bob.submit(path, 'delete-comment', { id: `${said.id}` })).status, 303)
  assert.equal((await record(issue)).comments, 0)
})

test('the list is filtered by parameters and keywords, and edited in bulk', async () => {
  const { body: label } = await forge.call('ann', 'POST', `${REPO}/labels`, { name: 'hot', color: '#ff0000' })
  const [one, two] = [
    await open({ title: 'Crack in the wall', labels: [label.id] }),
    await open({ title: 'Cold' }),
  ]
  const has = async (query: string, made: Made) =>
    (await ann.get(`/ann/furnace/issues?${query}`)).text.includes(`href="${pageOf(made)}"`)
  assert.deepEqual([await has('labels=hot', one), await has('labels=hot', two)], [true, false])
  assert.deepEqual([await has('q=label:hot+crack', one), await has('q=author:bob', one)], [true, false])
  assert.equal(await has('poster=nobody-at-all', one), false)
  const done = await bob.submit('/ann/furnace/issues', 'bulk', {
    issue: [`${one.number}`, `${two.number}`],
    state: 'closed',
    add_label: `${label.id}`,
    assignee: 'bob',
  })
  assert.equal(done.status, 303)
  for (const made of [one, two]) {
    const now = await record(made)
    assert.deepEqual([now.state, now.labels.length, now.assignees[0].login], ['closed', 1, 'bob'])
  }
  assert.equal(await has('q=is:closed', two), true)
  assert.equal((await bob.submit('/ann/furnace/issues', 'bulk', { state: 'open' })).status, 422)
  assert.equal(
    (await eve.submit('/ann/furnace/issues', 'bulk', { issue: `${one.number}`, state: 'open' })).status,
    422,
  )
})

test('the list is sorted by the wanted order, and counts the open and closed issues that match', async () => {
  await forge.call('ann', 'POST', '/user/repos', { name: 'sorted' })
  const make = async (title: string, facts: object = {}) =>
    (await forge.call('ann', 'POST', '/repos/ann/sorted/issues', { title, ...facts })).body
  const first = await make('Fire one', { due_date: '2031-01-01T00:00:00Z' })
  await make('Fire two', { due_date: '2030-01-01T00:00:00Z' })
  await make('Water')
  await make('Fire out', { closed: true })
  forge.advance(60_000)
  await forge.call('bob', 'POST', `/repos/ann/sorted/issues/${first.number}/comments`, { body: 'So.' })
  const list = async (query: string) => (await eve.get(`/ann/sorted/issues?${query}`)).text
  const order = async (query: string) =>
    [...(await list(query)).matchAll(/issues\/(\d+)" data-open/g)].map(([, number]) => Number(number))
  for (const [query, expected] of [
    ['', [3, 2, 1]],
    ['sort=oldest', [1, 2, 3]],
    ['sort=recentupdate', [1, 3, 2]],
    ['sort=leastupdate', [2, 3, 1]],
    ['sort=mostcomment', [1, 3, 2]],
    ['sort=nearduedate', [2, 1, 3]],
    ['sort=unknown', [3, 2, 1]],
    ['q=fire&sort=oldest', [1, 2]],
  ] as const)
    assert.deepEqual(await order(query), expected, query)
  const counts = async (query: string) =>
    [...(await list(query)).matchAll(/>(Open|Closed) <span class="counter">(\d+)</g)].map(
      ([, state, count]) => `${state} ${count}`,
    )
  assert.deepEqual(await counts(''), ['Open 3', 'Closed 1'])
  assert.deepEqual(await counts('q=fire&state=closed'), ['Open 2', 'Closed 1'])
  assert.deepEqual(await counts('q=water'), ['Open 1', 'Closed 0'])
})

test('entries without a value are one row of the sidebar for writers and absent for readers; overdue is red', async () => {
  const issue = await open()
  const row = (text: string) => /<h2>Add…<\/h2>[\s\S]*?<\/section>/.exec(text)?.[0] ?? ''
  const [own, others] = [(await ann.get(pageOf(issue))).text, (await eve.get(pageOf(issue))).text]
  const adds = [...row(own).matchAll(/<summary[^>]*><svg[\s\S]*?<\/svg>([^<]+)/g)].map(([, title]) => title)
  assert.deepEqual(adds, ['Assignees', 'Labels', 'Milestone', 'Due date', 'Depends on'])
  assert.deepEqual([row(others), others.includes('Milestone</h2>')], ['', false])
  await ann.submit(pageOf(issue), 'due-date', { due_date: '2025-02-01' })
  assert.ok(!row((await ann.get(pageOf(issue))).text).includes('Due date'))
  await forge.call('ann', 'PATCH', `${REPO}/issues/${issue.number}`, { due_date: '2025-01-01T00:00:00Z' })
  await forge.call('ann', 'POST', `${REPO}/milestones`, { title: 'Late', due_on: '2025-01-01T00:00:00Z' })
  assert.match((await eve.get(pageOf(issue))).text, /<strong class="bad-text">overdue</)
  assert.match((await eve.get('/ann/furnace/milestones')).text, /<strong class="bad-text">was due/)
})

test('an issue number that is a pull request redirects there', async () => {
  const file = { content: 'aXJvbg==', message: 'iron', branch: 'main' }
  await forge.call('ann', 'POST', `${REPO}/contents/a.txt`, file)
  await forge.call('ann', 'POST', `${REPO}/contents/b.txt`, { ...file, new_branch: 'side' })
  const { status, body } = await forge.call('ann', 'POST', `${REPO}/pulls`, {
    title: 'more',
    head: 'side',
    base: 'main',
  })
  assert.equal(status, 201)
  const { headers } = await ann.get(pageOf(body))
  assert.equal(headers.get('location'), `/ann/furnace/pulls/${body.number}`)
})

test('a page takes the same number of queries, however much is on it', async () => {
  const issue = await open({ body: '@bob #1' })
  const comment = (body: string) =>
    forge.call('bob', 'POST', `${REPO}/issues/${issue.number}/comments`, { body })
  const { body: first } = await comment('@ann and #2')
  await forge.call('ann', 'POST', `${REPO}/issues/comments/${first.id}/reactions`, { content: '+1' })
  await ann.get(pageOf(issue))
  const few = await forge.countQueries(() => ann.get(pageOf(issue)))
  for (let i = 0; i < 12; i++) {
    const { body } = await comment(`@ann, #${i + 1}: ${i}`)
    await forge.call('ann', 'POST', `${REPO}/issues/comments/${body.id}/reactions`, { content: 'eyes' })
  }
  assert.equal(await forge.countQueries(() => ann.get(pageOf(issue))), few)
  const list = await forge.countQueries(() => ann.get('/ann/furnace/issues'))
  for (let i = 0; i < 10; i++) await open({ title: `more ${i}`, assignees: ['bob'] })
  assert.equal(await forge.countQueries(() => ann.get('/ann/furnace/issues')), list)
})

const CURL = { 'x-act': 'curl' }

/** Runs commands of a page in a shell, with the token of a user. */
async function runAs(login: string, commands: string, folder = tmpdir()): Promise<string> {
  const env = { ...process.env, TOKEN: forge.tokenOf(login) }
  const text = commands.replaceAll('http://forge.test', forge.base)
  return (await promisify(execFile)('sh', ['-c', text], { env, cwd: folder, timeout: 20_000 })).stdout
}

test('a form is shown as curl commands that do the same, for any text, without executing it', async () => {
  const texts = [
    `it's "quoted" $(touch /tmp/x) \`id\` $TOKEN !! \\ %s`,
    'two\nlines\n\nJSON\n',
    HOSTILE,
    "'; rm -rf /; '",
    '@/etc/passwd',
    'ü 猫 \u{1f525}',
    'x'.repeat(60_000),
  ]
  for (const text of texts) {
    const issue = await open()
    const told = await bob.submit(pageOf(issue), 'comment', { body: text }, CURL)
    assert.equal(told.status, 200, told.text)
    assert.match(told.headers.get('content-type') ?? '', /^text\/plain/)
    assert.ok(!told.text.includes('\u202e'))
    assert.equal((await record(issue)).comments, 0)
    await runAs('bob', told.text)
    const { body } = await forge.call('ann', 'GET', `${REPO}/issues/${issue.number}/comments`)
    assert.deepEqual(
      body.map((it: { body: string; user: { login: string } }) => [it.body, it.user.login]),
      [[text, 'bob']],
    )
  }
})

test('a form of several operations is shown as all its calls, also if one needs the answer of another', async () => {
  const issue = await open()
  const closing = await ann.submit(pageOf(issue), 'close', { body: 'Done.' }, CURL)
  await runAs('ann', closing.text)
  const { state, comments } = await record(issue)
  assert.deepEqual([state, comments], ['closed', 1])
  const form = new FormData()
  for (const [name, value] of Object.entries({ form: 'create', title: 'With a file', body: 'See it.' }))
    form.set(name, value)
  form.set('files', new File(['in the browser'], "it's odd; x.txt"))
  const told = await ann.post('/ann/furnace/issues/new', form as unknown as URLSearchParams, CURL)
  const folder = await mkdtemp(join(tmpdir(), 'bloomery-curl-'))
  await writeFile(join(folder, "it's odd; x.txt"), 'on the disk')
  await runAs('ann', told.text, folder)
  await rm(folder, { recursive: true })
  const found = await forge.call('ann', 'GET', `${REPO}/issues?q=With+a+file`)
  const { body: files } = await forge.call('ann', 'GET', `${REPO}/issues/${found.body[0].number}/assets`)
  assert.deepEqual(
    files.map(({ size }: { size: number }) => size),
    ['on the disk'.length],
  )
})

test('a dry run changes nothing, drafts included, and is refused like the real request', async () => {
  const issue = await open()
  const draft = `comment:${issue.id}`
  await ann.post('/-/draft', new URLSearchParams({ place: draft, text: 'half' }))
  const before = await forge.countQueries(() =>
    ann.submit(pageOf(issue), 'comment', { body: 'x', draft }, CURL),
  )
  assert.ok(before < 20)
  const { rows } = await forge.pool.query('SELECT text FROM draft WHERE place = $1', [draft])
  assert.deepEqual(rows, [{ text: 'half' }])
  assert.equal((await eve.submit(pageOf(issue), 'lock', {}, CURL)).status, 422)
  assert.equal((await stranger.submit(pageOf(issue), 'comment', { body: 'x' }, CURL)).status, 401)
  const foreign = { ...CURL, 'sec-fetch-site': 'cross-site' }
  assert.equal((await ann.submit(pageOf(issue), 'comment', { body: 'x' }, foreign)).status, 403)
  assert.equal((await ann.submit(pageOf(issue), 'tasks', { boxes: '0', id: '0' }, CURL)).status, 422)
  const own = await ann.submit('/-/theme', 'theme', { theme: 'dark' }, CURL)
  assert.match(own.text, /has no call for this/)
})

test('without JavaScript the buttons of a page show their REST calls', async () => {
  const issue = await open()
  const { text } = await ann.get(`${pageOf(issue)}?act=curl`)
  assert.match(text, /name="act" value="curl"/)
  assert.doesNotMatch((await ann.get(pageOf(issue))).text, /name="act"/)
  const told = await ann.submit(pageOf(issue), 'comment', { body: HOSTILE, act: 'curl' })
  assert.match(told.text, /curl -sS -X POST/)
  assert.ok(!told.text.includes('<script>alert'))
  assert.equal((await record(issue)).comments, 0)
})

test('earlier texts are kept with each edit, shown as diffs, and removed by users with access', async () => {
  const issue = await forge.call('bob', 'POST', `${REPO}/issues`, { title: 'Texts', body: 'one\ntwo\nthree' })
  const { number } = issue.body as Made
  const path = `/ann/furnace/issues/${number}`
  assert.doesNotMatch((await ann.get(path)).text, /content-history/)
  await forge.call('bob', 'PATCH', `${REPO}/issues/${number}`, { body: `one\n${HOSTILE}\nthree` })
  await forge.call('ann', 'PATCH', `${REPO}/issues/${number}`, { body: 'one\nthree\nfour' })
  await forge.call('ann', 'PATCH', `${REPO}/issues/${number}`, { title: 'Another title' })
  assert.match((await ann.get(path)).text, /content-history/)
  const { text } = await stranger.get(`${path}/content-history`)
  assert.match(text, /<del>[^<]*&lt;script&gt;/)
  assert.match(text, /<ins>four<\/ins>/)
  assert.ok(!text.includes('<script>alert'))
  const ids = [...text.matchAll(/content-history\?change=(\d+)/g)].map(([, id = '']) => id)
  assert.equal(ids.length, 2)
  const first = await stranger.get(`${path}/content-history?change=${ids[1]}`)
  assert.match(first.text, /<del>two<\/del><ins>/)
  const change = { change: ids[1] ?? '' }
  assert.equal((await eve.submit(`${path}/content-history`, 'forget', change)).status, 422)
  assert.equal((await ann.submit('/ann/furnace/issues/1/content-history', 'forget', change)).status, 422)
  assert.equal((await bob.submit(`${path}/content-history`, 'forget', change)).status, 303)
  assert.doesNotMatch((await ann.get(`${path}/content-history?change=${ids[1]}`)).text, /<del>/)
})

test('the history of a comment shows the latest fifty edits in a fixed number of queries', async () => {
  const issue = await open()
  const said = await forge.call('bob', 'POST', `${REPO}/issues/${issue.number}/comments`, { body: 'v0' })
  const edit = (body: string) =>
    forge.call('bob', 'PATCH', `${REPO}/issues/comments/${said.body.id}`, { body })
  const path = `${pageOf(issue)}/content-history?comment=${said.body.id}`
  forge.advance(1_000)
  await edit('v1')
  await edit('v2')
  assert.ok((await ann.get(pageOf(issue))).text.includes(`content-history?comment=${said.body.id}`))
  await ann.get(path)
  const few = await forge.countQueries(() => ann.get(path))
  await forge.pool.query(
    `insert into issue_content_history (issue_id, comment_id, text, replaced_at)
      select $1, $2, 'v' || i, now() from generate_series(3, 60) as i`,
    [issue.id, said.body.id],
  )
  await edit('last but one')
  await edit('last')
  assert.equal(await forge.countQueries(() => ann.get(path)), few)
  const { text } = await ann.get(path)
  assert.equal(text.match(/content-history\?comment=\d+&amp;change=\d+/g)?.length, 50)
  assert.match(text, /<del>last<b> but one<\/b><\/del><ins>last<\/ins>/)
  const elsewhere = await open()
  const other = `${pageOf(elsewhere)}/content-history?comment=${said.body.id}`
  assert.equal((await ann.get(other)).status, 404)
  await forge.call('bob', 'DELETE', `${REPO}/issues/comments/${said.body.id}`)
  assert.equal((await ann.get(path)).status, 404)
})

test('similar issues are listed while one is written, with and without JavaScript', async () => {
  const known = await open({ title: 'Chimney draws badly in the rain' })
  await forge.call('ann', 'POST', '/repos/ann/secret/issues', { title: 'Chimney draws badly in secret' })
  const like = async (title: string, as = bob) =>
    (await as.get(`/ann/furnace/issues/new?similar=${encodeURIComponent(title)}`, { 'x-region': 'similar' }))
      .text
  assert.ok((await like('chimney draws badly')).includes(`/ann/furnace/issues/${known.number}"`))
  assert.doesNotMatch(await like('chimney draws badly'), /secret/)
  assert.doesNotMatch(await like('Order more bricks'), /href/)
  assert.doesNotMatch(await like('%'), /href/)
  const fields = {
    title: 'Chimney draws badly',
    body: 'x',
    draft: 'issue:1',
    preview_field: 'body',
    preview_place: 'ann/furnace',
    form: ['create', 'preview'],
  }
  assert.match((await bob.submit('/-/markup', 'create', fields)).text, /in the rain/)
  const hidden = { ...fields, preview_place: 'ann/secret' }
  assert.doesNotMatch((await bob.submit('/-/markup', 'create', hidden)).text, /in secret/)
})
