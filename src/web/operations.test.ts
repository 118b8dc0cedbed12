/** Internal operations check access themselves, whichever page calls them. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Type } from 'typebox'
import { internalOperations } from '#cli'
import { slice as contents } from '#domains/code/contents'
import { slice as wiki } from '#domains/code/wiki'
import { actorOf } from '#domains/people/users'
import { slice as pulls } from '#domains/review/pulls'
import { slice as reviews } from '#domains/review/reviews'
import type { IssueAbilities } from '#domains/work/issues'
import type { Context } from '#platform/context'
import type { InternalOperation } from '#platform/rest'
import { type Forge, startForge } from '#testing'
import { pullFrom } from '#testing/slices/reviews'

let forge: Forge
let ann: Context
let eve: Context
let mia: Context
before(async () => {
  forge = await startForge()
  ann = await contextOf('ann')
  eve = await contextOf('eve')
  mia = await contextOf('mia')
  for (const name of ['secret', 'bare', 'open'])
    await forge.call('ann', 'POST', '/user/repos', { name, private: name === 'secret', auto_init: true })
  await forge.call('ann', 'PATCH', '/repos/ann/bare', { has_code: false, has_wiki: false })
})
after(() => forge[Symbol.asyncDispose]())

async function contextOf(login: string): Promise<Context> {
  const account = await forge.person(login)
  return { ...forge.ctx, actor: actorOf(account, { publicOnly: false, via: 'process', tokenId: null }) }
}

/** Opens an operation on a repository of ann, with dummy values for other parameters. */
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

test('internal operations on a private repository answer not_found to strangers', async () => {
  assert.ok(ofRepositories.length > 15, `only ${idsOf(ofRepositories)}`)
  for (const operation of ofRepositories)
    for (const ctx of [forge.ctx, eve])
      await assert.rejects(open(operation, 'secret', ctx), { kind: 'not_found' }, operation.operationId)
})

test('internal operations on code and wiki require read access to them', async () => {
  for (const operation of contents.internalOperations)
    await assert.rejects(open(operation, 'bare', eve), { kind: 'forbidden' }, operation.operationId)
  for (const operation of wiki.internalOperations)
    await assert.rejects(open(operation, 'bare', eve), { kind: 'not_found' }, operation.operationId)
})

test("listing collaborators' levels requires admin access, and picking commits requires write access", async () => {
  const wanted = ofRepositories.filter(({ operationId }) => /^repo(ListLevels|PickCommit)$/.test(operationId))
  assert.equal(wanted.length, 2)
  for (const operation of wanted) {
    await assert.rejects(open(operation, 'open', forge.ctx), { kind: 'unauthenticated' })
    await assert.rejects(open(operation, 'open', eve), { kind: 'forbidden' })
  }
})

test('internal operations on pull requests also require read access to code', async () => {
  const wanted = [...pulls.internalOperations, ...reviews.internalOperations].filter((it) => it.params)
  assert.ok(wanted.length > 7, `only ${idsOf(wanted)}`)
  for (const operation of wanted)
    await assert.rejects(open(operation, 'bare', eve), { kind: 'forbidden' }, operation.operationId)
})

/** Calls an operation as a page does. */
async function answer(id: string, ctx: Context, given: object, body: unknown = {}): Promise<unknown> {
  const operation = internalOperations.find(({ operationId }) => operationId === id)
  assert.ok(operation, id)
  const visit = { ctx, params: given, query: {}, address: { path: '', query: new URLSearchParams() } }
  const opened = await operation.open(visit)
  const rest = { opened, body, bearer: null, headers: {}, upload: null }
  return (await operation.handle({ ...visit, ...rest })).body
}

test('lists contain only pull requests that the caller may read', async () => {
  const number = await pullFrom(forge, 'ann', '/repos/ann/secret', 'topic')
  const { body: issue } = await forge.call('ann', 'GET', `/repos/ann/secret/issues/${number}`)
  await forge.call('ann', 'PUT', '/repos/ann/secret/collaborators/mia', { permission: 'write' })
  await forge.call('mia', 'POST', `/repos/ann/secret/pulls/${number}/reviews`, { event: 'APPROVED' })
  const asked = { issue_ids: [issue.id] }
  const sizes = [ann, eve, forge.ctx].map(
    async (ctx) => (await answer('pullListSigns', ctx, {}, asked)) as Map<number, unknown>,
  )
  assert.deepEqual(
    (await Promise.all(sizes)).map(({ size }) => size),
    [1, 0, 0],
  )
})

test("a user blocked by an issue's author has no abilities on it, unless they administer the repository", async () => {
  const { body: issue } = await forge.call('mia', 'POST', '/repos/ann/open/issues', { title: 'mine' })
  for (const login of ['ann', 'eve']) await forge.call('mia', 'PUT', `/user/blocks/${login}`)
  const given = { owner: 'ann', repo: 'open', index: issue.number }
  const { isHeard, mayJoin, mayEdit } = (await answer('issueGetAbilities', eve, given)) as IssueAbilities
  assert.deepEqual({ isHeard, mayJoin, mayEdit }, { isHeard: false, mayJoin: false, mayEdit: false })
  const owner = (await answer('issueGetAbilities', ann, given)) as IssueAbilities
  assert.ok(Object.values(owner).every(Boolean))
  const author = (await answer('issueGetAbilities', mia, given)) as IssueAbilities
  const may = { isHeard: true, mayJoin: true, mayEdit: true, mayClose: true, mayTrack: true }
  assert.deepEqual(author, { ...may, mayWrite: false })
  const nobody = (await answer('issueGetAbilities', forge.ctx, given)) as IssueAbilities
  assert.ok(!Object.values(nobody).some(Boolean))
})
