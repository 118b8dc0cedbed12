/** Pull requests where they act as issues: on boards, in searches, with subscribers, and without the pulls unit. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Forge, startForge } from '#testing'

const REPO = '/repos/guild/anvil'
let forge: Forge
let number: number
let issueId: number

before(async () => {
  forge = await startForge()
  for (const login of ['ann', 'bob', 'cat', 'dan']) await forge.person(login)
  await call('ann', 'POST', '/orgs', { username: 'guild' })
  await call('ann', 'POST', '/orgs/guild/repos', { name: 'anvil', auto_init: true, private: true })
  await team('smiths', 'bob', { 'repo.code': 'read', 'repo.pulls': 'read', 'repo.projects': 'read' })
  await team('clerks', 'cat', { 'repo.issues': 'read', 'repo.projects': 'read' })
  const file = { content: '', branch: 'main', new_branch: 'topic' }
  await call('ann', 'POST', `${REPO}/contents/topic.txt`, file)
  const options = { head: 'topic', base: 'main', title: 'Harden it' }
  number = (await call('ann', 'POST', `${REPO}/pulls`, options)).number
  issueId = (await call('ann', 'GET', `${REPO}/issues/${number}`)).id
})
after(() => forge[Symbol.asyncDispose]())

async function call(as: string, method: Parameters<Forge['call']>[1], path: string, body?: unknown) {
  const answer = await forge.call(as, method, path, body)
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}

async function team(name: string, member: string, units_map: object): Promise<void> {
  const { id } = await call('ann', 'POST', '/orgs/guild/teams', { name, permission: 'read', units_map })
  await call('ann', 'PUT', `/teams/${id}/repos/guild/anvil`)
  await call('ann', 'PUT', `/teams/${id}/members/${member}`)
}

const numbersOf = (list: { number: number }[]) => list.map((it) => it.number)

test('search finds a pull request only for users who may read pull requests', async () => {
  const search = async (as: string, query: string) =>
    numbersOf(await call(as, 'GET', `/repos/issues/search?owner=guild&${query}`))
  assert.deepEqual(await search('bob', 'type=pulls&q=harden'), [number])
  assert.deepEqual(await search('bob', 'q=harden'), [number])
  assert.deepEqual(await search('bob', 'type=issues&q=harden'), [])
  assert.deepEqual(await search('cat', 'q=harden'), [])
})

test('subscribers who may read the pull request are notified', async () => {
  await call('bob', 'PUT', `${REPO}/issues/${number}/subscriptions/bob`)
  assert.equal((await forge.call('cat', 'PUT', `${REPO}/issues/${number}/subscriptions/cat`)).status, 404)
  await call('cat', 'PUT', `${REPO}/subscription`)
  await call('ann', 'POST', `${REPO}/issues/${number}/comments`, { body: 'hot' })
  await forge.runJobs()
  assert.equal((await call('bob', 'GET', '/notifications/new')).new, 1)
  assert.equal((await call('cat', 'GET', '/notifications/new')).new, 0)
})

test('on a board, a pull request counts as open until merged, and only for users who may read it', async () => {
  const project = await call('ann', 'POST', `${REPO}/projects`, {
    title: 'board',
    template_type: 'basic_kanban',
  })
  const at = `${REPO}/projects/${project.id}`
  const [column] = await call('ann', 'GET', `${at}/columns`)
  await call('ann', 'POST', `${at}/columns/${column.id}/issues/${issueId}`)
  const counts = async (as: string) => {
    const { num_open_issues, num_closed_issues } = await call(as, 'GET', at)
    return [num_open_issues, num_closed_issues]
  }
  const cards = async (as: string) => numbersOf(await call(as, 'GET', `${at}/columns/${column.id}/issues`))
  assert.deepEqual([await counts('bob'), await cards('bob')], [[1, 0], [number]])
  assert.deepEqual([await counts('cat'), await cards('cat')], [[0, 0], []])
  await call('ann', 'POST', `${REPO}/pulls/${number}/merge`, { Do: 'merge' })
  assert.deepEqual([await counts('bob'), await cards('bob')], [[0, 1], [number]])
})
