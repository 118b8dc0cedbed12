/** Who is notified of review requests: hooks, the reviewers, and search results. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Forge, startForge } from '#testing'
import { pullFrom } from '#testing/slices/reviews'
import { Receiver } from '#testing/slices/webhooks'

const REPO = '/repos/guild/anvil'
const PEOPLE = ['ann', 'bob', 'cat', 'dan'] as const
let forge: Forge
let receiver: Receiver
let number: number

before(async () => {
  receiver = await Receiver.open()
  forge = await startForge({ config: { 'outbound.allow_private': true } })
  for (const login of PEOPLE) await forge.person(login)
  await call('ann', 'POST', '/orgs', { username: 'guild' })
  await call('ann', 'POST', '/orgs/guild/repos', { name: 'anvil', auto_init: true })
  const team = await call('ann', 'POST', '/orgs/guild/teams', {
    name: 'smiths',
    permission: 'write',
    units_map: { 'repo.code': 'write', 'repo.pulls': 'write', 'repo.issues': 'write' },
  })
  await call('ann', 'PUT', `/teams/${team.id}/repos/guild/anvil`)
  for (const login of ['ann', 'cat', 'dan']) await call('ann', 'PUT', `/teams/${team.id}/members/${login}`)
  const config = { url: receiver.url, content_type: 'json' }
  const events = ['pull_request_review_request']
  await call('ann', 'POST', `${REPO}/hooks`, { type: 'gitea', active: true, config, events })
  number = await pullFrom(forge, 'ann', REPO, 'topic')
  await told()
})
after(async () => {
  await forge[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
})

async function call(as: string, method: Parameters<Forge['call']>[1], path: string, body?: unknown) {
  const answer = await forge.call(as, method, path, body)
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}
const ask = (as: string, names: object) =>
  call(as, 'POST', `${REPO}/pulls/${number}/requested_reviewers`, names)
const askNoMore = (as: string, names: object) =>
  call(as, 'DELETE', `${REPO}/pulls/${number}/requested_reviewers`, names)

/** Deliveries to hooks, and users with new notifications. */
async function told(): Promise<{ hooks: string[]; people: string[] }> {
  await forge.runJobs()
  const hooks = receiver.received.splice(0).map(({ headers, body }) => {
    const { action, requested_reviewer, pull_request } = JSON.parse(body)
    assert.equal(pull_request.number, number)
    return `${headers['x-gitea-event']} ${action} ${requested_reviewer.login}`
  })
  const people: string[] = []
  for (const login of PEOPLE) {
    if ((await forge.call(login, 'GET', '/notifications/new')).body.new > 0) people.push(login)
    await forge.call(login, 'PUT', '/notifications')
  }
  return { hooks: hooks.sort(), people }
}

const asked = async (as: string) =>
  (await call(as, 'GET', '/repos/issues/search?review_requested=true')).map(
    (it: { number: number }) => it.number,
  )

test('a review request notifies the reviewer and the hooks; its removal only the hooks', async () => {
  await ask('ann', { reviewers: ['bob'] })
  assert.deepEqual(await told(), { hooks: ['pull_request review_requested bob'], people: ['bob'] })
  assert.deepEqual(await asked('bob'), [number])
  assert.deepEqual(await asked('cat'), [])
  await askNoMore('ann', { reviewers: ['bob'] })
  assert.deepEqual(await told(), { hooks: ['pull_request review_request_removed bob'], people: [] })
  assert.deepEqual(await asked('bob'), [])
})

test('a team request notifies each member except the author, including the requester', async () => {
  await ask('cat', { team_reviewers: ['smiths'] })
  const hooks = ['pull_request review_requested cat', 'pull_request review_requested dan']
  assert.deepEqual(await told(), { hooks, people: ['cat', 'dan'] })
  assert.deepEqual(await asked('dan'), [number])
  assert.deepEqual(await asked('ann'), [], 'nobody reviews their own')
  await askNoMore('cat', { team_reviewers: ['smiths'] })
  assert.deepEqual(await told(), { hooks: [], people: [] })
  assert.deepEqual(await asked('dan'), [])
})
