/** Issues that block others, and the same relation from the other side. */
import type { Expectation, Stage } from '../stage.ts'

export async function play(t: Stage): Promise<void> {
  const [owner, writer, reader, stranger] = [
    'issue-blocks-owner',
    'issue-blocks-writer',
    'issue-blocks-reader',
    'issue-blocks-stranger',
  ]
  for (const name of [owner, writer, reader, stranger]) await t.person(name)
  for (const [name, hidden] of [
    ['forge', false],
    ['yard', false],
    ['vault', true],
  ] as const)
    await t.stage(owner, 'POST', '/user/repos', { name, private: hidden })
  await t.stage(owner, 'PUT', `/repos/${owner}/forge/collaborators/${writer}`, { permission: 'write' })
  await t.stage(owner, 'PUT', `/repos/${owner}/forge/collaborators/${reader}`, { permission: 'read' })
  const issue = async (title: string, repo = 'forge'): Promise<number> =>
    (await t.stage(owner, 'POST', `/repos/${owner}/${repo}/issues`, { title })).body.number
  const path = (number: number | string, what = 'blocks', repo = 'forge') =>
    `/repos/${owner}/${repo}/issues/${number}/${what}`
  const meta = (index: number, repo = 'forge', who = owner) => ({ index, owner: who, repo })
  const call = (
    step: string,
    as: string | null,
    method: string,
    where: string,
    body?: unknown,
    expectation: Expectation = {},
  ) => t.call(step, as, method, where, body === undefined ? {} : { body }, expectation)

  const blocker = await issue('the blocker')
  const blocked = await issue('the blocked')
  const third = await issue('a third')
  const yard = await issue('in the yard', 'yard')
  const vault = await issue('in the vault', 'vault')

  await call('nobody may not block', null, 'POST', path(blocker), meta(blocked))
  await call('a stranger may not block', stranger, 'POST', path(blocker), meta(blocked))
  await call('a reader may not block', reader, 'POST', path(blocker), meta(blocked))
  await call('the issue of the path is missing', owner, 'POST', path(9999), meta(blocked))
  await call('the issue of the body is missing', owner, 'POST', path(blocker), meta(9999))
  await call('the repository of the body is missing', owner, 'POST', path(blocker), meta(1, 'none'))
  await call(
    'the owner of the body is missing',
    owner,
    'POST',
    path(blocker),
    meta(1, 'forge', 'issue-blocks-none'),
  )
  await call('an empty object', owner, 'POST', path(blocker), {})
  await call('a number without owner and repository', owner, 'POST', path(blocker), { index: blocked })
  await call('an index that is a text', owner, 'POST', path(blocker), { index: 'two', owner, repo: 'forge' })
  await call('an index in the path that is a word', owner, 'POST', path('abc'), meta(blocked))
  await call('nothing is blocked yet', owner, 'GET', path(blocker))
  await call('nothing it depends on yet', owner, 'GET', path(blocked, 'dependencies'))

  await call('a writer blocks', writer, 'POST', path(blocker), meta(blocked))
  await call('the same again', writer, 'POST', path(blocker), meta(blocked), { decision: 'D13', status: 422 })
  await call('the other way round is a circle', writer, 'POST', path(blocked), meta(blocker), {
    decision: 'D13',
    status: 422,
  })
  await call('what it blocks, seen by nobody', null, 'GET', path(blocker))
  await call('what it depends on, seen by nobody', null, 'GET', path(blocked, 'dependencies'))
  await call('the blocked one cannot be closed', writer, 'PATCH', `/repos/${owner}/forge/issues/${blocked}`, {
    state: 'closed',
  })
  const [held, holder] = [await issue('held'), await issue('holder')]
  await t.stage(owner, 'POST', path(holder), meta(held))
  await call(
    'nor with another field in the same request',
    writer,
    'PATCH',
    `/repos/${owner}/forge/issues/${held}`,
    { state: 'closed', body: 'changed' },
  )
  await call(
    'which was not changed either',
    writer,
    'PATCH',
    `/repos/${owner}/forge/issues/${held}`,
    { content_version: 0 },
    { decision: 'D14', status: 201 },
  )
  await call('the timeline of the blocker', owner, 'GET', path(blocker, 'timeline'))
  await call('the timeline of the blocked', owner, 'GET', path(blocked, 'timeline'))
  await call('the blocker is closed', writer, 'PATCH', `/repos/${owner}/forge/issues/${blocker}`, {
    state: 'closed',
  })
  await call(
    'now the blocked one can be closed',
    writer,
    'PATCH',
    `/repos/${owner}/forge/issues/${blocked}`,
    { state: 'closed' },
  )
  await call('the blocker opens again', writer, 'PATCH', `/repos/${owner}/forge/issues/${blocker}`, {
    state: 'open',
  })
  await call(
    'the blocked one opens, whatever blocks it',
    writer,
    'PATCH',
    `/repos/${owner}/forge/issues/${blocked}`,
    { state: 'open' },
  )

  await call('an issue of another repository', owner, 'POST', path(blocker), meta(yard, 'yard'))
  await call('an issue of a hidden repository', owner, 'POST', path(blocker), meta(vault, 'vault'))
  await call(
    'an issue of another repository by one who may not write there',
    writer,
    'POST',
    path(third),
    meta(yard, 'yard'),
  )
  await call(
    'an issue of a hidden repository by one who does not see it',
    writer,
    'POST',
    path(third),
    meta(vault, 'vault'),
  )
  await call('all that it blocks', owner, 'GET', path(blocker))
  await call('without what the reader may not see', reader, 'GET', path(blocker))
  await call('one page of one', owner, 'GET', `${path(blocker)}?page=1&limit=2`)
  await call('the next page', owner, 'GET', `${path(blocker)}?page=2&limit=2`)
  await call('the names in another case', owner, 'POST', path(third), {
    index: yard,
    owner: owner.toUpperCase(),
    repo: 'YARD',
  })

  const self = await issue('itself')
  await call('an issue cannot block itself', owner, 'POST', path(self), meta(self), {
    decision: 'D13',
    status: 422,
  })
  const [x, y, z] = [await issue('x'), await issue('y'), await issue('z')]
  await call('x blocks y', owner, 'POST', path(x), meta(y))
  await call('y blocks z', owner, 'POST', path(y), meta(z))
  await call('z blocks x is a longer circle', owner, 'POST', path(z), meta(x), {
    decision: 'D13',
    status: 422,
  })

  await call('nobody may not unblock', null, 'DELETE', path(blocker), meta(blocked))
  await call('a reader may not unblock', reader, 'DELETE', path(blocker), meta(blocked))
  await call('a writer unblocks', writer, 'DELETE', path(blocker), meta(blocked), {
    decision: 'D11',
    status: 200,
  })
  await call('unblocked twice', writer, 'DELETE', path(blocker), meta(blocked), {
    decision: 'D13',
    status: 404,
  })
  await call('unblock a missing issue', writer, 'DELETE', path(blocker), meta(9999))
  await call('unblock on a missing issue', writer, 'DELETE', path(9999), meta(blocked))
  await call('unblock an issue of another repository', owner, 'DELETE', path(blocker), meta(yard, 'yard'), {
    decision: 'D11',
    status: 200,
  })
  await call('blocks of a missing issue', owner, 'GET', path(9999))

  const [needs, needed] = [await issue('needs'), await issue('needed')]
  await call('nobody may not add a dependency', null, 'POST', path(needs, 'dependencies'), meta(needed))
  await call('a reader may not add a dependency', reader, 'POST', path(needs, 'dependencies'), meta(needed))
  await call('a writer adds a dependency', writer, 'POST', path(needs, 'dependencies'), meta(needed))
  await call('the same dependency again', writer, 'POST', path(needs, 'dependencies'), meta(needed), {
    decision: 'D13',
    status: 422,
  })
  await call(
    'a dependency on what depends on it',
    writer,
    'POST',
    path(needed, 'dependencies'),
    meta(needs),
    { decision: 'D13', status: 422 },
  )
  await call('a dependency on a missing issue', writer, 'POST', path(needs, 'dependencies'), meta(9999))
  await call(
    'a dependency on a hidden issue',
    owner,
    'POST',
    path(needs, 'dependencies'),
    meta(vault, 'vault'),
  )
  await call(
    'a dependency in another repository, which one may read',
    writer,
    'POST',
    path(needs, 'dependencies'),
    meta(yard, 'yard'),
  )
  await call('dependencies, seen by the owner', owner, 'GET', path(needs, 'dependencies'))
  await call('dependencies, seen by a writer who may not see one', writer, 'GET', path(needs, 'dependencies'))
  await call('dependencies, seen by a reader who may not see one', reader, 'GET', path(needs, 'dependencies'))
  await call('dependencies, two to a page', owner, 'GET', `${path(needs, 'dependencies')}?limit=2&page=2`)
  await call('the other side of the dependency', owner, 'GET', path(needed))
  await call(
    'a reader may not remove a dependency',
    reader,
    'DELETE',
    path(needs, 'dependencies'),
    meta(needed),
  )
  await call('a writer removes a dependency', writer, 'DELETE', path(needs, 'dependencies'), meta(needed), {
    decision: 'D11',
    status: 200,
  })
  await call('a dependency removed twice', writer, 'DELETE', path(needs, 'dependencies'), meta(needed), {
    decision: 'D13',
    status: 404,
  })

  await t.stage(owner, 'PATCH', `/repos/${owner}/forge`, {
    has_issues: true,
    internal_tracker: { enable_issue_dependencies: false, enable_time_tracker: true },
  })
  await call('dependencies switched off: blocking', owner, 'POST', path(third), meta(needed))
  await call('dependencies switched off: what it blocks', owner, 'GET', path(blocker))
  await call('dependencies switched off: what it depends on', owner, 'GET', path(needs, 'dependencies'))
  await call(
    'dependencies switched off: the blocked one is closed',
    owner,
    'PATCH',
    `/repos/${owner}/forge/issues/${y}`,
    { state: 'closed' },
  )
  await t.stage(owner, 'PATCH', `/repos/${owner}/forge`, {
    archived: true,
    has_issues: true,
    internal_tracker: { enable_issue_dependencies: true, enable_time_tracker: true },
  })
  await call('an archived repository: blocking', owner, 'POST', path(third), meta(needed))
  await call('an archived repository: unblocking', owner, 'DELETE', path(x), meta(y))
  await call(
    'an archived repository: adding a dependency',
    owner,
    'POST',
    path(third, 'dependencies'),
    meta(needed),
  )
  await call(
    'an archived repository: removing a dependency',
    owner,
    'DELETE',
    path(y, 'dependencies'),
    meta(x),
  )
}
