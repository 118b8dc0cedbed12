/** Questions about cron tasks and e-mail records. */
import { type Audit, until } from '../kit/audit.ts'
import type { Json } from '../kit/client.ts'
import type { Stage } from '../kit/stage.ts'
import { allOf, each, equals, hasErrorShape, hasStatus, holds, isJson } from '../kit/verdicts.ts'

const LIST = 'GET /admin/cron'
const RUN = 'POST /admin/cron/{task}'
const EMAILS = 'GET /admin/emails'
const SEARCH = 'GET /admin/emails/search'

export async function askAboutCron({ call, demand, request }: Audit): Promise<void> {
  const list = (query: string) => call(LIST, 'GET', `/admin/cron${query}`)
  const run = (task: string) => call(RUN, 'POST', `/admin/cron/${task}`)
  const tasks: Json[] = (await list('?limit=50')).json
  await demand(LIST, 'The list is a JSON array of tasks with names.', async () => {
    const answer = await list('?limit=50')
    const areNamed = answer.json.length > 0 && answer.json.every((it: Json) => typeof it.name === 'string')
    return allOf(hasStatus(answer, 200), isJson(answer), holds(areNamed, 'there are no names'))
  })
  await demand(
    LIST,
    'page and limit cut the list into pages, and X-Total-Count counts all tasks.',
    async () => {
      const first = await list('?limit=2&page=1')
      const second = await list('?limit=2&page=2')
      return allOf(
        equals(first.json.length, 2),
        holds(first.json[0].name !== second.json[0].name, 'both pages show the same'),
        equals(first.headers['x-total-count'], String(tasks.length)),
      )
    },
  )
  await demand(LIST, 'Times of tasks are date-times or null.', async () => {
    const times = tasks
      .flatMap(({ next, prev }) => [next, prev])
      .filter((it) => it !== null && it !== undefined)
    return holds(
      times.every((it) => /^\d{4}-\d\d-\d\dT/.test(it)),
      String(times),
    )
  })
  await demand(
    RUN,
    'A task that is started by hand runs, and the answer is 204 without a body.',
    async () => {
      const before = tasks.find(({ name }) => name === 'update_mirrors') ?? tasks[0]
      const answer = await run(before.name)
      const after = await until(async () => {
        const { json } = await request('GET', '/admin/cron?limit=50')
        const task = json.find((it: Json) => it.name === before.name)
        return task.exec_times > before.exec_times || (task.prev !== null && task.prev !== before.prev)
      })
      return allOf(hasStatus(answer, 204), equals(answer.text, ''), holds(after, 'the task did not run'))
    },
  )
  await demand(RUN, 'Every task of the list can be started by hand.', () =>
    each(
      tasks.map(({ name }) => name as string),
      async (name) => hasStatus(await run(name), 204),
    ),
  )
  await demand(RUN, 'An unknown task is not found.', async () => {
    const answer = await run('no_such_task')
    return allOf(hasStatus(answer, 404), hasErrorShape(answer))
  })
  await demand(RUN, 'Task names in Unicode and of 90 characters are not found.', () =>
    each(['%C3%BC%F0%9F%99%82', 'x'.repeat(90)], async (name) => {
      const answer = await run(name)
      return allOf(hasStatus(answer, 404), hasErrorShape(answer))
    }),
  )
  await demand(RUN, 'A task name of 3,000 characters is a mistake of the caller.', async () => {
    const answer = await run('x'.repeat(3_000))
    return allOf(hasStatus(answer, 400, 404, 414), hasErrorShape(answer))
  })
}

export async function askAboutEmails({ call, demand }: Audit, { alice }: Stage): Promise<void> {
  for (const operation of [EMAILS, SEARCH]) {
    const list = (query = '') => call(operation, 'GET', operation.slice('GET '.length) + query)
    await demand(operation, 'The list is a JSON array of e-mail records.', async () => {
      const answer = await list()
      const areRecords = answer.json.every(
        ({ email, user_id, username, verified, primary }: Json) =>
          typeof email === 'string' &&
          Number.isInteger(user_id) &&
          typeof username === 'string' &&
          typeof verified === 'boolean' &&
          typeof primary === 'boolean',
      )
      return allOf(
        hasStatus(answer, 200),
        isJson(answer),
        holds(answer.json.length > 0 && areRecords, `fields are missing: ${JSON.stringify(answer.json[0])}`),
      )
    })
    await demand(operation, 'The list has pages, a count and links to further pages.', async () => {
      const first = await list('?limit=1&page=1')
      const second = await list('?limit=1&page=2')
      return allOf(
        equals(first.json.length, 1),
        holds(first.json[0].email !== second.json[0].email, 'both pages show the same'),
        holds(Number(first.headers['x-total-count']) >= 5, 'X-Total-Count is too small'),
        holds(/rel="next"/.test(String(first.headers.link)), 'Link names no next page'),
      )
    })
  }
  const search = (keyword: string) => call(SEARCH, 'GET', `/admin/emails/search?q=${keyword}`)
  await demand(SEARCH, 'q selects by keyword in any case.', async () => {
    const answer = await search(alice.toUpperCase())
    const names = answer.json.map((it: Json) => it.username)
    return allOf(hasStatus(answer, 200), equals(names, [alice]))
  })
  await demand(SEARCH, 'A keyword without a hit gives an empty list.', async () =>
    equals((await search('no-such-zzz')).json, []),
  )
  await demand(SEARCH, 'Wildcards, Unicode and quotes in q stand for themselves.', () =>
    each(['%25', '_', '%F0%9F%99%82', '%27%22%5C', 'x'.repeat(200)], async (keyword) => {
      const answer = await search(keyword)
      const isLiteral = keyword !== '%25' || answer.json.length === 0
      return allOf(hasStatus(answer, 200), holds(isLiteral, 'it matches everything'))
    }),
  )
}
