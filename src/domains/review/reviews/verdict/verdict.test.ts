/** What reviews count for in a merge. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { type Forge, startForge } from '#testing'
import { commit, pullFrom } from '#testing/slices/reviews'
import { findVerdict, type Verdict } from './find-verdict.ts'

const REPO = '/repos/smithy/anvil'
const RULE = {
  ignore_stale_approvals: false,
  dismiss_stale_approvals: false,
  block_on_codeowner_reviews: false,
}
/** The row in the database. */
const pullOf = (number: number) =>
  forge.db
    .selectFrom('pull_request')
    .selectAll()
    .where('repository_id', '=', repositoryId)
    .where('number', '=', number)
    .executeTakeFirstOrThrow()

let forge: Forge
let repositoryId: number
before(async () => {
  forge = await startForge()
  for (const login of ['ann', 'bob', 'cat', 'dan', 'eve']) await forge.person(login)
  await forge.call('ann', 'POST', '/orgs', { username: 'smithy' })
  const repo = { name: 'anvil', auto_init: true, default_branch: 'main' }
  repositoryId = (await forge.call('ann', 'POST', '/orgs/smithy/repos', repo)).body.id
  for (const login of ['bob', 'cat'])
    await forge.call('ann', 'PUT', `${REPO}/collaborators/${login}`, { permission: 'write' })
  const crew = { name: 'crew', permission: 'read', units: ['repo.code', 'repo.pulls'] }
  const { body } = await forge.call('ann', 'POST', '/orgs/smithy/teams', crew)
  await forge.call('ann', 'PUT', `/teams/${body.id}/members/dan`)
  await forge.call('ann', 'PUT', `/teams/${body.id}/repos/smithy/anvil`)
  const owners = 'src/.* @bob @smithy/crew\ndocs/.* @cat\nown/.* @ann\n'
  await commit(forge, 'ann', REPO, 'main', { CODEOWNERS: owners })
})
after(() => forge[Symbol.asyncDispose]())

let count = 0
let number: number
beforeEach(async () => {
  count += 1
  number = await open('plain.md')
})

const open = (path: string) =>
  pullFrom(forge, 'ann', REPO, `topic-${count}-${path.replaceAll('/', '-')}`, {
    files: { [path]: `${count}\n` },
  })
const review = (as: string, event: string) =>
  forge.call(as, 'POST', `${REPO}/pulls/${number}/reviews`, { event, body: 'x' })
const ask = (reviewer: string) =>
  forge.call('ann', 'POST', `${REPO}/pulls/${number}/requested_reviewers`, { reviewers: [reviewer] })

async function verdict(rule: Partial<typeof RULE> = {}): Promise<Verdict> {
  const pull = await pullOf(number)
  return findVerdict(forge.db, pull, { ...RULE, ...rule })
}
const NONE: Verdict = {
  approvals: 0,
  isRejected: false,
  hasOfficialRequests: false,
  lacksCodeOwners: false,
}

test('official approvals count, once per reviewer', async () => {
  assert.deepEqual(await verdict(), NONE)
  for (const as of ['bob', 'eve', 'bob', 'cat']) await review(as, 'APPROVED')
  assert.deepEqual(await verdict(), { ...NONE, approvals: 2 })
  await review('bob', 'REQUEST_CHANGES')
  assert.deepEqual(await verdict(), { ...NONE, approvals: 1, isRejected: true })
})

test('a dismissed review does not count', async () => {
  for (const [as, event] of [
    ['bob', 'APPROVED'],
    ['cat', 'REQUEST_CHANGES'],
  ] as const) {
    const { id } = (await review(as, event)).body
    await forge.call('ann', 'POST', `${REPO}/pulls/${number}/reviews/${id}/dismissals`, { message: 'x' })
  }
  assert.deepEqual(await verdict(), NONE)
})

test('reviews of a suspended account do not count until it returns', async () => {
  await review('bob', 'APPROVED')
  await review('cat', 'REQUEST_CHANGES')
  const suspend = (is_suspended: boolean) =>
    forge.db.updateTable('account').set({ is_suspended }).where('login', 'in', ['bob', 'cat']).execute()
  await suspend(true)
  assert.deepEqual(await verdict(), NONE)
  await suspend(false)
  assert.deepEqual(await verdict(), { ...NONE, approvals: 1, isRejected: true })
})

test('a requested official reviewer blocks until they answer', async () => {
  await ask('eve')
  assert.deepEqual(await verdict(), NONE)
  await ask('bob')
  assert.deepEqual(await verdict(), { ...NONE, hasOfficialRequests: true })
  await review('bob', 'COMMENT')
  assert.deepEqual(await verdict(), NONE)
})

test('stale approvals count unless the rule ignores them', async () => {
  await review('bob', 'APPROVED')
  await commit(forge, 'ann', REPO, `topic-${count}-plain.md`, { 'more.md': 'more\n' })
  assert.equal((await verdict()).approvals, 1)
  assert.equal((await verdict({ ignore_stale_approvals: true })).approvals, 0)
})

test('with dismiss_stale_approvals, an approval given to a former head after the push does not count', async () => {
  const { head_oid: commit_id } = await pullOf(number)
  await commit(forge, 'ann', REPO, `topic-${count}-plain.md`, { 'more.md': 'more\n' })
  const approval = { event: 'APPROVED', body: 'x', commit_id }
  assert.equal((await forge.call('bob', 'POST', `${REPO}/pulls/${number}/reviews`, approval)).status, 200)
  assert.equal((await verdict()).approvals, 1)
  assert.equal((await verdict({ dismiss_stale_approvals: true })).approvals, 0)
})

const lacks = async (more = {}) =>
  (await verdict({ block_on_codeowner_reviews: true, ...more })).lacksCodeOwners

test('until the owners are found, their approval is missing', async () => {
  assert.equal(await lacks(), true)
  await forge.runJobs()
  assert.equal(await lacks(), false)
  await commit(forge, 'ann', REPO, `topic-${count}-plain.md`, { 'more.md': 'more\n' })
  assert.equal(await lacks(), true)
  await forge.runJobs()
  assert.equal(await lacks(), false)
})

for (const [path, reviewers, isLacking] of [
  ['src/a.ts', [], true],
  ['src/a.ts', ['cat', 'eve'], true],
  ['src/a.ts', ['bob'], false],
  ['src/a.ts', ['dan'], false],
  ['docs/a.md', ['dan', 'bob'], true],
  ['docs/a.md', ['cat'], false],
  ['own/a.md', [], false],
] as const)
  test(`${path} approved by ${reviewers.join(' and ') || 'nobody'} ${isLacking ? 'lacks' : 'has'} its owners`, async () => {
    number = await open(path)
    await forge.runJobs()
    for (const as of reviewers) await review(as, 'APPROVED')
    assert.equal(await lacks(), isLacking)
  })

test('each rule needs the approval of one owner, and a dismissed or ignored approval is none', async () => {
  number = await open('src/both.ts')
  const branch = `topic-${count}-src-both.ts`
  await commit(forge, 'ann', REPO, branch, { 'docs/both.md': 'both\n' })
  await forge.runJobs()
  await review('bob', 'APPROVED')
  assert.equal(await lacks(), true)
  const { id } = (await review('cat', 'APPROVED')).body
  assert.equal(await lacks(), false)
  await forge.call('ann', 'POST', `${REPO}/pulls/${number}/reviews/${id}/dismissals`, { message: 'x' })
  assert.equal(await lacks(), true)
  await review('cat', 'APPROVED')
  await commit(forge, 'ann', REPO, branch, { 'plain.md': 'plain\n' })
  await forge.runJobs()
  assert.equal(await lacks(), false)
  assert.equal(await lacks({ ignore_stale_approvals: true }), true)
})

test('the verdict needs at most two queries', async () => {
  const pull = await pullOf(number)
  const rule = { ...RULE, block_on_codeowner_reviews: true }
  assert.equal(await forge.countQueries(() => findVerdict(forge.db, pull, rule)), 2)
})
