/** The list of commits: filters, paging, renames, deletions, merges, and authors. */
import type { Stage } from '../stage.ts'

export async function play(t: Stage): Promise<void> {
  const ann = 'commits-ann'
  for (const name of [ann, 'commits-bob', 'commits-stranger']) await t.person(name)
  await t.person('commits-shy')
  await t.stage('commits-shy', 'PATCH', '/user/settings', { hide_email: true })
  await t.stage(ann, 'POST', '/user/repos', { name: 'empty' })
  await t.stage(ann, 'POST', '/user/repos', { name: 'closed', private: true, auto_init: true })
  await t.stage(ann, 'POST', '/user/repos', { name: 'main' })
  const repo = `/repos/${ann}/main`
  const list = `${repo}/commits`
  const text = (value: string) => Buffer.from(value).toString('base64')
  const who = (name: string, email: string) => ({ author: { name, email }, committer: { name, email } })
  const at = (date: string) => ({ dates: { author: date, committer: date } })
  // Dates in the past, so that the merge made by the server is the newest.
  const file = await t.stage(ann, 'POST', `${repo}/contents/a.txt`, {
    content: text('one\ntwo\n'),
    message: 'Add a',
    ...who('Ann', `${ann}@example.test`),
    ...at('2020-01-01T10:00:00Z'),
  })
  await t.stage(ann, 'PUT', `${repo}/contents/a.txt`, {
    content: text('one\nthree\nfour\n'),
    sha: file.body.content.sha,
    message: 'Change a\n\nWith a body.',
    ...who('Bob', 'commits-bob@example.test'),
    ...at('2020-01-02T10:00:00+02:00'),
  })
  await t.stage(ann, 'POST', `${repo}/contents`, {
    message: 'Two files',
    files: [
      { operation: 'create', path: 'dir/b.txt', content: text('b\n') },
      { operation: 'create', path: 'dir/c.bin', content: text('\0\x01\x02') },
    ],
    ...who('Nobody', 'unknown@example.test'),
    ...at('2020-01-03T10:00:00Z'),
  })
  const changed = await t.stage(ann, 'GET', `${repo}/contents/a.txt`)
  await t.stage(ann, 'PUT', `${repo}/contents/moved.txt`, {
    content: text('one\nthree\nfour\n'),
    from_path: 'a.txt',
    sha: changed.body.sha,
    message: 'Rename a',
    author: { name: 'Shy', email: 'commits-shy@example.test' },
    committer: { name: 'Ann', email: `${ann}@example.test` },
    ...at('2020-01-04T10:00:00Z'),
  })
  await t.stage(ann, 'POST', `${repo}/branches`, { new_branch_name: 'side' })
  await t.stage(ann, 'POST', `${repo}/contents/side.txt`, {
    branch: 'side',
    content: text('side\n'),
    message: 'On the side',
    ...who('Ann', `${ann}@example.test`),
    ...at('2020-01-05T10:00:00Z'),
  })
  const gone = await t.stage(ann, 'GET', `${repo}/contents/dir/b.txt`)
  await t.stage(ann, 'DELETE', `${repo}/contents/dir/b.txt`, {
    sha: gone.body.sha,
    message: 'Delete b',
    ...who('Ann', `${ann}@example.test`),
    ...at('2020-01-06T10:00:00Z'),
  })
  const pull = await t.stage(ann, 'POST', `${repo}/pulls`, { base: 'main', head: 'side', title: 'Side' })
  await t.until(ann, `${repo}/pulls/${pull.body.number}`, (answer) => answer.body.mergeable === true)
  await t.stage(ann, 'POST', `${repo}/pulls/${pull.body.number}/merge`, {
    Do: 'merge',
    MergeTitleField: 'Merge side',
    MergeMessageField: 'All of it',
  })
  await t.stage(ann, 'POST', `${repo}/tags`, { tag_name: 'v1', target: 'side' })
  const all = await t.stage(ann, 'GET', `${list}?stat=false`)
  const sha = (title: string): string =>
    all.body.find((commit: any) => commit.commit.message.startsWith(title)).sha
  // The reference sends «removed» for a deleted file; D4 decides «deleted».
  const d4 = { decision: 'D4', ignore: ['status'] }
  // Where one commit both adds and deletes, the reference sends its files in any order.
  const mixed = { decision: 'D4', ignore: ['status', 'filename'] }

  await t.call('all commits, seen by nobody', null, 'GET', list, {}, mixed)
  await t.call('all commits, seen by the owner', ann, 'GET', list, {}, mixed)
  await t.call(
    'without stat, files and verification',
    null,
    'GET',
    `${list}?stat=false&files=false&verification=false`,
  )
  await t.call('without files', null, 'GET', `${list}?files=false&limit=1&page=2`)
  await t.call('without verification', null, 'GET', `${list}?verification=false&limit=1&page=2`, {}, d4)
  await t.call('without stat', null, 'GET', `${list}?stat=false&limit=1&page=2`, {}, d4)
  await t.call('first page of two', null, 'GET', `${list}?limit=2`, {}, d4)
  await t.call('second page of two', null, 'GET', `${list}?limit=2&page=2`, {}, mixed)
  await t.call('last page', null, 'GET', `${list}?limit=3&page=3`)
  await t.call('a page past the end', null, 'GET', `${list}?limit=2&page=99`)
  await t.call('limit 0 is the default', null, 'GET', `${list}?limit=0&page=0&files=false`)
  await t.call('from a branch', null, 'GET', `${list}?sha=side&limit=2&files=false`)
  await t.call('from a tag', null, 'GET', `${list}?sha=v1&limit=1`)
  await t.call('from a full ref name', null, 'GET', `${list}?sha=refs/heads/side&limit=1`)
  await t.call('from a commit', null, 'GET', `${list}?sha=${sha('Two files')}`)
  await t.call('from a short commit id', null, 'GET', `${list}?sha=${sha('Two files').slice(0, 10)}&limit=1`)
  await t.call('from an unknown branch', null, 'GET', `${list}?sha=nothing`)
  await t.call('from an unknown commit', null, 'GET', `${list}?sha=${'a'.repeat(40)}`)
  await t.call('from a name with two dots', null, 'GET', `${list}?sha=main..side`)
  await t.call('of a file', null, 'GET', `${list}?path=dir/c.bin`)
  await t.call('of a folder', null, 'GET', `${list}?path=dir`, {}, d4)
  await t.call('of a folder with a slash at the end', null, 'GET', `${list}?path=dir/&stat=false&files=false`)
  await t.call('of a renamed file', null, 'GET', `${list}?path=moved.txt&files=false`)
  await t.call('of a file under its old name', null, 'GET', `${list}?path=a.txt`, {}, mixed)
  await t.call('of a deleted file', null, 'GET', `${list}?path=dir/b.txt`, {}, d4)
  await t.call('of a file on a branch', null, 'GET', `${list}?path=side.txt&sha=side`)
  await t.call(
    'of a file, with a limit that is not applied',
    null,
    'GET',
    `${list}?path=a.txt&limit=1`,
    {},
    mixed,
  )
  await t.call('of a file, page past the end', null, 'GET', `${list}?path=a.txt&page=2`)
  await t.call('of a missing file', null, 'GET', `${list}?path=missing.txt`)
  await t.call(
    'of a file on an unknown branch',
    null,
    'GET',
    `${list}?path=a.txt&sha=nothing`,
    {},
    { decision: 'D13', status: 404 },
  )
  await t.call(
    'since a time',
    null,
    'GET',
    `${list}?since=2020-01-04T00:00:00Z&until=2020-01-07T00:00:00Z&files=false`,
  )
  await t.call(
    'since a time with another zone',
    null,
    'GET',
    `${list}?since=2020-01-02T10:00:00%2B02:00&until=2020-01-03T00:00:00Z&files=false`,
  )
  await t.call('until a time', null, 'GET', `${list}?until=2020-01-02T12:00:00Z`)
  await t.call(
    'a time span without commits',
    null,
    'GET',
    `${list}?since=2021-01-01T00:00:00Z&until=2021-02-01T00:00:00Z`,
  )
  await t.call('a file in a time span', null, 'GET', `${list}?path=a.txt&until=2020-01-01T12:00:00Z`)
  await t.call(
    'a file in a time span without commits',
    null,
    'GET',
    `${list}?path=a.txt&since=2021-01-01T00:00:00Z&until=2021-02-01T00:00:00Z`,
  )
  await t.call(
    'a missing file in a time span',
    null,
    'GET',
    `${list}?path=missing.txt&since=2020-01-01T00:00:00Z`,
  )
  await t.call('a bad since', null, 'GET', `${list}?since=yesterday`)
  await t.call('a date alone as since', null, 'GET', `${list}?since=2020-01-01`)
  await t.call('a bad until', null, 'GET', `${list}?until=tomorrow`)
  await t.call('not in a branch', null, 'GET', `${list}?not=side`, {}, d4)
  await t.call(
    'not below a commit, on another branch',
    null,
    'GET',
    `${list}?sha=side&not=${sha('Rename a')}`,
  )
  await t.call(
    'not in an unknown branch',
    null,
    'GET',
    `${list}?not=nothing`,
    {},
    { decision: 'D13', status: 404 },
  )
  await t.call('of an empty repository', null, 'GET', `/repos/${ann}/empty/commits`)
  await t.call('of an empty repository with a branch', ann, 'GET', `/repos/${ann}/empty/commits?sha=main`)
  await t.call('of an empty repository with a bad time', ann, 'GET', `/repos/${ann}/empty/commits?since=x`)
  await t.call('of a missing repository', ann, 'GET', `/repos/${ann}/missing/commits`)
  await t.call('of a hidden repository', 'commits-stranger', 'GET', `/repos/${ann}/closed/commits`)
  await t.call('of a private repository, seen by its owner', ann, 'GET', `/repos/${ann}/closed/commits`)

  const one = (title: string) => `${repo}/git/commits/${sha(title)}`
  await t.call('one commit', null, 'GET', one('Change a'))
  await t.call('one commit that deletes', null, 'GET', one('Delete b'), {}, d4)
  await t.call('one commit that renames', null, 'GET', one('Rename a'), {}, { ...d4, unordered: true })
  await t.call('one commit that merges', null, 'GET', one('Merge side'))
  await t.call(
    'one commit, without stat, files and verification',
    null,
    'GET',
    `${one('Change a')}?stat=false&files=false&verification=false`,
  )
  await t.call('one commit by a short id', null, 'GET', `${repo}/git/commits/${sha('Change a').slice(0, 8)}`)
  await t.call('one commit by the name of a branch', null, 'GET', `${repo}/git/commits/side`)
  await t.call('an unknown commit', null, 'GET', `${repo}/git/commits/${'a'.repeat(40)}`)
  await t.call('a number that is no commit id', null, 'GET', `${repo}/git/commits/12`)
  await t.call('a commit as diff', null, 'GET', `${one('Change a')}.diff`)
  await t.call(
    'an unknown commit as diff',
    null,
    'GET',
    `${repo}/git/commits/${'a'.repeat(40)}.diff`,
    {},
    { decision: 'D13', status: 404 },
  )
  await t.call('the pull request of a merge commit', null, 'GET', `${repo}/commits/${sha('Merge side')}/pull`)
  await t.call(
    'the pull request of a commit without one',
    null,
    'GET',
    `${repo}/commits/${sha('Change a')}/pull`,
  )
}
