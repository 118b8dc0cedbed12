/** E-mail addresses of all users, for administrators. */
import type { Stage } from '../stage.ts'

/** The instance may have other users, too: totals are not compared. */
const others = { ignore: ['x-total-count', 'link'] }

export async function play(t: Stage): Promise<void> {
  // These addresses sort first in the list of all.
  await t.person('admin-emails-ann', { email: '00-admin-emails-b@example.test', full_name: 'Emmeline Ann' })
  await t.person('admin-emails-bob', {
    email: '00-Admin-Emails-A@example.test',
    full_name: 'Bob of Emmeline',
  })
  await t.person('admin-emails-eve')
  await t.stage('admin-emails-ann', 'POST', '/user/emails', {
    emails: ['00-admin-emails-c@example.test', 'zz-admin-emails-second@example.test'],
  })
  await t.stage('admin', 'POST', '/orgs', {
    username: 'admin-emails-org',
    email: '00-admin-emails-0@example.test',
  })

  await t.call('nobody may not list addresses', null, 'GET', '/admin/emails')
  await t.call('a plain user may not list addresses', 'admin-emails-eve', 'GET', '/admin/emails')
  await t.call('all addresses', 'admin', 'GET', '/admin/emails', {}, { statusOnly: true })
  await t.call(
    'the first page of two, ordered by address without case',
    'admin',
    'GET',
    '/admin/emails?limit=2',
    {},
    others,
  )
  await t.call(
    'the second page of two starts with a second address of ann',
    'admin',
    'GET',
    '/admin/emails?limit=1&page=3',
    {},
    others,
  )
  await t.call(
    'the list ignores a search word',
    'admin',
    'GET',
    '/admin/emails?q=admin-emails-second&limit=1',
    {},
    others,
  )
  await t.call('a page far past the end', 'admin', 'GET', '/admin/emails?page=4000&limit=2', {}, others)

  await t.call('nobody may not search', null, 'GET', '/admin/emails/search?q=admin-emails')
  await t.call(
    'a plain user may not search',
    'admin-emails-eve',
    'GET',
    '/admin/emails/search?q=admin-emails',
  )
  await t.call('search by a part of the address', 'admin', 'GET', '/admin/emails/search?q=00-admin-emails')
  await t.call('search in capitals', 'admin', 'GET', '/admin/emails/search?q=00-ADMIN-EMAILS-B')
  await t.call(
    'search by user name finds also second addresses',
    'admin',
    'GET',
    '/admin/emails/search?q=admin-emails-ann',
  )
  await t.call('search by full name', 'admin', 'GET', '/admin/emails/search?q=emmeline')
  await t.call('search by a word with spaces around', 'admin', 'GET', '/admin/emails/search?q=%20emmeline%20')
  await t.call('search finds nothing', 'admin', 'GET', '/admin/emails/search?q=admin-emails-nothing')
  await t.call('an organization is not found', 'admin', 'GET', '/admin/emails/search?q=admin-emails-org')
  await t.call('search, page 1 of 2', 'admin', 'GET', '/admin/emails/search?q=00-admin-emails&limit=2')
  await t.call('search, page 2 of 2', 'admin', 'GET', '/admin/emails/search?q=00-admin-emails&limit=2&page=2')
  await t.call(
    'search, past the last page',
    'admin',
    'GET',
    '/admin/emails/search?q=00-admin-emails&limit=2&page=9',
  )
  await t.call(
    'search, page and limit that are no numbers',
    'admin',
    'GET',
    '/admin/emails/search?q=00-admin-emails&limit=x&page=y',
  )
  await t.call(
    'search, page and limit below one',
    'admin',
    'GET',
    '/admin/emails/search?q=00-admin-emails&limit=-1&page=0',
  )
  await t.call(
    'search, a limit above the maximum',
    'admin',
    'GET',
    '/admin/emails/search?q=00-admin-emails&limit=1000',
  )
  await t.call('an empty word finds all', 'admin', 'GET', '/admin/emails/search?q=&limit=2', {}, others)

  await t.stage('admin-emails-ann', 'DELETE', '/user/emails', { emails: ['00-admin-emails-c@example.test'] })
  await t.call('a deleted address is gone', 'admin', 'GET', '/admin/emails/search?q=00-admin-emails-c')
  await t.stage('admin', 'DELETE', '/admin/users/admin-emails-ann')
  await t.call(
    'the addresses of a deleted user are gone',
    'admin',
    'GET',
    '/admin/emails/search?q=admin-emails-second',
  )
}
