/** Stars and topics. */
import type { Stage } from '../stage.ts'

export async function play(t: Stage): Promise<void> {
  const ann = 'stars-ann'
  const bob = 'stars-bob'
  for (const name of [ann, bob, 'stars-writer']) await t.person(name)
  for (const name of ['one', 'two', 'three']) await t.stage(ann, 'POST', '/user/repos', { name })
  await t.stage(ann, 'POST', '/user/repos', { name: 'closed', private: true })
  const star = `/user/starred/${ann}/one`
  await t.call('not starred', bob, 'GET', star)
  await t.call('nobody stars', null, 'PUT', star)
  await t.call('starred', bob, 'PUT', star)
  await t.call('starred again', bob, 'PUT', star)
  await t.call('is starred', bob, 'GET', star)
  await t.call('a hidden repository is starred', bob, 'PUT', `/user/starred/${ann}/closed`)
  await t.call('a missing repository is starred', bob, 'PUT', `/user/starred/${ann}/missing`)
  await t.stage(bob, 'PUT', `/user/starred/${ann}/two`)
  await t.stage(ann, 'PUT', `/user/starred/${ann}/one`)
  await t.stage(ann, 'PUT', `/user/starred/${ann}/closed`)
  await t.call('who starred it', null, 'GET', `/repos/${ann}/one/stargazers`, {}, { unordered: true })
  await t.call(
    'who starred it, a page past the end',
    null,
    'GET',
    `/repos/${ann}/one/stargazers?limit=1&page=5`,
  )
  await t.call('own stars', bob, 'GET', '/user/starred', {}, { unordered: true })
  await t.call('own stars, nobody', null, 'GET', '/user/starred')
  // The reference counts the hidden repository in the header; that count is not compared.
  await t.call('stars of another', bob, 'GET', `/users/${ann}/starred`, {}, { statusOnly: true })
  await t.call(
    'stars of oneself under the own name',
    ann,
    'GET',
    `/users/${ann}/starred`,
    {},
    { unordered: true },
  )
  await t.call('stars of another, nobody', null, 'GET', `/users/${bob}/starred`, {}, { unordered: true })
  await t.call('stars of a missing user', bob, 'GET', '/users/stars-missing/starred')
  await t.call('the repository counts its stars', null, 'GET', `/repos/${ann}/one`)
  await t.call('the user counts his stars', bob, 'GET', '/user')
  await t.call('unstarred', bob, 'DELETE', star)
  await t.call('unstarred again', bob, 'DELETE', star)
  await t.call('no longer starred', bob, 'GET', star)

  const topics = `/repos/${ann}/one/topics`
  await t.stage(ann, 'PUT', `/repos/${ann}/one/collaborators/stars-writer`, { permission: 'write' })
  await t.call('no topics', null, 'GET', topics)
  await t.call('topics are set', ann, 'PUT', topics, { body: { topics: ['stars-b', 'stars-a', 'stars-a'] } })
  await t.call('topics', null, 'GET', topics)
  await t.call('topics, one to a page', null, 'GET', `${topics}?limit=1`)
  await t.call('one is added', ann, 'PUT', `${topics}/stars-c`)
  await t.call('one is added again', ann, 'PUT', `${topics}/stars-c`)
  await t.call('one in capital letters', ann, 'PUT', `${topics}/STARS-D`)
  await t.call('a bad topic', ann, 'PUT', `${topics}/not%20good`)
  await t.call('bad topics are set', ann, 'PUT', topics, { body: { topics: ['good', 'not good'] } })
  await t.call('too many topics', ann, 'PUT', topics, {
    body: { topics: Array.from({ length: 26 }, (_, i) => `t${i}`) },
  })
  await t.call('a topic of 36 letters', ann, 'PUT', `${topics}/${'t'.repeat(36)}`)
  await t.call('nobody adds', null, 'PUT', `${topics}/stars-e`, {}, { decision: 'D18', status: 401 })
  await t.call('a stranger adds', bob, 'PUT', `${topics}/stars-e`)
  await t.call('a writer adds', 'stars-writer', 'PUT', `${topics}/stars-e`)
  await t.call('one is removed', ann, 'DELETE', `${topics}/stars-c`)
  await t.call('one is removed twice', ann, 'DELETE', `${topics}/stars-c`)
  await t.call('topics of the repository itself', null, 'GET', `/repos/${ann}/one`)
  await t.call('topics are found', null, 'GET', '/topics/search?q=stars-', {}, { unordered: true })
  await t.call('topics are found, nothing matches', null, 'GET', '/topics/search?q=stars-none')
  await t.call('all topics are cleared', ann, 'PUT', topics, { body: { topics: [] } })
  await t.call('no topics left', null, 'GET', topics)
  await t.stage(ann, 'PATCH', `/repos/${ann}/two`, { archived: true })
  await t.call('topics of an archived repository', ann, 'PUT', `/repos/${ann}/two/topics/late`)
}
