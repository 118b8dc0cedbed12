/** Internal operations prove access by themselves, whatever page asks for them. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Type } from 'typebox'
import { internalOperations } from '#cli'
import { slice as contents } from '#domains/contents'
import { actorOf } from '#domains/users'
import { slice as wiki } from '#domains/wiki'
import type { Context } from '#platform/context'
import type { InternalOperation } from '#platform/rest'
import { type Forge, startForge } from '#testing'

let forge: Forge
let eve: Context
before(async () => {
  forge = await startForge()
  await forge.person('ann')
  const account = await forge.person('eve')
  eve = { ...forge.ctx, actor: actorOf(account, { publicOnly: false, via: 'process', tokenId: null }) }
  for (const name of ['secret', 'bare', 'open'])
    await forge.call('ann', 'POST', '/user/repos', { name, private: name === 'secret', auto_init: true })
  await forge.call('ann', 'PATCH', '/repos/ann/bare', { has_code: false, has_wiki: false })
})
after(() => forge[Symbol.asyncDispose]())

/** Asked about something in a repository of ann's, whatever else it wants to be told. */
async function open({ open, params }: InternalOperation, repo: string, ctx: Context): Promise<unknown> {
  const others = Object.entries(params?.properties ?? {}).map(([name, schema]) => [
    name,
    Type.IsInteger(schema) ? 1 : 'main',
  ])
  const address = { path: '', query: new URLSearchParams() }
  return open({ ctx, params: { ...Object.fromEntries(others), owner: 'ann', repo }, query: {}, address })
}

const ofRepositories = internalOperations.filter(({ params }) => params?.properties.repo !== undefined)
const idsOf = (operations: readonly InternalOperation[]) => operations.map((it) => it.operationId)

test('a private repository is not there for strangers', async () => {
  assert.ok(ofRepositories.length > 15, `only ${idsOf(ofRepositories)}`)
  for (const operation of ofRepositories)
    for (const ctx of [forge.ctx, eve])
      await assert.rejects(open(operation, 'secret', ctx), { kind: 'not_found' }, operation.operationId)
})

test('code and wiki are told to those alone who may read them', async () => {
  for (const operation of contents.internalOperations)
    await assert.rejects(open(operation, 'bare', eve), { kind: 'forbidden' }, operation.operationId)
  for (const operation of wiki.internalOperations)
    await assert.rejects(open(operation, 'bare', eve), { kind: 'not_found' }, operation.operationId)
})

test('who collaborates at which level is told to administrators, and commits are picked by writers', async () => {
  const wanted = ofRepositories.filter(({ operationId }) => /^repo(ListLevels|PickCommit)$/.test(operationId))
  assert.equal(wanted.length, 2)
  for (const operation of wanted) {
    await assert.rejects(open(operation, 'open', forge.ctx), { kind: 'unauthenticated' })
    await assert.rejects(open(operation, 'open', eve), { kind: 'forbidden' })
  }
})
