/** Reverting and cherry-picking commits in a browser, within branch protection. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startForge } from '#testing'
import { inTheMidst } from '#testing/slices/merges'
import { commit } from '#testing/slices/reviews'

const forge = await startForge()
after(() => forge[Symbol.asyncDispose]())
for (const login of ['ann', 'wes', 'eve']) await forge.person(login)
const [ann, wes, eve] = await Promise.all(['ann', 'wes', 'eve'].map((login) => forge.browserOf(login)))
assert(ann && wes && eve)

/** A repository of ann with wes as writer: `heat.txt` on main, and one more line of it on `topic`. */
async function makeRepository(name: string) {
  await forge.call('ann', 'POST', '/user/repos', { name, auto_init: true, default_branch: 'main' })
  const root = `/repos/ann/${name}`
  await forge.call('ann', 'PUT', `${root}/collaborators/wes`, { permission: 'write' })
  await commit(forge, 'ann', root, 'main', { 'heat.txt': 'slow\n' })
  await commit(forge, 'ann', root, 'topic', { 'bellows.txt': 'blow\n' })
  const page = (sha: string) => `/ann/${name}/_cherrypick/${sha}`
  return {
    root,
    page,
    home: `/ann/${name}`,
    main: await tipOf(root, 'main'),
    topic: await tipOf(root, 'topic'),
  }
}

const tipOf = async (root: string, branch: string): Promise<string> =>
  (await forge.call('ann', 'GET', `${root}/branches/${branch}`)).body.commit.id
const commitAt = async (root: string, ref: string) =>
  (await forge.call('ann', 'GET', `${root}/git/commits/${ref}`)).body
const isThere = async (root: string, path: string, ref: string) =>
  (await forge.call('ann', 'GET', `${root}/contents/${path}?ref=${ref}`)).status === 200
const DIRECT = { branch: 'main', where: 'direct', message: '' }

test('a commit page offers revert and cherry-pick only to users with write access', async () => {
  const { home, main, page } = await makeRepository('offer')
  const links = [`href="${page(main)}?revert=true"`, `href="${page(main)}"`]
  const shown = async (browser: typeof eve) => (await browser.get(`${home}/commit/${main}`)).text
  for (const link of links) {
    assert.ok((await shown(wes)).includes(link), link)
    assert.ok(!(await shown(eve)).includes(link), link)
  }
  assert.equal((await eve.get(page(main))).status, 403)
  const stranger = await forge.browser().get(page(main))
  assert.match(stranger.headers.get('location') ?? '', /^\/user\/login/)
  await forge.call('ann', 'PATCH', '/repos/ann/offer', { private: true })
  assert.equal((await eve.get(page(main))).status, 404)
  assert.equal((await wes.get(page('f'.repeat(40)))).status, 404)
})

test('a commit is reverted on a new branch, which leads to its comparison with the base', async () => {
  const { root, page, home, main } = await makeRepository('back')
  const address = `${page(main.slice(0, 12))}?revert=true`
  const { text } = await wes.get(address)
  const subject = (await commitAt(root, main)).commit.message.trim()
  assert.match(text, new RegExp(`value="revert-${main.slice(0, 10)}"`))
  assert.ok(text.includes(`Revert &quot;${subject}&quot;\n\nThis reverts commit ${main}.</textarea>`))
  assert.match(text, /name="where" value="new" checked/)
  assert.match(text, /<option value="topic">/)
  const done = await wes.submit(address, 'pick', {
    branch: 'main',
    where: 'new',
    new_branch: 'cold',
    message: 'Revert it\n\nToo hot.',
  })
  assert.equal(done.headers.get('location'), `${home}/compare/main...cold`)
  const made = await commitAt(root, 'cold')
  assert.equal(made.commit.message, 'Revert it\n\nToo hot.\n')
  assert.deepEqual([made.author.login, made.committer.login, made.parents[0].sha], ['wes', 'wes', main])
  assert.deepEqual([await isThere(root, 'heat.txt', 'cold'), await tipOf(root, 'main')], [false, main])
})

test('a cherry-pick to the branch itself keeps the author and sets the committer', async () => {
  const { root, page, home, main, topic } = await makeRepository('again')
  await commit(forge, 'ann', root, 'main', { 'more.txt': 'more\n' })
  const before = await tipOf(root, 'main')
  assert.notEqual(before, main)
  const done = await wes.submit(page(topic), 'pick', DIRECT)
  assert.equal(done.headers.get('location'), `${home}/src/branch/main`)
  const [made, picked] = [await commitAt(root, 'main'), await commitAt(root, topic)]
  assert.deepEqual([made.author.login, made.committer.login, made.parents[0].sha], ['ann', 'wes', before])
  assert.deepEqual(
    [made.commit.message, made.commit.author.date],
    [picked.commit.message, picked.commit.author.date],
  )
  assert.equal(await isThere(root, 'bellows.txt', 'main'), true)
  const pushed = await wes.submit(page(topic), 'pick', { ...DIRECT, where: 'new', new_branch: 'main/x' })
  assert.equal(pushed.status, 422)
})

test('a cherry-pick that changes nothing is refused', async () => {
  const { root, page, main } = await makeRepository('same')
  const refused = await wes.submit(page(main), 'pick', DIRECT)
  assert.equal(refused.status, 422)
  assert.match(refused.text, /nothing to commit: the branch would stay as it is/)
  assert.equal(await tipOf(root, 'main'), main)
})

test('a root commit can be reverted, and a merge relative to its first parent', async () => {
  const { root, page, main, home } = await makeRepository('roots')
  const [first] = (await commitAt(root, main)).parents
  const back = await wes.submit(`${page(first.sha)}?revert=true`, 'pick', DIRECT)
  assert.equal(back.status, 303)
  assert.deepEqual(
    [await isThere(root, 'README.md', 'main'), await isThere(root, 'heat.txt', 'main')],
    [false, true],
  )
  const { body: pull } = await forge.call('ann', 'POST', `${root}/pulls`, {
    title: 'T',
    head: 'topic',
    base: 'main',
  })
  await forge.runJobs()
  assert.equal(
    (await forge.call('ann', 'POST', `${root}/pulls/${pull.number}/merge`, { Do: 'merge' })).status,
    200,
  )
  const merged = await tipOf(root, 'main')
  assert.match((await wes.get(`${page(merged)}?revert=true`)).text, /relative to its first parent/)
  const undone = await wes.submit(`${page(merged)}?revert=true`, 'pick', DIRECT)
  assert.equal(undone.headers.get('location'), `${home}/src/branch/main`)
  assert.equal(await isThere(root, 'bellows.txt', 'main'), false)
})

test('a conflict lists the files, keeps the form and writes nothing', async () => {
  const { root, page, main } = await makeRepository('clash')
  await commit(forge, 'ann', root, 'main', { 'heat.txt': 'fast\n' })
  const before = await tipOf(root, 'main')
  const fields = { ...DIRECT, where: 'new', new_branch: 'cold', message: 'Why <b>not</b>' }
  const refused = await wes.submit(`${page(main)}?revert=true`, 'pick', fields)
  assert.equal(refused.status, 422)
  assert.match(refused.text, /role="alert"[^>]*>merge conflict/)
  assert.match(refused.text, /<code>heat\.txt<\/code>/)
  assert.match(refused.text, /Why &lt;b&gt;not&lt;\/b&gt;<\/textarea>/)
  assert.match(refused.text, /value="cold"/)
  assert.equal(await tipOf(root, 'main'), before)
  assert.equal((await forge.call('ann', 'GET', `${root}/branches/cold`)).status, 404)
})

test('a commit that branch protection refuses can go to a new branch', async () => {
  const { root, page, main, topic } = await makeRepository('ruled')
  const rule = { rule_name: 'main', enable_push: false }
  assert.equal((await forge.call('ann', 'POST', `${root}/branch_protections`, rule)).status, 201)
  const refused = await wes.submit(page(topic), 'pick', DIRECT)
  assert.equal(refused.status, 422)
  assert.match(refused.text, /protected branch/)
  assert.equal(await tipOf(root, 'main'), main)
  const beside = { ...DIRECT, where: 'new', new_branch: 'beside' }
  assert.equal((await wes.submit(page(topic), 'pick', beside)).status, 303)
})

test('a user without push access is refused, also when access is lost during the operation', async () => {
  const { root, page, main, topic } = await makeRepository('rights')
  assert.equal((await eve.submit(page(topic), 'pick', DIRECT)).status, 422)
  const late = await inTheMidst(
    forge,
    root,
    () => wes.submit(page(topic), 'pick', DIRECT),
    () => forge.call('ann', 'PUT', `${root}/collaborators/wes`, { permission: 'read' }),
  )
  assert.equal(late.status, 422)
  assert.equal(await tipOf(root, 'main'), main)
  await forge.call('ann', 'PATCH', root, { archived: true })
  assert.equal((await ann.submit(page(topic), 'pick', DIRECT)).status, 422)
  assert.equal(await tipOf(root, 'main'), main)
})

test('many branches take the same number of queries as a few', async () => {
  const { root, page, main } = await makeRepository('many')
  const count = () => forge.countQueries(() => wes.get(page(main)))
  await count()
  const few = await count()
  for (let i = 0; i < 12; i++)
    await forge.call('ann', 'POST', `${root}/branches`, { new_branch_name: `b${i}`, old_branch_name: 'main' })
  await count()
  assert.equal(await count(), few)
})
