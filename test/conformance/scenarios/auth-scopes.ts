/** What a token may do: its scopes. */
import type { Stage } from '../stage.ts'

const CATEGORIES = [
  'activitypub',
  'admin',
  'misc',
  'notification',
  'organization',
  'package',
  'issue',
  'repository',
  'user',
]

export async function play(t: Stage): Promise<void> {
  await t.person('scopes-ann')
  await t.person('scopes-bob')
  await t.stage('admin', 'PATCH', '/admin/users/scopes-ann', {
    login_name: 'scopes-ann',
    source_id: 0,
    admin: true,
  })
  await t.stage('scopes-ann', 'POST', '/orgs', { username: 'scopes-org' })
  await t.stage('scopes-ann', 'POST', '/orgs', { username: 'scopes-hidden', visibility: 'private' })
  await t.stage('scopes-ann', 'POST', '/user/repos', { name: 'open', auto_init: true })
  await t.stage('scopes-ann', 'POST', '/user/repos', { name: 'closed', private: true })
  await t.stage('scopes-ann', 'POST', '/orgs/scopes-hidden/repos', { name: 'inside' })
  await t.stage('scopes-ann', 'POST', '/repos/scopes-ann/open/issues', { title: 'one' })
  const make = async (name: string, scopes: string[]) =>
    `token ${(await t.stage('scopes-ann', 'POST', '/users/scopes-ann/tokens', { name, scopes })).body.sha1}`

  const reads: [string, string][] = [
    ['repository', '/repos/scopes-ann/open/branches'],
    ['issue', '/repos/scopes-ann/open/issues'],
    ['user', '/user/emails'],
    ['organization', '/orgs/scopes-org'],
    ['admin', '/admin/cron?limit=1'],
    ['notification', '/notifications'],
    ['package', '/packages/scopes-ann'],
  ]
  for (const category of CATEGORIES) {
    const authorization = await make(`read ${category}`, [`read:${category}`])
    for (const [name, path] of reads)
      await t.call(
        `read:${category} reads ${name}`,
        null,
        'GET',
        path,
        { headers: { authorization } },
        { ignore: ['prev', 'next', 'x-total-count'] },
      )
  }
  const writes: [string, string, string, unknown][] = [
    ['repository', 'PATCH', '/repos/scopes-ann/open', { description: 'written' }],
    ['issue', 'PATCH', '/repos/scopes-ann/open/issues/1', { body: 'written' }],
    ['user', 'PATCH', '/user/settings', { location: 'Forge' }],
    ['organization', 'PATCH', '/orgs/scopes-org', { location: 'Forge' }],
    ['notification', 'PUT', '/notifications', undefined],
    ['admin', 'POST', '/admin/actions/runners/registration-token', undefined],
  ]
  for (const [category, method, path, body] of writes) {
    await t.call(`read:${category} does not write`, null, method, path, {
      ...(body ? { body } : {}),
      headers: { authorization: await make(`r ${category}`, [`read:${category}`]) },
    })
    await t.call(
      `write:${category} writes`,
      null,
      method,
      path,
      {
        ...(body ? { body } : {}),
        headers: { authorization: await make(`w ${category}`, [`write:${category}`]) },
      },
      { ignore: ['token'] },
    )
  }

  const one = async (
    step: string,
    scopes: string[],
    method: string,
    path: string,
    body?: unknown,
    extra = {},
  ) =>
    t.call(
      step,
      null,
      method,
      path,
      { ...(body ? { body } : {}), headers: { authorization: await make(step, scopes) } },
      extra,
    )
  await one('the own profile needs the user scope', ['read:repository'], 'GET', '/user')
  await one('write includes read', ['write:user'], 'GET', '/user')
  await one('all may do all', ['all'], 'GET', '/user')
  await one('a version needs no scope', ['read:issue'], 'GET', '/settings/api')
  await one(
    'a repository of an organization needs two scopes: organization alone',
    ['write:organization'],
    'POST',
    '/orgs/scopes-org/repos',
    { name: 'two' },
  )
  await one(
    'a repository of an organization needs two scopes: repository alone',
    ['write:repository'],
    'POST',
    '/orgs/scopes-org/repos',
    { name: 'two' },
  )
  await one(
    'a repository of an organization needs two scopes: both',
    ['write:repository', 'write:organization'],
    'POST',
    '/orgs/scopes-org/repos',
    { name: 'two' },
  )
  await one(
    'a repository of a user needs two scopes: repository alone',
    ['write:repository'],
    'POST',
    '/user/repos',
    { name: 'mine' },
  )
  await one(
    'a repository of a user needs two scopes: both',
    ['write:repository', 'write:user'],
    'POST',
    '/user/repos',
    { name: 'mine' },
  )
  await one('the scope is looked at before the object', ['read:issue'], 'GET', '/repos/scopes-ann/none')
  await one('an unknown organization, without the scope', ['read:issue'], 'GET', '/orgs/scopes-none')
  await one('an unknown user, without the scope', ['read:issue'], 'GET', '/users/scopes-none')
  const plain = (
    await t.stage('scopes-bob', 'POST', '/users/scopes-bob/tokens', {
      name: 'admin',
      scopes: ['write:admin'],
    })
  ).body.sha1
  await t.call('the administration needs the role, not only the scope', null, 'GET', '/admin/cron', {
    headers: { authorization: `token ${plain}` },
  })
  await one('texts are rendered without any scope for it', ['read:misc'], 'POST', '/markdown', {
    Text: '*a*',
    Mode: 'markdown',
  })
  await one('templates are read without any scope for them', ['read:issue'], 'GET', '/label/templates')

  const open = [
    'public-only',
    'write:repository',
    'write:issue',
    'write:user',
    'write:organization',
    'read:notification',
    'read:package',
    'read:admin',
  ]
  await one('public only: an open repository', open, 'GET', '/repos/scopes-ann/open/branches/main')
  await one('public only: a private repository', open, 'GET', '/repos/scopes-ann/closed')
  await one('public only: a repository of a hidden organization', open, 'GET', '/repos/scopes-hidden/inside')
  await one('public only: a hidden organization', open, 'GET', '/orgs/scopes-hidden')
  await one('public only: an open organization', open, 'GET', '/orgs/scopes-org')
  await one('public only: notifications', open, 'GET', '/notifications')
  await one('public only: the own profile', open, 'GET', '/user')
  await one('public only: own e-mail addresses', open, 'GET', '/user/emails')
  await one('public only: own repositories', open, 'GET', '/user/repos', undefined, {
    decision: 'D32',
    statusOnly: true,
  })
  await one('public only: own organizations', open, 'GET', '/user/orgs')
  await one('public only: a search of repositories', open, 'GET', '/repos/search?q=closed')
  await one('public only: packages', open, 'GET', '/packages/scopes-ann')
  await one('public only: a new private repository', open, 'POST', '/user/repos', {
    name: 'secret',
    private: true,
  })
}
