/** The merge box lists exactly the conditions for which the merge is refused. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { GitClient, startForge } from '#testing'
import { commit, pullFrom } from '#testing/slices/reviews'
import { conflictWords } from '../../words/conflicts.ts'
import { mergeWords as words } from '../../words/pulls.ts'

const forge = await startForge()
after(() => forge[Symbol.asyncDispose]())
const REPO = '/repos/ann/ore'
for (const login of ['ann', 'bob', 'carol', 'dan', 'eve']) await forge.person(login)
await forge.call('ann', 'POST', '/user/repos', { name: 'ore', auto_init: true, default_branch: 'main' })
for (const login of ['bob', 'carol', 'dan'])
  await forge.call('ann', 'PUT', `${REPO}/collaborators/${login}`, { permission: 'write' })
await commit(forge, 'ann', REPO, 'main', { CODEOWNERS: '.* @dan\n' })
const [ann, bob] = [await forge.browserOf('ann'), await forge.browserOf('bob')]

const call = async (as: string, method: Parameters<typeof forge.call>[1], path: string, body?: object) => {
  const answer = await forge.call(as, method, `${REPO}${path}`, body)
  assert.ok(answer.status < 300, JSON.stringify(answer.body))
  return answer.body
}
const merge = async (as: string, number: number, more: object = {}) => {
  const { status, body } = await forge.call(as, 'POST', `${REPO}/pulls/${number}/merge`, {
    Do: 'merge',
    ...more,
  })
  return [status, body?.message]
}
/** Texts of the unmet conditions. */
const missingOn = (page: string) =>
  [...page.matchAll(/<span class="state bad">.*?<\/span><div class="grow">([^<]*)/g)].map(([, text]) => text)
const succeed = async (number: number) => {
  const { head } = await call('ann', 'GET', `/pulls/${number}`)
  await call('ann', 'POST', `/statuses/${head.sha}`, { context: 'ci', state: 'success' })
}
const review = (as: string, number: number, event: string) =>
  call(as, 'POST', `/pulls/${number}/reviews`, { event, body: 'x' })

/** A draft that depends on an issue and meets no condition of the branch protection. */
async function makeHopeless(): Promise<{ readonly number: number; readonly blocker: number }> {
  const number = await pullFrom(forge, 'bob', REPO, 'topic', { options: { title: 'WIP: topic' } })
  const { number: blocker } = await call('ann', 'POST', '/issues', { title: 'work' })
  const named = { owner: 'ann', repo: 'ore', index: blocker }
  await call('ann', 'POST', `/issues/${number}/dependencies`, named)
  await review('carol', number, 'REQUEST_CHANGES')
  await call('bob', 'POST', `/pulls/${number}/requested_reviewers`, { reviewers: ['dan'] })
  await commit(forge, 'ann', REPO, 'main', { 'newer.md': 'newer\n' })
  await call('ann', 'POST', '/branch_protections', {
    rule_name: 'main',
    enable_status_check: true,
    status_check_contexts: ['ci'],
    required_approvals: 1,
    block_on_rejected_reviews: true,
    block_on_official_review_requests: true,
    block_on_codeowner_reviews: true,
    block_on_outdated_branch: true,
  })
  await forge.runJobs()
  return { number, blocker }
}

test('unmet conditions are listed, the first one refuses, and a bypass covers the protection rule only', async () => {
  const { number, blocker } = await makeHopeless()
  const path = `/ann/ore/pulls/${number}`
  const steps: readonly [line: string, refusal: [number, string], mend: () => Promise<unknown>][] = [
    [
      words.ready.missing,
      [405, 'draft pull requests cannot be merged'],
      () => call('bob', 'PATCH', `/pulls/${number}`, { title: 'topic' }),
    ],
    [
      words.unblocked.missing,
      [412, 'cannot close this issue or pull request because it still has open dependencies'],
      () => call('ann', 'PATCH', `/issues/${blocker}`, { state: 'closed' }),
    ],
    [words.checks.missing, [405, 'required status checks did not succeed'], () => succeed(number)],
    [words.approvals(0, 1), [405, 'more approvals are required'], () => review('ann', number, 'APPROVED')],
    [
      words['not rejected'].missing,
      [405, 'changes were requested'],
      () => review('carol', number, 'APPROVED'),
    ],
    [
      words['requests answered'].missing,
      [405, 'official reviews are still requested'],
      () => review('dan', number, 'COMMENT'),
    ],
    [
      words.owners.missing,
      [405, 'approval of code owners is required'],
      () => review('dan', number, 'APPROVED'),
    ],
    [
      words['up to date'].missing,
      [405, 'head branch is behind the base branch'],
      async () => {
        await call('bob', 'POST', `/pulls/${number}/update`)
        await forge.runJobs()
        await succeed(number)
      },
    ],
  ]
  const lines = steps.map(([line]) => line)
  for (const [i, [line, refusal, mend]] of steps.entries()) {
    const isOfRule = i > 1
    const { text } = await ann.get(path)
    assert.deepEqual(missingOn(text), lines.slice(i))
    assert.deepEqual(await merge('bob', number), refusal, line)
    assert.deepEqual(await merge('bob', number, { force_merge: true }), refusal, 'whoever may not bypass')
    assert.equal(text.includes('name="force"'), isOfRule, line)
    assert.doesNotMatch((await bob.get(path)).text, /name="force"/)
    if (!isOfRule) assert.deepEqual(await merge('ann', number, { force_merge: true }), refusal, 'no rule')
    await mend()
  }
  assert.deepEqual(missingOn((await ann.get(path)).text), [])
  assert.deepEqual(await merge('bob', number), [200, undefined])
})

test('a pull request whose commits are already in the base is not shown as mergeable', async () => {
  await forge.call('ann', 'DELETE', `${REPO}/branch_protections/main`)
  const number = await pullFrom(forge, 'bob', REPO, 'first')
  await call('ann', 'POST', '/branches', { new_branch_name: 'second', old_branch_name: 'first' })
  const second = await call('ann', 'POST', '/pulls', { title: 'second', head: 'second', base: 'main' })
  assert.deepEqual(await merge('ann', second.number), [200, undefined])
  await forge.runJobs()
  assert.deepEqual(missingOn((await ann.get(`/ann/ore/pulls/${number}`)).text), [words.mergeable.merged])
  assert.deepEqual(await merge('ann', number), [405, 'pull request cannot be merged'])
})

test('a conflicting pull request can be neither merged, nor forced, nor updated', async () => {
  await commit(forge, 'ann', REPO, 'main', { 'clash.md': 'base\n' })
  // A branch may have a name that a shell would run.
  const branch = "clash'$x;y"
  const number = await pullFrom(forge, 'bob', REPO, branch, { files: { 'clash.md': 'theirs\n' } })
  const path = `/ann/ore/pulls/${number}`
  await commit(forge, 'ann', REPO, 'main', { 'other.md': 'moved\n' })
  await call('ann', 'POST', '/branch_protections', { rule_name: 'main', required_approvals: 1 })
  await forge.runJobs()
  const offers = async () => {
    const { text } = await ann.get(path)
    return [/name="force"/, /value="now"(?! disabled)/, /value="update"/].map((it) => it.test(text))
  }
  assert.deepEqual(await offers(), [true, true, true])
  await forge.call('ann', 'DELETE', `${REPO}/branch_protections/main`)
  await commit(forge, 'ann', REPO, 'main', { 'clash.md': 'ours\n' })
  await call('ann', 'POST', '/branch_protections', { rule_name: 'main', required_approvals: 1 })
  await forge.runJobs()
  assert.deepEqual(await offers(), [false, false, false])
  await forge.call('ann', 'DELETE', `${REPO}/branch_protections/main`)
  await followRecipe((await bob.get(path)).text)
  await forge.runJobs()
  assert.deepEqual(await merge('ann', number), [200, undefined])
  const eve = await forge.browserOf('eve')
  assert.doesNotMatch((await eve.get(path)).text, /git push/)
})

/** A pull request of bob's that conflicts with the base in `files`. */
async function makeConflict(branch: string, files: Readonly<Record<string, string>>): Promise<number> {
  await commit(
    forge,
    'ann',
    REPO,
    'main',
    Object.fromEntries(Object.keys(files).map((it) => [it, 'one\ntwo\n'])),
  )
  const number = await pullFrom(forge, 'bob', REPO, branch, { files })
  const ours = Object.fromEntries(Object.keys(files).map((it) => [it, 'one\nours\n']))
  await commit(forge, 'ann', REPO, 'main', { ...ours, [`beside-${branch}.md`]: 'beside\n' })
  await forge.runJobs()
  return number
}

/** The hidden fields of the page, and its texts. */
const sentBy = (page: string) => {
  const hidden = [...page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)]
  const texts = [...page.matchAll(/<textarea id="[^"]*" name="([^"]+)"[^>]*>\n([^<]*)</g)]
  return Object.fromEntries([...hidden, ...texts].map(([, name = '', value = '']) => [name, value]))
}

test('conflicts are resolved in the browser by a merge of the base, once no markers are left', async () => {
  const number = await makeConflict('knot', { 'knot.md': 'one\ntheirs\n', 'rope.md': 'one\r\nthread\r\n' })
  const path = `/ann/ore/pulls/${number}`
  const eve = await forge.browserOf('eve')
  const link = `href="${path}/conflicts"`
  const shown = await Promise.all([bob, eve].map(async (it) => (await it.get(path)).text.includes(link)))
  assert.deepEqual(shown, [true, false])
  assert.equal((await eve.get(`${path}/conflicts`)).status, 403)
  const page = (await bob.get(`${path}/conflicts`)).text
  assert.match(
    page,
    /one\n&lt;&lt;&lt;&lt;&lt;&lt;&lt; knot\ntheirs\n=======\nours\n&gt;&gt;&gt;&gt;&gt;&gt;&gt; main\n/,
  )
  const { form: _, ...sent } = sentBy(page)
  assert.deepEqual([sent['path-0'], sent['path-1'], sent['crlf-1']], ['knot.md', 'rope.md', 'true'])
  const { head } = await call('ann', 'GET', `/pulls/${number}`)
  const resolved = { ...sent, 'text-0': 'one\nboth\n', 'text-1': 'one\nthread\n' }
  const half = { ...resolved, 'text-1': 'one\nthread\n=======\nkept\n' }
  const refused = await bob.submit(`${path}/conflicts`, 'resolve', half)
  assert.deepEqual([refused.status, /Conflict markers are left in rope\.md/.test(refused.text)], [422, true])
  assert.match(refused.text, /one\nboth\n<\/textarea>/)
  assert.equal((await eve.submit(`${path}/conflicts`, 'resolve', resolved)).status, 422)
  assert.equal((await call('ann', 'GET', '/branches/knot')).commit.id, head.sha)
  const made = await bob.submit(`${path}/conflicts`, 'resolve', resolved)
  assert.deepEqual([made.status, made.headers.get('location')], [303, path])
  const { commit: tip } = await call('ann', 'GET', '/branches/knot')
  const { parents } = await call('ann', 'GET', `/git/commits/${tip.id}`)
  const { commit: base } = await call('ann', 'GET', '/branches/main')
  assert.deepEqual(
    parents.map((it: { sha: string }) => it.sha),
    [head.sha, base.id],
  )
  const contentOf = async (file: string) =>
    Buffer.from((await call('ann', 'GET', `/contents/${file}?ref=knot`)).content, 'base64').toString()
  assert.deepEqual(await Promise.all(['knot.md', 'rope.md', 'beside-knot.md'].map(contentOf)), [
    'one\nboth\n',
    'one\r\nthread\r\n',
    'beside\n',
  ])
  await forge.runJobs()
  assert.equal((await bob.get(`${path}/conflicts`)).status, 302)
  assert.deepEqual(await merge('ann', number), [200, undefined])
})

test('a resolution is refused for another head and for a protected head branch, and keeps its text', async () => {
  const number = await makeConflict('late', { 'late.md': 'one\ntheirs\n' })
  const path = `/ann/ore/pulls/${number}/conflicts`
  const { form: _, ...sent } = sentBy((await bob.get(path)).text)
  const resolved = { ...sent, 'text-0': 'one\nmine alone\n' }
  await call('ann', 'POST', '/branch_protections', { rule_name: 'late', enable_push: false })
  await forge.runJobs()
  assert.ok(!(await bob.get(`/ann/ore/pulls/${number}`)).text.includes(`href="${path}"`))
  const tipOf = async () => (await call('ann', 'GET', '/branches/late')).commit.id
  const before = await tipOf()
  const guarded = await bob.submit(path, 'resolve', resolved)
  assert.deepEqual([guarded.status, await tipOf()], [422, before])
  assert.match(guarded.text, /protected/)
  await forge.call('ann', 'DELETE', `${REPO}/branch_protections/late`)
  await commit(forge, 'bob', REPO, 'late', { 'later.md': 'later\n' })
  const outdated = await bob.submit(path, 'resolve', resolved)
  assert.equal(outdated.status, 422)
  assert.ok(outdated.text.includes(conflictWords.moved))
  assert.match(outdated.text, /mine alone\n<\/textarea>/)
  // The base may grow: its earlier commit is merged.
  const { form: __, ...again } = sentBy((await bob.get(path)).text)
  await commit(forge, 'ann', REPO, 'main', { 'grown.md': 'grown\n' })
  assert.equal((await bob.submit(path, 'resolve', { ...again, 'text-0': 'one\nmine\n' })).status, 303)
})

test('a conflict with a deleted file is left to the command line', async () => {
  const number = await makeConflict('gone', { 'gone.md': 'one\ntheirs\n' })
  const { sha } = await call('ann', 'GET', '/contents/gone.md')
  await call('ann', 'DELETE', '/contents/gone.md', { sha })
  const { text } = await bob.get(`/ann/ore/pulls/${number}/conflicts`)
  assert.ok(text.includes(conflictWords.other))
  assert.match(text, /git push/)
})

/** Runs the commands that a page shows for its conflict, and resolves the conflict between them. */
async function followRecipe(page: string): Promise<void> {
  const [, shown = ''] = /data-copy="(git fetch [^"]*)"/.exec(page) ?? []
  const commands = shown.replaceAll('&#39;', "'").replaceAll('&amp;', '&')
  await using git = await GitClient.open(forge, 'bob', 'ann/ore')
  const [, url = ''] = /^git fetch (\S+)/.exec(commands) ?? []
  await git.ok('config', `url.${git.remote}.insteadOf`, url)
  const [before = '', after = ''] = commands.split(/^#.*$/m)
  const run = (lines: string) => promisify(execFile)('sh', ['-c', lines], { cwd: git.folder })
  await assert.rejects(run(before), ({ stdout }) => /CONFLICT/.test(stdout))
  await writeFile(join(git.folder, 'clash.md'), 'both\n')
  await run(after)
}

test('the branch of a merged pull request is deleted and restored, and the merge can be reverted', async () => {
  const number = await pullFrom(forge, 'bob', REPO, 'over')
  const path = `/ann/ore/pulls/${number}`
  await succeed(number)
  assert.deepEqual(await merge('ann', number), [200, undefined])
  const { head, merge_commit_sha: sha } = await call('ann', 'GET', `/pulls/${number}`)
  const shownTo = async (browser: typeof ann) => {
    const { text } = await browser.get(path)
    return [words.deleteNow, words.restore, words.revert, '1 check'].filter((it) => text.includes(`${it}</`))
  }
  assert.deepEqual(await shownTo(forge.browser()), [])
  assert.deepEqual(await shownTo(bob), [words.deleteNow, words.revert])
  const eve = await forge.browserOf('eve')
  assert.equal((await eve.submit(path, 'delete-branch', {})).status, 422)
  assert.equal((await bob.submit(path, 'delete-branch', {})).status, 303)
  assert.equal((await forge.call('ann', 'GET', `${REPO}/branches/over`)).status, 404)
  assert.match((await ann.get(path)).text, /deleted the branch/)
  assert.deepEqual(await shownTo(bob), [words.restore, words.revert])
  assert.equal((await bob.submit(path, 'restore-branch', {})).status, 303)
  assert.equal((await call('ann', 'GET', '/branches/over')).commit.id, head.sha)
  const reverted = await bob.submit(path, 'revert', {})
  const branch = `revert-${sha.slice(0, 10)}`
  assert.equal(reverted.headers.get('location'), `/ann/ore/compare/main...${branch}`)
  const { commit: made } = await call('ann', 'GET', `/branches/${branch}`)
  assert.match(made.message, new RegExp(`^Revert "over"\n\nThis reverts commit ${sha}`))
  // The branch is there already: its name can be changed on a page of its own.
  const again = await bob.submit(path, 'revert', {})
  assert.equal(again.status, 422)
  const [, choices] = /href="([^"]*_cherrypick[^"]*)"/.exec(again.text) ?? []
  assert.equal(choices, `/ann/ore/_cherrypick/${sha}?revert=true&amp;branch=main`)
  assert.equal((await eve.submit(path, 'revert', {})).status, 422)
  // Commits that were pushed after the merge are not deleted with the branch.
  await commit(forge, 'bob', REPO, 'over', { 'later.md': 'later\n' })
  assert.deepEqual(await shownTo(bob), [words.revert])
  assert.equal((await bob.submit(path, 'delete-branch', {})).status, 422)
})

test('several commits that were added to the base one by one cannot be reverted as one', async () => {
  const number = await pullFrom(forge, 'bob', REPO, 'rows')
  await commit(forge, 'bob', REPO, 'rows', { 'second.md': 'second\n' })
  await forge.runJobs()
  assert.deepEqual(await merge('ann', number, { Do: 'rebase' }), [200, undefined])
  assert.ok(!(await bob.get(`/ann/ore/pulls/${number}`)).text.includes(`${words.revert}</`))
})

test('«Update branch» is beside the line that says it is behind, auto-merge and the queue in the menu', async () => {
  await call('ann', 'POST', '/branches', { new_branch_name: 'plain' })
  const number = await pullFrom(forge, 'bob', REPO, 'behind', { options: { base: 'plain' } })
  const before = (await bob.get(`/ann/ore/pulls/${number}`)).text
  assert.ok(!before.includes('name="form" value="update"'))
  await commit(forge, 'ann', REPO, 'plain', { 'later.md': 'later\n' })
  await forge.runJobs()
  const { text } = await bob.get(`/ann/ore/pulls/${number}`)
  const lines = text.split('<li class="row">').filter((it) => it.includes('name="form" value="update"'))
  assert.equal(lines.length, 1)
  assert.match(lines[0] ?? '', /behind|out of date/)
  const [, items = ''] = /id="merge-more" popover[^>]*>([\s\S]*?)<\/div>/.exec(text) ?? []
  assert.deepEqual(
    [...items.matchAll(/name="when" value="(\w+)"/g)].map(([, when]) => when),
    ['ready', 'queue'],
  )
})
