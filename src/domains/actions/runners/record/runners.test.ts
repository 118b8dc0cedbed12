/** Administration of runners over REST: scopes, access, and the cost of lists. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { type Forge, startForge } from '#testing'
import { SimulatedRunner } from '#testing/slices/runners'
import { observeRunners } from './metrics.ts'

let forge: Forge
const runners: Record<string, number> = {}
const SCOPES = {
  all: ['root', '/admin/actions/runners'],
  org: ['ann', '/orgs/guild/actions/runners'],
  user: ['ann', '/user/actions/runners'],
  repo: ['ann', '/repos/ann/anvil/actions/runners'],
} as const
const scopes = Object.entries(SCOPES)

before(async () => {
  forge = await startForge({ config: { 'log.level': 'silent' } })
  for (const name of ['ann', 'bob']) await forge.person(name)
  await forge.person('root', { is_admin: true })
  await forge.call('ann', 'POST', '/orgs', { username: 'guild' })
  await forge.call('ann', 'POST', '/user/repos', { name: 'anvil' })
  await forge.call('ann', 'PUT', '/repos/ann/anvil/collaborators/bob', { permission: 'write' })
  for (const [scope, [as, path]] of scopes) {
    const { body } = await forge.call(as, 'POST', `${path}/registration-token`)
    runners[scope] = (await SimulatedRunner.register(forge.base, body.token, { name: scope })).id
  }
})
after(() => forge[Symbol.asyncDispose]())

interface Named {
  readonly name: string
}
/** The list of all runners is an array; the list of a scope is an object that contains the array. */
const runnersIn = (body: Named[] | { runners: Named[] }): Named[] => ('runners' in body ? body.runners : body)
const namesOf = async (as: string, path: string): Promise<string[]> =>
  runnersIn((await forge.call(as, 'GET', path)).body)
    .map(({ name }) => name)
    .sort()

test('the metrics count runners by state', async () => {
  observeRunners(forge.world)
  const now = forge.ctx.now()
  const set = (scope: string, online: Date | null, active: Date | null) =>
    sql`update action_runner set online_at = ${online}, active_at = ${active} where id = ${runners[scope]}`.execute(
      forge.db,
    )
  await sql`update action_runner set online_at = null, active_at = null`.execute(forge.db)
  await set('all', now, now)
  await set('org', now, null)
  const text = await forge.world.telemetry.scrape()
  assert.match(text, /^bloomery_runners\{state="busy"\} 1$/m)
  assert.match(text, /^bloomery_runners\{state="idle"\} 1$/m)
  assert.match(text, /^bloomery_runners\{state="offline"\} 2$/m)
})

test('a scope lists the runners that registered with its token, and administrators list all runners', async () => {
  for (const [scope, [as, path]] of scopes)
    assert.deepEqual(await namesOf(as, path), scope === 'all' ? ['all', 'org', 'repo', 'user'] : [scope])
})

test('a registration token stays the same and is stored encrypted', async () => {
  const ask = async () =>
    (await forge.call('root', 'POST', '/admin/actions/runners/registration-token')).body.token
  const token = await ask()
  assert.match(token, /^[A-Za-z0-9]{40}$/)
  assert.equal(await ask(), token)
  const { rows } = await sql<{ row: string }>`select t::text as row from action_runner_token t`.execute(
    forge.db,
  )
  assert.ok(rows.every(({ row }) => !row.includes(token)))
})

for (const [scope, [, path]] of scopes)
  test(`runners of the scope ${scope} can be neither read nor changed by other users`, async () => {
    const one = `${path}/${runners[scope]}`
    const asked = [
      ['GET', path],
      ['GET', one],
      ['PATCH', one],
      ['DELETE', one],
      ['POST', `${path}/registration-token`],
    ] as const
    for (const [method, to] of asked) {
      const body = method === 'PATCH' ? { disabled: true } : undefined
      assert.equal((await forge.call(null, method, to, body)).status, 401, `${method} ${to} for nobody`)
      const { status } = await forge.call('bob', method, to, body)
      // The path /user is bob's own scope, which does not contain this runner.
      const isOwn = scope === 'user' && to !== one
      assert.ok(
        isOwn ? status === 200 : status === 403 || status === 404,
        `${method} ${to} for bob: ${status}`,
      )
    }
  })

test('a runner is disabled, enabled and deleted in its own scope', async () => {
  const { body } = await forge.call('ann', 'POST', '/user/actions/runners/registration-token')
  const { id } = await SimulatedRunner.register(forge.base, body.token, { name: 'brief' })
  const change = (disabled: boolean) =>
    forge.call('ann', 'PATCH', `/user/actions/runners/${id}`, { disabled })
  assert.equal((await change(true)).body.disabled, true)
  assert.deepEqual(await namesOf('ann', '/user/actions/runners?disabled=true'), ['brief'])
  assert.equal((await change(false)).body.disabled, false)
  assert.equal((await forge.call('ann', 'DELETE', `/orgs/guild/actions/runners/${id}`)).status, 404)
  assert.equal((await forge.call('root', 'DELETE', `/admin/actions/runners/${id}`)).status, 204)
  assert.equal((await forge.call('ann', 'GET', `/user/actions/runners/${id}`)).status, 404)
})

test('a list takes the same number of queries for one runner as for thirty', async () => {
  const ask = () => forge.call('ann', 'GET', '/repos/ann/anvil/actions/runners?limit=30')
  const few = await forge.countQueries(ask)
  await sql`insert into action_runner (uuid, token_digest, name, repository_id, created_at, updated_at)
    select 'uuid ' || n, '', 'many', repository.id, now(), now() from repository, generate_series(1, 40) n`.execute(
    forge.db,
  )
  const { body } = await ask()
  assert.deepEqual([body.runners.length, body.total_count], [30, 41])
  assert.equal(await forge.countQueries(ask), few)
})
