/** Pages call operations in this process: only those that their form names, and only what the user may do. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Type } from 'typebox'
import { asSignedIn, type InternalOperations, internalOperation } from '#platform/rest'
import { type Forge, startForge } from '#testing'
import { InProcessApi } from './in-process-api.ts'

const rung: string[] = []
const operations = [
  internalOperation({
    operationId: 'ringBell',
    method: 'POST',
    params: Type.Object({ bell: Type.Integer() }),
    body: Type.Object({ tone: Type.String({ maxLength: 10 }) }),
    open: asSignedIn,
    handle: async ({ params, body, opened }) => {
      rung.push(`${opened.login} ${params.bell} ${body.tone}`)
      return rung.length
    },
  }),
  internalOperation({
    operationId: 'countBells',
    method: 'GET',
    open: asSignedIn,
    handle: async () => new Map([['rung', rung.length]]),
  }),
] as const
declare module '#platform/page' {
  interface Operations extends InternalOperations<typeof operations> {}
}
const inProcessApi = new InProcessApi({ routes: [], internalOperations: operations })

let forge: Forge
before(async () => {
  forge = await startForge()
})
after(() => forge[Symbol.asyncDispose]())

async function askingAs(login: string | null, does: readonly string[]) {
  const account = login === null ? null : await forge.person(login)
  const actor = account && { id: account.id, login: account.login, isAdmin: false, isRestricted: false }
  return inProcessApi.as({ ...forge.ctx, actor: actor as typeof forge.ctx.actor }, { does })
}

test('a form can only call the operations that it names', async () => {
  const form = await askingAs('ann', ['ringBell'])
  assert.equal(await form.ask('ringBell', { bell: '3' }, { tone: 'low' }), 1)
  assert.deepEqual(rung, ['ann 3 low'])
  assert.deepEqual(await form.ask('countBells', {}), new Map([['rung', 1]]))
  const page = await askingAs('bob', [])
  assert.deepEqual(await page.ask('countBells', {}), new Map([['rung', 1]]))
  await assert.rejects(
    page.ask('ringBell', { bell: 3 }, { tone: 'low' }),
    /does not say that it does ringBell/,
  )
  await assert.rejects(page.exists('ringBell', { bell: 3 }), /does not say that it does ringBell/)
  assert.equal(rung.length, 1)
})

test('access and input of an internal operation are checked like those of a route', async () => {
  const nobody = await askingAs(null, ['ringBell'])
  await assert.rejects(nobody.ask('ringBell', { bell: 3 }, { tone: 'low' }), { kind: 'unauthenticated' })
  const cat = await askingAs('cat', ['ringBell'])
  await assert.rejects(cat.ask('ringBell', { bell: 3 }, { tone: 'much too long' }), { kind: 'invalid' })
  assert.equal(rung.length, 1)
})
