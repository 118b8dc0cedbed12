/** OAuth 2.0 applications of a user, and a user's GPG keys. */
import type { Stage } from '../stage.ts'

const secret = { ignore: ['client_secret'] }

export async function play(t: Stage): Promise<void> {
  await t.person('oauth-ann')
  await t.person('oauth-bob')
  const root = '/user/applications/oauth2'
  const make = (step: string, body: unknown, as: string | null = 'oauth-ann') =>
    t.call(step, as, 'POST', root, { body }, secret)
  await t.call('no application yet', 'oauth-ann', 'GET', root)
  await t.call('nobody has no applications', null, 'GET', root)
  await make(
    'nobody may not create one',
    { name: 'x', redirect_uris: ['https://app.example.test/back'] },
    null,
  )
  await make('no name', { redirect_uris: ['https://app.example.test/back'] })
  await make('no redirect', { name: 'bare' })
  await make('a redirect that is none', { name: 'odd', redirect_uris: ['no url'] })
  await t.call('no body', 'oauth-ann', 'POST', root)
  const one = await make('a confidential application', {
    name: 'one',
    redirect_uris: ['https://app.example.test/back', 'http://127.0.0.1/back'],
    confidential_client: true,
  })
  await make('a public application', {
    name: 'two',
    redirect_uris: ['https://app.example.test/back'],
    confidential_client: false,
    skip_secondary_authorization: true,
  })
  await make('the same name again', { name: 'one', redirect_uris: ['https://app.example.test/back'] })
  await t.call('the applications', 'oauth-ann', 'GET', root, {}, { ...secret, unordered: true })
  await t.call(
    'page 2',
    'oauth-ann',
    'GET',
    `${root}?limit=2&page=2`,
    {},
    {
      ignore: [
        'client_secret',
        'name',
        'confidential_client',
        'skip_secondary_authorization',
        'redirect_uris',
      ],
    },
  )
  const path = `${root}/${one.body.id}`
  await t.call('one application shows no secret', 'oauth-ann', 'GET', path)
  await t.call('another may not read it', 'oauth-bob', 'GET', path)
  await t.call('an application that does not exist', 'oauth-ann', 'GET', `${root}/99999999`)
  await t.call(
    'another may not edit it',
    'oauth-bob',
    'PATCH',
    path,
    { body: { name: 'x', redirect_uris: ['https://app.example.test/x'] } },
    { decision: 'D13', status: 404 },
  )
  await t.call(
    'edited; the secret is a new one',
    'oauth-ann',
    'PATCH',
    path,
    { body: { name: 'renamed', redirect_uris: ['https://app.example.test/new'], confidential_client: true } },
    secret,
  )
  await t.call('edited without a name', 'oauth-ann', 'PATCH', path, {
    body: { redirect_uris: ['https://app.example.test/new'] },
  })
  await t.call('a missing application cannot be edited', 'oauth-ann', 'PATCH', `${root}/99999999`, {
    body: { name: 'x', redirect_uris: ['https://app.example.test/x'] },
  })
  await t.call('another may not delete it', 'oauth-bob', 'DELETE', path)
  await t.call('deleted', 'oauth-ann', 'DELETE', path)
  await t.call('deleted twice', 'oauth-ann', 'DELETE', path)

  await t.call('no GPG key', 'oauth-ann', 'GET', '/user/gpg_keys')
  await t.call('nobody has no GPG keys', null, 'GET', '/user/gpg_keys')
  await t.call('GPG keys of another', 'oauth-bob', 'GET', '/users/oauth-ann/gpg_keys')
  await t.call('GPG keys of an unknown user', 'oauth-bob', 'GET', '/users/oauth-none/gpg_keys')
  await t.call('a GPG key that does not exist', 'oauth-ann', 'GET', '/user/gpg_keys/99999999')
  await t.call(
    'a GPG key that does not exist cannot be deleted',
    'oauth-ann',
    'DELETE',
    '/user/gpg_keys/99999999',
  )
  await t.call('a text that is no GPG key', 'oauth-ann', 'POST', '/user/gpg_keys', {
    body: { armored_public_key: 'nonsense' },
  })
  await t.call('no GPG key given', 'oauth-ann', 'POST', '/user/gpg_keys', { body: {} })
  await t.call(
    'a token to sign for a GPG key',
    'oauth-ann',
    'GET',
    '/user/gpg_key_token',
    {},
    { statusOnly: true },
  )
  await t.call('nobody gets no token to sign', null, 'GET', '/user/gpg_key_token')
}
