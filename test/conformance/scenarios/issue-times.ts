/** Tracked time and stopwatches. */
import type { Stage } from '../stage.ts'

export async function play(t: Stage): Promise<void> {
  const [owner, writer, author, reader, manager] = [
    'issue-times-owner',
    'issue-times-writer',
    'issue-times-author',
    'issue-times-reader',
    'issue-times-manager',
  ]
  for (const name of [owner, writer, author, reader, manager]) await t.person(name)
  await t.stage(owner, 'POST', '/user/repos', { name: 'forge' })
  await t.stage(owner, 'POST', '/user/repos', { name: 'vault', private: true })
  await t.stage(owner, 'PUT', `/repos/${owner}/forge/collaborators/${writer}`, { permission: 'write' })
  await t.stage(owner, 'PUT', `/repos/${owner}/forge/collaborators/${manager}`, { permission: 'admin' })
  const repo = `/repos/${owner}/forge`
  const n = (await t.stage(author, 'POST', `${repo}/issues`, { title: 'work' })).body.number
  const other = (await t.stage(owner, 'POST', `${repo}/issues`, { title: 'other work' })).body.number
  await t.stage(owner, 'POST', `/repos/${owner}/vault/issues`, { title: 'hidden work' })
  const times = `${repo}/issues/${n}/times`
  const add = (step: string, as: string | null, body: unknown, path = times) =>
    t.call(step, as, 'POST', path, { body })

  await add('nobody may not add time', null, { time: 60 })
  await add('a reader may not add time', reader, { time: 60 })
  await add('no such issue', owner, { time: 60 }, `${repo}/issues/9999/times`)
  await add('a hidden repository', reader, { time: 60 }, `/repos/${owner}/vault/issues/1/times`)
  await add('no time', owner, {})
  await add('zero time', owner, { time: 0 })
  await add('time as a text', owner, { time: '1h' })
  await add('a creation time that is none', owner, { time: 60, created: 'yesterday' })
  await add('the author adds a minute', author, { time: 60 })
  const written = await add('a writer adds an hour', writer, { time: 3600 })
  await add('with a creation time', writer, { time: 90, created: '2024-05-06T07:08:09Z' })
  await add('a negative time', writer, { time: -30 })
  await add('a writer names another, who is ignored', writer, { time: 5, user_name: author })
  await add('an administrator of the repository names another', manager, { time: 7, user_name: author })
  await add('the site administrator names another', 'admin', { time: 11, user_name: reader })
  await add('an administrator names nobody known', manager, { time: 7, user_name: 'issue-times-none' })
  await add('an administrator names himself', manager, { time: 13, user_name: manager })
  await add('time on another issue', owner, { time: 120 }, `${repo}/issues/${other}/times`)

  await t.call('times of the issue, all for a writer', writer, 'GET', times)
  await t.call('times of the issue, only the own for the author', author, 'GET', times)
  await t.call('times of the issue, only the own for a reader', reader, 'GET', times)
  await t.call('times of the issue for nobody', null, 'GET', times)
  await t.call('times of one user', writer, 'GET', `${times}?user=${author}`)
  await t.call('times of an unknown user', writer, 'GET', `${times}?user=issue-times-none`)
  await t.call('a reader asks for the times of another', reader, 'GET', `${times}?user=${writer}`)
  await t.call('times two to a page', writer, 'GET', `${times}?limit=2`)
  await t.call('times, second page', writer, 'GET', `${times}?limit=2&page=2`)
  await t.call('times since the far future', writer, 'GET', `${times}?since=2099-01-01T00:00:00Z`)
  await t.call('times before the far future', writer, 'GET', `${times}?before=2099-01-01T00:00:00Z`)
  await t.call('times since a word', writer, 'GET', `${times}?since=yesterday`)
  await t.call('times of a missing issue', writer, 'GET', `${repo}/issues/9999/times`)
  await t.call(
    'times of the repository for its owner',
    owner,
    'GET',
    `${repo}/times`,
    {},
    { unordered: true },
  )
  await t.call('times of the repository for a reader', reader, 'GET', `${repo}/times`)
  await t.call('times of the repository for nobody', null, 'GET', `${repo}/times`)
  await t.call('times of the repository, of one user', owner, 'GET', `${repo}/times?user=${writer}`)
  await t.call(
    'times of the repository, an unknown user',
    owner,
    'GET',
    `${repo}/times?user=issue-times-none`,
  )
  await t.call(
    'times of the repository, two to a page',
    owner,
    'GET',
    `${repo}/times?limit=2&page=2`,
    {},
    { statusOnly: true },
  )
  await t.call('times of one user by the older path', owner, 'GET', `${repo}/times/${writer}`)
  await t.call('times of another by the older path for a reader', reader, 'GET', `${repo}/times/${writer}`)
  await t.call('own times', writer, 'GET', '/user/times')
  await t.call('own times, two to a page', writer, 'GET', '/user/times?limit=2&page=2')
  await t.call('own times of nobody', null, 'GET', '/user/times')

  await t.call('nobody may not delete a time', null, 'DELETE', `${times}/${written.body.id}`)
  await t.call('another may not delete a time', author, 'DELETE', `${times}/${written.body.id}`)
  await t.call('the owner may not delete the time of another', owner, 'DELETE', `${times}/${written.body.id}`)
  await t.call(
    'a time by the path of another issue',
    writer,
    'DELETE',
    `${repo}/issues/${other}/times/${written.body.id}`,
  )
  await t.call('the time is deleted', writer, 'DELETE', `${times}/${written.body.id}`)
  await t.call('the time is deleted twice', writer, 'DELETE', `${times}/${written.body.id}`)
  await t.call('an unknown time is deleted', writer, 'DELETE', `${times}/987654`)
  await t.call('all own times of the issue are deleted', writer, 'DELETE', times)
  await t.call('nothing is left to delete', writer, 'DELETE', times)
  await t.call('nobody may not delete all times', null, 'DELETE', times)
  await t.call('what is left', owner, 'GET', times)
  await t.call('times in the timeline', owner, 'GET', `${repo}/issues/${n}/timeline`)

  const watch = (
    step: string,
    as: string | null,
    what: string,
    method = 'POST',
    path = `${repo}/issues/${n}`,
  ) => t.call(step, as, method, `${path}/stopwatch/${what}`)
  await watch('nobody may not start a stopwatch', null, 'start')
  await watch('a reader may not start a stopwatch', reader, 'start')
  await watch('a stopwatch that does not run is stopped', writer, 'stop')
  await watch('a stopwatch that does not run is deleted', writer, 'delete', 'DELETE')
  await watch('a stopwatch of a missing issue', writer, 'start', 'POST', `${repo}/issues/9999`)
  await t.call('no stopwatches', writer, 'GET', '/user/stopwatches')
  await watch('a stopwatch starts', writer, 'start')
  await watch('a stopwatch starts twice', writer, 'start')
  await t.call(
    'the running stopwatch',
    writer,
    'GET',
    '/user/stopwatches',
    {},
    { ignore: ['seconds', 'duration'] },
  )
  await t.call('stopwatches of nobody', null, 'GET', '/user/stopwatches')
  await watch('a stopwatch on another issue', writer, 'start', 'POST', `${repo}/issues/${other}`)
  await t.call(
    'the running stopwatches, one to a page',
    writer,
    'GET',
    '/user/stopwatches?limit=1',
    {},
    { ignore: ['seconds', 'duration'] },
  )
  await watch('the stopwatch is deleted', writer, 'delete', 'DELETE', `${repo}/issues/${other}`)
  await t.call(
    'no stopwatch is left or one',
    writer,
    'GET',
    '/user/stopwatches',
    {},
    { ignore: ['seconds', 'duration'] },
  )

  await t.stage(owner, 'PATCH', repo, {
    has_issues: true,
    internal_tracker: {
      enable_time_tracker: true,
      allow_only_contributors_to_track_time: false,
      enable_issue_dependencies: true,
    },
  })
  await add('everybody may track: a reader adds time', reader, { time: 60 })
  await t.stage(owner, 'PATCH', repo, { archived: true })
  await add('an archived repository', writer, { time: 17 })
  await t.stage(owner, 'PATCH', repo, { archived: false })
  await t.stage(owner, 'PATCH', repo, {
    has_issues: true,
    internal_tracker: {
      enable_time_tracker: false,
      allow_only_contributors_to_track_time: true,
      enable_issue_dependencies: true,
    },
  })
  await add('the tracker is off', writer, { time: 60 })
  await t.call('the tracker is off: times', writer, 'GET', times)
  await t.call('the tracker is off: times of the repository', writer, 'GET', `${repo}/times`)
  await t.call('the tracker is off: delete', writer, 'DELETE', times, {}, { statusOnly: true })
  await watch('the tracker is off: stopwatch', writer, 'start')
}
