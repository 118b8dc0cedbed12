/** Questions about notification threads. */
import { type Audit, until } from './kit/audit.ts'
import { type Answer, type Json, PASSWORD, type RequestOptions } from './kit/client.ts'
import { fits, fitsAll } from './kit/fits.ts'
import { run } from './kit/git.ts'
import type { Stage } from './kit/stage.ts'
import { allOf, each, equals, hasErrorShape, hasStatus, holds, isJson } from './kit/verdicts.ts'

const MARK = 'PATCH /notifications/threads/{id}'
const MARK_ALL = 'PUT /notifications'
const THREAD = 'NotificationThread'
const LONG_AGO = '2001-01-01T00:00:00Z'
const FAR_AHEAD = '2999-01-01T00:00:00Z'

/** Bob's four threads, and how bob marks them. */
interface Inbox {
  readonly threads: readonly Json[]
  readonly list: () => Promise<Json[]>
  readonly mark: (id: number | string, query?: string, asking?: RequestOptions) => Promise<Answer>
  readonly markAll: (query?: string, asking?: RequestOptions) => Promise<Answer>
}

export async function askAboutNotifications(audit: Audit, stage: Stage): Promise<void> {
  const inbox = await prepareInbox(audit, stage)
  await askAboutOne(audit, stage, inbox)
  await askAboutClients(audit, stage, inbox)
  await askAboutMany(audit, stage, inbox)
  await askAboutMistakes(audit, stage, inbox)
  await askAboutSubjects(audit, stage, inbox)
}

async function prepareInbox({ call, request, must }: Audit, stage: Stage): Promise<Inbox> {
  const { alice, bob, makeIssue } = stage
  const writer = { as: alice, body: { permission: 'write' } }
  await must(request('PUT', `/repos/${alice}/hidden/collaborators/${bob}`, writer))
  for (const name of ['open', 'hidden'])
    await must(request('PUT', `/repos/${alice}/${name}/subscription`, { as: bob }))
  for (const title of ['note 1', 'note 2', 'note 3']) await makeIssue(`${alice}/open`, title, alice)
  await makeIssue(`${alice}/hidden`, 'note hidden', alice)
  const list = async () => (await request('GET', '/notifications?all=true', { as: bob })).json as Json[]
  await until(async () => (await list()).length >= 4)
  return {
    threads: await list(),
    list,
    mark: (id, query = '', asking = {}) =>
      call(MARK, 'PATCH', `/notifications/threads/${id}${query}`, { as: bob, ...asking }),
    markAll: (query = '', asking = {}) =>
      call(MARK_ALL, 'PUT', `/notifications${query}`, { as: bob, ...asking }),
  }
}

async function askAboutOne(
  { demand, request }: Audit,
  stage: Stage,
  { threads, mark }: Inbox,
): Promise<void> {
  const { bob, carol } = stage
  const { id } = threads[0]
  await demand(
    MARK,
    'A thread is marked as read unless to-status says otherwise, and answered with every field.',
    async () => {
      const answer = await mark(id)
      const { unread, pinned, subject } = answer.json
      return allOf(
        hasStatus(answer, 200),
        isJson(answer),
        fits('NotificationThread', answer.json),
        fits('NotificationSubject', subject),
        equals([unread, pinned], [false, false]),
      )
    },
  )
  for (const status of ['unread', 'read', 'pinned'])
    await demand(MARK, `to-status=${status} marks a thread as ${status}.`, async () => {
      const { json: answered } = await mark(id, `?to-status=${status}`)
      const { json: kept } = await request('GET', `/notifications/threads/${id}`, { as: bob })
      const wanted = [status === 'unread', status === 'pinned']
      return allOf(...[answered, kept].map((it) => equals([it.unread, it.pinned], wanted)))
    })
  await demand(MARK, 'An unknown to-status marks a thread as read.', async () => {
    const answer = await mark(id, '?to-status=zzz')
    return allOf(hasStatus(answer, 200), equals([answer.json.unread, answer.json.pinned], [false, false]))
  })
  await demand(MARK, 'An unknown thread is not found.', () =>
    each([99_999_999, 'abc', -1], async (wanted) => {
      const answer = await mark(wanted)
      return allOf(hasStatus(answer, 404), hasErrorShape(answer))
    }),
  )
  await demand(MARK, 'Another’s thread is forbidden, also for an administrator.', () =>
    each([carol, 'admin'], async (as) => {
      const answer = await mark(id, '', { as })
      return allOf(hasStatus(answer, 403), hasErrorShape(answer))
    }),
  )
  await demand(MARK, 'A caller without credentials is unauthorized.', async () => {
    const answer = await mark(id, '', { as: null })
    return allOf(hasStatus(answer, 401), hasErrorShape(answer))
  })
}

async function askAboutClients(
  { base, client, demand }: Audit,
  { bob }: Stage,
  { threads }: Inbox,
): Promise<void> {
  const url = `${base}/api/v1/notifications/threads/${threads[0].id}`
  const authorization = client.basic(bob)
  await demand(MARK, 'fetch reads the body of the answer.', async () => {
    const answer = await fetch(`${url}?to-status=read`, { method: 'PATCH', headers: { authorization } })
    const text = await answer.text()
    return holds(text.startsWith('{'), `it sees ${answer.status} and ${JSON.stringify(text.slice(0, 40))}`)
  })
  await demand(MARK, 'curl reads the body of the answer.', async () => {
    const { said } = await run('curl', ['-s', '-X', 'PATCH', '-u', `${bob}:${PASSWORD}`, url])
    return holds(said.startsWith('{'), said.slice(0, 60))
  })
  await demand(MARK, 'urllib of Python reads the body of the answer.', async () => {
    const program = [
      'import sys, urllib.request',
      "asked = urllib.request.Request(sys.argv[1], method='PATCH', headers={'Authorization': sys.argv[2]})",
      'print(urllib.request.urlopen(asked).read()[:40])',
    ]
    const { said } = await run('python3', ['-c', program.join('\n'), url, authorization])
    return holds(said.includes('{'), said)
  })
  await demand(MARK_ALL, 'fetch reads the body of the answer.', async () => {
    const all = `${base}/api/v1/notifications?all=true&to-status=unread`
    const answer = await fetch(all, { method: 'PUT', headers: { authorization } })
    const text = await answer.text()
    return holds(text.startsWith('['), `it sees ${answer.status} and ${JSON.stringify(text.slice(0, 30))}`)
  })
}

async function askAboutMany({ demand }: Audit, { carol }: Stage, inbox: Inbox): Promise<void> {
  const { threads, list, mark, markAll } = inbox
  const [first, ...others] = threads.map(({ id }) => id as number)
  const changedBy = async (query: string): Promise<Json[]> => (await markAll(query)).json
  await demand(MARK_ALL, 'Unread threads become read, and the answer lists what changed.', async () => {
    for (const { id } of threads) await mark(id, '?to-status=unread')
    await mark(first ?? 0, '?to-status=pinned')
    const answer = await markAll()
    const pinned = (await list()).find(({ id }) => id === first)
    return allOf(
      hasStatus(answer, 200),
      fitsAll('NotificationThread', answer.json),
      equals(answer.json.map((it: Json) => it.id).sort(), others.sort()),
      holds(
        answer.json.every((it: Json) => !it.unread),
        'a thread is still unread',
      ),
      equals(pinned.pinned, true),
    )
  })
  await demand(MARK_ALL, 'A call that changes nothing gives an empty list.', async () =>
    equals(await changedBy(''), []),
  )
  await demand(MARK_ALL, 'status-types=read selects threads that are read.', async () => {
    const changed = await changedBy('?status-types=read&to-status=unread')
    return equals(
      changed.map((it) => it.unread),
      [true, true, true],
    )
  })
  await demand(MARK_ALL, 'status-types may be repeated.', async () => {
    const changed = await changedBy('?status-types=unread&status-types=pinned&to-status=read')
    return allOf(
      equals(changed.length, 4),
      holds(
        changed.every((it) => !it.unread && !it.pinned),
        'not read',
      ),
    )
  })
  await demand(MARK_ALL, 'status-types may be a list with commas.', async () => {
    await markAll('?all=true&to-status=unread')
    return equals((await changedBy('?status-types=unread,pinned&to-status=read')).length, 4)
  })
  await demand(MARK_ALL, 'to-status=pinned pins threads.', async () => {
    await markAll('?all=true&to-status=read')
    const changed = await changedBy('?status-types=read&to-status=pinned')
    return allOf(
      equals(changed.length, 4),
      holds(
        changed.every((it) => it.pinned),
        'a thread is not pinned',
      ),
    )
  })
  await demand(MARK_ALL, 'all selects threads of every status.', async () =>
    equals((await changedBy('?all=true&to-status=unread')).length, 4),
  )
  await demand(MARK_ALL, 'last_read_at selects threads that were updated before it.', async () => {
    const early = await changedBy(`?last_read_at=${LONG_AGO}`)
    const late = await changedBy(`?last_read_at=${FAR_AHEAD}`)
    return equals([early.length, late.length], [0, 4])
  })
  await demand(MARK_ALL, 'Only threads of the caller change.', async () =>
    equals((await markAll('?all=true', { as: carol })).json, []),
  )
}

async function askAboutMistakes({ demand }: Audit, _: Stage, { list, markAll }: Inbox): Promise<void> {
  await demand(MARK_ALL, 'A time that cannot be read is refused.', async () => {
    const answer = await markAll('?last_read_at=soon')
    return allOf(hasStatus(answer, 400, 422), hasErrorShape(answer))
  })
  await demand(MARK_ALL, 'An unknown status type is refused with 422, and nothing changes.', async () => {
    await markAll('?all=true&to-status=pinned')
    const answer = await markAll('?status-types=zzz')
    const threads = await list()
    return allOf(
      hasStatus(answer, 422),
      hasErrorShape(answer),
      holds(
        threads.every((it) => it.pinned),
        'a thread changed',
      ),
    )
  })
  await demand(MARK_ALL, 'An unknown to-status is refused with 422.', async () => {
    const answer = await markAll('?to-status=zzz')
    return allOf(hasStatus(answer, 422), hasErrorShape(answer))
  })
  await demand(MARK_ALL, 'A caller without credentials is unauthorized.', async () => {
    const answer = await markAll('', { as: null })
    return allOf(hasStatus(answer, 401), hasErrorShape(answer))
  })
}

async function askAboutSubjects(audit: Audit, stage: Stage, { list }: Inbox): Promise<void> {
  const { demand, request, must } = audit
  const { alice, bob, openPull } = stage
  const open = `${alice}/open`
  await demand(THREAD, 'The thread of a pull request has every field and the type Pull.', async () => {
    await openPull(open, 'np', alice)
    const thread = await until(async () => (await list()).find((it) => it.subject.title === 'Pull np'))
    return allOf(fits('NotificationThread', thread), equals(thread?.subject.type, 'Pull'))
  })
  await demand(THREAD, 'latest_comment_url leads to the latest comment.', async () => {
    const { id, subject } = (await list()).find((it) => it.subject.title === 'note 1')
    const number = subject.url.split('/').pop()
    const asking = { as: alice, body: { body: 'c' } }
    await must(request('POST', `/repos/${open}/issues/${number}/comments`, asking))
    const thread = await until(async () =>
      (await list()).find((it) => it.id === id && it.subject.latest_comment_url !== ''),
    )
    const { pathname } = new URL(thread.subject.latest_comment_url)
    const comment = await request('GET', pathname, { as: bob, root: true })
    return allOf(fits('NotificationSubject', thread.subject), hasStatus(comment, 200))
  })
}
