/** Pull requests: created, listed, read with files, commits, diff and patch, updated from their base. */
import type { Expectation, Stage } from '../stage.ts'

const base64 = (text: string) => Buffer.from(text).toString('base64')

export async function play(t: Stage): Promise<void> {
  const [owner, writer, author, stranger] = ['pulls-owner', 'pulls-writer', 'pulls-author', 'pulls-stranger']
  for (const name of [owner, writer, author, stranger]) await t.person(name)
  for (const [name, hidden] of [
    ['forge', false],
    ['vault', true],
  ] as const)
    await t.stage(owner, 'POST', '/user/repos', {
      name,
      private: hidden,
      auto_init: true,
      default_branch: 'main',
    })
  const repo = `/repos/${owner}/forge`
  await t.stage(owner, 'PUT', `${repo}/collaborators/${writer}`, { permission: 'write' })
  await t.stage(owner, 'POST', `${repo}/branches`, { new_branch_name: 'stable', old_branch_name: 'main' })
  const red = (await t.stage(owner, 'POST', `${repo}/labels`, { name: 'red', color: '#ff0000' })).body.id
  const one = (await t.stage(owner, 'POST', `${repo}/milestones`, { title: 'one' })).body.id
  const when = {
    author: { name: 'Smith', email: 'smith@example.test' },
    committer: { name: 'Smith', email: 'smith@example.test' },
    dates: { author: '2026-01-02T03:04:05Z', committer: '2026-01-02T03:04:05Z' },
  }
  const commit = (as: string, where: string, branch: string, path: string, text: string, from = 'main') =>
    t.stage(as, 'POST', `${where}/contents/${path}`, {
      content: base64(text),
      message: `add ${path}`,
      ...(from ? { branch: from, new_branch: branch } : { branch }),
      ...when,
    })
  const call = (
    step: string,
    as: string | null,
    method: string,
    path: string,
    body?: unknown,
    expectation: Expectation = {},
  ) => t.call(step, as, method, path, body === undefined ? {} : { body }, expectation)
  const checked = (number: number) =>
    t.until(owner, `${repo}/pulls/${number}`, (answer) => answer.body.mergeable === true)
  await commit(writer, repo, 'topic', 'one.md', 'one\ntwo\n')
  await commit(writer, repo, 'topic', 'two.md', 'three\n', '')
  await commit(writer, repo, 'other', 'three.md', 'four\n')
  await t.stage(author, 'POST', `${repo}/forks`, {})
  await commit(author, `/repos/${author}/forge`, 'patch', 'four.md', 'five\n')

  const create = (step: string, as: string | null, body: unknown, where = repo) =>
    call(step, as, 'POST', `${where}/pulls`, body, { ignore: ['mergeable'] })
  await create('nobody may not create', null, { title: 'x', head: 'topic', base: 'main' })
  await create(
    'a stranger does not see the hidden repository',
    stranger,
    { title: 'x', head: 'a', base: 'main' },
    `/repos/${owner}/vault`,
  )
  await create('no title', owner, { head: 'topic', base: 'main' })
  await create('no head', owner, { title: 'x', base: 'main' })
  await create('a head that is not there', owner, { title: 'x', head: 'none', base: 'main' })
  await create('a base that is not there', owner, { title: 'x', head: 'topic', base: 'none' })
  await create('head and base are the same', owner, { title: 'x', head: 'main', base: 'main' })
  await create('a head of an unknown user', owner, { title: 'x', head: 'pulls-none:patch', base: 'main' })
  await create('an unknown assignee', owner, {
    title: 'x',
    head: 'topic',
    base: 'main',
    assignees: ['pulls-none'],
  })
  const n = (
    await create('only title, head and base', writer, { title: 'first', head: 'topic', base: 'main' })
  ).body.number
  await create('the same head and base again', writer, { title: 'again', head: 'topic', base: 'main' })
  const forked = (
    await create('from a fork', author, {
      title: 'from a fork',
      body: 'text',
      head: `${author}:patch`,
      base: 'main',
      allow_maintainer_edit: false,
    })
  ).body.number
  const full = (
    await create('all fields', owner, {
      title: 'WIP: all fields',
      body: 'text',
      head: 'other',
      base: 'stable',
      labels: [red],
      milestone: one,
      assignees: [writer],
      due_date: '2031-05-06T00:00:00Z',
      reviewers: [writer],
    })
  ).body.number
  await checked(n)
  await checked(forked)

  const list = (step: string, as: string | null, query = '', where = repo) =>
    call(step, as, 'GET', `${where}/pulls${query}`)
  await list('pull requests for nobody', null)
  await list('pull requests of a hidden repository', stranger, '', `/repos/${owner}/vault`)
  await list('closed ones', null, '?state=closed')
  await list('all of them, two to a page', null, '?state=all&limit=2')
  await list('second page', null, '?state=all&limit=2&page=2')
  await list('to one base', null, '?base_branch=stable')
  await list('of one milestone', null, `?milestone=${one}`)
  await list('with a label', null, `?labels=${red}`)
  await list('of one poster', null, `?poster=${author}`)
  await list('of an unknown poster', null, '?poster=pulls-none')
  await list('oldest first', null, '?sort=oldest')
  await list('in an unknown state', null, '?state=done')
  await call('one pull request', null, 'GET', `${repo}/pulls/${n}`)
  await call('one pull request for its author', author, 'GET', `${repo}/pulls/${forked}`)
  await call('a draft', null, 'GET', `${repo}/pulls/${full}`)
  await call('no such pull request', null, 'GET', `${repo}/pulls/9999`)
  await call('by base and head', null, 'GET', `${repo}/pulls/main/topic`)
  await call('by base and head of a fork', null, 'GET', `${repo}/pulls/main/${author}:patch`)
  await call('by a head that is not there', null, 'GET', `${repo}/pulls/main/none`)
  await call('as an issue', null, 'GET', `${repo}/issues/${n}`)
  await call('its files', null, 'GET', `${repo}/pulls/${n}/files`)
  await call('its files, one to a page', null, 'GET', `${repo}/pulls/${n}/files?limit=1`)
  await call('its files, second page', null, 'GET', `${repo}/pulls/${n}/files?limit=1&page=2`)
  await call('files of no pull request', null, 'GET', `${repo}/pulls/9999/files`)
  await call('its commits', null, 'GET', `${repo}/pulls/${n}/commits`)
  await call('its commits, one to a page', null, 'GET', `${repo}/pulls/${n}/commits?limit=1&page=2`)
  await call(
    'its commits without files and verification',
    null,
    'GET',
    `${repo}/pulls/${n}/commits?files=false&verification=false`,
  )
  await call('its diff', null, 'GET', `${repo}/pulls/${n}.diff`)
  await call('its patch', null, 'GET', `${repo}/pulls/${n}.patch`)
  await call('another ending', null, 'GET', `${repo}/pulls/${n}.txt`)
  await call('diff of no pull request', null, 'GET', `${repo}/pulls/9999.diff`)
  await call('it is not merged', null, 'GET', `${repo}/pulls/${n}/merge`)
  await call('its timeline', null, 'GET', `${repo}/issues/${n}/timeline`)

  await commit(owner, repo, 'main', 'main.md', 'main\n', '')
  await call('nobody may not update', null, 'POST', `${repo}/pulls/${n}/update`)
  await call('a stranger may not update', stranger, 'POST', `${repo}/pulls/${n}/update`)
  await call('no such pull request to update', writer, 'POST', `${repo}/pulls/9999/update`)
  await checked(n)
  await call('updated by a merge', writer, 'POST', `${repo}/pulls/${n}/update?style=merge`)
  await t.until(owner, `${repo}/pulls/${n}/commits`, (answer) => answer.body.length === 3)
  await call('commits after the merge', null, 'GET', `${repo}/pulls/${n}/commits`)
  await checked(forked)
  await call('updated by a rebase', author, 'POST', `${repo}/pulls/${forked}/update?style=rebase`)

  await call('the owner pins it', owner, 'POST', `${repo}/issues/${n}/pin`)
  await call('pinned pull requests', null, 'GET', `${repo}/pulls/pinned`, undefined, {
    ignore: ['mergeable'],
  })
  await t.stage(owner, 'PATCH', repo, { archived: true })
  await create('an archived repository', owner, { title: 'x', head: 'other', base: 'main' })
}
