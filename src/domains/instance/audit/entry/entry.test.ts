/** Records of operations: one for each, in the transaction of its effect. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Type } from 'typebox'
import { transact } from '#platform/context'
import { Problem } from '#platform/problem'
import { asSignedIn, noContent, route } from '#platform/rest'
import { type Forge, GitClient, startForge, until } from '#testing'

let forge: Forge
let attempts = 0
const begun = Promise.withResolvers<void>()
const AT_ONCE = ['ann', 'root', 'eve']

/** So that concurrent transactions reach their records at once. */
function whenAllHaveBegun(): Promise<void> {
  if (attempts === AT_ONCE.length) begun.resolve()
  return begun.promise
}

/** Changes an account in as many transactions as its path says; concurrent ones change an account each. */
const tries = route({
  method: 'POST',
  path: '/test/:kind',
  operationId: 'testChange',
  tag: 'test',
  summary: 'Change something',
  scopes: ['user'],
  params: Type.Object({ kind: Type.String() }),
  answers: { 204: null },
  open: asSignedIn,
  handle: async ({ ctx, params: { kind } }) => {
    const change = (login = 'ann') =>
      transact(ctx, async (ctx) => {
        await ctx.db.updateTable('account').set({ full_name: kind }).where('login', '=', login).execute()
        attempts += 1
        if (kind === 'at-once') await whenAllHaveBegun()
        if (kind === 'retried' && attempts === 1)
          throw Object.assign(new Error('deadlock'), { code: '40P01' })
        if (kind === 'refused') throw new Problem('conflict', 'no')
      })
    if (kind === 'nothing') return noContent()
    if (kind === 'read') await transact(ctx, (ctx) => ctx.db.selectFrom('account').select('id').execute())
    else if (kind === 'at-once') await Promise.all(AT_ONCE.map((login) => change(login)))
    else await change()
    if (kind === 'twice') await change()
    if (kind === 'late') throw new Problem('conflict', 'too late')
    return noContent()
  },
})

before(async () => {
  forge = await startForge({ routes: [tries] })
  await forge.person('root', { is_admin: true })
  await forge.person('ann')
  await forge.person('eve')
})
after(() => forge[Symbol.asyncDispose]())

/** The records that `work` leaves. */
async function recordsOf(work: () => Promise<unknown>) {
  const last = await newest()
  await work()
  return forge.db.selectFrom('audit_record').selectAll().where('id', '>', last).orderBy('id').execute()
}

async function newest(): Promise<number> {
  const row = await forge.db
    .selectFrom('audit_record')
    .select('id')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id ?? 0
}

async function outcomesOf(kind: string): Promise<(string | null)[][]> {
  attempts = 0
  const records = await recordsOf(() => forge.call('ann', 'POST', `/test/${kind}`))
  return records.map(({ outcome, problem }) => [outcome, problem])
}

for (const [kind, what, expected] of [
  ['once', 'one transaction', ['done', null]],
  ['twice', 'two transactions', ['done', null]],
  ['at-once', 'three concurrent transactions', ['done', null]],
  ['retried', 'a transaction that is retried', ['done', null]],
  ['refused', 'a transaction that is rolled back', ['refused', 'conflict']],
  ['late', 'a transaction that commits before the operation is refused', ['done', null]],
  ['nothing', 'no transaction', ['unchanged', null]],
  ['read', 'a transaction that only reads', ['unchanged', null]],
] as const)
  test(`an operation with ${what} has one record: ${expected[0]}`, async () => {
    assert.deepEqual(await outcomesOf(kind), [expected])
  })

test('the record costs one statement', async () => {
  const texts = await forge.listQueries(() => forge.call('ann', 'POST', '/test/once'))
  assert.equal(texts.filter((text) => text.includes('audit_record')).length, 1, texts.join('\n'))
})

test('a record and its effect are one: when the record cannot be written, nothing is changed', async () => {
  await forge.pool.query(
    "alter table audit_record add constraint broken check (operation <> 'testChange') not valid",
  )
  try {
    assert.equal((await forge.call('ann', 'POST', '/test/alone')).status, 500)
  } finally {
    await forge.pool.query('alter table audit_record drop constraint broken')
  }
  const ann = await forge.db
    .selectFrom('account')
    .select('full_name')
    .where('login', '=', 'ann')
    .executeTakeFirst()
  assert.notEqual(ann?.full_name, 'alone')
})

test('a record names caller, token, address, request and target', async () => {
  await forge.call('ann', 'POST', '/user/repos', { name: 'ore', auto_init: true })
  const { body: repo } = await forge.call('ann', 'GET', '/repos/ann/ore')
  const [record, ...more] = await recordsOf(() =>
    forge.call('ann', 'POST', '/repos/ann/ore/issues', { title: 'secret title' }, { 'x-request-id': 'r-1' }),
  )
  assert.equal(more.length, 0)
  assert.partialDeepStrictEqual(record, {
    operation: 'issueCreateIssue',
    outcome: 'done',
    account: 'ann',
    as_account: null,
    via: 'token',
    address: '127.0.0.1',
    request_id: 'r-1',
    repository_id: repo.id,
    owner_id: repo.owner.id,
    target: '{"owner":"ann","repo":"ore"}',
    times: 1,
  })
  assert.match(record?.credential ?? '', /^\d+$/)
  assert.doesNotMatch(JSON.stringify(record), /secret title/)
})

test('with sudo a record names the administrator and the account acted as', async () => {
  const [record] = await recordsOf(() => forge.call('root', 'POST', '/user/repos?sudo=ann', { name: 'lent' }))
  assert.partialDeepStrictEqual(record, {
    operation: 'createCurrentUserRepo',
    account: 'root',
    as_account: 'ann',
  })
})

test('a created repository is the target of its record', async () => {
  const [record] = await recordsOf(() => forge.call('ann', 'POST', '/user/repos', { name: 'new' }))
  const { body } = await forge.call('ann', 'GET', '/repos/ann/new')
  assert.deepEqual([record?.repository_id, record?.owner_id], [body.id, body.owner.id])
})

test('refusals of users are recorded, also before and after the body is read; those of anonymous clients are not', async () => {
  const kinds = async (as: string | null, path: string, body: unknown) =>
    (await recordsOf(() => forge.call(as, 'POST', path, body))).map(({ outcome, problem }) => [
      outcome,
      problem,
    ])
  assert.deepEqual(await kinds('eve', '/repos/ann/ore/labels', { name: 'x', color: '#fff' }), [
    ['refused', 'forbidden'],
  ])
  assert.deepEqual(await kinds('ann', '/repos/ann/ore/labels', { name: 7 }), [['refused', 'invalid']])
  assert.deepEqual(await kinds('ann', '/repos/ann/ore/labels', '{'), [['refused', 'invalid']])
  assert.deepEqual(await kinds(null, '/repos/ann/ore/labels', { name: 'x', color: '#fff' }), [])
})

test('a push has one record, and a push whose refs are all refused too', async () => {
  await forge.call('ann', 'POST', '/repos/ann/ore/branch_protections', {
    rule_name: 'safe',
    enable_push: false,
  })
  await using git = await GitClient.open(forge, 'ann', 'ann/ore')
  await git.ok('pull', '--quiet', 'origin', 'main')
  await git.commit('a.txt', 'a\n')
  const done = await recordsOf(() => git.ok('push', 'origin', 'main'))
  assert.deepEqual(
    done.map(({ operation, outcome, account }) => [operation, outcome, account]),
    [['gitReceivePack', 'done', 'ann']],
  )
  assert.equal(done[0]?.target, '{"owner":"ann","repo":"ore.git"}')
  assert.ok(done[0]?.repository_id)
  const refused = await recordsOf(async () => {
    await assert.rejects(git.ok('push', 'origin', 'main:safe'))
    await until(async () => (await newest()) > (done[0]?.id ?? 0))
  })
  assert.deepEqual(
    refused.map(({ operation, outcome, problem }) => [operation, outcome, problem]),
    [['gitReceivePack', 'refused', 'forbidden']],
  )
})

test('a form of a page has a record for each operation it calls, and none for itself', async () => {
  const browser = await forge.browserOf('ann')
  const records = await recordsOf(async () => {
    const { status } = await browser.submit('/ann/ore/issues/new', 'create', { title: 'by form', body: '' })
    assert.ok(status < 400, String(status))
  })
  assert.deepEqual([...new Set(records.map(({ via }) => via))], ['session'])
  assert.equal(records.filter(({ operation }) => operation === 'issueCreateIssue').length, 1)
  assert.ok(!records.some(({ operation }) => operation.startsWith('page ')))
})
