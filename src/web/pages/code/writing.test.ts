/** Writing code in a browser: branches, files, releases, wikis, and contributing from a branch or a fork. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startForge } from '#testing'
import { commit } from '#testing/slices/reviews'

const forge = await startForge()
after(() => forge[Symbol.asyncDispose]())

await forge.person('ann')
await forge.person('eve')
const ann = await forge.browserOf('ann')
const eve = await forge.browserOf('eve')
const REPO = '/repos/ann/site'

before(async () => {
  await forge.call('ann', 'POST', '/user/repos', { name: 'site', auto_init: true, default_branch: 'main' })
  await forge.call('ann', 'POST', '/user/repos', { name: 'empty' })
  await forge.call('ann', 'POST', '/user/repos', { name: 'ore', auto_init: true, default_branch: 'main' })
})

const textOf = async (path: string, ref = 'main') => {
  const { body } = await forge.call('ann', 'GET', `${REPO}/contents/${path}?ref=${ref}`)
  return Buffer.from(body.content, 'base64').toString('utf8')
}
/** The value of a hidden field. */
const hiddenIn = (text: string, name: string) =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? ''

/** A multipart form, as browsers send it. */
function upload(path: string, fields: Record<string, string>, name: string, files: Record<string, string>) {
  const body = new FormData()
  for (const [field, value] of Object.entries(fields)) body.append(field, value)
  for (const [file, text] of Object.entries(files)) body.append(name, new Blob([text]), file)
  const cookie = [...ann.cookies].map(([key, value]) => `${key}=${value}`).join('; ')
  const headers = { cookie, 'sec-fetch-site': 'same-origin', accept: 'text/html' }
  return fetch(forge.base + path, { method: 'POST', body, redirect: 'manual', headers })
}

test('a branch is created, renamed and deleted', async () => {
  const path = '/ann/site/branches'
  await ann.submit(path, 'new', { name: 'topic/a', from: 'main' })
  await ann.submit(path, 'rename', { branch: 'topic/a', name: 'topic/b' })
  const shown = await ann.get(path)
  assert.match(shown.text, /topic\/b/)
  assert.match(shown.text, /0 commits behind and 0 commits ahead/)
  const refused = await ann.submit(path, 'new', { name: 'bad..name', from: 'main' })
  assert.equal(refused.status, 422)
  assert.match(refused.text, /value="bad\.\.name"/)
  assert.equal((await eve.submit(path, 'delete', { branch: 'topic/b' })).status, 422)
  const { body: before } = await forge.call('ann', 'GET', `${REPO}/branches/topic/b`)
  const deleted = await ann.submit(path, 'delete', { branch: 'topic/b' })
  const next = deleted.headers.get('location') ?? ''
  const { text: notice } = await ann.get(next)
  assert.match(notice, /role="status"><span class="grow">Branch topic\/b deleted\.<\/span>/)
  assert.doesNotMatch((await eve.get(next)).text, /topic\/b deleted|Recently deleted/, 'only who did it')
  assert.equal((await forge.call('ann', 'GET', `${REPO}/branches/topic/b`)).status, 404)
  const id = hiddenIn(notice.slice(notice.indexOf('class="flash undo')), 'id')
  assert.equal((await eve.submit('/-/undo', 'undo', { id, to: path })).status, 422)
  const undone = await ann.submit('/-/undo', 'undo', { id, to: path })
  assert.equal(undone.headers.get('location'), path)
  const { body: after } = await forge.call('ann', 'GET', `${REPO}/branches/topic/b`)
  assert.equal(after.commit.id, before.commit.id)
  assert.equal((await ann.submit('/-/undo', 'undo', { id, to: path })).status, 422, 'once')
  assert.doesNotMatch((await ann.get(next)).text, /flash undo/)
})

test('a deleted branch is listed and restored for a week, by users who may push, while its name is free', async () => {
  const path = '/ann/site/branches'
  const drop = (branch: string) => forge.call('ann', 'DELETE', `${REPO}/branches/${branch}`)
  for (const name of ['kept', 'taken', 'old']) await ann.submit(path, 'new', { name, from: 'main' })
  await drop('old')
  forge.advance(7 * 86_400_000)
  await drop('taken')
  await drop('kept')
  await ann.submit(path, 'new', { name: 'taken', from: 'main' })
  const { text } = await ann.get(path)
  const listed = [...text.matchAll(/aria-label="Restore ([^"]+)"/g)].map(([, name]) => name)
  assert.deepEqual(listed, ['kept'])
  assert.equal((await eve.submit(path, 'restore', { branch: 'kept' })).status, 422)
  assert.equal((await ann.submit(path, 'restore', { branch: 'old' })).status, 422)
  assert.equal((await ann.submit(path, 'restore', { branch: 'taken' })).status, 422)
  // Under all rules, as a push.
  const rule = { rule_name: 'kept', enable_push: false }
  assert.equal((await forge.call('ann', 'POST', `${REPO}/branch_protections`, rule)).status, 201)
  assert.equal((await ann.submit(path, 'restore', { branch: 'kept' })).status, 422)
  await forge.call('ann', 'DELETE', `${REPO}/branch_protections/kept`)
  assert.equal((await ann.submit(path, 'restore', { branch: 'kept' })).status, 303)
  assert.equal((await forge.call('ann', 'GET', `${REPO}/branches/kept`)).status, 200)
  assert.doesNotMatch((await ann.get(path)).text, /Recently deleted/)
})

test('a file is created, edited and renamed; a concurrent change is not overwritten and the text is kept', async () => {
  const made = await ann.submit('/ann/site/_new/main', 'new', {
    path: 'docs/a.txt',
    text: 'one\r\ntwo\r\n',
    where: 'direct',
  })
  assert.equal(made.headers.get('location'), '/ann/site/src/branch/main/docs/a.txt')
  assert.equal(await textOf('docs/a.txt'), 'one\ntwo\n')
  const sha = hiddenIn((await ann.get('/ann/site/_edit/main/docs/a.txt')).text, 'sha')
  const fields = { path: 'docs/b.txt', text: 'three\n', where: 'direct', message: 'Rename', sha }
  const edited = await ann.submit('/ann/site/_edit/main/docs/a.txt', 'edit', fields)
  assert.equal(edited.headers.get('location'), '/ann/site/src/branch/main/docs/b.txt')
  assert.equal(await textOf('docs/b.txt'), 'three\n')
  const newer = hiddenIn((await ann.get('/ann/site/_edit/main/docs/b.txt')).text, 'sha')
  await ann.submit('/ann/site/_edit/main/docs/b.txt', 'edit', { ...fields, text: 'four\n', sha: newer })
  const late = await ann.submit('/ann/site/_edit/main/docs/b.txt', 'edit', {
    ...fields,
    text: '<b>mine</b>',
    sha: newer,
  })
  assert.equal(late.status, 422)
  assert.match(late.text, /&lt;b&gt;mine&lt;\/b&gt;<\/textarea>/)
  assert.equal(await textOf('docs/b.txt'), 'four\n')
})

test('an edit keeps the line ends of a file', async () => {
  const content = Buffer.from('a\r\nb\r\n').toString('base64')
  await forge.call('ann', 'POST', `${REPO}/contents/win.txt`, { content })
  const { text } = await ann.get('/ann/site/_edit/main/win.txt')
  const fields = {
    path: 'win.txt',
    text: 'a\r\nc\r\n',
    where: 'direct',
    sha: hiddenIn(text, 'sha'),
    crlf: hiddenIn(text, 'crlf'),
  }
  await ann.submit('/ann/site/_edit/main/win.txt', 'edit', fields)
  assert.equal(await textOf('win.txt'), 'a\r\nc\r\n')
})

test('a change can be committed to a new branch, and leads to its comparison', async () => {
  const fields = { path: 'new.txt', text: 'x\n', where: 'new', new_branch: 'ann-patch-1' }
  const made = await ann.submit('/ann/site/_new/main', 'new', fields)
  assert.equal(made.headers.get('location'), '/ann/site/compare/main...ann-patch-1')
  assert.equal(await textOf('new.txt', 'ann-patch-1'), 'x\n')
})

test('the first file of an empty repository creates its branch', async () => {
  assert.equal((await ann.get('/ann/empty/_new/main')).status, 200)
  const made = await ann.submit('/ann/empty/_new/main', 'new', {
    path: 'README.md',
    text: '# Hi\n',
    where: 'direct',
  })
  assert.equal(made.status, 303)
  assert.match((await ann.get('/ann/empty')).text, /user-content-hi/)
})

test('files are uploaded and deleted', async () => {
  const sent = await upload(
    '/ann/site/_upload/main',
    { form: 'upload', folder: 'up', where: 'direct', message: 'Bring them' },
    'files',
    {
      '1.txt': 'one',
      '2.txt': 'two',
    },
  )
  assert.equal(sent.headers.get('location'), '/ann/site/src/branch/main/up')
  assert.equal(await textOf('up/2.txt'), 'two')
  const sha = hiddenIn((await ann.get('/ann/site/_delete/main/up/2.txt')).text, 'sha')
  await ann.submit('/ann/site/_delete/main/up/2.txt', 'delete', { sha, where: 'direct' })
  assert.equal((await forge.call('ann', 'GET', `${REPO}/contents/up/2.txt`)).status, 404)
})

test('writing requires sign-in and write access', async () => {
  for (const path of [
    '_new/main',
    '_edit/main/README.md',
    '_delete/main/README.md',
    '_upload/main',
    'releases/new',
    'wiki/_new',
  ]) {
    assert.equal((await forge.browser().get(`/ann/site/${path}`)).status, 303, path)
    assert.equal((await eve.get(`/ann/site/${path}`)).status, 403, path)
  }
})

test('a release is drafted, published, edited and deleted, with its files', async () => {
  const fields = {
    tag_name: 'v1',
    target_commitish: 'main',
    name: 'One <i>',
    body: 'It **works**.',
    do: 'draft',
  }
  const drafted = await ann.submit('/ann/site/releases/new', 'create', fields)
  assert.equal(drafted.headers.get('location'), '/ann/site/releases/tag/v1')
  assert.equal((await eve.get('/ann/site/releases/tag/v1')).status, 404)
  await ann.submit('/ann/site/releases/edit/v1', 'edit', {
    name: 'One <i>',
    body: 'It **works**.',
    do: 'publish',
  })
  const shown = await eve.get('/ann/site/releases/tag/v1')
  assert.match(shown.text, /One &lt;i&gt;/)
  assert.match(shown.text, /<strong>works<\/strong>/)
  assert.equal(
    (await eve.get('/ann/site/releases/latest')).headers.get('location'),
    '/ann/site/releases/tag/v1',
  )
  const edit = '/ann/site/releases/edit/v1'
  await upload(edit, { form: 'upload' }, 'attachment', { 'iron.txt': 'iron' })
  assert.match((await eve.get('/ann/site/releases')).text, /iron\.txt/)
  await ann.submit(edit, 'remove', { id: hiddenIn((await ann.get(edit)).text, 'id') })
  assert.doesNotMatch((await eve.get('/ann/site/releases')).text, /iron\.txt/)
  const again = await ann.submit('/ann/site/releases/new', 'create', {
    ...fields,
    do: 'publish',
    name: 'Kept',
  })
  assert.equal(again.status, 422)
  assert.match(again.text, /value="Kept"/)
  assert.match((await ann.get('/ann/site/tags')).text, /v1/)
  const gone = await ann.submit('/ann/site/releases/edit/v1', 'delete', {})
  assert.equal(gone.headers.get('location'), '/ann/site/releases')
  assert.equal((await forge.call(null, 'GET', `${REPO}/releases/tags/v1`)).status, 404)
})

test('a release is published with files, and the newest one is marked as the latest', async () => {
  const fields = { form: 'create', tag_name: 'v5', target_commitish: 'main', body: '', do: 'publish' }
  await upload('/ann/site/releases/new', fields, 'files', { 'steel.txt': 'steel' })
  const { text } = await eve.get('/ann/site/releases/tag/v5')
  assert.match(text, /steel\.txt/)
  assert.match(text, /<span class="pill good">Latest<\/span>/)
  await forge.call('ann', 'POST', `${REPO}/releases`, { tag_name: 'v6' })
  assert.doesNotMatch((await eve.get('/ann/site/releases/tag/v5')).text, />Latest</)
})

test('release notes list the pull requests that were merged since the last release', async () => {
  await forge.call('ann', 'POST', '/user/repos', { name: 'notes', auto_init: true })
  const at = '/repos/ann/notes'
  const merge = async (title: string) => {
    const file = { content: '', message: title, new_branch: title }
    await forge.call('ann', 'POST', `${at}/contents/${title}`, file)
    const pull = { base: 'main', head: title, title: `Add ${title}` }
    const { body } = await forge.call('ann', 'POST', `${at}/pulls`, pull)
    await forge.call('ann', 'POST', `${at}/pulls/${body.number}/merge`, { Do: 'merge' })
  }
  const notesFor = async (tag_name: string) => {
    const fields = { tag_name, target_commitish: 'main', name: 'Two', body: 'Hello', do: 'notes' }
    const place = hiddenIn((await ann.get('/ann/notes/releases/new')).text, 'draft')
    const written = await ann.submit('/ann/notes/releases/new', 'create', { ...fields, draft: place })
    const { text } = await ann.get(written.headers.get('location') ?? '')
    assert.match(text, new RegExp(`name="tag_name"[^>]*value="${tag_name}"`))
    assert.match(text, /value="Two"/)
    return /<textarea[^>]*name="body"[^>]*>\n([^<]*)</.exec(text)?.[1]
  }
  await merge('tin')
  assert.equal(await notesFor('v1'), 'Hello\n\n## What&#39;s changed\n\n* Add tin by @ann in #1')
  await forge.call('ann', 'POST', `${at}/releases`, { tag_name: 'v1' })
  await merge('zinc')
  const compared = `${forge.ctx.site.url}/ann/notes/compare/v1...v2`
  assert.equal(
    await notesFor('v2'),
    `Hello\n\n## What&#39;s changed\n\n* Add zinc by @ann in #2\n\n**Full changelog**: ${compared}`,
  )
})

test('wiki pages are created, previewed, edited, renamed and deleted', async () => {
  assert.match((await ann.get('/ann/site/wiki')).text, /Create the first page/)
  const text =
    '# Hello\n\n[Fuel](Fuel) <script>alert(1)</script> [[javascript:x]] [[oil|Fuel-oil two]] :tada: `:tada: [[x]]` $x^2$'
  const fields = { title: 'Home', text, message: '' }
  const preview = await ann.submit('/-/markup', 'preview', {
    ...fields,
    preview_field: 'text',
    preview_place: 'ann/site',
    preview_mode: 'wiki',
    preview_to: '/ann/site/wiki/_new',
  })
  assert.equal(preview.status, 200)
  assert.match(preview.text, /<h1 id="user-content-hello">/)
  assert.match(preview.text, /value="Home"/)
  assert.match(preview.text, /href="\/ann\/site\/wiki\/Fuel"/)
  const made = await ann.submit('/ann/site/wiki/_new', 'save', fields)
  assert.equal(made.headers.get('location'), '/ann/site/wiki/Home')
  const shown = await eve.get('/ann/site/wiki')
  assert.match(shown.text, /href="\/ann\/site\/wiki\/Fuel"/)
  assert.doesNotMatch(shown.text, /<script>alert/)
  assert.match(shown.text, /<a href="\/ann\/site\/wiki\/javascript%3Ax" rel="nofollow">javascript:x<\/a>/)
  assert.match(shown.text, /<a href="\/ann\/site\/wiki\/Fuel-oil%20two\.-" rel="nofollow">oil<\/a>/)
  assert.match(shown.text, /<\/a> 🎉 <code>:tada: \[\[x\]\]<\/code> <math><msup><mi>x<\/mi>/)
  const editing = await ann.get('/ann/site/wiki/Home?action=_edit')
  assert.match(editing.text, /<title>Edit Home · ann\/site/)
  await ann.submit('/ann/site/wiki/Home?action=_edit', 'save', {
    title: 'What next? + more',
    text: 'Later.',
  })
  const { body: pages } = await forge.call('ann', 'GET', `${REPO}/wiki/pages`)
  assert.deepEqual(
    pages.map(({ title }: { title: string }) => title),
    ['What next? + more'],
  )
  const renamed = `/ann/site/wiki/${pages[0].sub_url}`
  assert.match((await eve.get(renamed)).text, /Later\./)
  const { text: history } = await eve.get(`${renamed}?action=_revision`)
  assert.match(history, /History of What next\? \+ more/)
  const [, change = ''] = /href="(\/ann\/site\/wiki\/commit\/[0-9a-f]+)"/.exec(history) ?? []
  assert.match((await eve.get(change)).text, /<ins[^>]*>Later\./)
  assert.equal((await eve.get('/ann/site/wiki/commit/nonsense')).status, 404)
  assert.equal((await eve.get(`${renamed}?action=_edit`)).status, 403)
  await ann.submit(`${renamed}?action=_edit`, 'delete', {})
  assert.equal((await ann.get(renamed)).status, 404)
})

test('feeds are well-formed XML', async () => {
  await forge.runJobs()
  await forge.call('ann', 'POST', `${REPO}/releases`, { tag_name: 'v2', name: 'Two & <b>', body: 'a\u0001b' })
  for (const [path, word] of [
    ['/ann.rss', /ann/],
    ['/ann.atom', /<feed /],
    ['/ann/site.rss', /pushed to main/],
    ['/ann/site.atom', /<entry>/],
    ['/ann/site/releases.rss', /Two &amp; &lt;b&gt;/],
    ['/ann/site/atom/branch/main', /Bring them/],
  ] as const) {
    const { status, text, headers } = await forge.browser().get(path)
    assert.equal(status, 200, path)
    assert.match(headers.get('content-type') ?? '', /application\/(rss|atom)\+xml/)
    assert.equal(headers.get('content-security-policy'), "default-src 'none'; sandbox")
    assert.match(text, word)
    assert.ok(!text.includes('\u0001'))
  }
})

test('feeds contain each activity once and no drafts, and check token scopes', async () => {
  for (const path of ['one.txt', 'two.txt', 'three.txt'])
    await forge.call('ann', 'POST', `${REPO}/contents/${path}`, { content: '', branch: 'main' })
  await forge.runJobs()
  const { text } = await ann.get('/ann/site.rss')
  const ids = [...text.matchAll(/<guid[^>]*>([^<]*branch\/main#[^<]*)</g)].map(([, id]) => id)
  assert.ok(ids.length >= 3, text)
  assert.equal(new Set(ids).size, ids.length)
  await forge.call('ann', 'POST', `${REPO}/releases`, { tag_name: 'v3', name: 'Not yet', draft: true })
  assert.match((await ann.get('/ann/site/releases')).text, /Not yet/)
  assert.doesNotMatch((await ann.get('/ann/site/releases.atom')).text, /Not yet/)
  await forge.person('una', {}, ['read:user'])
  const feeds = ['//ann.atom', '//ann/site.atom', '//ann/site/releases.atom', '//ann/site/atom/branch/main']
  const statuses = []
  for (const feed of feeds) statuses.push((await forge.call('una', 'GET', feed)).status)
  assert.deepEqual(statuses, [200, 403, 403, 403])
})

const ORE = '/repos/ann/ore'
/** What the banner after a push offers, and where it leads. */
const offeredIn = (text: string) =>
  [
    ...text.matchAll(
      /<strong>([^<]*)<\/strong> had recent pushes[\s\S]*?<a class="button primary" href="([^"]*)"/g,
    ),
  ].map(([, branch = '', to = '']) => [branch, to])

test('after a push a pull request is opened from the home page in two clicks', async () => {
  const count = () => forge.countQueries(() => ann.get('/ann/ore'))
  await count()
  const quiet = await count()
  await commit(forge, 'ann', ORE, 'heat-ore', { 'a.txt': 'one\n' })
  await commit(forge, 'ann', ORE, 'heat-ore', { 'b.txt': 'two\n' })
  await commit(forge, 'ann', ORE, 'gone', { 'c.txt': 'three\n' })
  await forge.call('ann', 'DELETE', `${ORE}/branches/gone`)
  await forge.runJobs()
  const home = await ann.get('/ann/ore')
  const to = '/ann/ore/compare/main...heat-ore'
  assert.deepEqual(offeredIn(home.text), [['heat-ore', to]])
  assert.deepEqual(offeredIn((await ann.get('/ann/ore/pulls')).text), [['heat-ore', to]])
  for (const other of [eve, forge.browser()])
    assert.deepEqual(offeredIn((await other.get('/ann/ore')).text), [])
  assert.equal(await count(), quiet + 3, 'repository, refs and pull requests of the pushed branches')
  const { text: opening } = await ann.get(to)
  assert.match(opening, /name="title" type="text" value="Heat ore"/)
  assert.match(opening, /<textarea id="field-body"[^>]*>\n- Add a\.txt\n- Add b\.txt<\/textarea>/)
  const made = await ann.submit(to, 'create', { title: 'Heat ore', body: 'Why', draft: 'true' })
  assert.equal(made.headers.get('location'), '/ann/ore/pulls/1')
  const { body: pull } = await forge.call('ann', 'GET', `${ORE}/pulls/1`)
  assert.deepEqual([pull.title, pull.draft, pull.body], ['WIP: Heat ore', true, 'Why'])
  assert.deepEqual(offeredIn((await ann.get('/ann/ore')).text), [])
  await forge.call('ann', 'PATCH', `${ORE}/pulls/1`, { state: 'closed' })
  assert.deepEqual(offeredIn((await ann.get('/ann/ore')).text), [], 'it was closed at this commit')
  await commit(forge, 'ann', ORE, 'heat-ore', { 'b.txt': 'three\n' })
  await forge.runJobs()
  assert.equal(offeredIn((await ann.get('/ann/ore')).text).length, 1)
  forge.advance(61 * 60_000)
  assert.deepEqual(offeredIn((await ann.get('/ann/ore')).text), [], 'the push was long ago')
})

test('a new pull request offers what its author may set, and the template of the repository', async () => {
  await forge.call('ann', 'POST', `${ORE}/contents/.github/pull_request_template.md`, {
    content: Buffer.from('## Why\n').toString('base64'),
  })
  const { body: label } = await forge.call('ann', 'POST', `${ORE}/labels`, { name: 'hot', color: '#ff0000' })
  const { body: milestone } = await forge.call('ann', 'POST', `${ORE}/milestones`, { title: 'Spring' })
  await forge.person('wes')
  await forge.call('ann', 'PUT', `${ORE}/collaborators/wes`, { permission: 'write' })
  await commit(forge, 'ann', ORE, 'labelled', { 'l.txt': 'l\n' })
  const path = '/ann/ore/compare/main...labelled'
  const { text } = await ann.get(path)
  assert.match(text, /name="title" type="text" value="Add l\.txt"/)
  assert.match(text, /<textarea id="field-body"[^>]*>\n## Why\n<\/textarea>/)
  const choices = ['reviewer', 'assignee', 'label', 'milestone']
  const offered = (page: string) => choices.filter((name) => page.includes(`name="${name}" value=`))
  assert.deepEqual(offered(text), choices)
  assert.deepEqual(offered((await eve.get(path)).text), [])
  const { body: main } = await forge.call('ann', 'GET', `${ORE}/branches/main`)
  const fromCommit = await ann.get(`/ann/ore/compare/${main.commit.id}...labelled`)
  assert.doesNotMatch(fromCommit.text, /name="form" value="create"/)
  const chosen = { reviewer: 'wes', assignee: 'ann', label: `${label.id}`, milestone: `${milestone.id}` }
  const refused = await ann.submit(path, 'create', { ...chosen, title: ' ', body: 'Kept' })
  assert.equal(refused.status, 422)
  assert.match(refused.text, /value="wes" checked>[\s\S]*>Kept<|Kept[\s\S]*value="wes" checked>/)
  const made = await ann.submit(path, 'create', { ...chosen, title: 'Labelled', body: '', edits: 'true' })
  const [, number] = /\/pulls\/(\d+)$/.exec(made.headers.get('location') ?? '') ?? []
  const { body: pull } = await forge.call('ann', 'GET', `${ORE}/pulls/${number}`)
  assert.deepEqual(
    [pull.requested_reviewers[0].login, pull.assignees[0].login, pull.labels[0].name, pull.milestone.title],
    ['wes', 'ann', 'hot', 'Spring'],
  )
})

test('a file is edited without write access: the change goes to a fork and on to a pull request', async () => {
  const shown = await eve.get('/ann/ore/src/branch/main/README.md')
  assert.match(shown.text, /href="\/ann\/ore\/_fork\/main\/README\.md"[^>]*aria-label="Fork and edit"/)
  const page = '/ann/ore/_fork/main/README.md'
  assert.equal((await ann.get(page)).status, 403, 'who may write edits the file itself')
  assert.equal((await forge.browser().get(page)).status, 303)
  const send = async (text: string, more = {}) => {
    const sha = hiddenIn((await eve.get(page)).text, 'sha')
    return eve.submit(page, 'propose', { path: 'README.md', text, sha, ...more })
  }
  const first = await send('# Better\n', { message: 'Say it better' })
  assert.equal(first.headers.get('location'), '/ann/ore/compare/main...eve%3Apatch-1')
  const proposed = await eve.get('/ann/ore/compare/main...eve:patch-1')
  assert.match(proposed.text, /name="title" type="text" value="Say it better"/)
  await eve.submit('/ann/ore/compare/main...eve:patch-1', 'create', { title: 'Better', body: '' })
  // The fork is behind by now, and its main branch has a commit of its own.
  await commit(forge, 'ann', ORE, 'main', { 'newer.md': 'newer\n' })
  await commit(forge, 'eve', '/repos/eve/ore', 'main', { 'own.md': 'own\n' })
  const stale = await eve.submit(page, 'propose', { path: 'README.md', text: 'x', sha: 'a'.repeat(40) })
  assert.equal(stale.status, 422)
  assert.match(stale.text, /The file has changed since you opened it/)
  const refused = await send('x\n', { path: 'a/../b' })
  assert.equal(refused.status, 422)
  const { body: branches } = await forge.call('eve', 'GET', '/repos/eve/ore/branches')
  const names = branches.map(({ name }: { name: string }) => name)
  assert.ok(names.includes('patch-1') && !names.includes('patch-2'), 'a refused change leaves no branch')
  const second = await send('# Best\n')
  assert.equal(second.headers.get('location'), '/ann/ore/compare/main...eve%3Apatch-2')
  const { body: compared } = await forge.call('eve', 'GET', `${ORE}/compare/main...eve:patch-2`)
  assert.equal(compared.total_commits, 1, 'it begins at the parent, not at the fork')
})

test('the home of a fork tells how far it is from its parent, is synced, and leads to a pull request', async () => {
  await forge.runJobs()
  const status = async () =>
    /This branch [^<]*<a [^>]*>[^<]*/.exec((await eve.get('/eve/ore')).text)?.[0] ?? ''
  assert.match(await status(), /This branch is 1 commit ahead of, 1 commit behind <a [^>]*>ann\/ore:main/)
  const fork = (await eve.get('/eve/ore')).text
  assert.match(fork, /<a class="button" href="\/ann\/ore\/compare\/main\.\.\.eve%3Amain">[^\n]*Contribute/)
  assert.match(fork, /name="form" value="sync"/)
  assert.doesNotMatch((await ann.get('/eve/ore')).text, /name="form" value="sync"/)
  const offered = offeredIn((await eve.get('/ann/ore')).text).map(([branch]) => branch)
  assert.deepEqual(offered, ['eve:patch-2'], 'branches of the fork are offered at the parent')
  assert.deepEqual(offeredIn(fork), [['eve:patch-2', '/ann/ore/compare/main...eve%3Apatch-2']])
  const once = await forge.countQueries(() => eve.get('/eve/ore'))
  assert.equal(await forge.countQueries(() => eve.get('/eve/ore')), once)
  await eve.submit('/eve/ore', 'sync', {})
  assert.match(await status(), /This branch is 2 commits ahead of <a /)
})
