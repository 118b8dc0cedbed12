/** Activity feeds of a repository and of a user: each kind of event that can be caused here, and who sees it. */
import { type Stage, timeNow } from '../stage.ts'

export async function play(t: Stage): Promise<void> {
  const ann = 'feeds-ann'
  const bob = 'feeds-bob'
  for (const name of [ann, bob, 'feeds-stranger']) await t.person(name)
  await t.person('feeds-limited', { visibility: 'limited' })
  await t.person('feeds-private', { visibility: 'private' })
  await t.stage(ann, 'POST', '/orgs', { username: 'feeds-org' })
  const text = (value: string) => Buffer.from(value).toString('base64')
  const feed = (repo: string) => `/repos/${ann}/${repo}/activities/feeds`
  const happened = (repo: string, op: string, count = 1) =>
    t.until(
      ann,
      `${feed(repo)}?limit=50`,
      (a) => a.body.filter((entry: any) => entry.op_type === op).length >= count,
    )
  const recorded = (step: string, repo: string) => t.call(step, ann, 'GET', `${feed(repo)}?limit=1`)
  // A push that creates a branch writes two entries in one second, and so does a merge.
  const recordedPair = (step: string, repo: string) =>
    t.call(step, ann, 'GET', `${feed(repo)}?limit=2`, {}, { unordered: true })
  // Entries of one second have no defined order.
  const pause = () => new Promise((resolve) => setTimeout(resolve, 1100))

  await t.stage(ann, 'POST', '/user/repos', { name: 'main' })
  await happened('main', 'create_repo')
  await recorded('a repository is created', 'main')
  await pause()
  await t.stage(ann, 'POST', `/repos/${ann}/main/contents/a.txt`, {
    content: text('a\n'),
    message: 'First file',
    author: { name: 'Ann', email: `${ann}@example.test` },
  })
  await happened('main', 'commit_repo', 2)
  await recordedPair('the first push', 'main')
  await pause()
  const file = await t.stage(ann, 'GET', `/repos/${ann}/main/contents/a.txt`)
  await t.stage(ann, 'PUT', `/repos/${ann}/main/contents/a.txt`, {
    content: text('b\n'),
    sha: file.body.sha,
    message: 'Second change\n\nWith a body',
  })
  await happened('main', 'commit_repo', 3)
  await recorded('a later push', 'main')
  await pause()
  await t.stage(ann, 'POST', `/repos/${ann}/main/branches`, { new_branch_name: 'topic' })
  await happened('main', 'commit_repo', 5)
  await recordedPair('a branch is created', 'main')
  await pause()
  await t.stage(ann, 'DELETE', `/repos/${ann}/main/branches/topic`)
  await happened('main', 'delete_branch')
  await recorded('a branch is deleted', 'main')
  await pause()
  await t.stage(ann, 'POST', `/repos/${ann}/main/tags`, { tag_name: 'v1', message: 'One' })
  await happened('main', 'push_tag')
  await recorded('a tag is created', 'main')
  await pause()
  await t.stage(ann, 'DELETE', `/repos/${ann}/main/tags/v1`)
  await happened('main', 'delete_tag')
  await recorded('a tag is deleted', 'main')
  await pause()
  await t.stage(ann, 'POST', `/repos/${ann}/main/tags`, { tag_name: 'v2' })
  await happened('main', 'push_tag', 2)
  await pause()
  await t.stage(ann, 'POST', `/repos/${ann}/main/releases`, {
    tag_name: 'v2',
    name: 'Version two',
    body: 'Notes',
  })
  await happened('main', 'publish_release')
  await recorded('a release is published', 'main')
  await pause()
  await t.stage(bob, 'POST', `/repos/${ann}/main/issues`, { title: 'It | breaks', body: 'Badly' })
  await happened('main', 'create_issue')
  await recorded('an issue is created', 'main')
  await pause()
  await t.stage(bob, 'POST', `/repos/${ann}/main/issues/1/comments`, { body: 'A comment' })
  await happened('main', 'comment_issue')
  await recorded('an issue is commented on', 'main')
  await pause()
  await t.stage(ann, 'POST', `/repos/${ann}/main/issues/1/comments`, { body: 'long '.repeat(60) })
  await happened('main', 'comment_issue', 2)
  await recorded('a long comment is cut', 'main')
  await pause()
  await t.stage(ann, 'PATCH', `/repos/${ann}/main/issues/1`, { state: 'closed' })
  await happened('main', 'close_issue')
  await recorded('an issue is closed', 'main')
  await pause()
  await t.stage(ann, 'PATCH', `/repos/${ann}/main/issues/1`, { state: 'open' })
  await happened('main', 'reopen_issue')
  await recorded('an issue is reopened', 'main')

  await t.stage(ann, 'PUT', `/repos/${ann}/main/collaborators/${bob}`, { permission: 'write' })
  await t.stage(bob, 'POST', `/repos/${ann}/main/contents/p.txt`, {
    content: text('p\n'),
    message: 'For the pull',
    new_branch: 'pull',
  })
  await happened('main', 'commit_repo', 7)
  await pause()
  await t.stage(bob, 'POST', `/repos/${ann}/main/pulls`, {
    base: 'main',
    head: 'pull',
    title: 'Please pull',
    body: 'Text',
  })
  await happened('main', 'create_pull_request')
  await recorded('a pull request is created', 'main')
  await pause()
  await t.stage(ann, 'POST', `/repos/${ann}/main/issues/2/comments`, { body: 'Thinking' })
  await happened('main', 'comment_pull')
  await recorded('a pull request is commented on', 'main')
  await pause()
  await t.stage(ann, 'POST', `/repos/${ann}/main/pulls/2/reviews`, {
    event: 'REQUEST_CHANGES',
    body: 'No\nnot yet',
  })
  await happened('main', 'reject_pull_request')
  await recorded('a pull request is rejected', 'main')
  await pause()
  await t.stage(ann, 'POST', `/repos/${ann}/main/pulls/2/reviews`, { event: 'APPROVED', body: 'Yes' })
  await happened('main', 'approve_pull_request')
  await recorded('a pull request is approved', 'main')
  await pause()
  await t.stage(ann, 'PATCH', `/repos/${ann}/main/pulls/2`, { state: 'closed' })
  await happened('main', 'close_pull_request')
  await recorded('a pull request is closed', 'main')
  await pause()
  await t.stage(ann, 'PATCH', `/repos/${ann}/main/pulls/2`, { state: 'open' })
  await happened('main', 'reopen_pull_request')
  await recorded('a pull request is reopened', 'main')
  await pause()
  await t.until(ann, `/repos/${ann}/main/pulls/2`, (a) => a.body.mergeable === true)
  await t.stage(ann, 'POST', `/repos/${ann}/main/pulls/2/merge`, { Do: 'rebase' })
  await happened('main', 'merge_pull_request')
  await happened('main', 'commit_repo', 8)
  await recordedPair('a pull request is merged', 'main')

  await t.call('first page of the repository', null, 'GET', `${feed('main')}?limit=2&page=3`)
  await t.call('a page past the end', null, 'GET', `${feed('main')}?limit=5&page=99`)
  await t.call('a day without events', null, 'GET', `${feed('main')}?date=2001-01-01`)
  await t.call(
    'a text that is no day filters nothing',
    null,
    'GET',
    `${feed('main')}?date=nonsense&limit=1&page=3`,
  )
  const day = timeNow().slice(0, 10)
  await t.call('events of today', null, 'GET', `${feed('main')}?date=${day}&limit=1&page=4`)
  await t.call('of a missing repository', ann, 'GET', `/repos/${ann}/missing/activities/feeds`)

  await t.stage(ann, 'POST', '/user/repos', { name: 'before', private: true })
  await happened('before', 'create_repo')
  await pause()
  await t.stage(ann, 'PATCH', `/repos/${ann}/before`, { name: 'after' })
  await happened('after', 'rename_repo')
  await t.call('a repository is renamed', ann, 'GET', feed('after'))
  await pause()
  await t.call('a private repository hides its feed', 'feeds-stranger', 'GET', feed('after'))
  await t.call('a private repository hides its feed from nobody too', null, 'GET', feed('after'))
  await t.call('a private repository shows its feed to the site administrator', 'admin', 'GET', feed('after'))
  await t.stage(ann, 'POST', '/user/repos', { name: 'given' })
  await happened('given', 'create_repo')
  await pause()
  await t.stage(ann, 'POST', `/repos/${ann}/given/transfer`, { new_owner: 'feeds-org' })
  await t.until(
    ann,
    '/repos/feeds-org/given/activities/feeds',
    (a) => a.body?.[0]?.op_type === 'transfer_repo',
  )
  await t.call('a repository is transferred', ann, 'GET', '/repos/feeds-org/given/activities/feeds')
  await t.call('the feed of the organization', ann, 'GET', '/orgs/feeds-org/activities/feeds')
  await t.call(
    'the feed of the organization under its user address',
    'feeds-stranger',
    'GET',
    '/users/feeds-org/activities/feeds',
  )
  await t.stage('feeds-stranger', 'POST', `/repos/${ann}/main/forks`, { name: 'fork' })
  await t.until('feeds-stranger', '/repos/feeds-stranger/fork/activities/feeds', (a) => a.body.length > 0)
  await t.call('a repository is forked', null, 'GET', '/repos/feeds-stranger/fork/activities/feeds')

  const user = (name: string, query = '') => `/users/${name}/activities/feeds?limit=50${query}`
  await t.call('own feed', ann, 'GET', user(ann), {}, { unordered: true })
  await t.call(
    'own feed, only what one did oneself',
    ann,
    'GET',
    user(ann, '&only-performed-by=true'),
    {},
    { unordered: true },
  )
  await t.call(
    'feed of another, seen by a stranger',
    'feeds-stranger',
    'GET',
    `/users/${ann}/activities/feeds?limit=3&page=3`,
  )
  await t.call(
    'feed of another, seen by nobody, only what she did',
    null,
    'GET',
    `/users/${ann}/activities/feeds?only-performed-by=1&limit=4&page=2`,
  )
  await t.call(
    'feed of another, seen by the site administrator',
    'admin',
    'GET',
    `/users/${ann}/activities/feeds?limit=4`,
    {},
    { statusOnly: true },
  )
  await t.call('feed of another, who did less', null, 'GET', user(bob), {}, { unordered: true })
  await t.call('feed of a user on a day without events', null, 'GET', user(ann, '&date=2001-01-01'))
  await t.call('feed of a missing user', ann, 'GET', user('feeds-missing'))
  await t.call('feed of a limited user, seen by nobody', null, 'GET', user('feeds-limited'))
  await t.call('feed of a limited user, seen by a stranger', bob, 'GET', user('feeds-limited'))
  await t.call('feed of a private user, seen by a stranger', bob, 'GET', user('feeds-private'))
  await t.call('feed of a private user, seen by himself', 'feeds-private', 'GET', user('feeds-private'))
  const token = async (name: string, scopes: string[]) =>
    `token ${(await t.stage(ann, 'POST', `/users/${ann}/tokens`, { name, scopes })).body.sha1}`
  await t.call(
    'own feed with a token for public things',
    null,
    'GET',
    `/users/${ann}/activities/feeds?limit=2`,
    { headers: { authorization: await token('public', ['public-only', 'read:user']) } },
  )
  await t.call('own feed with a token without the scope', null, 'GET', user(ann), {
    headers: { authorization: await token('repo', ['read:repository']) },
  })
  await t.stage(bob, 'PATCH', '/user/settings', { hide_activity: true })
  await t.call('hidden activity, seen by a stranger', 'feeds-stranger', 'GET', user(bob))
  await t.call(
    'hidden activity, seen by oneself',
    bob,
    'GET',
    user(bob, '&only-performed-by=true'),
    {},
    { unordered: true },
  )

  await t.stage(ann, 'POST', '/user/repos', { name: 'source', auto_init: true })
  await t.stage(ann, 'POST', `/repos/${ann}/source/branches`, { new_branch_name: 'leaves' })
  await t.stage(ann, 'POST', '/repos/migrate', {
    clone_addr: `${t.base}/${ann}/source.git`,
    repo_name: 'mirror',
    repo_owner: 'feeds-org',
    mirror: true,
  })
  await t.stage(ann, 'POST', `/repos/${ann}/source/contents/new.txt`, {
    content: text('new\n'),
    message: 'New file',
  })
  await t.stage(ann, 'DELETE', `/repos/${ann}/source/branches/leaves`)
  await t.stage(ann, 'POST', `/repos/${ann}/source/branches`, { new_branch_name: 'comes' })
  await t.call('an import leaves no entry', ann, 'GET', '/repos/feeds-org/mirror/activities/feeds')
  await t.call('a mirror is asked to sync', ann, 'POST', '/repos/feeds-org/mirror/mirror-sync')
  await t.until(ann, '/repos/feeds-org/mirror/activities/feeds', (a) => a.body.length >= 4)
  await t.until(ann, '/repos/feeds-org/mirror', (a) => a.body.mirror_last_sync_at > '2000')
  await t.call(
    'a mirror synced',
    ann,
    'GET',
    '/repos/feeds-org/mirror/activities/feeds',
    {},
    { unordered: true },
  )

  // The specification lists these kinds, but the reference never writes them.
  await t.stage(ann, 'POST', '/user/repos', { name: 'liked' })
  await t.stage(bob, 'PUT', `/user/starred/${ann}/liked`)
  await t.stage(bob, 'PUT', `/repos/${ann}/liked/subscription`)
  await t.call(
    'a repository is starred and watched',
    ann,
    'GET',
    feed('liked'),
    {},
    { decision: 'D20', statusOnly: true },
  )
}
