/** Merging pull requests in every style, and every reason to refuse: over HTTP, on a real database. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { checkMerge, findCommit, isAncestor } from '#git'
import { type Forge, GitClient, startForge } from '#testing'
import { base64, makeRepository, merge, propose, show, tipOf, write } from '#testing/slices/merges'

let forge: Forge
let root: string
before(async () => {
  forge = await startForge()
  for (const login of ['ann', 'wes', 'eve']) await forge.person(login)
  root = await makeRepository(forge, 'one', ['wes'])
})
after(() => forge[Symbol.asyncDispose]())

const kept = (number: number, name = 'one') =>
  forge.db
    .selectFrom('pull_merge')
    .innerJoin('pull_request', 'pull_request.issue_id', 'pull_merge.issue_id')
    .innerJoin('repository', 'repository.id', 'pull_request.repository_id')
    .selectAll('pull_merge')
    .select('repository.storage_id')
    .where('repository.name', '=', name)
    .where('pull_request.number', '=', number)
    .executeTakeFirstOrThrow()
const commit = async (oid: string) => {
  const { storage_id } = await forge.db
    .selectFrom('repository')
    .select('storage_id')
    .where('name', '=', 'one')
    .orderBy('id')
    .executeTakeFirstOrThrow()
  const found = await findCommit(forge.ctx, storage_id, oid)
  assert.ok(found)
  return found
}

const PARENTS = { merge: 2, 'rebase-merge': 2, rebase: 1, squash: 1 }
for (const [style, parents] of Object.entries(PARENTS))
  test(`${style} merges the tree that git computes, and stores base, head and tree`, async () => {
    const number = await propose(forge, root, style, { as: 'wes' })
    await write(forge, root, 'main', { path: `beside-${style}.md` })
    const before = await tipOf(forge, root)
    assert.equal((await merge(forge, 'wes', root, number, { Do: style })).status, 200)
    const after = await tipOf(forge, root)
    const row = await kept(number)
    const shown = await show(forge, root, number)
    assert.deepEqual(
      [row.style, row.base_oid, row.head_oid, row.merge_commit, row.is_auto],
      [style, before, shown.head.sha, after, false],
    )
    assert.deepEqual([shown.merged, shown.state, shown.merge_commit_sha], [true, 'closed', after])
    assert.equal(shown.merged_by.login, 'wes')
    const landed = await commit(after)
    const whole = await checkMerge(forge.ctx, row.storage_id, row.base_oid, row.head_oid)
    assert.deepEqual(whole, { kind: 'clean', tree: landed.tree })
    assert.equal(row.tree, landed.tree)
    assert.equal(landed.parents.length, parents)
    assert.ok(await isAncestor(forge.ctx, row.storage_id, before, after), 'nothing of the base is lost')
    assert.equal((await forge.call(null, 'GET', `${root}/pulls/${number}/merge`)).status, 204)
  })

test('fast-forward-only moves the base to the head, and is refused if the base has other commits', async () => {
  const [straight, late] = [await propose(forge, root, 'straight'), await propose(forge, root, 'late')]
  assert.equal((await merge(forge, 'ann', root, straight, { Do: 'fast-forward-only' })).status, 200)
  assert.equal(await tipOf(forge, root), (await show(forge, root, straight)).head.sha)
  const tip = await tipOf(forge, root)
  assert.equal((await merge(forge, 'ann', root, late, { Do: 'fast-forward-only' })).status, 409)
  assert.deepEqual([await tipOf(forge, root), (await show(forge, root, late)).merged], [tip, false])
})

test('a rebase whose tree differs from the merge of base and head is refused', async () => {
  await using git = await GitClient.open(forge, 'ann', 'ann/one')
  await git.ok('pull', '--quiet', 'origin', 'main')
  await git.ok('checkout', '--quiet', '-b', 'evil')
  await git.commit('evil.md', 'evil')
  await git.ok('checkout', '--quiet', '-b', 'side', 'main')
  await git.commit('side.md', 'side')
  await git.ok('checkout', '--quiet', 'evil')
  await git.ok('merge', '--quiet', '--no-ff', '--no-commit', 'side')
  // A rebase drops merge commits, and with them a change that only the merge commit made.
  await git.commit('slipped-in.md', 'only in the merge')
  await git.ok('push', '--quiet', 'origin', 'evil')
  const made = await forge.call('ann', 'POST', `${root}/pulls`, { title: 'evil', head: 'evil', base: 'main' })
  await write(forge, root, 'main', { path: 'beside-evil.md' })
  for (const Do of ['rebase', 'rebase-merge'])
    assert.equal((await merge(forge, 'ann', root, made.body.number, { Do })).status, 409)
  assert.equal((await merge(forge, 'ann', root, made.body.number)).status, 200)
  assert.equal((await forge.call(null, 'GET', `${root}/contents/slipped-in.md`)).status, 200)
})

test('a pull request from a fork is merged, and the message names the fork', async () => {
  await forge.call('eve', 'POST', `${root}/forks`, {})
  await write(forge, '/repos/eve/one', 'topic', { as: 'eve', base: 'main' })
  const input = { title: 'from afar', head: 'eve:topic', base: 'main' }
  const { body } = await forge.call('eve', 'POST', `${root}/pulls`, input)
  assert.equal((await merge(forge, 'eve', root, body.number)).status, 405, 'whoever opened it may not')
  assert.equal((await merge(forge, 'wes', root, body.number)).status, 200)
  const { message } = await commit(await tipOf(forge, root))
  assert.equal(message, `Merge pull request 'from afar' (#${body.number}) from eve/one:topic into main\n`)
})

test('a merged head branch is deleted unless it moved on or another pull request uses it', async () => {
  const [first, rival] = [await propose(forge, root, 'shared'), 'release']
  await forge.call('ann', 'POST', `${root}/branches`, { new_branch_name: rival, old_branch_name: 'main' })
  await forge.call('ann', 'POST', `${root}/pulls`, { title: 'again', head: 'shared', base: rival })
  const wish = { delete_branch_after_merge: true }
  assert.equal((await merge(forge, 'ann', root, first, wish)).status, 200)
  assert.equal((await forge.call(null, 'GET', `${root}/branches/shared`)).status, 200)
  await forge.call('ann', 'PATCH', root, { default_delete_branch_after_merge: true })
  const [gone, stays] = [await propose(forge, root, 'gone'), await propose(forge, root, 'stays')]
  await merge(forge, 'ann', root, gone)
  await merge(forge, 'ann', root, stays, { delete_branch_after_merge: false })
  await forge.call('ann', 'PATCH', root, { default_delete_branch_after_merge: false })
  const statuses = []
  for (const name of ['gone', 'stays'])
    statuses.push((await forge.call(null, 'GET', `${root}/branches/${name}`)).status)
  assert.deepEqual(statuses, [404, 200])
  const { body } = await forge.call(null, 'GET', `${root}/issues/${gone}/timeline`)
  assert.deepEqual(
    body.map((it: { type: string }) => it.type),
    ['pull_push', 'merge_pull', 'delete_branch'],
  )
})

test('a merge into the default branch closes the named issues if the author of the reference may close them', async () => {
  const issue = async (as = 'ann') =>
    (await forge.call(as, 'POST', `${root}/issues`, { title: 'work' })).body.number as number
  const [one, two, other, evil] = [await issue(), await issue(), await issue(), await issue()]
  await forge.call('ann', 'PATCH', `${root}/issues/${two}`, { state: 'closed' })
  const body = `closes #${one}, reopens #${two}, see #${other}`
  const number = await propose(forge, root, 'closing', { as: 'wes', body })
  await forge.call('eve', 'POST', `${root}/issues/${number}/comments`, { body: `closes #${evil}` })
  const elsewhere = await propose(forge, root, 'aside', { base: 'release', body: `closes #${other}` })
  for (const it of [number, elsewhere]) assert.equal((await merge(forge, 'ann', root, it)).status, 200)
  await forge.runJobs()
  const states = []
  for (const it of [one, two, other, evil])
    states.push((await forge.call(null, 'GET', `${root}/issues/${it}`)).body.state)
  assert.deepEqual(states, ['closed', 'open', 'open', 'open'])
  const { body: entries } = await forge.call(null, 'GET', `${root}/issues/${one}/timeline`)
  assert.deepEqual([entries.at(-1).type, entries.at(-1).user.login], ['close', 'ann'], 'by the merger')
})

test('a pull request with open dependencies is not merged', async () => {
  const [number, blocker] = [await propose(forge, root, 'blocked'), 'work']
  const { body } = await forge.call('ann', 'POST', `${root}/issues`, { title: blocker })
  const named = { owner: 'ann', repo: 'one', index: body.number }
  assert.equal((await forge.call('ann', 'POST', `${root}/issues/${number}/dependencies`, named)).status, 201)
  assert.equal((await merge(forge, 'ann', root, number)).status, 412)
  await forge.call('ann', 'PATCH', `${root}/issues/${body.number}`, { state: 'closed' })
  assert.equal((await merge(forge, 'ann', root, number)).status, 200)
})

test('manually-merged accepts only a commit that is in the base branch', async () => {
  await forge.call('ann', 'PATCH', root, { allow_manual_merge: true })
  const number = await propose(forge, root, 'hand')
  const { head } = await show(forge, root, number)
  const by = (MergeCommitID: string, as = 'wes') =>
    merge(forge, as, root, number, { Do: 'manually-merged', MergeCommitID })
  assert.equal((await by(head.sha)).status, 409, 'the base has it not')
  assert.equal((await by('nonsense')).status, 409)
  const tip = await tipOf(forge, root)
  assert.equal((await by(tip, 'eve')).status, 405)
  assert.equal((await by(tip)).status, 200)
  assert.deepEqual((await show(forge, root, number)).merge_commit_sha, tip)
  assert.equal((await kept(number)).style, 'manually-merged')
})

test('a squash commit has the poster as author, lists the commits and adds Co-authored-by trailers', async () => {
  await forge.person('zoe')
  await forge.call('ann', 'PUT', `${root}/collaborators/zoe`, { permission: 'write' })
  const number = await propose(forge, root, 'squashed', { as: 'wes' })
  await write(forge, root, 'squashed', { as: 'zoe', path: 'zoe.md' })
  assert.equal((await merge(forge, 'ann', root, number, { do: 'squash' })).status, 200)
  const { message, author, committer } = await commit(await tipOf(forge, root))
  assert.deepEqual([author.name, committer.name], ['wes', 'ann'])
  assert.equal(
    message,
    `squashed (#${number})\n\n* add squashed.md\n* add zoe.md\n\nCo-authored-by: zoe <zoe@example.test>\n`,
  )
})

test('a message template in the base branch applies unless the merger gives a title', async () => {
  const path = '.gitea/default_merge_message/MERGE_TEMPLATE.md'
  const variable = (name: string) => `$\{${name}}`
  const [reference, titled, text, nothing, closing] = [
    'PullRequestReference',
    'PullRequestTitle',
    'PullRequestDescription',
    'nonsense',
    'ClosingIssues',
  ].map(variable)
  const template = `Land ${reference}: ${titled}\n\n${text}\n${nothing}${closing}\n`
  const body = { content: base64(template), message: 'template', branch: 'main' }
  assert.equal((await forge.call('ann', 'POST', `${root}/contents/${path}`, body)).status, 201)
  const number = await propose(forge, root, 'templated', {
    title: `a ${variable('BaseBranch')}`,
    body: 'closes #1',
  })
  assert.equal((await merge(forge, 'ann', root, number)).status, 200)
  assert.equal(
    (await commit(await tipOf(forge, root))).message,
    `Land #${number}: a ${variable('BaseBranch')}\n\ncloses #1\nclose #1\n`,
  )
  const other = await propose(forge, root, 'titled')
  await merge(forge, 'ann', root, other, { merge_title_field: 'own' })
  assert.equal((await commit(await tipOf(forge, root))).message, 'own\n')
})
