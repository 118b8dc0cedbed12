/** Cards that move when their issue is closed or reopened, or their pull request merged. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Forge, startForge } from '#testing'
import { pullFrom } from '#testing/slices/reviews'

let forge: Forge
before(async () => {
  forge = await startForge()
  for (const login of ['ann', 'wes', 'eve']) await forge.person(login)
  await forge.call('ann', 'POST', '/orgs', { username: 'smithy' })
  await forge.call('ann', 'POST', '/orgs/smithy/repos', { name: 'anvil', auto_init: true })
  await forge.call('ann', 'PUT', '/repos/smithy/anvil/collaborators/wes', { permission: 'write' })
})
after(() => forge[Symbol.asyncDispose]())

const REPO = '/repos/smithy/anvil'
interface Made {
  readonly id: number
  readonly number: number
}

/** A board by its form: Backlog, To Do, In Progress, Done. */
async function board(page: string, api: string) {
  const ann = await forge.browserOf('ann')
  const made = await ann.submit(`${page}/new`, 'create', { title: 'Board', template: 'basic_kanban' })
  const path = made.headers.get('location') ?? ''
  const at = `${api}/projects/${path.split('/').at(-1)}`
  const columns: Made[] = (await forge.call('ann', 'GET', `${at}/columns`)).body
  const [backlog, todo, , done] = columns.map(({ id }) => id)
  const rule = (column: number | undefined, ...events: string[]) =>
    ann.submit(path, 'rules', {
      column: `${column}`,
      ...Object.fromEntries(events.map((it) => [it, 'true'])),
    })
  const cards = async (column: number | undefined) =>
    (await forge.call('ann', 'GET', `${at}/columns/${column}/issues`)).body.map((it: Made) => it.id)
  const put = (issue: Made) => forge.call('ann', 'POST', `${at}/columns/${backlog}/issues/${issue.id}`)
  return { path, at, backlog, todo, done, rule, cards, put }
}
const issue = async (as = 'ann'): Promise<Made> =>
  (await forge.call(as, 'POST', `${REPO}/issues`, { title: 'Work' })).body
const setState = (it: Made, state: string, as = 'ann') =>
  forge.call(as, 'PATCH', `${REPO}/issues/${it.number}`, { state })

test('a column takes cards of issues that are closed, another one those that are reopened', async () => {
  const { rule, done, todo, cards, put, path } = await board('/smithy/anvil/projects', REPO)
  assert.equal((await rule(done, 'closed', 'merged')).status, 303)
  assert.equal((await rule(todo, 'reopened')).status, 303)
  assert.match((await (await forge.browserOf('ann')).get(path)).text, /Takes closed/)
  const made = await issue()
  await put(made)
  await setState(made, 'closed', 'wes')
  assert.deepEqual(await cards(done), [made.id])
  const { body: entries } = await forge.call('ann', 'GET', `${REPO}/issues/${made.number}/timeline`)
  const kinds = entries.map(
    ({ type, user }: { type: string; user: { login: string } }) => `${type} ${user.login}`,
  )
  assert.deepEqual(kinds.slice(-2), ['close wes', 'project_board wes'])
  await setState(made, 'open')
  assert.deepEqual([await cards(done), await cards(todo)], [[], [made.id]])
  await rule(done)
  await setState(made, 'closed')
  assert.deepEqual(await cards(todo), [made.id])
})

test('an event has one column of a board: the last that was set', async () => {
  const { rule, done, todo, cards, put } = await board('/smithy/anvil/projects', REPO)
  await rule(done, 'closed')
  await rule(todo, 'closed')
  const made = await issue()
  await put(made)
  await setState(made, 'closed')
  assert.deepEqual([await cards(done), await cards(todo)], [[], [made.id]])
})

test('a merged pull request moves on the boards of its repository and of its organization', async () => {
  const boards = [
    await board('/smithy/anvil/projects', REPO),
    await board('/smithy/-/projects', '/orgs/smithy'),
  ]
  const number = await pullFrom(forge, 'ann', REPO, 'hot')
  const made: Made = (await forge.call('ann', 'GET', `${REPO}/issues/${number}`)).body
  for (const { rule, done, put } of boards) {
    await rule(done, 'merged')
    await put(made)
  }
  const merged = await forge.call('ann', 'POST', `${REPO}/pulls/${made.number}/merge`, { Do: 'merge' })
  assert.equal(merged.status, 200, JSON.stringify(merged.body))
  for (const { cards, done } of boards) assert.deepEqual(await cards(done), [made.id])
})

test('no rule moves a card for a person who may not change the board', async () => {
  const own = await board('/smithy/anvil/projects', REPO)
  const shared = await board('/smithy/-/projects', '/orgs/smithy')
  for (const { rule, done } of [own, shared]) await rule(done, 'closed')
  const made = await issue('eve')
  for (const { put } of [own, shared]) await put(made)
  await setState(made, 'closed', 'eve')
  assert.deepEqual([await own.cards(own.done), await shared.cards(shared.done)], [[], []])
  await setState(made, 'open', 'eve')
  // wes may write to the repository, but has no part in the organization.
  await setState(made, 'closed', 'wes')
  assert.deepEqual([await own.cards(own.done), await shared.cards(shared.done)], [[made.id], []])
})

test('rules are set only by those who may change the board, for columns of that board', async () => {
  const own = await board('/smithy/anvil/projects', REPO)
  const other = await board('/smithy/anvil/projects', REPO)
  const eve = await forge.browserOf('eve')
  assert.equal((await eve.submit(own.path, 'rules', { column: `${own.done}`, closed: 'true' })).status, 422)
  assert.doesNotMatch((await eve.get(own.path)).text, /Save rules/)
  assert.equal((await own.rule(other.done, 'closed')).status, 422)
  assert.deepEqual(
    await forge.db
      .selectFrom('project_rule')
      .select('event')
      .where('column_id', 'in', [own.done ?? 0, other.done ?? 0])
      .execute(),
    [],
  )
})

test('a closed board stays as it is, and a deleted column takes its rule along', async () => {
  const { rule, done, cards, put, at } = await board('/smithy/anvil/projects', REPO)
  await rule(done, 'closed')
  const made = await issue()
  await put(made)
  await forge.call('ann', 'PATCH', at, { state: 'closed' })
  await setState(made, 'closed')
  assert.deepEqual(await cards(done), [])
  await forge.call('ann', 'PATCH', at, { state: 'open' })
  await forge.call('ann', 'DELETE', `${at}/columns/${done}`)
  await setState(made, 'open')
  assert.equal((await setState(made, 'closed')).status, 201)
})
