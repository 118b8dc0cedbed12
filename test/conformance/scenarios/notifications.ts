/** Notification threads: reading them, and marking them read, unread or pinned. */
import type { Stage } from '../stage.ts'

const second = () => new Promise((resolve) => setTimeout(resolve, 1100))

export async function play(t: Stage): Promise<void> {
  const [ann, bob, eve] = ['notifications-ann', 'notifications-bob', 'notifications-eve']
  for (const name of [ann, bob, eve]) await t.person(name)
  for (const name of ['forge', 'yard'])
    await t.stage(ann, 'POST', '/user/repos', { name, auto_init: true, default_branch: 'main' })
  const forge = `/repos/${ann}/forge`
  const yard = `/repos/${ann}/yard`
  const news = (count: number, who = ann) =>
    t.until(who, '/notifications/new', (answer) => answer.body.new === count)

  await t.call('nobody has no notifications', null, 'GET', '/notifications')
  await t.call('nobody has nothing new', null, 'GET', '/notifications/new')
  await t.call('no notifications yet', ann, 'GET', '/notifications')
  await t.call('nothing new yet', ann, 'GET', '/notifications/new')
  await t.call('nothing to mark yet', ann, 'PUT', '/notifications')

  await t.stage(ann, 'POST', `${forge}/issues`, { title: 'an own issue' })
  await t.stage(bob, 'POST', `${forge}/issues`, { title: 'an issue of bob' })
  await news(1)
  await second()
  await t.stage(bob, 'POST', `${yard}/issues`, { title: 'an issue in the yard' })
  await news(2)
  await second()
  await t.stage(ann, 'PUT', `${forge}/collaborators/${bob}`, { permission: 'write' })
  await t.stage(bob, 'POST', `${forge}/contents/new.md`, {
    content: 'bmV3Cg==',
    new_branch: 'topic',
    branch: 'main',
    message: 'new',
  })
  await t.stage(bob, 'POST', `${forge}/pulls`, { title: 'a pull of bob', head: 'topic', base: 'main' })
  await news(3)
  await second()
  await t.stage(bob, 'POST', `${forge}/issues/1/comments`, { body: 'to the own issue' })
  await news(4)

  await t.call('something new', ann, 'GET', '/notifications/new')
  const all = (await t.call('all new ones, newest first', ann, 'GET', '/notifications')).body
  const [commented, pull, inYard, first] = all.map((thread: { id: number }) => thread.id)
  await t.call('two to a page', ann, 'GET', '/notifications?limit=2')
  await t.call('second page', ann, 'GET', '/notifications?limit=2&page=2')
  await t.call('only issues', ann, 'GET', '/notifications?subject-type=issue')
  await t.call('only pull requests', ann, 'GET', '/notifications?subject-type=pull')
  await t.call('issues and pull requests', ann, 'GET', '/notifications?subject-type=issue&subject-type=pull')
  await t.call('only commits', ann, 'GET', '/notifications?subject-type=commit')
  await t.call('only repositories', ann, 'GET', '/notifications?subject-type=repository')
  await t.call('an unknown subject', ann, 'GET', '/notifications?subject-type=wiki')
  await t.call('since the far future', ann, 'GET', '/notifications?since=2099-01-01T00:00:00Z')
  await t.call('before the far future', ann, 'GET', '/notifications?before=2099-01-01T00:00:00Z')
  await t.call('since a word', ann, 'GET', '/notifications?since=yesterday')
  await t.call('before a word', ann, 'GET', '/notifications?before=yesterday')
  await t.call('of one repository', ann, 'GET', `${yard}/notifications`)
  await t.call('of one repository, two to a page', ann, 'GET', `${forge}/notifications?limit=2`)
  await t.call(
    'of one repository, only pull requests',
    ann,
    'GET',
    `${forge}/notifications?subject-type=pull`,
  )
  await t.call('of one repository for nobody', null, 'GET', `${forge}/notifications`)
  await t.call('of a missing repository', ann, 'GET', `/repos/${ann}/none/notifications`)

  await t.call('one thread', ann, 'GET', `/notifications/threads/${first}`)
  await t.call('one thread for nobody', null, 'GET', `/notifications/threads/${first}`)
  await t.call('one thread for another', eve, 'GET', `/notifications/threads/${first}`)
  await t.call('one thread for the administrator', 'admin', 'GET', `/notifications/threads/${first}`)
  await t.call('no such thread', ann, 'GET', '/notifications/threads/987654')
  await t.call('a word instead of an id', ann, 'GET', '/notifications/threads/abc')

  const mark = (step: string, as: string | null, id: number | string, query = '') =>
    t.call(step, as, 'PATCH', `/notifications/threads/${id}${query}`)
  await mark('nobody may not mark', null, first)
  await mark('another may not mark', eve, first)
  await t.call(
    'the administrator may not mark',
    'admin',
    'PATCH',
    `/notifications/threads/${first}`,
    {},
    { decision: 'D13', status: 403 },
  )
  await mark('no such thread to mark', ann, 987654)
  await mark('a word instead of an id to mark', ann, 'abc')
  await mark('marked read', ann, first)
  await mark('marked read again', ann, first, '?to-status=read')
  await mark('marked unread', ann, first, '?to-status=unread')
  await mark('marked pinned', ann, first, '?to-status=pinned')
  await mark('marked pinned, in another case', ann, first, '?to-status=PINNED')
  await mark('an unknown status means read', ann, commented, '?to-status=done')
  await t.call('a read one is not shown', ann, 'GET', '/notifications', {}, { unordered: true })
  await t.call('only read ones', ann, 'GET', '/notifications?status-types=read')
  await t.call('only pinned ones', ann, 'GET', '/notifications?status-types=pinned')
  await t.call(
    'read and pinned ones',
    ann,
    'GET',
    '/notifications?status-types=read&status-types=pinned',
    {},
    { unordered: true },
  )
  await t.call('an unknown status', ann, 'GET', '/notifications?status-types=done', {}, { unordered: true })
  await t.call('all of them', ann, 'GET', '/notifications?all=true', {}, { unordered: true })
  await t.call('only unread ones are new', ann, 'GET', '/notifications/new')

  await t.call('nobody may not mark all', null, 'PUT', '/notifications')
  await t.call('a time that is none', ann, 'PUT', '/notifications?last_read_at=yesterday')
  await t.call(
    'none is older than the far past',
    ann,
    'PUT',
    '/notifications?last_read_at=2001-01-01T00:00:00Z',
  )
  await t.call(
    'the pinned ones are marked unread',
    ann,
    'PUT',
    '/notifications?status-types=pinned&to-status=unread',
  )
  await t.call(
    'the read ones are marked pinned',
    ann,
    'PUT',
    '/notifications?status-types=read&to-status=pinned',
  )
  await t.call('the unread ones are marked read', ann, 'PUT', '/notifications', {}, { unordered: true })
  await t.call('the pinned one is left', ann, 'GET', '/notifications')
  await t.call('nothing is unread any more', ann, 'PUT', '/notifications')
  await t.call(
    'all of them are marked unread',
    ann,
    'PUT',
    '/notifications?all=true&to-status=unread&last_read_at=2099-01-01T00:00:00Z',
    {},
    { unordered: true },
  )
  await t.call(
    'several states are marked read',
    ann,
    'PUT',
    '/notifications?status-types=unread&status-types=pinned&to-status=read',
    {},
    { unordered: true },
  )
  await t.call(
    'an unknown target means read',
    ann,
    'PUT',
    '/notifications?all=true&to-status=done',
    {},
    { unordered: true },
  )
  await t.call('none is left', ann, 'GET', '/notifications')

  await t.call('the yard is marked unread', ann, 'PUT', `${yard}/notifications?all=true&to-status=unread`)
  await t.call('the yard for nobody', null, 'PUT', `${yard}/notifications`)
  await t.call('the yard with a bad time', ann, 'PUT', `${yard}/notifications?last_read_at=x`)
  await t.call(
    'the forge is marked pinned',
    ann,
    'PUT',
    `${forge}/notifications?status-types=read&to-status=pinned`,
    {},
    { unordered: true },
  )
  await t.call('the yard is marked read', ann, 'PUT', `${yard}/notifications`)
  await t.call('the forge is pinned', ann, 'GET', `${forge}/notifications`, {}, { unordered: true })

  await t.stage(ann, 'PUT', '/notifications?all=true&to-status=read')
  await second()
  await t.stage(bob, 'PATCH', `${forge}/pulls/3`, { state: 'closed' })
  await news(1)
  await t.call('a read one is unread again after news', ann, 'GET', '/notifications')
  await mark('it is pinned', ann, pull, '?to-status=pinned')
  await t.stage(bob, 'POST', `${forge}/issues/3/comments`, { body: 'to the pull' })
  await t.stage(bob, 'POST', `${yard}/issues/1/comments`, { body: 'in the yard' })
  await news(1)
  await t.until(
    ann,
    `/notifications/threads/${pull}`,
    (answer) => answer.body.subject.latest_comment_url !== '',
  )
  await t.call('a pinned one stays pinned after news', ann, 'GET', `/notifications/threads/${pull}`)
  await t.call('the latest comment of a thread', ann, 'GET', `/notifications/threads/${inYard}`)

  const token = async (name: string, scopes: string[]) =>
    `token ${(await t.stage(ann, 'POST', `/users/${ann}/tokens`, { name, scopes })).body.sha1}`
  const withToken = async (step: string, method: string, scopes: string[]) =>
    t.call(step, ann, method, `/notifications${method === 'PATCH' ? `/threads/${first}` : ''}`, {
      headers: { authorization: await token(step, scopes) },
    })
  await withToken('a token that may only read notifications', 'PATCH', ['read:notification'])
  await withToken('a token that may write notifications', 'PATCH', ['write:notification'])
  await withToken('a token for public things only', 'GET', ['read:notification', 'public-only'])
  await withToken('a token without notifications', 'GET', ['write:repository'])
  await t.stage(ann, 'DELETE', `${yard}/issues/1`)
  await t.call('the thread of a deleted issue', ann, 'GET', `/notifications/threads/${inYard}`)
}
