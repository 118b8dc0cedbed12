/** Following, starring, watching and blocking. */
import type { Stage } from '../stage.ts'

export async function play(t: Stage): Promise<void> {
  for (const name of ['social-ann', 'social-bob', 'social-cid', 'social-dan']) await t.person(name)
  await t.person('social-hidden', { visibility: 'private' })
  await t.stage('social-ann', 'POST', '/orgs', { username: 'social-org' })
  for (const name of ['one', 'two', 'three']) await t.stage('social-ann', 'POST', '/user/repos', { name })
  await t.stage('social-ann', 'POST', '/user/repos', { name: 'closed', private: true })

  await t.call('nobody cannot follow', null, 'PUT', '/user/following/social-ann')
  await t.call('bob follows ann', 'social-bob', 'PUT', '/user/following/social-ann')
  await t.call('bob follows ann again', 'social-bob', 'PUT', '/user/following/social-ann')
  await t.call('bob follows an organization', 'social-bob', 'PUT', '/user/following/social-org')
  await t.call('bob follows himself', 'social-bob', 'PUT', '/user/following/social-bob')
  await t.call('bob follows an unknown user', 'social-bob', 'PUT', '/user/following/social-none')
  await t.call('bob follows a hidden user', 'social-bob', 'PUT', '/user/following/social-hidden')
  await t.stage('social-cid', 'PUT', '/user/following/social-ann')
  await t.stage('social-dan', 'PUT', '/user/following/social-ann')
  await t.call('bob follows ann: yes', 'social-bob', 'GET', '/user/following/social-ann')
  await t.call('ann follows bob: no', 'social-ann', 'GET', '/user/following/social-bob')
  await t.call(
    'whether one follows another, asked by nobody',
    null,
    'GET',
    '/users/social-bob/following/social-ann',
  )
  await t.call(
    'whether one follows another: yes',
    'social-cid',
    'GET',
    '/users/social-bob/following/social-ann',
  )
  await t.call(
    'whether one follows another: no',
    'social-cid',
    'GET',
    '/users/social-ann/following/social-bob',
  )
  await t.call(
    'whether an unknown user follows',
    'social-cid',
    'GET',
    '/users/social-none/following/social-bob',
  )
  await t.call(
    'whether one follows an unknown user',
    'social-cid',
    'GET',
    '/users/social-ann/following/social-none',
  )
  await t.call('own followers', 'social-ann', 'GET', '/user/followers', {}, { unordered: true })
  await t.call(
    'own followers, page 1',
    'social-ann',
    'GET',
    '/user/followers?limit=2',
    {},
    { statusOnly: true },
  )
  await t.call('own followers, past the last page', 'social-ann', 'GET', '/user/followers?limit=2&page=4')
  await t.call(
    'followers of ann, seen by nobody',
    null,
    'GET',
    '/users/social-ann/followers',
    {},
    { unordered: true },
  )
  await t.call(
    'followers of ann, seen by bob',
    'social-bob',
    'GET',
    '/users/social-ann/followers',
    {},
    { unordered: true },
  )
  await t.call(
    'whom bob follows',
    'social-ann',
    'GET',
    '/users/social-bob/following',
    {},
    { unordered: true },
  )
  await t.call('whom cid follows', 'social-cid', 'GET', '/user/following')
  await t.call('followers of an unknown user', 'social-bob', 'GET', '/users/social-none/followers')
  await t.call('the counts of ann', 'social-bob', 'GET', '/users/social-ann')
  await t.call('nobody has no followers', null, 'GET', '/user/followers')
  await t.call('bob follows ann no more', 'social-bob', 'DELETE', '/user/following/social-ann')
  await t.call('bob follows ann no more, again', 'social-bob', 'DELETE', '/user/following/social-ann')
  await t.call(
    'an unknown user is not followed any more',
    'social-bob',
    'DELETE',
    '/user/following/social-none',
  )

  await t.call('nobody cannot star', null, 'PUT', '/user/starred/social-ann/one')
  await t.call('bob stars', 'social-bob', 'PUT', '/user/starred/social-ann/one')
  await t.call('bob stars again', 'social-bob', 'PUT', '/user/starred/social-ann/one')
  await t.stage('social-bob', 'PUT', '/user/starred/social-ann/two')
  await t.stage('social-bob', 'PUT', '/user/starred/social-ann/three')
  await t.call('bob stars a hidden repository', 'social-bob', 'PUT', '/user/starred/social-ann/closed')
  await t.call('bob stars a missing repository', 'social-bob', 'PUT', '/user/starred/social-ann/none')
  await t.call('a star: yes', 'social-bob', 'GET', '/user/starred/social-ann/one')
  await t.call('a star: no', 'social-cid', 'GET', '/user/starred/social-ann/one')
  await t.call('a star, asked by nobody', null, 'GET', '/user/starred/social-ann/one')
  await t.call('own stars', 'social-bob', 'GET', '/user/starred', {}, { unordered: true })
  await t.call(
    'own stars, page 2',
    'social-bob',
    'GET',
    '/user/starred?limit=2&page=2',
    {},
    { statusOnly: true },
  )
  await t.call(
    'stars of bob, seen by nobody',
    null,
    'GET',
    '/users/social-bob/starred',
    {},
    { unordered: true },
  )
  await t.call(
    'stars of bob, seen by cid',
    'social-cid',
    'GET',
    '/users/social-bob/starred',
    {},
    { unordered: true },
  )
  await t.call('stars of an unknown user', 'social-bob', 'GET', '/users/social-none/starred')
  await t.call('who starred', null, 'GET', '/repos/social-ann/one/stargazers')
  await t.call('no star any more', 'social-bob', 'DELETE', '/user/starred/social-ann/one')
  await t.call('no star any more, again', 'social-bob', 'DELETE', '/user/starred/social-ann/one')
  await t.call('no star for a missing repository', 'social-bob', 'DELETE', '/user/starred/social-ann/none')

  await t.call('nobody cannot watch', null, 'PUT', '/repos/social-ann/one/subscription')
  await t.call('not watched yet', 'social-bob', 'GET', '/repos/social-ann/one/subscription')
  await t.call('bob watches', 'social-bob', 'PUT', '/repos/social-ann/one/subscription')
  await t.call('watched', 'social-bob', 'GET', '/repos/social-ann/one/subscription')
  await t.call('own watched repositories', 'social-bob', 'GET', '/user/subscriptions')
  await t.call(
    'who watches',
    'social-bob',
    'GET',
    '/repos/social-ann/one/subscribers',
    {},
    { unordered: true },
  )
  await t.call('bob watches no more', 'social-bob', 'DELETE', '/repos/social-ann/one/subscription')
  await t.call('not watched any more', 'social-bob', 'GET', '/repos/social-ann/one/subscription')

  await t.call('nobody cannot block', null, 'PUT', '/user/blocks/social-cid')
  await t.call('ann blocks cid', 'social-ann', 'PUT', '/user/blocks/social-cid?note=rude')
  await t.call('ann blocks cid again', 'social-ann', 'PUT', '/user/blocks/social-cid')
  await t.call('ann blocks herself', 'social-ann', 'PUT', '/user/blocks/social-ann')
  await t.call('ann blocks an organization', 'social-ann', 'PUT', '/user/blocks/social-org')
  await t.call('ann blocks an unknown user', 'social-ann', 'PUT', '/user/blocks/social-none')
  await t.stage('social-ann', 'PUT', '/user/blocks/social-dan')
  await t.call('blocked ones', 'social-ann', 'GET', '/user/blocks')
  await t.call('blocked ones, page 1', 'social-ann', 'GET', '/user/blocks?limit=1')
  await t.call('blocked ones, page 2', 'social-ann', 'GET', '/user/blocks?limit=1&page=2')
  await t.call('nobody has no list of blocked ones', null, 'GET', '/user/blocks')
  await t.call('cid is blocked', 'social-ann', 'GET', '/user/blocks/social-cid')
  await t.call('bob is not blocked', 'social-ann', 'GET', '/user/blocks/social-bob')
  await t.call('a blocked user follows no more', 'social-cid', 'GET', '/user/following/social-ann')
  await t.call('a blocked user cannot follow', 'social-cid', 'PUT', '/user/following/social-ann')
  await t.call('a blocked user cannot star', 'social-cid', 'PUT', '/user/starred/social-ann/one')
  await t.call('a blocked user cannot watch', 'social-cid', 'PUT', '/repos/social-ann/one/subscription')
  await t.call('a blocked user cannot open an issue', 'social-cid', 'POST', '/repos/social-ann/one/issues', {
    body: { title: 'blocked' },
  })
  await t.call('cid is blocked no more', 'social-ann', 'DELETE', '/user/blocks/social-cid')
  await t.call('cid is blocked no more, again', 'social-ann', 'DELETE', '/user/blocks/social-cid')
  await t.call(
    'an organization blocks bob',
    'social-ann',
    'PUT',
    '/orgs/social-org/blocks/social-bob?note=noise',
  )
  await t.call(
    'a stranger cannot block for an organization',
    'social-cid',
    'PUT',
    '/orgs/social-org/blocks/social-bob',
  )
  await t.call('blocked by the organization', 'social-ann', 'GET', '/orgs/social-org/blocks')
  await t.call(
    'bob is blocked by the organization',
    'social-ann',
    'GET',
    '/orgs/social-org/blocks/social-bob',
  )
  await t.call(
    'cid is not blocked by the organization',
    'social-ann',
    'GET',
    '/orgs/social-org/blocks/social-cid',
  )
  await t.call(
    'bob is blocked no more by the organization',
    'social-ann',
    'DELETE',
    '/orgs/social-org/blocks/social-bob',
  )
  await t.call(
    'bob is blocked no more by the organization, again',
    'social-ann',
    'DELETE',
    '/orgs/social-org/blocks/social-bob',
  )
}
