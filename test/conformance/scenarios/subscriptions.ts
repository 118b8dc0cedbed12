/** Watched repositories: watching, unwatching, and who sees the lists. */
import type { Stage } from '../stage.ts'

export async function play(t: Stage): Promise<void> {
  const ann = 'watch-ann'
  const bob = 'watch-bob'
  for (const name of [ann, bob, 'watch-cy']) await t.person(name)
  await t.person('watch-shy', { visibility: 'private' })
  await t.stage(ann, 'POST', '/orgs', { username: 'watch-org' })
  for (const name of ['open', 'second', 'third']) await t.stage(ann, 'POST', '/user/repos', { name })
  await t.stage(ann, 'POST', '/user/repos', { name: 'closed', private: true })
  await t.stage(ann, 'POST', '/user/repos', { name: 'shared', private: true })
  await t.stage(ann, 'PUT', `/repos/${ann}/shared/collaborators/${bob}`, { permission: 'read' })
  // The reference leaves the order of these lists undefined: whole lists are compared as sets, pages by their number and
  // shape.
  const anyOrder = { unordered: true }
  const anyOne = {
    ignore: [
      'name',
      'full_name',
      'html_url',
      'url',
      'clone_url',
      'ssh_url',
      'languages_url',
      'private',
      'watchers_count',
      'login',
      'username',
      'email',
    ],
  }
  const watch = `/repos/${ann}/open/subscription`

  await t.call('who creates a repository watches it', ann, 'GET', watch)
  await t.call('not watched', bob, 'GET', watch)
  await t.call('nobody asks', null, 'GET', watch)
  await t.call('nobody watches', null, 'PUT', watch)
  await t.call('watched', bob, 'PUT', watch)
  await t.call('watched again', bob, 'PUT', watch)
  await t.call('now watched', bob, 'GET', watch)
  await t.call('a body is not needed and not read', bob, 'PUT', `/repos/${ann}/second/subscription`, {
    body: { ignored: true },
  })
  await t.call('watching what one may read', bob, 'PUT', `/repos/${ann}/shared/subscription`)
  await t.call('watching a hidden repository', bob, 'PUT', `/repos/${ann}/closed/subscription`)
  await t.call('watching a missing repository', bob, 'PUT', `/repos/${ann}/missing/subscription`)
  await t.call('the repository counts its watchers', null, 'GET', `/repos/${ann}/open`)

  await t.call('the watchers', null, 'GET', `/repos/${ann}/open/subscribers`, {}, { unordered: true })
  await t.call(
    'the watchers, one to a page',
    null,
    'GET',
    `/repos/${ann}/open/subscribers?limit=1&page=2`,
    {},
    anyOne,
  )
  await t.call('the watchers of a hidden repository', bob, 'GET', `/repos/${ann}/closed/subscribers`)
  await t.call(
    'the watchers of a private repository',
    bob,
    'GET',
    `/repos/${ann}/shared/subscribers`,
    {},
    { unordered: true },
  )

  await t.call('own list', bob, 'GET', '/user/subscriptions', {}, anyOrder)
  await t.call('own list, first page', ann, 'GET', '/user/subscriptions?limit=2', {}, anyOne)
  await t.call('own list, last page', ann, 'GET', '/user/subscriptions?limit=2&page=3', {}, anyOne)
  await t.call('own list, asked for by nobody', null, 'GET', '/user/subscriptions', {}, anyOrder)
  await t.call('own list under the own name', bob, 'GET', `/users/${bob}/subscriptions`, {}, anyOrder)
  await t.call(
    'own list under the own name in capitals',
    bob,
    'GET',
    `/users/${bob.toUpperCase()}/subscriptions`,
    {},
    anyOrder,
  )
  await t.call("another's list", 'watch-cy', 'GET', `/users/${bob}/subscriptions`, {}, anyOrder)
  await t.call(
    "another's list, seen by the owner of the repositories",
    ann,
    'GET',
    `/users/${bob}/subscriptions`,
    {},
    anyOrder,
  )
  await t.call(
    "another's list, seen by the site administrator",
    'admin',
    'GET',
    `/users/${bob}/subscriptions`,
    {},
    anyOrder,
  )
  await t.call(
    "another's list, asked for by nobody",
    null,
    'GET',
    `/users/${bob}/subscriptions`,
    {},
    anyOrder,
  )
  await t.call("another's list, first page", bob, 'GET', `/users/${ann}/subscriptions?limit=2`, {}, anyOne)
  await t.call(
    "another's list, second page",
    bob,
    'GET',
    `/users/${ann}/subscriptions?limit=2&page=2`,
    {},
    anyOne,
  )
  await t.call(
    "another's list, past the end",
    bob,
    'GET',
    `/users/${ann}/subscriptions?limit=2&page=9`,
    {},
    anyOne,
  )
  await t.call('of a missing user', bob, 'GET', '/users/watch-missing/subscriptions')
  await t.call('of a missing user, asked for by nobody', null, 'GET', '/users/watch-missing/subscriptions')
  await t.call('of a private user', bob, 'GET', '/users/watch-shy/subscriptions')
  await t.call('of oneself as a private user', 'watch-shy', 'GET', '/users/watch-shy/subscriptions')
  await t.call('of an organization', bob, 'GET', '/users/watch-org/subscriptions')
  const token = async (name: string, scopes: string[]) =>
    `token ${(await t.stage(bob, 'POST', `/users/${bob}/tokens`, { name, scopes })).body.sha1}`
  await t.call(
    'a token without the scope',
    null,
    'GET',
    `/users/${bob}/subscriptions`,
    { headers: { authorization: await token('repo', ['read:repository']) } },
    anyOrder,
  )
  await t.call(
    'a token with the scope',
    null,
    'GET',
    `/users/${bob}/subscriptions`,
    { headers: { authorization: await token('user', ['read:user']) } },
    anyOrder,
  )
  await t.call(
    'a token for public things',
    null,
    'GET',
    `/users/${bob}/subscriptions`,
    { headers: { authorization: await token('public', ['public-only', 'read:user']) } },
    anyOrder,
  )

  await t.call('nobody unwatches', null, 'DELETE', watch)
  await t.call('unwatched', bob, 'DELETE', watch)
  await t.call('unwatched again', bob, 'DELETE', watch)
  await t.call('no longer watched', bob, 'GET', watch)
  await t.call('no longer in the list', bob, 'GET', `/users/${bob}/subscriptions`, {}, anyOrder)
  await t.stage(ann, 'DELETE', `/repos/${ann}/shared/collaborators/${bob}`)
  await t.call('access lost, watch lost', bob, 'GET', '/user/subscriptions', {}, anyOrder)
  await t.stage(ann, 'PATCH', `/repos/${ann}/third`, { archived: true })
  await t.call('an archived repository can be watched', bob, 'PUT', `/repos/${ann}/third/subscription`)
  await t.stage('admin', 'POST', `/admin/users/watch-cy/rename`, { new_username: 'watch-dee' })
  await t.call('the old name of a renamed user', bob, 'GET', '/users/watch-cy/subscriptions')
}
