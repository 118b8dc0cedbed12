/** Signs of pull requests in lists: reviews, checks, size, and whose turn it is. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startForge } from '#testing'
import { commit, pullFrom } from '#testing/slices/reviews'

const forge = await startForge()
after(() => forge[Symbol.asyncDispose]())
for (const login of ['ann', 'bob', 'cat', 'dan']) await forge.person(login)
await forge.call('ann', 'POST', '/orgs', { username: 'smithy' })
const REPO = '/repos/smithy/ore'
await forge.call('ann', 'POST', '/orgs/smithy/repos', {
  name: 'ore',
  auto_init: true,
  default_branch: 'main',
  private: true,
})
for (const login of ['bob', 'cat'])
  await forge.call('ann', 'PUT', `${REPO}/collaborators/${login}`, { permission: 'write' })
const LIST = '/smithy/ore/pulls'
const [ann, bob, cat] = [
  await forge.browserOf('ann'),
  await forge.browserOf('bob'),
  await forge.browserOf('cat'),
]
type Browser = typeof ann

const review = (as: string, number: number, event: string) =>
  forge.call(as, 'POST', `${REPO}/pulls/${number}/reviews`, { event, body: 'x' })
const ask = (number: number, whom: object) =>
  forge.call('bob', 'POST', `${REPO}/pulls/${number}/requested_reviewers`, whom)
const headOf = async (number: number) =>
  (await forge.call('ann', 'GET', `${REPO}/pulls/${number}`)).body.head.sha
const say = async (number: number, state: string, context: string) =>
  forge.call('ann', 'POST', `${REPO}/statuses/${await headOf(number)}`, { state, context })

/** Texts of the signs of a pull request; its size comes first. */
async function allSigns(browser: Browser, number: number, list = LIST): Promise<string[]> {
  const { text } = await browser.get(list)
  const row = text.split('<li class="row"').find((it) => it.includes(`href="${LIST}/${number}" data-open`))
  assert.ok(row, `${number} is listed`)
  const said = row.split('class="pull-signs">')[1]?.split('</div>')[0] ?? ''
  return [...said.matchAll(/title="([^"]+)"|>(Your turn|[+−]\d+)</g)].map(([, a, b]) => a ?? b ?? '')
}

const signs = async (...given: Parameters<typeof allSigns>): Promise<string[]> =>
  (await allSigns(...given)).filter((it) => !/^[+−]/.test(it))

test('a list shows the result of reviews and whose turn it is', async () => {
  const number = await pullFrom(forge, 'bob', REPO, 'turns')
  const all = async () => ({
    ann: await signs(ann, number),
    bob: await signs(bob, number),
    cat: await signs(cat, number),
  })
  assert.deepEqual(await all(), { ann: [], bob: [], cat: [] })
  await ask(number, { reviewers: ['cat'] })
  const waiting = 'Review required'
  assert.deepEqual(await all(), { ann: [waiting], bob: [waiting], cat: ['Your turn', waiting] })
  await review('cat', number, 'REQUEST_CHANGES')
  const changes = 'Changes requested'
  assert.deepEqual(await all(), { ann: [changes], bob: ['Your turn', changes], cat: [changes] })
  await review('ann', number, 'APPROVED')
  assert.deepEqual(await signs(bob, number), ['Your turn', changes])
  // New commits arrived: the reviewer who requested changes has to review again, whatever other reviewers said.
  await commit(forge, 'bob', REPO, 'turns', { 'more.md': 'more\n' })
  assert.deepEqual(await all(), { ann: [waiting], bob: [waiting], cat: [waiting] })
  await review('cat', number, 'APPROVED')
  assert.deepEqual(await all(), { ann: ['Approved'], bob: ['Approved'], cat: ['Approved'] })
  assert.deepEqual(await signs(cat, number, '/pulls?type=all'), ['Approved'])
})

test('it is the turn of every member of a requested team, until the pull request is closed', async () => {
  const crew = { name: 'crew', permission: 'write', units: ['repo.code', 'repo.pulls'] }
  const { body: team } = await forge.call('ann', 'POST', '/orgs/smithy/teams', crew)
  await forge.call('ann', 'PUT', `/teams/${team.id}/members/cat`)
  await forge.call('ann', 'PUT', `/teams/${team.id}/repos/smithy/ore`)
  const number = await pullFrom(forge, 'bob', REPO, 'team')
  await ask(number, { team_reviewers: ['crew'] })
  for (const list of [LIST, '/pulls'])
    assert.deepEqual(await signs(cat, number, list), ['Your turn', 'Review required'], list)
  assert.deepEqual(await signs(bob, number), ['Review required'])
  await forge.call('bob', 'PATCH', `${REPO}/pulls/${number}`, { state: 'closed' })
  assert.deepEqual(await signs(cat, number, `${LIST}?state=closed`), [])
})

test('a list shows the check status of the head and the size of the change', async () => {
  const number = await pullFrom(forge, 'bob', REPO, 'checked', { files: { 'checked.md': 'one\ntwo\n' } })
  await say(number, 'success', 'ci/lint')
  await say(number, 'pending', 'ci/build')
  assert.deepEqual(await signs(ann, number), ['Checks: Pending'])
  await say(number, 'failure', 'ci/build')
  assert.deepEqual(await signs(ann, number), ['Checks: Failure'])
  await say(number, 'success', 'ci/build')
  assert.deepEqual(await allSigns(ann, number), ['+2', '−0', 'Checks: Success'])
  assert.match((await ann.get(LIST)).text, new RegExp(`<a href="${LIST}/${number}#merge">`))
  await commit(forge, 'bob', REPO, 'checked', { 'README.md': '', 'checked.md': 'one\n' })
  await forge.runJobs()
  const { body: pull } = await forge.call('ann', 'GET', `${REPO}/pulls/${number}`)
  assert.ok(pull.deletions > 0)
  assert.deepEqual(await allSigns(ann, number), ['+1', `−${pull.deletions}`])
})

test('pull requests are labeled and closed in bulk, and keep the selection when that is refused', async () => {
  const numbers = [await pullFrom(forge, 'bob', REPO, 'bulk-1'), await pullFrom(forge, 'bob', REPO, 'bulk-2')]
  const { body: label } = await forge.call('ann', 'POST', `${REPO}/labels`, {
    name: 'cold',
    color: '#0000ff',
  })
  const issue = numbers.map(String)
  const done = await cat.submit(LIST, 'bulk', { issue, state: 'closed', add_label: `${label.id}` })
  assert.equal(done.status, 303)
  for (const number of numbers) {
    const { body } = await forge.call('ann', 'GET', `${REPO}/pulls/${number}`)
    assert.deepEqual([body.state, body.labels[0].name], ['closed', 'cold'])
  }
  const refused = await cat.submit(`${LIST}?state=closed`, 'bulk', { issue, assignee: 'dan' })
  assert.equal(refused.status, 422)
  for (const number of numbers) assert.match(refused.text, new RegExp(`value="${number}" checked`))
})

test('a user who may not read the code sees no signs', async () => {
  const team = { name: 'talkers', permission: 'read', units: ['repo.pulls'] }
  const { body } = await forge.call('ann', 'POST', '/orgs/smithy/teams', team)
  await forge.call('ann', 'PUT', `/teams/${body.id}/members/dan`)
  await forge.call('ann', 'PUT', `/teams/${body.id}/repos/smithy/ore`)
  const number = await pullFrom(forge, 'bob', REPO, 'hidden')
  await say(number, 'failure', 'ci/build')
  await review('cat', number, 'APPROVED')
  await forge.runJobs()
  const list = '/pulls?type=all'
  assert.deepEqual(await allSigns(cat, number, list), ['+3', '−0', 'Approved', 'Checks: Failure'])
  assert.deepEqual(await allSigns(await forge.browserOf('dan'), number, list), [])
})

test('lists take the same number of queries for one pull request as for many', async () => {
  const make = async (name: string, count: number) => {
    await forge.call('ann', 'POST', '/orgs/smithy/repos', { name, auto_init: true, default_branch: 'main' })
    for (let i = 0; i < count; i++) {
      const path = `/repos/smithy/${name}`
      const number = await pullFrom(forge, 'ann', path, `topic-${i}`)
      await forge.call('cat', 'POST', `${path}/pulls/${number}/reviews`, { event: 'APPROVED', body: 'x' })
      const { body: pull } = await forge.call('ann', 'GET', `${path}/pulls/${number}`)
      for (const context of ['a', 'b'])
        await forge.call('ann', 'POST', `${path}/statuses/${pull.head.sha}`, { state: 'success', context })
    }
  }
  const count = async (path: string) => {
    await ann.get(path)
    return forge.countQueries(() => ann.get(path))
  }
  await make('few', 1)
  const everywhere = await count('/pulls?type=all')
  await make('many', 6)
  assert.equal(await count('/pulls?type=all'), everywhere)
  assert.equal(await count('/smithy/many/pulls'), await count('/smithy/few/pulls'))
})
