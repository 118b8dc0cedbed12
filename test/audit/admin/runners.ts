/** Questions about runners and their registration. */
import type { Audit } from '../kit/audit.ts'
import type { Json } from '../kit/client.ts'
import { registerRunner } from '../kit/runner.ts'
import { allOf, equals, hasErrorShape, hasStatus, holds, isJson } from '../kit/verdicts.ts'

const REGISTER = 'POST /admin/actions/runners/registration-token'
const LIST = 'GET /admin/actions/runners'
const READ = 'GET /admin/actions/runners/{runner_id}'
const EDIT = 'PATCH /admin/actions/runners/{runner_id}'
const DELETE = 'DELETE /admin/actions/runners/{runner_id}'

const UNKNOWN = 987654321
const NO_IDS = ['abc', '-1', '0', '1.5', '9223372036854775808', '99999999999999999999999', '%F0%9F%99%82']

const pathOf = (id: number | string) => `/admin/actions/runners/${id}`

export async function askAboutRunners(audit: Audit): Promise<void> {
  const { call, demand, suffix } = audit
  await demand(REGISTER, 'The operation needs no input and gives a token.', async () => {
    const answer = await call(REGISTER, 'POST', '/admin/actions/runners/registration-token')
    const isToken = typeof answer.json?.token === 'string' && answer.json.token.length > 10
    return allOf(hasStatus(answer, 200), isJson(answer), holds(isToken, 'there is no token'))
  })
  await demand(REGISTER, 'The operation takes an empty JSON object as well.', async () =>
    hasStatus(await call(REGISTER, 'POST', '/admin/actions/runners/registration-token', { body: {} }), 200),
  )
  await demand(REGISTER, 'The token registers a runner.', async () => {
    const runner = await registerRunner(audit, `r1-${suffix}`, [`lab-${suffix}`])
    return holds(runner.id > 0, 'there is no runner')
  })
  const { id } = await registerRunner(audit, `r2-${suffix}`, [`lab2-${suffix}`])
  await askAboutLists(audit, id)
  await askAboutOne(audit, id)
  await askAboutEdits(audit, id)
  await askAboutDeletions(audit, id)
}

async function askAboutLists({ call, demand, must, request }: Audit, id: number): Promise<void> {
  const list = (query = '') => call(LIST, 'GET', `/admin/actions/runners${query}`)
  const idsOf = (json: Json): number[] => json.map((it: Json) => it.id)
  await demand(LIST, 'The list is answered with 200 and JSON.', async () => {
    const answer = await list()
    return allOf(hasStatus(answer, 200), isJson(answer))
  })
  await demand(LIST, 'The list is a JSON array.', async () => {
    const { json } = await list()
    return holds(Array.isArray(json), `it is an object with ${Object.keys(json)}`)
  })
  await demand(LIST, 'The list holds registered runners.', async () => {
    const { json } = await list('?limit=50')
    return holds(idsOf(json).includes(id), 'the runner is missing')
  })
  await demand(LIST, 'disabled selects runners that are disabled or enabled.', async () => {
    await must(request('PATCH', pathOf(id), { body: { disabled: true } }))
    const { json: disabled } = await list('?disabled=true&limit=50')
    const { json: enabled } = await list('?disabled=false&limit=50')
    return allOf(
      holds(idsOf(disabled).includes(id) && disabled.every((it: Json) => it.disabled), 'disabled=true'),
      holds(!idsOf(enabled).includes(id) && enabled.every((it: Json) => !it.disabled), 'disabled=false'),
    )
  })
  await demand(LIST, 'page and limit cut the list into pages.', async () => {
    const [first] = idsOf((await list('?page=1&limit=1')).json)
    const [second] = idsOf((await list('?page=2&limit=1')).json)
    return holds(first && second && first !== second, `the pages show ${first} and ${second}`)
  })
  await demand(LIST, 'A value of disabled that is no boolean is refused with 400.', async () => {
    const answer = await list('?disabled=maybe')
    return allOf(hasStatus(answer, 400), hasErrorShape(answer))
  })
  await demand(LIST, 'A list without runners is empty and not 404.', async () => {
    const answer = await list('?page=999')
    return allOf(hasStatus(answer, 200), equals(answer.json, []))
  })
}

async function askAboutOne({ call, demand }: Audit, id: number): Promise<void> {
  const read = (wanted: number | string) => call(READ, 'GET', pathOf(wanted))
  await demand(READ, 'The operation gives the runner.', async () => {
    const answer = await read(id)
    const { name, disabled } = answer.json
    const isRunner = typeof name === 'string' && typeof disabled === 'boolean'
    return allOf(hasStatus(answer, 200), equals(answer.json.id, id), holds(isRunner, 'fields are missing'))
  })
  await demand(READ, 'An unknown runner is not found.', async () => {
    const answer = await read(UNKNOWN)
    return allOf(hasStatus(answer, 404), hasErrorShape(answer))
  })
  for (const wanted of NO_IDS)
    await demand(READ, `The runner ${wanted} is refused with a listed kind.`, async () => {
      const answer = await read(wanted)
      return allOf(hasStatus(answer, 400, 404), hasErrorShape(answer))
    })
  await demand(READ, 'A runner_id that is no number is not found.', async () => {
    const answer = await read('abc')
    return allOf(hasStatus(answer, 404), hasErrorShape(answer))
  })
}

async function askAboutEdits({ call, demand, request }: Audit, id: number): Promise<void> {
  const edit = (wanted: number | string, body: object) => call(EDIT, 'PATCH', pathOf(wanted), { body })
  await demand(EDIT, 'A change is answered with the runner and kept.', async () => {
    const answer = await edit(id, { disabled: false })
    const { json: kept } = await request('GET', pathOf(id))
    return allOf(hasStatus(answer, 200), equals([answer.json.disabled, kept.disabled], [false, false]))
  })
  await demand(EDIT, 'The same change again is answered with 200.', async () =>
    hasStatus(await edit(id, { disabled: false }), 200),
  )
  await demand(EDIT, 'An unknown runner is not found.', async () => {
    const answer = await edit(UNKNOWN, { disabled: true })
    return allOf(hasStatus(answer, 404), hasErrorShape(answer))
  })
  await demand(EDIT, 'A field of a wrong type is refused with 422.', async () => {
    const answer = await edit(id, { disabled: 'yes' })
    return allOf(hasStatus(answer, 422), hasErrorShape(answer))
  })
  await demand(EDIT, 'An empty object is refused with 422.', async () => {
    const answer = await edit(id, {})
    return allOf(hasStatus(answer, 422), hasErrorShape(answer))
  })
  await demand(EDIT, 'Broken JSON is refused with 400 or 422.', async () => {
    const answer = await call(EDIT, 'PATCH', pathOf(id), { raw: '{"disabled":' })
    return allOf(hasStatus(answer, 400, 422), hasErrorShape(answer))
  })
  await demand(EDIT, 'A runner_id that is no number is not found.', async () => {
    const answer = await edit('abc', { disabled: true })
    return allOf(hasStatus(answer, 404), hasErrorShape(answer))
  })
  await demand(EDIT, 'Unknown fields are ignored.', async () =>
    hasStatus(await edit(id, { disabled: false, nonsense: { a: 1 } }), 200),
  )
}

async function askAboutDeletions({ call, demand, request }: Audit, id: number): Promise<void> {
  const drop = (wanted: number | string) => call(DELETE, 'DELETE', pathOf(wanted))
  await demand(DELETE, 'A deletion is answered with 204 and no body, and the runner is gone.', async () => {
    const answer = await drop(id)
    const again = await drop(id)
    const read = await request('GET', pathOf(id))
    return allOf(
      hasStatus(answer, 204),
      equals(answer.text, ''),
      hasStatus(again, 404),
      hasErrorShape(again),
      hasStatus(read, 404),
    )
  })
  await demand(DELETE, 'A runner_id that is no number is refused with a listed kind.', async () => {
    const answer = await drop('abc')
    return allOf(hasStatus(answer, 400, 404), hasErrorShape(answer))
  })
  await demand(DELETE, 'A runner_id that is no number is not found.', async () =>
    hasStatus(await drop('abc'), 404),
  )
}
