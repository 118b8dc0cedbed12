/** Questions about webhooks of the whole instance. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Audit, until } from '../kit/audit.ts'
import type { Json } from '../kit/client.ts'
import type { Stage } from '../kit/stage.ts'
import { allOf, each, equals, hasErrorShape, hasStatus, holds } from '../kit/verdicts.ts'

const LIST = 'GET /admin/hooks'
const CREATE = 'POST /admin/hooks'
const NOWHERE = 'http://127.0.0.1:9/hook'
const SYSTEM = { is_system_webhook: 'true' }

function hookOf(facts: object = {}, settings: object = {}): object {
  const config = { url: NOWHERE, content_type: 'json', ...settings }
  return { type: 'gitea', config, events: ['push'], active: true, ...facts }
}

const NO_HOOKS = [
  {},
  [],
  'x',
  { type: 'gitea' },
  hookOf({ type: 'nope' }),
  hookOf({}, { url: 'nope' }),
  hookOf({ events: 'push' }),
  hookOf({ config: 7 }),
  hookOf({ active: 'yes' }),
]

export async function askAboutHooks(audit: Audit, { alice, addFile }: Stage): Promise<void> {
  const { call, demand, request, must } = audit
  const create = (body: unknown) => call(CREATE, 'POST', '/admin/hooks', { body })
  const idsOf = async (query: string): Promise<number[]> =>
    (await call(LIST, 'GET', `/admin/hooks${query}`)).json.map((it: Json) => it.id)
  let system: Json
  let standard: Json
  await demand(
    CREATE,
    'A system webhook is made with 200, as every administration operation answers.',
    async () => {
      const answer = await create(hookOf({}, SYSTEM))
      system = answer.json
      return allOf(hasStatus(answer, 200), holds(Number.isInteger(system?.id), 'there is no id'))
    },
  )
  await demand(CREATE, 'A default webhook is made with 200.', async () => {
    const answer = await create(hookOf())
    standard = answer.json
    return hasStatus(answer, 200)
  })
  await demand(LIST, 'The list shows system webhooks unless type says otherwise.', async () => {
    const ids = await idsOf('?limit=50')
    return holds(ids.includes(system.id) && !ids.includes(standard.id), `it shows ${ids}`)
  })
  await demand(LIST, 'type selects system, default or all webhooks.', () =>
    each(['system', 'default', 'all'], async (type) => {
      const ids = await idsOf(`?type=${type}&limit=50`)
      return equals(
        [ids.includes(system.id), ids.includes(standard.id)],
        [type !== 'default', type !== 'system'],
      )
    }),
  )
  await demand(LIST, 'An unknown type is no server error.', async () =>
    hasStatus(await call(LIST, 'GET', '/admin/hooks?type=zzz'), 200, 400, 422),
  )
  await demand(LIST, 'page and limit cut the list into pages.', async () => {
    const [first, ...others] = await idsOf('?type=all&limit=1&page=1')
    const [second] = await idsOf('?type=all&limit=1&page=2')
    return allOf(equals(others, []), holds(first !== second, 'both pages show the same'))
  })
  await demand(CREATE, 'A body that is no webhook is refused with message and url.', () =>
    each(NO_HOOKS, async (body) => {
      const answer = await create(body)
      return allOf(hasStatus(answer, 400, 422), hasErrorShape(answer))
    }),
  )
  await demand(CREATE, 'A system webhook is delivered for a push.', async () => {
    let deliveries = 0
    const server = createServer((_, response) => {
      deliveries += 1
      response.end('ok')
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const hook = await must(create(hookOf({}, { url: `http://127.0.0.1:${port}/x`, ...SYSTEM })))
    await addFile(`${alice}/open`, 'h.txt', 'hi', alice)
    await until(async () => deliveries > 0)
    await request('DELETE', `/admin/hooks/${hook.id}`)
    server.close()
    server.closeAllConnections()
    return holds(deliveries > 0, 'nothing came')
  })
  for (const hook of [system, standard]) await request('DELETE', `/admin/hooks/${hook?.id}`)
}
