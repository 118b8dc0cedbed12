/** Review requests: with a new pull request, later, and removed. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { handler } from '#events/handler'
import { type Forge, startForge } from '#testing'
import { commit, pullFrom } from '#testing/slices/reviews'

const REPO = '/repos/smithy/open'
const told: { user_id: number | null; team_id: number | null; is_removed: boolean }[] = []
let forge: Forge
before(async () => {
  forge = await startForge({
    handlers: [
      handler('review.requested', async (_, { user_id, team_id, is_removed }) => {
        told.push({ user_id, team_id, is_removed })
      }),
    ],
  })
  for (const login of ['ann', 'bob', 'cat', 'dan', 'eve']) await forge.person(login)
  await forge.person('hermit', { visibility: 'private' })
  await forge.call('ann', 'POST', '/orgs', { username: 'smithy' })
  const repo = { name: 'open', auto_init: true, default_branch: 'main' }
  await forge.call('ann', 'POST', '/orgs/smithy/repos', repo)
  await forge.call('ann', 'PUT', `${REPO}/collaborators/cat`, { permission: 'write' })
  const crew = { name: 'Crew', permission: 'read', units: ['repo.code', 'repo.pulls'] }
  const { body } = await forge.call('ann', 'POST', '/orgs/smithy/teams', crew)
  await forge.call('ann', 'PUT', `/teams/${body.id}/members/bob`)
  await forge.call('ann', 'PUT', `/teams/${body.id}/repos/smithy/open`)
})
after(() => forge[Symbol.asyncDispose]())

const ask = (as: string, number: number, body: object) =>
  forge.call(as, 'POST', `${REPO}/pulls/${number}/requested_reviewers`, body)
const drop = (as: string, number: number, body: object) =>
  forge.call(as, 'DELETE', `${REPO}/pulls/${number}/requested_reviewers`, body)

async function asked(number: number): Promise<string[]> {
  const { body } = await forge.call('ann', 'GET', `${REPO}/pulls/${number}`)
  return [
    ...body.requested_reviewers.map((it: { login: string }) => it.login),
    ...body.requested_reviewers_teams.map(
      (it: { name: string; organization: { name: string } }) => `${it.organization.name}/${it.name}`,
    ),
  ]
}

test('a new pull request can request reviews', async () => {
  const options = { reviewers: ['bob', 'cat@example.test'], team_reviewers: ['crew'] }
  const number = await pullFrom(forge, 'ann', REPO, 'together', { options })
  assert.deepEqual(await asked(number), ['bob', 'cat', 'smithy/Crew'])
})

for (const [says, options, status] of [
  ['somebody unknown', { reviewers: ['bob', 'nobody-knows'] }, 404],
  ['somebody hidden', { reviewers: ['hermit'] }, 404],
  ['an unknown team', { reviewers: ['bob'], team_reviewers: ['none'] }, 404],
  ['the author', { reviewers: ['bob', 'ann'] }, 422],
  ['too many', { reviewers: Array.from({ length: 101 }, (_, i) => `u${i}`) }, 422],
] as const)
  test(`a pull request that requests ${says} is not opened`, async () => {
    const branch = `refused-${says.replaceAll(' ', '-')}`
    await commit(forge, 'ann', REPO, branch, { [`${branch}.md`]: 'x\n' })
    const before = told.length
    const options_ = { title: 'refused', head: branch, base: 'main', ...options }
    assert.equal((await forge.call('ann', 'POST', `${REPO}/pulls`, options_)).status, status)
    const { body } = await forge.call('ann', 'GET', `${REPO}/pulls?state=all&limit=50`)
    assert.ok(!body.some((pull: { title: string }) => pull.title === 'refused'))
    assert.equal(told.length, before)
  })

test('if one reviewer is refused, none of the request is added', async () => {
  const number = await pullFrom(forge, 'ann', REPO, 'whole')
  assert.equal((await ask('ann', number, { reviewers: ['bob', 'ann'] })).status, 422)
  assert.equal((await ask('ann', number, { reviewers: ['bob'], team_reviewers: ['none'] })).status, 404)
  assert.deepEqual(await asked(number), [])
})

test('each request and removal is emitted once and appears in the timeline', async () => {
  const number = await pullFrom(forge, 'ann', REPO, 'told')
  told.length = 0
  assert.equal((await ask('ann', number, { reviewers: ['bob', 'BOB', 'bob@example.test'] })).body.length, 1)
  assert.deepEqual((await ask('cat', number, { reviewers: ['bob'] })).body, [])
  assert.equal((await ask('cat', number, { team_reviewers: ['CREW'] })).body.length, 1)
  assert.equal(
    (await drop('ann', number, { reviewers: ['bob', 'dan'], team_reviewers: ['crew'] })).status,
    204,
  )
  assert.deepEqual(
    told.map(({ user_id, is_removed }) => [user_id !== null, is_removed]),
    [
      [true, false],
      [false, false],
      [true, true],
      [false, true],
    ],
  )
  assert.deepEqual(await asked(number), [])
  const { body } = await forge.call(null, 'GET', `${REPO}/issues/${number}/timeline`)
  assert.deepEqual(
    body
      .filter((it: { type: string }) => it.type === 'review_request')
      .map(
        (it: {
          assignee: { login: string } | null
          assignee_team: { name: string } | null
          removed_assignee: boolean
        }) => [it.assignee?.login ?? it.assignee_team?.name, it.removed_assignee],
      ),
    [
      ['bob', false],
      ['Crew', false],
      ['bob', true],
      ['Crew', true],
    ],
  )
})

test('a user who blocked the requester cannot be requested', async () => {
  const number = await pullFrom(forge, 'cat', REPO, 'blocked')
  await forge.call('dan', 'PUT', '/user/blocks/cat')
  assert.equal((await ask('cat', number, { reviewers: ['dan'] })).status, 403)
  assert.equal((await ask('ann', number, { reviewers: ['dan'] })).status, 201)
})

test('concurrent requests of the same reviewer add one request', async () => {
  const number = await pullFrom(forge, 'ann', REPO, 'at-once')
  const answers = await Promise.all(
    ['ann', 'cat', 'bob'].map((as) => ask(as, number, { reviewers: ['eve'] })),
  )
  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 201, 201],
  )
  assert.equal(answers.flatMap(({ body }) => body).length, 1)
})

test('deleting a user removes the requests to them', async () => {
  await forge.person('root', { is_admin: true })
  await forge.person('gone')
  const number = await pullFrom(forge, 'ann', REPO, 'deleted')
  await ask('ann', number, { reviewers: ['gone', 'eve'] })
  assert.equal((await forge.call('root', 'DELETE', '/admin/users/gone')).status, 204)
  assert.deepEqual(await asked(number), ['eve'])
  const rows = await forge.db.selectFrom('review').select('id').where('kind', '=', 'request').execute()
  assert.ok(rows.length > 0)
  const left = await forge.db
    .selectFrom('review')
    .select('id')
    .where('kind', '=', 'request')
    .where('reviewer_id', 'is', null)
    .where('team_id', 'is', null)
    .execute()
  assert.deepEqual(left, [])
})

test('many review requests need no more queries than one', async () => {
  const number = await pullFrom(forge, 'ann', REPO, 'many')
  const listed = () => forge.countQueries(() => forge.call('ann', 'GET', `${REPO}/pulls?limit=50`))
  await ask('ann', number, { reviewers: ['bob'], team_reviewers: ['crew'] })
  const few = await listed()
  await ask('ann', number, { reviewers: ['cat', 'dan', 'eve'] })
  assert.equal(await listed(), few)
})

test('team requests are removed when the repository leaves the organization', async () => {
  await forge.call('ann', 'POST', '/orgs/smithy/repos', {
    name: 'leaving',
    auto_init: true,
    default_branch: 'main',
  })
  const options = { reviewers: ['bob'], team_reviewers: ['crew'] }
  await pullFrom(forge, 'ann', '/repos/smithy/leaving', 'topic', { options })
  const path = '/repos/smithy/leaving/transfer'
  assert.equal((await forge.call('ann', 'POST', path, { new_owner: 'ann' })).status, 202)
  const { body } = await forge.call('ann', 'GET', '/repos/ann/leaving/pulls/1')
  assert.deepEqual([body.requested_reviewers.length, body.requested_reviewers_teams.length], [1, 0])
  const reviews = await forge.call('ann', 'GET', '/repos/ann/leaving/pulls/1/reviews')
  assert.equal(reviews.body.length, 1)
})
