import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startForge } from '#testing'
import { commit, pullFrom } from '#testing/slices/reviews'

const forge = await startForge()
after(() => forge[Symbol.asyncDispose]())
for (const login of ['ann', 'bob', 'carol']) await forge.person(login)
const REPO = '/repos/ann/ore'
await forge.call('ann', 'POST', '/user/repos', { name: 'ore', auto_init: true, default_branch: 'main' })
await forge.call('ann', 'PUT', `${REPO}/collaborators/bob`, { permission: 'write' })
const [ann, bob] = [await forge.browserOf('ann'), await forge.browserOf('bob')]
const stranger = forge.browser()

async function reviewsOf(number: number) {
  return (await forge.call('ann', 'GET', `${REPO}/pulls/${number}/reviews`)).body
}

test('a pull request is listed and discussed, and an issue is not shown as one', async () => {
  const number = await pullFrom(forge, 'bob', REPO, 'listed', { options: { body: 'Text & <i>more</i>' } })
  const list = await stranger.get('/ann/ore/pulls')
  assert.match(list.text, new RegExp(`/ann/ore/pulls/${number}"`))
  const said = await ann.submit(`/ann/ore/pulls/${number}`, 'comment', {
    body: 'Hello <script>alert(1)</script>',
  })
  assert.equal(said.status, 303)
  const page = await stranger.get(`/ann/ore/pulls/${number}`)
  assert.deepEqual(page.text.match(/<h1[^>]*>[^<]*/g), ['<h1>listed '])
  assert.match(page.text, /Hello/)
  assert.ok(!page.text.includes('<script>'))
  const { body: issue } = await forge.call('ann', 'POST', `${REPO}/issues`, { title: 'No pull' })
  const elsewhere = await stranger.get(`/ann/ore/pulls/${issue.number}`)
  assert.equal(elsewhere.headers.get('location'), `/ann/ore/issues/${issue.number}`)
  assert.equal((await stranger.get('/ann/ore/pulls/99999')).status, 404)
  assert.equal((await stranger.get('/ann/ore/pulls/none')).status, 404)
})

test('comments of a pending review are invisible to others until it is submitted', async () => {
  const number = await pullFrom(forge, 'bob', REPO, 'reviewed')
  const files = `/ann/ore/pulls/${number}/files`
  const place = { path: 'reviewed.md', side: 'R', line: '2', when: 'later' }
  const refused = await ann.submit(`${files}?comment=reviewed.md:R2`, 'remark', { ...place, body: ' ' })
  assert.equal(refused.status, 422)
  assert.match(refused.text, /<form[^>]*id="remark"/)
  for (const body of ['First', 'Second'])
    assert.equal((await ann.submit(files, 'remark', { ...place, body })).status, 303)
  const own = await ann.get(files)
  assert.match(own.text, /Pending/)
  assert.match(own.text, /2 pending comments will be submitted/)
  assert.match(
    own.text,
    /<div class="diff-bar sticky">[\s\S]*<summary [^>]*>Finish review \(2\)<[\s\S]*<div class="diff-files">/,
  )
  assert.ok(!(await bob.get(files)).text.includes('Second'))
  await ann.submit(files, 'finish', { event: 'REQUEST_CHANGES', body: 'Please' })
  const [review] = await reviewsOf(number)
  assert.deepEqual([review.state, review.body, review.comments_count], ['REQUEST_CHANGES', 'Please', 2])
  const seen = await bob.get(files)
  // Directly below its line.
  assert.match(seen.text, /two<\/ins><aside>.*First[\s\S]*Second[\s\S]*<\/aside><ins/)
  const talk = await stranger.get(`/ann/ore/pulls/${number}`)
  assert.match(talk.text, /requested changes/)
  assert.match(talk.text, /reviewed\.md<\/a>/)
})

test('a started review is submitted without a summary and shown once, with each comment once', async () => {
  const number = await pullFrom(forge, 'bob', REPO, 'started')
  const [path, files] = [`/ann/ore/pulls/${number}`, `/ann/ore/pulls/${number}/files`]
  const place = { path: 'started.md', side: 'R', line: '2', when: 'later' }
  await ann.submit(files, 'remark', { ...place, body: 'Not so' })
  const sent = await ann.submit(files, 'finish', { event: 'REQUEST_CHANGES', body: '' })
  assert.equal(sent.status, 303, sent.text)
  // A client can begin a review with a text of its own.
  const comments = [{ path: 'started.md', body: 'By a client', new_position: 1 }]
  const begun = await forge.call('carol', 'POST', `${REPO}/pulls/${number}/reviews`, {
    body: 'Begun',
    comments,
  })
  const ended = { event: 'COMMENT', body: 'Ended' }
  await forge.call('carol', 'POST', `${REPO}/pulls/${number}/reviews/${begun.body.id}`, ended)
  const { text } = await stranger.get(path)
  const count = (what: string) => text.split(what).length - 1
  assert.deepEqual(
    ['class="review"', 'Not so', 'By a client', 'Begun', 'Ended', 'Pending'].map(count),
    [2, 1, 1, 1, 1, 0],
  )
})

test('a verdict that does not count for the branch protection is marked so', async () => {
  const number = await pullFrom(forge, 'bob', REPO, 'counted')
  for (const [as, event] of [
    ['ann', 'APPROVED'],
    ['carol', 'REQUEST_CHANGES'],
  ] as const)
    await forge.call(as, 'POST', `${REPO}/pulls/${number}/reviews`, { event, body: 'x' })
  const { text } = await stranger.get(`/ann/ore/pulls/${number}`)
  const rows = text.split('<li>').filter((row) => row.includes('Does not count'))
  assert.deepEqual(
    rows.map((row) => /href="\/(\w+)"/.exec(row)?.[1]),
    ['carol'],
  )
})

test('a comment without a line is about the whole file', async () => {
  const number = await pullFrom(forge, 'bob', REPO, 'whole')
  const files = `/ann/ore/pulls/${number}/files`
  const given = { path: 'whole.md', side: 'R', line: '', when: 'now', body: 'Why a file?' }
  const sent = await ann.submit(`${files}?comment=whole.md`, 'remark', given)
  assert.match(sent.headers.get('location') ?? '', /files#diff-[0-9a-f]{40}$/)
  const { text } = await bob.get(files)
  assert.match(text, /<\/summary><aside><section class="thread" aria-label="Comments on whole\.md">/)
  const [review] = await reviewsOf(number)
  const { body } = await forge.call('ann', 'GET', `${REPO}/pulls/${number}/reviews/${review.id}/comments`)
  assert.deepEqual([body[0].position, body[0].original_position, body[0].outdated], [0, 0, false])
  const old = await ann.submit(files, 'remark', { ...given, side: 'L' })
  assert.equal(old.status, 422)
  assert.match(old.text, /Why a file\?<\/textarea>/)
})

test('a comment on several lines is written, named and quoted with its lines', async () => {
  const number = await pullFrom(forge, 'bob', REPO, 'several')
  const files = `/ann/ore/pulls/${number}/files`
  // Without scripts, the lines are fields.
  const empty = (await ann.get(`${files}?comment=several.md`)).text
  assert.match(empty, /From line<\/label>\s*<input id="field-start" name="start" type="number"/)
  const chosen = (await ann.get(`${files}?comment=several.md:R2-3`)).text
  assert.match(chosen, />Comment on lines 2 to 3<\/p>/)
  const given = { path: 'several.md', side: 'R', start: '2', line: '3', when: 'now', body: 'Both' }
  const refused = await ann.submit(files, 'remark', { ...given, start: '3' })
  assert.equal(refused.status, 422)
  assert.match(refused.text, /name="start" type="number" value="3"/)
  assert.equal((await ann.submit(files, 'remark', given)).status, 303)
  await ann.submit(files, 'remark', { ...given, start: '', body: 'The last alone' })
  const { text } = await stranger.get(files)
  assert.match(text, /aria-label="Comments on lines 2 to 3 of several\.md"><p[^>]*>Lines 2 to 3</)
  assert.match(text, /aria-label="Comments on line 3 of several\.md"/)
  const quoted = (await stranger.get(`/ann/ore/pulls/${number}`)).text
  assert.match(quoted, /href="[^"]*\/files#diff-[0-9a-f]{40}R2-R3"/)
  assert.match(
    quoted,
    /style="--w:10"><ins data-l=" {6}2 \+ ">two<\/ins><ins data-l=" {6}3 \+ ">three<\/ins><\/div>/,
  )
})

test('a thread is answered and resolved', async () => {
  const number = await pullFrom(forge, 'bob', REPO, 'settled')
  const files = `/ann/ore/pulls/${number}/files`
  await ann.submit(files, 'remark', { path: 'settled.md', side: 'R', line: '1', when: 'now', body: 'Why?' })
  const [review] = await reviewsOf(number)
  assert.equal(review.state, 'COMMENT')
  const path = `${REPO}/pulls/${number}/reviews/${review.id}/comments`
  const [remark] = (await forge.call('ann', 'GET', path)).body
  const answered = await bob.submit(files, 'reply', { id: String(remark.id), body: 'Because.' })
  assert.match(answered.headers.get('location') ?? '', /#issuecomment-\d+$/)
  await bob.submit(files, 'resolve', { id: String(remark.id) })
  const settled = await stranger.get(files)
  assert.match(settled.text, /Resolved by bob/)
  assert.match(settled.text, /Because\./)
  await bob.submit(files, 'unresolve', { id: String(remark.id) })
  assert.doesNotMatch((await stranger.get(files)).text, /Resolved by/)
})

test('a viewed file stays viewed while its content is unchanged, whatever is pushed', async () => {
  const number = await pullFrom(forge, 'bob', REPO, 'viewed', {
    files: { 'viewed/a.txt': 'a\n', 'viewed/b.txt': 'b\n' },
  })
  const files = `/ann/ore/pulls/${number}/files`
  const buttons = (text: string) =>
    [
      ...text.matchAll(
        /name="file" value="(\d [0-9a-f]{40} diff-[0-9a-f]{40})" role="checkbox" aria-checked="(\w+)"/g,
      ),
    ].map(([, value = '', pressed]) => ({ value, isViewed: pressed === 'true' }))
  const before = buttons((await ann.get(files)).text)
  assert.equal(before.length, 2)
  for (const { value } of before)
    assert.equal((await ann.submit(files, 'viewed', { file: value })).status, 303)
  assert.match((await ann.get(files)).text, />2 of 2 viewed</)
  await commit(forge, 'bob', REPO, 'viewed', { 'viewed/b.txt': 'bb\n' })
  // The base moves as well; neither push changes the first file.
  await commit(forge, 'ann', REPO, 'main', { 'elsewhere.txt': 'x\n' })
  assert.deepEqual(
    buttons((await ann.get(files)).text).map(({ isViewed }) => isViewed),
    [true, false],
  )
  assert.deepEqual(
    buttons((await bob.get(files)).text).map(({ isViewed }) => isViewed),
    [false, false],
  )
  assert.equal((await ann.submit(files, 'viewed', { file: '1 nonsense x' })).status, 422)
})

test('changes since the last review show only what is new', async () => {
  const number = await pullFrom(forge, 'bob', REPO, 'looked', { files: { 'old.txt': 'old\n' } })
  const files = `/ann/ore/pulls/${number}/files`
  assert.doesNotMatch((await ann.get(files)).text, /Since your review/)
  await ann.submit(files, 'look', { version: '1' })
  await commit(forge, 'bob', REPO, 'looked', { 'new.txt': 'new\n' })
  const { text } = await ann.get(files)
  assert.match(
    text,
    /aria-current="true">All changes<\/a><a [^>]*since=look" data-key="u">Since your review \(v1\)<\/a>/,
  )
  assert.match(text, /versions\/1\.\.2" aria-label="Changes since v1" title="[^"]*">v1<\/a><a [^>]*>v2<\/a>/)
  const news = await ann.get(`${files}?since=look`)
  assert.match(news.text, /data-path="new\.txt"/)
  assert.doesNotMatch(news.text, /data-path="old\.txt"/)
  const between = await stranger.get(`/ann/ore/pulls/${number}/versions/1..2`)
  assert.match(between.text, /data-path="new\.txt"/)
  assert.match(between.text, /1: {2}[0-9a-f]+ = 1: {2}[0-9a-f]+/)
  assert.equal((await ann.submit(files, 'look', { version: '9' })).status, 422)
  // Submitting a review marks the version as reviewed.
  const verdict = { event: 'APPROVED', body: '', version: '2' }
  const told = await ann.submit(files, 'finish', verdict, { 'x-act': 'curl' })
  assert.match(told.text, /^curl -sS -X POST '[^']*\/reviews(\/\d+)?'/)
  assert.doesNotMatch(told.text, /depends on the answer/)
  await ann.submit(files, 'finish', verdict)
  assert.doesNotMatch((await ann.get(files)).text, /since=look/)
})

test('suggestions are committed to the head branch as one commit', async () => {
  const number = await pullFrom(forge, 'bob', REPO, 'suggested')
  const files = `/ann/ore/pulls/${number}/files`
  const body = 'Better:\n\n```suggestion\none\nTWO\nand a half\n```'
  const place = { path: 'suggested.md', side: 'R', start: '1', line: '2' }
  await ann.submit(files, 'remark', { ...place, when: 'now', body })
  const [review] = await reviewsOf(number)
  const path = `${REPO}/pulls/${number}/reviews/${review.id}/comments`
  const [remark] = (await forge.call('ann', 'GET', path)).body
  const { text } = await bob.get(files)
  // A diff of the lines that it replaces.
  const [, change = ''] = /class="diff-lines suggested"[^>]*>(.*?)<\/div><\/div>/.exec(text) ?? []
  assert.deepEqual(
    change.match(/<(del|ins|span) data-l.*?<\/\1>/g)?.map((it) => it.replaceAll(/<\/?b>/g, '')),
    [
      '<span data-l="  1   1   ">one</span>',
      '<del data-l="  2     - ">two</del>',
      '<ins data-l="      2 + ">TWO</ins>',
      '<ins data-l="      3 + ">and a half</ins>',
    ],
  )
  assert.match(text, /<input type="checkbox" form="batch-form" name="id" value="\d+">Add suggestion to batch/)
  assert.match(text, /<form [^>]*id="batch-form"/)
  assert.doesNotMatch((await stranger.get(files)).text, /batch-form|Commit suggestion/)
  const taken = await bob.submit(files, 'apply', { id: String(remark.id) })
  assert.equal(taken.status, 303, taken.text)
  const { body: file } = await forge.call('bob', 'GET', `${REPO}/contents/suggested.md?ref=suggested`)
  assert.equal(Buffer.from(file.content, 'base64').toString(), 'one\nTWO\nand a half\nthree\n')
  const { body: commits } = await forge.call('bob', 'GET', `${REPO}/pulls/${number}/commits`)
  assert.match(commits[0].commit.message, /Co-authored-by: ann/)
})

test('the merge box shows unmet conditions, and merges a ready pull request', async () => {
  const number = await pullFrom(forge, 'bob', REPO, 'landing', { options: { title: 'WIP: landing' } })
  const path = `/ann/ore/pulls/${number}`
  assert.match((await ann.get(path)).text, /This pull request is still a draft/)
  await bob.submit(path, 'draft', {})
  await forge.call('ann', 'POST', `${REPO}/branch_protections`, {
    rule_name: 'main',
    required_approvals: 1,
    enable_push: true,
  })
  const waiting = await ann.get(path)
  assert.match(waiting.text, /Ready for review/)
  assert.match(waiting.text, /0 of 1 required approval/)
  const early = await bob.submit(path, 'merge', { style: 'merge', when: 'now' })
  assert.equal(early.status, 422)
  await ann.submit(`${path}/files`, 'finish', { event: 'APPROVED', body: '' })
  const merged = await bob.submit(path, 'merge', {
    style: 'squash',
    when: 'now',
    subject: 'Landed',
    message: 'As one',
    delete_branch: 'true',
  })
  assert.equal(merged.status, 303, merged.text)
  await forge.call('ann', 'DELETE', `${REPO}/branch_protections/main`)
  const { body: pull } = await forge.call('ann', 'GET', `${REPO}/pulls/${number}`)
  assert.equal(pull.merged, true)
  const { body: landed } = await forge.call('ann', 'GET', `${REPO}/git/commits/${pull.merge_commit_sha}`)
  assert.match(landed.commit.message, /^Landed\n\nAs one/)
  assert.match((await stranger.get(path)).text, /Merged by/)
})

test('the merge box names the first of many conflicting files', async () => {
  const files = (count: number, text: string) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`clash/${i + 10}.txt`, `${text}\n`]))
  await commit(forge, 'ann', REPO, 'main', files(23, 'base'))
  const few = await pullFrom(forge, 'bob', REPO, 'clash-few', { files: files(2, 'theirs') })
  const many = await pullFrom(forge, 'bob', REPO, 'clash-many', { files: files(23, 'theirs') })
  await commit(forge, 'ann', REPO, 'main', files(23, 'ours'))
  await forge.runJobs()
  const namedOn = async (number: number) => {
    const { text } = await stranger.get(`/ann/ore/pulls/${number}`)
    const list = text.split('This branch has conflicts that must be resolved')[1]?.split('</ul>')[0] ?? ''
    return [...list.matchAll(/<li>(?:<code>)?([^<]+)/g)].map(([, name]) => name)
  }
  assert.deepEqual(await namedOn(few), ['clash/10.txt', 'clash/11.txt'])
  const named = await namedOn(many)
  assert.equal(named.length, 21)
  assert.deepEqual(named.slice(-2), ['clash/29.txt', 'and 3 more'])
})

test('title, assignees, labels and state can be changed with access', async () => {
  const number = await pullFrom(forge, 'bob', REPO, 'facts')
  const path = `/ann/ore/pulls/${number}`
  const { body: label } = await forge.call('ann', 'POST', `${REPO}/labels`, { name: 'hot', color: '#ff0000' })
  await ann.submit(path, 'title', { title: 'Facts' })
  await ann.submit(path, 'labels', { label: String(label.id) })
  await ann.submit(path, 'assignees', { assignee: ['ann', 'bob'] })
  await bob.submit(path, 'reviewers', { reviewer: 'ann' })
  await bob.submit(path, 'close', { body: 'Later' })
  const { body: pull } = await forge.call('ann', 'GET', `${REPO}/pulls/${number}`)
  assert.equal(pull.title, 'Facts')
  assert.deepEqual(
    [pull.labels[0].name, pull.assignees.length, pull.requested_reviewers[0].login, pull.state],
    ['hot', 2, 'ann', 'closed'],
  )
  const carol = await forge.browserOf('carol')
  assert.equal((await carol.submit(path, 'title', { title: 'Mine' })).status, 422)
  assert.doesNotMatch((await carol.get(path)).text, /Edit title/)
  assert.equal((await stranger.submit(path, 'comment', { body: 'x' })).status, 401)
})

test('a private pull request is 404 for strangers, and marking a review requires sign-in', async () => {
  await forge.call('ann', 'POST', '/user/repos', {
    name: 'secret',
    private: true,
    auto_init: true,
    default_branch: 'main',
  })
  const number = await pullFrom(forge, 'ann', '/repos/ann/secret', 'hidden')
  for (const rest of ['', '/files', '/commits', '/versions/1..1', '.diff'])
    assert.equal((await stranger.get(`/ann/secret/pulls/${number}${rest}`)).status, 404, rest)
  const refused = await stranger.submit('/ann/ore/pulls/1/files', 'look', { version: '1' })
  assert.equal(refused.status, 401)
})

/** Links of a part of the sidebar. */
async function linkedOn(browser: typeof ann, path: string, title: string): Promise<string[]> {
  const part = (await browser.get(path)).text.split(`<h2>${title}</h2>`)[1]?.split('</section>')[0] ?? ''
  return [...part.matchAll(/title="(\w+)"[\s\S]*?<a href="([^"]+)"/g)].map(
    ([, state, to]) => `${state} ${to}`,
  )
}

test('a pull request shows the issues that its text and its commits close, and they show it', async () => {
  const issue = async (title: string, repo = REPO) =>
    (await forge.call('ann', 'POST', `${repo}/issues`, { title })).body.number as number
  const [said, committed, named] = [await issue('Said'), await issue('Committed'), await issue('Only named')]
  const file = { content: 'aXJvbg==', message: `More iron\n\nFixes #${committed}`, new_branch: 'closing' }
  await forge.call('bob', 'POST', `${REPO}/contents/closing.txt`, { ...file, branch: 'main' })
  const body = `Closes #${said}, see #${named}`
  const asked = { title: 'closing', head: 'closing', base: 'main', body }
  const number = (await forge.call('bob', 'POST', `${REPO}/pulls`, asked)).body.number as number
  await forge.runJobs()
  const pull = `/ann/ore/pulls/${number}`
  const at = (index: number) => `/ann/ore/issues/${index}`
  const both = [said, committed].map((it) => `Open ${at(it)}`)
  assert.deepEqual(await linkedOn(stranger, pull, 'Will close'), both)
  for (const it of [said, committed])
    assert.deepEqual(await linkedOn(stranger, at(it), 'Linked pull requests'), [`Open ${pull}`])
  assert.deepEqual(await linkedOn(ann, at(named), 'Linked pull requests'), [])

  // A pull request of a private repository is shown to its readers alone.
  const hidden = '/repos/ann/linking'
  const facts = { name: 'linking', private: true, auto_init: true, default_branch: 'main' }
  await forge.call('ann', 'POST', '/user/repos', facts)
  await pullFrom(forge, 'ann', hidden, 'topic', { options: { body: `closes ann/ore#${said}` } })
  assert.deepEqual(await linkedOn(stranger, at(said), 'Linked pull requests'), [`Open ${pull}`])
  assert.equal((await linkedOn(ann, at(said), 'Linked pull requests')).length, 2)

  // The squashed commit has another message.
  const merge = { Do: 'squash', MergeTitleField: 'Iron', MergeMessageField: 'All of it' }
  assert.equal((await forge.call('ann', 'POST', `${REPO}/pulls/${number}/merge`, merge)).status, 200)
  await forge.runJobs()
  const closed = [said, committed].map((it) => `Closed ${at(it)}`)
  assert.deepEqual(await linkedOn(stranger, pull, 'Linked issues'), closed)
  assert.deepEqual(await linkedOn(stranger, at(committed), 'Linked pull requests'), [`Merged ${pull}`])
})

test('commits that are pushed away close nothing, and neither do issues that the author may not close', async () => {
  const { body: issue } = await forge.call('ann', 'POST', `${REPO}/issues`, { title: 'Not so' })
  const path = `/ann/ore/issues/${issue.number}`
  await forge.call('carol', 'POST', '/repos/ann/ore/forks', { name: 'ore' })
  const change = (owner: string, branch: string) =>
    forge.call(owner, 'POST', `/repos/${owner}/ore/contents/${branch}.txt`, {
      content: 'aXJvbg==',
      message: `Closes ann/ore#${issue.number}`,
      branch: 'main',
      new_branch: branch,
    })
  await change('carol', 'foreign')
  const foreign = { title: 'foreign', head: 'carol:foreign', base: 'main' }
  assert.equal((await forge.call('carol', 'POST', `${REPO}/pulls`, foreign)).status, 201)
  await forge.runJobs()
  assert.deepEqual(await linkedOn(ann, path, 'Linked pull requests'), [])
  await change('ann', 'undone')
  await forge.call('ann', 'POST', `${REPO}/pulls`, { title: 'undone', head: 'undone', base: 'main' })
  await forge.runJobs()
  assert.equal((await linkedOn(ann, path, 'Linked pull requests')).length, 1)
  const main = (await forge.call('ann', 'GET', `${REPO}/branches/main`)).body.commit.id
  const back = { new_commit_id: main, force: true }
  assert.equal((await forge.call('ann', 'PUT', `${REPO}/branches/undone`, back)).status, 204)
  await commit(forge, 'ann', REPO, 'undone', { 'other.txt': 'other\n' })
  await forge.runJobs()
  assert.deepEqual(await linkedOn(ann, path, 'Linked pull requests'), [])
})

test('issue and pull request have one sidebar, and each part of it works', async () => {
  const number = await pullFrom(forge, 'bob', REPO, 'beside', { options: { body: 'closes #1' } })
  const { body: issue } = await forge.call('ann', 'POST', `${REPO}/issues`, { title: 'Beside' })
  const partsOf = async (path: string) => {
    const aside = (await ann.get(path)).text.split('<aside class="beside"')[1]?.split('</aside>')[0] ?? ''
    return [...aside.matchAll(/(?:<h2>|<\/svg>)([^<\n]+)<\/(?:h2|summary)>/g)].map(([, title]) => title)
  }
  const path = `/ann/ore/pulls/${number}`
  const common = [
    'Assignees',
    'Labels',
    'Milestone',
    'Due date',
    'Depends on',
    'Time tracking',
    'Notifications',
    'Manage',
  ]
  assert.deepEqual(await partsOf(`/ann/ore/issues/${issue.number}`), ['Add…', ...common])
  assert.deepEqual(await partsOf(path), ['Add…', 'Reviewers', ...common, 'Base branch'])
  for (const [form, fields] of [
    ['assignees', { assignee: 'bob' }],
    ['due-date', { due_date: '2030-02-03' }],
    ['depend', { other: `#${issue.number}` }],
    ['add-time', { time: '1h 30m' }],
    ['subscribe', {}],
    ['lock', {}],
    ['pin', {}],
  ] as const)
    assert.equal((await ann.submit(path, form, fields)).headers.get('location'), path, form)
  const { body: pull } = await forge.call('ann', 'GET', `${REPO}/pulls/${number}`)
  assert.deepEqual(
    [pull.assignee.login, pull.due_date.slice(0, 10), pull.is_locked, pull.pin_order],
    ['bob', '2030-02-03', true, 1],
  )
  const { text } = await ann.get(path)
  for (const shown of ['Locked', 'Pinned', '1h 30m total', 'You’re receiving notifications.', 'Beside'])
    assert.ok(text.includes(shown), shown)
  assert.match(text, /class="whose-turn">[\s\S]*Waiting for open dependencies/)
  const foreign = (await stranger.get(path)).text
  assert.doesNotMatch(foreign, /value="(lock|pin|due-date|depend|add-time|subscribe)"/)
})

test('pages take a fixed number of queries, however many comments there are', async () => {
  const few = await pullFrom(forge, 'bob', REPO, 'few')
  const many = await pullFrom(forge, 'bob', REPO, 'many')
  for (const [number, times] of [
    [few, 1],
    [many, 6],
  ] as const)
    for (let i = 0; i < times; i++) {
      await forge.call('ann', 'POST', `${REPO}/issues/${number}/comments`, { body: `Comment ${i}` })
      await forge.call('ann', 'POST', `${REPO}/pulls/${number}/reviews`, {
        event: 'COMMENT',
        comments: [{ path: `${number === few ? 'few' : 'many'}.md`, body: `Remark ${i}`, new_position: 2 }],
      })
    }
  for (const rest of ['', '/files', '/commits']) {
    const count = (number: number) => forge.countQueries(() => ann.get(`/ann/ore/pulls/${number}${rest}`))
    await count(few)
    await count(many)
    assert.equal(await count(many), await count(few), rest)
  }
})

test('the page of a pull request loads its repository, the pull request and its issue once', async () => {
  const number = await pullFrom(forge, 'bob', REPO, 'once')
  await forge.runJobs()
  const count = (matching?: RegExp) => forge.countQueries(() => ann.get(`/ann/ore/pulls/${number}`), matching)
  await count()
  assert.equal(await count(/^select "repository"\.\*/), 1)
  assert.equal(await count(/from "pull_request" where "repository_id" = \$1 and "number"/), 1)
  assert.equal(await count(/from "issue_assignee"/), 1)
  const statements = await count()
  // Three of them check whether the owner or the author has blocked the viewer, and who may request reviews; ten load
  // whose turn it is and the parts of the sidebar.
  assert.ok(statements <= 56, `it asks ${statements} statements`)
})
