/** A slice that nobody has heard of: table, route, event, handler, consumer, setting, and not an edit anywhere else. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { Type } from 'typebox'
import { emit } from '#events'
import { consumer } from '#events/consumer'
import { handler } from '#events/handler'
import { integer, type Settings } from '#platform/config'
import { transact } from '#platform/context'
import { Problem } from '#platform/problem'
import { asSignedIn, created, route } from '#platform/rest'
import { type Forge, startForge } from '#testing'

declare module '#events' {
  interface Events {
    'chime.struck': { readonly tone: string }
  }
}
declare module '#platform/config' {
  interface SettingsOf {
    bells: typeof SETTINGS
  }
}
const SETTINGS = { 'bells.tone_max': integer(10, [1, 100], 'longest tone') } as const satisfies Settings

const ring = route({
  method: 'POST',
  path: '/bells',
  operationId: 'ringBell',
  tag: 'bells',
  summary: 'Ring a bell',
  scopes: ['user'],
  body: Type.Object({ tone: Type.String({ maxLength: 100 }) }),
  answers: { 201: Type.Object({ tone: Type.String() }) },
  open: asSignedIn,
  handle: async ({ ctx, body: { tone } }) => {
    if (tone.length > ctx.config['bells.tone_max']) throw new Problem('invalid', 'the tone is too long')
    await transact(ctx, async (ctx) => {
      await sql`insert into bell (tone) values (${tone})`.execute(ctx.db)
      await emit(ctx, 'chime.struck', { tone })
    })
    return created({ tone })
  },
})

let forge: Forge
before(async () => {
  forge = await startForge({
    config: { 'bells.tone_max': 5 },
    settings: SETTINGS,
    routes: [ring],
    handlers: [
      handler('chime.struck', async (ctx, { tone }) => {
        if (tone === 'flat') throw new Problem('conflict', 'out of tune')
        await sql`update bell set is_checked = true where tone = ${tone}`.execute(ctx.db)
      }),
    ],
    consumers: [
      consumer('bells', 'chime.struck', async (ctx, { tone }) => {
        await sql`update bell set is_heard = true where tone = ${tone}`.execute(ctx.db)
      }),
    ],
  })
  await sql`create table bell (tone text primary key, is_checked boolean default false,
    is_heard boolean default false)`.execute(forge.db)
  await forge.person('ann')
})
after(() => forge[Symbol.asyncDispose]())

const bells = async () =>
  (await sql<{ tone: string; is_checked: boolean; is_heard: boolean }>`select * from bell`.execute(forge.db))
    .rows

test('what it serves is served, handled at once, and heard later', async () => {
  assert.equal((await forge.call(null, 'POST', '/bells', { tone: 'a' })).status, 401)
  assert.equal((await forge.call('ann', 'POST', '/bells', { tone: 'a' })).status, 201)
  assert.deepEqual(await bells(), [{ tone: 'a', is_checked: true, is_heard: false }])
  await forge.runJobs()
  assert.deepEqual(await bells(), [{ tone: 'a', is_checked: true, is_heard: true }])
})

test('a handler refuses all of it, and a setting bounds it', async () => {
  assert.equal((await forge.call('ann', 'POST', '/bells', { tone: 'flat' })).status, 409)
  assert.equal((await forge.call('ann', 'POST', '/bells', { tone: 'too long' })).status, 422)
  assert.equal((await bells()).length, 1)
})
