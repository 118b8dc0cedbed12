/** Pinned repositories of users and organizations, by the pages. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Forge, startForge } from '#testing'

let forge: Forge
before(async () => {
  forge = await startForge()
  for (const login of ['ann', 'bob']) await forge.person(login)
  await forge.call('ann', 'POST', '/orgs', { username: 'smithy' })
  for (const name of ['a', 'b', 'c']) await forge.call('ann', 'POST', '/user/repos', { name })
  await forge.call('ann', 'POST', '/user/repos', { name: 'secret', private: true })
  for (const name of ['one', 'two']) await forge.call('ann', 'POST', '/orgs/smithy/repos', { name })
})
after(() => forge[Symbol.asyncDispose]())

async function pinned(path: string, as: string | null): Promise<string[]> {
  const browser = as === null ? forge.browser() : await forge.browserOf(as)
  const { text } = await browser.get(path)
  return [...text.matchAll(/<li class="pin">.*?<a class="title"[^>]*>([^<]+)</g)].map(([, name = '']) => name)
}
const idOf = async (path: string): Promise<number> =>
  (await forge.call('ann', 'GET', `/repos/${path}`)).body.id

test('a user pins repositories in an order of their own, and each reader sees those they may see', async () => {
  const ann = await forge.browserOf('ann')
  for (const repository of ['b', 'ann/secret', 'smithy/one', 'a'])
    assert.equal((await ann.submit('/ann', 'pin', { repository })).status, 303)
  assert.deepEqual(await pinned('/ann', 'ann'), ['ann/b', 'ann/secret', 'smithy/one', 'ann/a'])
  for (const as of ['bob', null]) assert.deepEqual(await pinned('/ann', as), ['ann/b', 'smithy/one', 'ann/a'])
  const order = await Promise.all(['ann/a', 'ann/b'].map(idOf))
  assert.equal((await ann.submit('/ann', 'pins', { order: order.join() })).status, 303)
  assert.deepEqual(await pinned('/ann', null), ['ann/a', 'ann/b'])
  await forge.call('ann', 'PATCH', '/repos/ann/a', { private: true })
  assert.deepEqual(await pinned('/ann', 'bob'), ['ann/b'])
  await forge.call('ann', 'PATCH', '/repos/ann/a', { private: false })
})

test('only the user pins on a profile, and only owners on that of an organization', async () => {
  const bob = await forge.browserOf('bob')
  const id = await idOf('ann/a')
  for (const path of ['/ann', '/smithy']) {
    const before = await pinned(path, null)
    assert.equal((await bob.submit(path, 'pins', { order: `${id}` })).status, 422)
    assert.equal((await bob.submit(path, 'pin', { repository: 'ann/a' })).status, 422)
    assert.deepEqual(await pinned(path, null), before)
    assert.doesNotMatch((await bob.get(path)).text, /Edit pinned/)
  }
  const ann = await forge.browserOf('ann')
  assert.match((await ann.get('/smithy')).text, /Edit pinned/)
  for (const repository of ['two', 'one'])
    assert.equal((await ann.submit('/smithy', 'pin', { repository })).status, 303)
  assert.deepEqual(await pinned('/smithy', null), ['smithy/two', 'smithy/one'])
  assert.equal((await ann.submit('/smithy', 'pin', { repository: 'ann/a' })).status, 422)
})

test('a repository that the user may not see cannot be pinned, nor told from one that does not exist', async () => {
  const bob = await forge.browserOf('bob')
  const secret = await idOf('ann/secret')
  const answers = [
    await bob.submit('/bob', 'pins', { order: `${secret}` }),
    await bob.submit('/bob', 'pins', { order: '987654' }),
  ].map(({ status, text }) => [
    status,
    text.replaceAll(`${secret}`, '').match(/repository does not exist|[^>]*exist[^<]*/)?.[0],
  ])
  assert.deepEqual(answers[0], answers[1])
  assert.equal(answers[0]?.[0], 422)
  const named = await bob.submit('/bob', 'pin', { repository: 'ann/secret' })
  assert.equal(named.status, 422)
  assert.deepEqual(await pinned('/bob', 'bob'), [])
})

test('at most six are pinned, also by requests at the same time', async () => {
  const ids: number[] = []
  for (let i = 0; i < 8; i++)
    ids.push((await forge.call('bob', 'POST', '/user/repos', { name: `r${i}` })).body.id)
  const bob = await forge.browserOf('bob')
  assert.equal((await bob.submit('/bob', 'pins', { order: ids.slice(0, 7).join() })).status, 422)
  await Promise.all(ids.map((_, i) => bob.submit('/bob', 'pin', { repository: `r${i}` })))
  assert.ok((await pinned('/bob', null)).length <= 6)
  assert.equal((await bob.submit('/bob', 'pins', { order: ids.slice(0, 6).join() })).status, 303)
  assert.equal((await bob.submit('/bob', 'pin', { repository: 'r7' })).status, 422)
  await forge.call('bob', 'DELETE', '/repos/bob/r0')
  assert.equal((await pinned('/bob', null)).length, 5)
})

test('a profile takes the same number of queries, however many repositories are pinned', async () => {
  const browser = forge.browser()
  await browser.get('/bob')
  const many = await forge.countQueries(() => browser.get('/bob'))
  const bob = await forge.browserOf('bob')
  await bob.submit('/bob', 'pins', { order: `${await idOf('bob/r1')}` })
  assert.equal(await forge.countQueries(() => browser.get('/bob')), many)
})
