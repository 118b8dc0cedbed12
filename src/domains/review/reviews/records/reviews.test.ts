/** Reviews: creating, submitting, dismissing, deleting, and what a new head or base changes. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { handler } from '#events/handler'
import { type Forge, startForge } from '#testing'
import { commit, pullFrom } from '#testing/slices/reviews'

const REPO = '/repos/ann/anvil'
const told: { kind: string; mentions: readonly number[] }[] = []
const dismissals: string[] = []
let forge: Forge
let danId: number
before(async () => {
  forge = await startForge({
    handlers: [
      handler('review.submitted', async (_, { kind, mentions }) => void told.push({ kind, mentions })),
      handler('review.dismissed', async (_, { message }) => void dismissals.push(message)),
    ],
  })
  for (const login of ['ann', 'bob', 'cat']) await forge.person(login)
  danId = (await forge.person('dan')).id
  await forge.person('root', { is_admin: true })
  const repo = { name: 'anvil', auto_init: true, default_branch: 'main' }
  await forge.call('ann', 'POST', '/user/repos', repo)
  await forge.call('ann', 'PUT', `${REPO}/collaborators/bob`, { permission: 'write' })
  await forge.call('ann', 'POST', `${REPO}/branches`, { new_branch_name: 'stable', old_branch_name: 'main' })
})
after(() => forge[Symbol.asyncDispose]())

const pathOf = (number: number) => `${REPO}/pulls/${number}/reviews`
const review = (as: string, number: number, body: object) => forge.call(as, 'POST', pathOf(number), body)
const approve = (as: string, number: number) => review(as, number, { event: 'APPROVED', body: 'fine' })

interface Shown {
  readonly id: number
  readonly state: string
  readonly stale: boolean
  readonly official: boolean
  readonly dismissed: boolean
}
async function list(as: string | null, number: number): Promise<Shown[]> {
  const { body, headers } = await forge.call(as, 'GET', pathOf(number))
  assert.equal(headers.get('x-total-count'), String(body.length))
  return body
}
const statesOf = async (as: string | null, number: number) =>
  (await list(as, number)).map(({ state }) => state)

async function countsOf(number: number): Promise<[comments: number, reviews: number | undefined]> {
  const { body } = await forge.call('ann', 'GET', `${REPO}/pulls/${number}`)
  return [body.comments, body.review_comments]
}

async function entriesOf(number: number): Promise<string[]> {
  const { body } = await forge.call(null, 'GET', `${REPO}/issues/${number}/timeline`)
  const shown = body.filter((it: { type: string }) => /review|code/.test(it.type))
  return shown.map((it: { type: string; body: string }) => `${it.type}: ${it.body}`)
}

test('a pending review is visible only to its reviewer: not in timeline, counts or notifications', async () => {
  const number = await pullFrom(forge, 'ann', REPO, 'pending')
  told.length = 0
  const comments = [{ path: 'pending.md', body: 'a secret for @dan', new_position: 1 }]
  const { body } = await review('cat', number, { body: 'a secret, too', comments })
  assert.deepEqual([body.state, body.html_url, body.comments_count], ['PENDING', '', 1])
  for (const [as, seen] of [
    ['cat', 1],
    ['root', 1],
    ['ann', 0],
    ['bob', 0],
    [null, 0],
  ] as const) {
    assert.equal((await list(as, number)).length, seen, `${as}`)
    const status = seen === 1 ? 200 : 404
    for (const path of [`/${body.id}`, `/${body.id}/comments`])
      assert.equal((await forge.call(as, 'GET', pathOf(number) + path)).status, status, `${as}`)
  }
  const [line] = (await forge.call('cat', 'GET', `${pathOf(number)}/${body.id}/comments`)).body
  for (const [method, path, sent] of [
    ['POST', `${REPO}/pulls/comments/${line.id}/resolve`, undefined],
    ['POST', `${REPO}/pulls/${number}/comments/${line.id}/replies`, { body: 'x' }],
    ['DELETE', `${pathOf(number)}/${body.id}`, undefined],
    ['POST', `${pathOf(number)}/${body.id}`, { event: 'APPROVED' }],
  ] as const)
    assert.equal((await forge.call('bob', method, path, sent)).status, 404, path)
  assert.equal((await forge.call('bob', 'GET', `${REPO}/issues/comments/${line.id}`)).body, null)
  assert.deepEqual([await entriesOf(number), await countsOf(number), told], [[], [0, undefined], []])
  const found = await forge.call('ann', 'GET', '/repos/issues/search?q=secret&type=pulls')
  assert.deepEqual(found.body, [])
  const sent = { event: 'COMMENT', body: 'now' }
  assert.equal((await forge.call('cat', 'POST', `${pathOf(number)}/${body.id}`, sent)).status, 200)
  assert.deepEqual(await statesOf(null, number), ['COMMENT'])
  assert.deepEqual(told, [{ kind: 'comment', mentions: [danId] }])
})

test('concurrent comments of one reviewer go into one pending review', async () => {
  const number = await pullFrom(forge, 'ann', REPO, 'one')
  const line = (n: number) => ({ path: 'one.md', body: `line ${n}`, new_position: n })
  const answers = await Promise.all(
    [1, 2, 3].map((n) => review('cat', number, { body: 'wait', comments: [line(n)] })),
  )
  assert.equal(new Set(answers.map(({ body }) => body.id)).size, 1)
  const { body } = await review('cat', number, { event: 'APPROVED', comments: [line(1)] })
  assert.deepEqual([body.state, body.comments_count], ['APPROVED', 4])
})

test('a new decision replaces the previous one and fulfils the review request', async () => {
  const number = await pullFrom(forge, 'ann', REPO, 'again', { options: { reviewers: ['bob'] } })
  assert.deepEqual(await statesOf(null, number), ['REQUEST_REVIEW'])
  await review('bob', number, { event: 'REQUEST_CHANGES', body: 'no' })
  await review('bob', number, { event: 'COMMENT', body: 'perhaps' })
  await approve('bob', number)
  assert.deepEqual(
    (await list(null, number)).map((it) => [it.state, it.dismissed, it.official]),
    [
      ['REQUEST_CHANGES', true, false],
      ['COMMENT', false, false],
      ['APPROVED', false, true],
    ],
  )
  assert.deepEqual(await countsOf(number), [0, 3])
})

test('removing a repeated review request makes the earlier approval official again', async () => {
  const number = await pullFrom(forge, 'ann', REPO, 'restored')
  await approve('bob', number)
  const official = async () =>
    (await list(null, number)).filter((it) => it.official).map(({ state }) => state)
  const asked = { reviewers: ['bob'] }
  await forge.call('ann', 'POST', `${REPO}/pulls/${number}/requested_reviewers`, asked)
  assert.deepEqual(await official(), ['REQUEST_REVIEW'])
  await forge.call('ann', 'DELETE', `${REPO}/pulls/${number}/requested_reviewers`, asked)
  assert.deepEqual(await official(), ['APPROVED'])
})

test('submitting and dismissing a review changes updated_at of the pull request', async () => {
  const number = await pullFrom(forge, 'ann', REPO, 'touched')
  const changedAt = async () => (await forge.call('ann', 'GET', `${REPO}/pulls/${number}`)).body.updated_at
  const times = [await changedAt()]
  forge.advance(60_000)
  const { id } = (await approve('bob', number)).body
  times.push(await changedAt())
  forge.advance(60_000)
  await forge.call('ann', 'POST', `${pathOf(number)}/${id}/dismissals`, { message: 'no' })
  times.push(await changedAt())
  assert.equal(new Set(times).size, 3)
})

test('a push makes all reviews stale; a review of the new head is not', async () => {
  const number = await pullFrom(forge, 'ann', REPO, 'stale')
  await approve('bob', number)
  await review('cat', number, { event: 'COMMENT', body: 'hm' })
  await commit(forge, 'ann', REPO, 'stale', { 'more.md': 'more\n' })
  assert.deepEqual(
    (await list(null, number)).map((it) => [it.stale, it.dismissed]),
    [
      [true, false],
      [true, false],
    ],
  )
  await approve('bob', number)
  assert.deepEqual(
    (await list(null, number)).map((it) => it.stale),
    [true, true, false],
  )
})

test('with dismiss_stale_approvals, a push dismisses approvals and states the reason', async () => {
  const rule = { rule_name: 'stable', dismiss_stale_approvals: true, enable_push: true }
  assert.equal((await forge.call('ann', 'POST', `${REPO}/branch_protections`, rule)).status, 201)
  const number = await pullFrom(forge, 'ann', REPO, 'ruled', { options: { base: 'stable' } })
  await approve('bob', number)
  await review('cat', number, { event: 'REQUEST_CHANGES', body: 'no' })
  dismissals.length = 0
  await commit(forge, 'ann', REPO, 'ruled', { 'more.md': 'more\n' })
  assert.deepEqual(
    (await list(null, number)).map((it) => [it.state, it.dismissed]),
    [
      ['APPROVED', true],
      ['REQUEST_CHANGES', false],
    ],
  )
  assert.equal(dismissals.length, 1)
  const entries = await entriesOf(number)
  assert.match(entries.at(-1) ?? '', /^dismiss_review: new commits/)
})

test('official reviewers are decided by the rule of the base, and again on retargeting', async () => {
  const rule = { rule_name: 'main', enable_approvals_whitelist: true, approvals_whitelist_username: ['cat'] }
  await forge.call('ann', 'PUT', `${REPO}/collaborators/cat`, { permission: 'read' })
  assert.equal((await forge.call('ann', 'POST', `${REPO}/branch_protections`, rule)).status, 201)
  const number = await pullFrom(forge, 'ann', REPO, 'counting')
  for (const as of ['bob', 'cat']) await approve(as, number)
  const official = async () => (await list(null, number)).map((it) => it.official)
  assert.deepEqual(await official(), [false, true])
  await forge.call('ann', 'PATCH', `${REPO}/pulls/${number}`, { base: 'stable' })
  assert.deepEqual(await official(), [true, false])
  await forge.call('ann', 'DELETE', `${REPO}/branch_protections/main`)
})

test('deleting a review deletes its comments', async () => {
  const number = await pullFrom(forge, 'ann', REPO, 'deleted')
  const other = await pullFrom(forge, 'ann', REPO, 'named')
  const comments = [{ path: 'deleted.md', body: 'here', new_position: 1 }]
  const { body } = await review('cat', number, { event: 'COMMENT', body: `see #${other}`, comments })
  const refers = async () => {
    const entries = (await forge.call(null, 'GET', `${REPO}/issues/${other}/timeline`)).body
    return entries.filter((it: { type: string }) => it.type === 'comment_ref')
  }
  assert.equal((await refers()).length, 1)
  assert.deepEqual(await countsOf(number), [0, 1])
  const path = `${pathOf(number)}/${body.id}`
  assert.equal((await forge.call('ann', 'DELETE', path)).status, 403)
  assert.equal((await forge.call('cat', 'DELETE', path)).status, 204)
  assert.equal((await forge.call('cat', 'DELETE', path)).status, 404)
  assert.deepEqual([await entriesOf(number), await countsOf(number)], [[], [0, undefined]])
  const left = forge.db.selectFrom('issue_comment').where('kind', '=', 'code').select('payload')
  assert.ok(!(await left.execute()).some(({ payload }) => payload.review_id === body.id))
  const { requested_reviewers } = (await forge.call('ann', 'GET', `${REPO}/pulls/${number}`)).body
  assert.deepEqual(requested_reviewers, [])
})

test('replies stay on the same line, and comments are resolved by those who may', async () => {
  const number = await pullFrom(forge, 'ann', REPO, 'discussed')
  const comments = [{ path: 'discussed.md', body: 'why?', new_position: 2 }]
  const { body } = await review('cat', number, { event: 'COMMENT', comments })
  const lines = async () => (await forge.call(null, 'GET', `${pathOf(number)}/${body.id}/comments`)).body
  const [{ id }] = await lines()
  const reply = { body: 'because of @dan' }
  const answer = await forge.call('ann', 'POST', `${REPO}/pulls/${number}/comments/${id}/replies`, reply)
  assert.deepEqual([answer.status, answer.body.position, answer.body.body], [201, 2, reply.body])
  assert.equal((await lines()).length, 2)
  for (const [as, verb, status] of [
    [null, 'resolve', 401],
    ['cat', 'resolve', 403],
    ['bob', 'resolve', 204],
    ['ann', 'unresolve', 204],
  ] as const) {
    const path = `${REPO}/pulls/comments/${id}/${verb}`
    assert.equal((await forge.call(as, 'POST', path)).status, status, `${as}`)
    assert.equal((await lines())[0].resolver?.login ?? null, as === 'bob' ? 'bob' : null)
  }
  const other = await pullFrom(forge, 'ann', REPO, 'elsewhere')
  const wrong = `${REPO}/pulls/${other}/comments/${id}/replies`
  assert.equal((await forge.call('ann', 'POST', wrong, reply)).status, 404)
})

test('a blocked user cannot review, nor a reader of a locked pull request', async () => {
  const number = await pullFrom(forge, 'ann', REPO, 'locked')
  await forge.call('ann', 'PUT', `${REPO}/issues/${number}/lock`, {})
  assert.equal((await approve('dan', number)).status, 403)
  assert.equal((await approve('bob', number)).status, 200)
  await forge.call('ann', 'DELETE', `${REPO}/issues/${number}/lock`)
  await forge.call('ann', 'PUT', '/user/blocks/dan')
  assert.equal((await approve('dan', number)).status, 403)
})

test('deleting a user keeps their submitted reviews only', async () => {
  await forge.person('gone')
  const number = await pullFrom(forge, 'ann', REPO, 'left')
  await approve('gone', number)
  const comments = [{ path: 'left.md', body: 'unsaid', new_position: 1 }]
  await review('gone', number, { body: 'unsaid', comments })
  assert.equal((await forge.call('root', 'DELETE', '/admin/users/gone')).status, 204)
  const { body } = await forge.call('root', 'GET', pathOf(number))
  assert.deepEqual(
    body.map((it: Shown & { user: { login: string } }) => [it.state, it.user.login]),
    [['APPROVED', 'Ghost']],
  )
  const unsaid = forge.db.selectFrom('issue_comment').where('body', '=', 'unsaid').select('id')
  assert.deepEqual(await unsaid.execute(), [])
})

test('the list needs the same few queries however many reviews there are', async () => {
  const number = await pullFrom(forge, 'ann', REPO, 'cheap')
  await approve('bob', number)
  const cost = () => forge.countQueries(() => list('ann', number))
  const few = await cost()
  for (const as of ['cat', 'root', 'bob']) await review(as, number, { event: 'COMMENT', body: 'more' })
  assert.equal(await cost(), few)
})
