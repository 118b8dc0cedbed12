/** Statuses of commits. */
import type { Stage } from '../stage.ts'

export async function play(t: Stage): Promise<void> {
  const ann = 'statuses-ann'
  for (const name of [ann, 'statuses-writer', 'statuses-reader', 'statuses-stranger']) await t.person(name)
  await t.stage(ann, 'POST', '/user/repos', { name: 'one', auto_init: true })
  await t.stage(ann, 'POST', '/user/repos', { name: 'closed', private: true, auto_init: true })
  await t.stage(ann, 'PUT', `/repos/${ann}/one/collaborators/statuses-writer`, { permission: 'write' })
  await t.stage(ann, 'PUT', `/repos/${ann}/one/collaborators/statuses-reader`, { permission: 'read' })
  const repo = `/repos/${ann}/one`
  const sha: string = (await t.stage(ann, 'GET', `${repo}/branches/main`)).body.commit.id
  const at = `${repo}/statuses/${sha}`
  const post = (step: string, as: string | null, body: unknown, extra = {}) =>
    t.call(step, as, 'POST', at, { body }, extra)
  await t.call('none yet', null, 'GET', at)
  await t.call('combined, none yet', null, 'GET', `${repo}/commits/${sha}/status`)
  await post('the smallest', ann, { state: 'pending' })
  await post('with everything', ann, {
    state: 'success',
    context: 'ci/build',
    description: 'Built',
    target_url: 'https://ci.example.test/1',
  })
  for (const state of ['error', 'failure', 'warning', 'skipped'])
    await post(`state ${state}`, ann, { state, context: `ci/${state}` })
  await post('a later state of a context', 'statuses-writer', {
    state: 'failure',
    context: 'ci/build',
    description: 'Broke',
  })
  await post(
    'an unknown state',
    ann,
    { state: 'nonsense', context: 'ci/x' },
    { decision: 'D13', status: 422 },
  )
  await post('an address that is none', ann, { state: 'pending', context: 'ci/z', target_url: 'nonsense' })
  await post('nobody', null, { state: 'pending' })
  await post('a reader', 'statuses-reader', { state: 'pending' })
  await post('a stranger', 'statuses-stranger', { state: 'pending' })
  await t.call(
    'of a missing commit',
    ann,
    'POST',
    `${repo}/statuses/${'a'.repeat(40)}`,
    { body: { state: 'pending' } },
    { decision: 'D13', status: 404 },
  )
  await t.call('of a branch', ann, 'POST', `${repo}/statuses/main`, {
    body: { state: 'pending', context: 'by-name' },
  })
  await t.call('of a hidden repository', 'statuses-stranger', 'GET', `/repos/${ann}/closed/statuses/${sha}`)
  await t.call('all of them', null, 'GET', at, {}, { unordered: true })
  await t.call(
    'two to a page',
    null,
    'GET',
    `${at}?limit=2&page=2&sort=oldest`,
    {},
    { ignore: ['context', 'description', 'status', 'target_url', 'creator'] },
  )
  await t.call('only failures', null, 'GET', `${at}?state=failure`, {}, { unordered: true })
  await t.call('only an unknown state', null, 'GET', `${at}?state=nonsense`, {}, { unordered: true })
  for (const sort of ['oldest', 'recentupdate', 'leastupdate', 'leastindex', 'highestindex', 'nonsense'])
    await t.call(
      `sorted by ${sort}`,
      null,
      'GET',
      `${at}?sort=${sort}&limit=3`,
      {},
      sort === 'leastindex' || sort === 'highestindex'
        ? {}
        : { ignore: ['context', 'description', 'status', 'target_url', 'creator'] },
    )
  await t.call(
    'by the name of a branch',
    null,
    'GET',
    `${repo}/commits/main/statuses`,
    {},
    { unordered: true },
  )
  await t.call('by a missing name', null, 'GET', `${repo}/commits/missing/statuses`)
  await t.call('combined', null, 'GET', `${repo}/commits/${sha}/status`, {}, { unordered: true })
  await t.call(
    'combined by the name of a branch',
    ann,
    'GET',
    `${repo}/commits/main/status`,
    {},
    { unordered: true },
  )
  await t.call('combined, of a missing name', ann, 'GET', `${repo}/commits/missing/status`)
  await t.stage(ann, 'POST', `${repo}/contents/a.txt`, { content: 'YQ==', new_branch: 'good' })
  const good: string = (await t.stage(ann, 'GET', `${repo}/branches/good`)).body.commit.id
  await t.stage(ann, 'POST', `${repo}/statuses/${good}`, { state: 'success', context: 'a' })
  await t.call('combined, all good', null, 'GET', `${repo}/commits/${good}/status`)
  await t.stage(ann, 'POST', `${repo}/statuses/${good}`, { state: 'pending', context: 'b' })
  await t.call(
    'combined, one still pending',
    null,
    'GET',
    `${repo}/commits/${good}/status`,
    {},
    { unordered: true },
  )
}
