/** The audit log as administrators and owners of organizations read it. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { assertIndexed, type Forge, insertMany, startForge } from '#testing'
import { selectRecords } from './list-records.ts'

let forge: Forge
before(async () => {
  forge = await startForge()
  await forge.person('root', { is_admin: true })
  for (const login of ['ann', 'bob', 'eve']) await forge.person(login)
  await forge.call('ann', 'POST', '/orgs', { username: 'guild' })
  await forge.call('ann', 'POST', '/orgs/guild/repos', { name: 'ore', auto_init: true })
  forge.advance(60_000)
  await forge.call('bob', 'POST', '/repos/guild/ore/issues', { title: 'hidden in the log' })
  await forge.call('bob', 'POST', '/user/repos', { name: 'own' })
})
after(() => forge[Symbol.asyncDispose]())

const idsOf = (records: readonly { operation: string }[]) => records.map(({ operation }) => operation)

test('administrators list all records, newest first, page by page', async () => {
  const all = (await forge.call('root', 'GET', '/admin/audit')).body
  assert.deepEqual(idsOf(all).slice(0, 2), ['createCurrentUserRepo', 'issueCreateIssue'])
  assert.partialDeepStrictEqual(all[0], {
    account: 'bob',
    address: '127.0.0.1',
    outcome: 'done',
    via: 'token',
  })
  const paged: { operation: string }[] = []
  let path: string | undefined = '/admin/audit?limit=2'
  while (path !== undefined) {
    const { body, headers } = await forge.call('root', 'GET', path)
    paged.push(...body)
    path = /<[^>]*\/api\/v1([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
  }
  assert.deepEqual(paged, all)
})

test('records are filtered by operation, account, repository, outcome and time', async () => {
  const [first] = (await forge.call('root', 'GET', '/admin/audit?operation=issueCreateIssue')).body
  const list = async (query: string) => idsOf((await forge.call('root', 'GET', `/admin/audit?${query}`)).body)
  assert.deepEqual(await list(`account_id=${first.account_id}`), [
    'createCurrentUserRepo',
    'issueCreateIssue',
  ])
  assert.deepEqual(await list(`repository_id=${first.repository_id}`), ['issueCreateIssue', 'createOrgRepo'])
  assert.deepEqual(await list('until=2026-01-01T00:00:30Z'), ['createOrgRepo', 'orgCreate'])
  assert.deepEqual(await list('since=2026-01-01T00:00:30Z'), ['createCurrentUserRepo', 'issueCreateIssue'])
  await forge.call('eve', 'DELETE', '/repos/guild/ore')
  assert.deepEqual(await list('outcome=refused&limit=1'), ['repoDelete'])
})

test('the log of an organization has changes of webhooks and secrets of its repositories, and refused attempts', async () => {
  const list = async () => idsOf((await forge.call('ann', 'GET', '/orgs/guild/audit?limit=2')).body)
  await forge.call('ann', 'PUT', '/repos/guild/ore/actions/secrets/PASS', { data: 'hush hush' })
  await forge.call('ann', 'POST', '/orgs/guild/actions/variables/COLOR', { value: 'red' })
  assert.deepEqual(await list(), ['createOrgVariable', 'updateRepoSecret'])
  await forge.call('eve', 'POST', '/repos/guild/ore/labels', { name: 'x', color: '#fff' })
  await forge.call('eve', 'PATCH', '/orgs/guild', { description: 'mine' })
  assert.deepEqual(await list(), ['orgEdit', 'issueCreateLabel'])
})

test('owners of an organization list what was done to it, without addresses and credentials', async () => {
  const { status, body } = await forge.call('ann', 'GET', '/orgs/guild/audit')
  assert.equal(status, 200)
  assert.deepEqual(idsOf(body).slice(-3), ['issueCreateIssue', 'createOrgRepo', 'orgCreate'])
  assert.doesNotMatch(JSON.stringify(body), /127\.0\.0\.1|address|credential|hidden in the log/)
})

for (const [as, path, status] of [
  [null, '/admin/audit', 401],
  ['ann', '/admin/audit', 403],
  [null, '/orgs/guild/audit', 401],
  ['bob', '/orgs/guild/audit', 403],
] as const)
  test(`${path} answers ${status} to ${as ?? 'anonymous clients'}`, async () => {
    assert.equal((await forge.call(as, 'GET', path)).status, status)
  })

test('records outlive the repository and the account they name', async () => {
  const before = (await forge.call('root', 'GET', '/admin/audit?operation=createCurrentUserRepo')).body
  await forge.call('root', 'DELETE', '/admin/users/bob?purge=true')
  await forge.runJobs()
  assert.deepEqual(
    (await forge.call('root', 'GET', '/admin/audit?operation=createCurrentUserRepo')).body,
    before,
  )
})

test('every list of 100,000 records is read from an index', async () => {
  await insertMany(
    forge.db,
    sql`insert into audit_record (at, operation, outcome, via, node, target, times, account_id, repository_id, owner_id)
      select timestamptz '2026-02-01' + i * interval '1 second', 'operation-' || i % 100,
        case when i % 50 = 0 then 'refused' else 'done' end, 'token', 'node', '{}', 1,
        i % 500, nullif(i % 1000, 0), i % 300 from generate_series(1, 100000) as i`,
  )
  await sql`analyze audit_record`.execute(forge.db)
  const time = new Date('2026-02-01T12:00:00Z')
  for (const filter of [
    {},
    { before_id: 50_000 },
    { since: time, until: time },
    { operation: 'operation-7' },
    { account_id: 7, before_id: 50_000 },
    { repository_id: 7 },
    { owner_id: 7, since: time },
    { outcome: 'refused' as const },
    { owner_id: 7, operation: 'operation-7', outcome: 'refused' as const, until: time },
  ])
    await assertIndexed(forge.db, selectRecords(forge.db, filter, 50), 'audit_record')
})

test('bloomery audit --follow prints JSON lines, of older records and of new ones', async () => {
  const { followRecords } = await import('./follow.ts')
  const over = new AbortController()
  const following = followRecords({ ...forge.ctx, signal: over.signal }, { limit: 1, follows: true })
  const next = async () => (await following.next()).value?.operation
  assert.ok(await next())
  await forge.call('ann', 'PUT', '/user/starred/guild/ore')
  await forge.call('ann', 'DELETE', '/user/starred/guild/ore')
  assert.deepEqual([await next(), await next()], ['userCurrentPutStar', 'userCurrentDeleteStar'])
  over.abort()
  assert.equal((await following.next()).done, true)
})
