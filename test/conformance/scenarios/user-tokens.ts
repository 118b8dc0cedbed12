/** Access tokens. */
import type { Stage } from '../stage.ts'

const secret = { ignore: ['token_last_eight'] }
/** The newest comes first, to the second: which token is on which page is not compared. */
const some = { ignore: ['token_last_eight', 'name', 'scopes'] }

export async function play(t: Stage): Promise<void> {
  await t.person('tokens-ann')
  await t.person('tokens-bob')
  const root = '/users/tokens-ann/tokens'
  const make = (step: string, body: unknown, as: string | null = 'tokens-ann') =>
    t.call(step, as, 'POST', root, { body }, secret)
  await t.call('no token yet', 'tokens-ann', 'GET', root)
  await t.call(
    'nobody may not list tokens',
    null,
    'GET',
    root,
    {},
    { decision: 'specification', status: 401 },
  )
  await t.call('another may not list tokens', 'tokens-bob', 'GET', root)
  await t.call(
    'nobody may not create a token',
    null,
    'POST',
    root,
    { body: { name: 'x', scopes: ['all'] } },
    { decision: 'specification', status: 401 },
  )
  await make('another may not create a token', { name: 'x', scopes: ['all'] }, 'tokens-bob')
  await make('no name', { scopes: ['all'] })
  await make('an empty name', { name: '', scopes: ['all'] })
  await make('no scopes', { name: 'none' })
  await make('empty scopes', { name: 'none', scopes: [] })
  await make('an unknown scope', { name: 'odd', scopes: ['read:everything'] })
  await make('a known and an unknown scope', { name: 'odd', scopes: ['read:user', 'nonsense'] })
  await make('only the public mark', { name: 'mark', scopes: ['public-only'] })
  await t.call(
    'a name that is too long',
    'tokens-ann',
    'POST',
    root,
    { body: { name: 'n'.repeat(300), scopes: ['all'] } },
    { decision: 'D13', status: 422 },
  )
  const first = await make('a token for all', { name: 'first', scopes: ['all'] })
  await make('the same name again', { name: 'first', scopes: ['read:user'] })
  await make('several scopes, one twice', {
    name: 'second',
    scopes: ['write:user', 'read:repository', 'read:user', 'read:repository'],
  })
  await make('every write scope becomes all', {
    name: 'third',
    scopes: [
      'activitypub',
      'admin',
      'misc',
      'notification',
      'organization',
      'package',
      'issue',
      'repository',
      'user',
    ].map((name) => `write:${name}`),
  })
  await make('public only with a scope', { name: 'fourth', scopes: ['read:repository', 'public-only'] })
  const made = await make(
    'the administrator creates a token for ann',
    { name: 'by admin', scopes: ['read:user'] },
    'admin',
  )
  await t.call('no body', 'tokens-ann', 'POST', root)
  await t.call('the tokens', 'tokens-ann', 'GET', root, {}, { ...secret, unordered: true })
  await t.call('page 1', 'tokens-ann', 'GET', `${root}?limit=2`, {}, some)
  await t.call('page 2', 'tokens-ann', 'GET', `${root}?limit=2&page=2`, {}, some)
  await t.call('past the last page', 'tokens-ann', 'GET', `${root}?limit=2&page=9`, {}, some)
  await t.call('the administrator lists the tokens of ann', 'admin', 'GET', `${root}?limit=1`, {}, some)
  await t.call('tokens of an unknown user', 'admin', 'GET', '/users/tokens-none/tokens')

  const authorization = `token ${first.body.sha1}`
  await t.call('a token cannot list tokens', null, 'GET', root, { headers: { authorization } })
  await t.call('a token cannot create a token', null, 'POST', root, {
    body: { name: 'x', scopes: ['all'] },
    headers: { authorization },
  })
  await t.call('a token cannot delete a token', null, 'DELETE', `${root}/first`, {
    headers: { authorization },
  })
  await t.call(
    'a token as password of basic can list tokens',
    null,
    'GET',
    `${root}?limit=1`,
    {
      headers: { authorization: `Basic ${Buffer.from(`tokens-ann:${first.body.sha1}`).toString('base64')}` },
    },
    some,
  )
  await t.call('a token tells about itself', null, 'GET', '/token', { headers: { authorization } }, secret)
  await t.call(
    'a token of another tells about itself',
    null,
    'GET',
    '/token',
    { headers: { authorization: `token ${made.body.sha1}` } },
    secret,
  )
  await t.call('a password has no token to tell about', 'tokens-ann', 'GET', '/token')
  await t.call('nobody has no token to tell about', null, 'GET', '/token')
  await t.call('a token deletes itself', null, 'DELETE', '/token', {
    headers: { authorization: `token ${made.body.sha1}` },
  })
  await t.call('a token that deleted itself', null, 'GET', '/token', {
    headers: { authorization: `token ${made.body.sha1}` },
  })

  await t.call(
    'nobody may not delete a token',
    null,
    'DELETE',
    `${root}/first`,
    {},
    { decision: 'specification', status: 401 },
  )
  await t.call('another may not delete a token', 'tokens-bob', 'DELETE', `${root}/first`)
  await t.call('deleted by name', 'tokens-ann', 'DELETE', `${root}/second`)
  await t.call('deleted twice', 'tokens-ann', 'DELETE', `${root}/second`)
  await t.call('deleted by id', 'tokens-ann', 'DELETE', `${root}/${first.body.id}`)
  await t.call('an id that does not exist', 'tokens-ann', 'DELETE', `${root}/99999999`)
  await t.call('the administrator deletes a token of ann', 'admin', 'DELETE', `${root}/third`)
  await t.call('two tokens are left', 'tokens-ann', 'GET', root, {}, { ...secret, unordered: true })
}
