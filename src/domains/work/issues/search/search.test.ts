/** Issue search across repositories: results and permissions. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { type Forge, startForge, waitForLock } from '#testing'

let forge: Forge
before(async () => {
  forge = await startForge()
  for (const login of ['ann', 'bob', 'eve']) await forge.person(login)
  await forge.person('root', { is_admin: true })
  await forge.person('shy', { is_restricted: true })
  await forge.call('ann', 'POST', '/orgs', { username: 'smithy' })
  for (const [name, isPrivate] of [
    ['open', false],
    ['hidden', true],
  ] as const)
    await forge.call('ann', 'POST', '/orgs/smithy/repos', { name, private: isPrivate })
  await team('crew', ['repo.issues'], 'bob')
  const red = await forge.call('ann', 'POST', '/repos/smithy/open/labels', { name: 'red', color: '#ff0000' })
  await forge.call('ann', 'POST', '/orgs/smithy/labels', { name: 'blue', color: '#0000ff' })
  const one = await forge.call('ann', 'POST', '/repos/smithy/open/milestones', { title: 'One' })
  await add('open', { title: 'quench the tongs', labels: [red.body.id] })
  await add('open', { title: 'a blue tongue', body: 'the zorkmid is in the text' }, 'bob')
  await forge.call('ann', 'PUT', '/repos/smithy/open/issues/2/labels', { labels: ['blue'] })
  await add('open', { title: 'for the milestone', milestone: one.body.id, assignees: ['bob'] })
  await add('hidden', { title: 'the hidden zorkmid', body: '@bob look' })
  await add('open', { title: 'closed tongs', closed: true })
  await forge.call('bob', 'POST', '/repos/smithy/open/issues/3/comments', { body: 'Xyzzy in a comment' })
})
after(() => forge[Symbol.asyncDispose]())

async function team(name: string, units: string[], member: string): Promise<void> {
  const { body } = await forge.call('ann', 'POST', '/orgs/smithy/teams', { name, permission: 'read', units })
  await forge.call('ann', 'PUT', `/teams/${body.id}/members/${member}`)
  await forge.call('ann', 'PUT', `/teams/${body.id}/repos/smithy/hidden`)
}

const add = (repo: string, body: object, as = 'ann') =>
  forge.call(as, 'POST', `/repos/smithy/${repo}/issues`, body)
const ask = (as: string | null, query: string) => forge.call(as, 'GET', `/repos/issues/search?${query}`)

async function titles(as: string | null, query = ''): Promise<string[]> {
  const { status, body, headers } = await ask(as, query)
  assert.equal(status, 200)
  assert.equal(headers.get('x-total-count'), String(body.length))
  return body.map((issue: { title: string }) => issue.title)
}

const OPEN = ['for the milestone', 'a blue tongue', 'quench the tongs']
for (const [as, found] of [
  [null, OPEN],
  ['eve', OPEN],
  ['shy', OPEN],
  ['bob', ['the hidden zorkmid', ...OPEN]],
  ['ann', ['the hidden zorkmid', ...OPEN]],
  ['root', ['the hidden zorkmid', ...OPEN]],
] as const)
  test(`results are latest first, and only those ${as ?? 'an anonymous caller'} may read`, async () => {
    assert.deepEqual(await titles(as), found)
  })

for (const [query, found] of [
  ['state=closed', ['closed tongs']],
  ['state=all&q=tongs', ['closed tongs', 'quench the tongs']],
  ['type=pulls', []],
  ['labels=red', ['quench the tongs']],
  ['labels=red,blue', ['a blue tongue', 'quench the tongs']],
  ['labels=none,blue', ['a blue tongue']],
  ['labels=none', []],
  ['milestones=ONE', ['for the milestone']],
  ['milestones=none', []],
  ['q=ZORKMID', ['the hidden zorkmid', 'a blue tongue']],
  ['q=orkmi', ['the hidden zorkmid', 'a blue tongue']],
  ['q=text%20blue', ['a blue tongue']],
  ['q=xyzzy', ['for the milestone']],
  ['q=ng', ['a blue tongue', 'quench the tongs']],
  ['q=%25', []],
  ['q=3', ['for the milestone']],
  ['q=plugh', []],
  ['assigned=true', ['for the milestone']],
  ['created=true', ['a blue tongue']],
  ['created=true&created_by=ann', ['a blue tongue']],
  ['created_by=ann&q=tongs', ['quench the tongs']],
  ['mentioned=true', ['the hidden zorkmid']],
  ['reviewed=true', ['for the milestone']],
  ['review_requested=true', []],
  ['owner=smithy&team=crew', ['the hidden zorkmid']],
  ['owner=ann', []],
  ['since=2099-01-01T00:00:00Z', []],
] as const)
  test(`bob finds by ${query}: ${found.length}`, async () => {
    assert.deepEqual(await titles('bob', query), found)
  })

for (const [query, status] of [
  ['owner=nobody-knows', 400],
  ['owner=smithy&team=none', 400],
  ['team=crew', 400],
  ['created_by=nobody-knows', 400],
  ['since=yesterday', 422],
  ['state=done', 400],
  ['type=notes', 400],
  [`labels=${Array.from({ length: 51 }, (_, i) => i).join()}`, 422],
] as const)
  test(`${query.slice(0, 30)} is answered with ${status}`, async () => {
    assert.equal((await ask('bob', query)).status, status)
  })

test('a team without access to issues finds none', async () => {
  await forge.person('code')
  await team('coders', ['repo.code'], 'code')
  assert.equal((await forge.call('code', 'GET', '/repos/smithy/hidden')).status, 200)
  assert.deepEqual(await titles('code', 'q=zorkmid'), ['a blue tongue'])
})

test('changes of visibility and units take effect in search at once', async () => {
  const found = async () => [
    (await titles(null, 'q=tongs')).length,
    (await titles('eve', 'q=tongs')).length,
    (await titles('root', 'q=tongs')).length,
  ]
  const repo = (body: object) => forge.call('ann', 'PATCH', '/repos/smithy/open', body)
  const org = (visibility: string) => forge.call('ann', 'PATCH', '/orgs/smithy', { visibility })
  await repo({ private: true })
  assert.deepEqual(await found(), [0, 0, 1])
  await repo({ private: false })
  assert.deepEqual(await found(), [1, 1, 1])
  await repo({ has_issues: false })
  assert.deepEqual(await found(), [0, 0, 0])
  await repo({ has_issues: true })
  await org('limited')
  assert.deepEqual(await found(), [0, 1, 1])
  await org('private')
  assert.deepEqual(await found(), [0, 0, 1])
  await org('public')
  assert.deepEqual(await found(), [1, 1, 1])
})

test('an issue created while its repository becomes private is private, also the first one', async () => {
  for (const name of ['first', 'second']) {
    await forge.call('ann', 'POST', '/user/repos', { name })
    if (name === 'second') await forge.call('ann', 'POST', `/repos/ann/${name}/issues`, { title: 'before' })
    const { id } = await forge.db
      .selectFrom('repository')
      .select('id')
      .where('name', '=', name)
      .executeTakeFirstOrThrow()
    let made: Promise<{ status: number }> | undefined
    await forge.db.transaction().execute(async (tx) => {
      await sql`update repository set is_private = true where id = ${id}`.execute(tx)
      made = forge.call('ann', 'POST', `/repos/ann/${name}/issues`, { title: 'a secret' })
      await waitForLock(forge.db)
    })
    assert.equal((await made)?.status, 201)
    assert.deepEqual(await titles(null, 'q=secret'), [])
  }
})

test('making a repository private waits for an issue that is being created', async () => {
  await forge.call('ann', 'POST', '/user/repos', { name: 'third' })
  let hidden: Promise<{ status: number }> | undefined
  await forge.db.transaction().execute(async (tx) => {
    await sql`with numbered as (insert into issue_number (repository_id, last)
        select id, 1 from repository where name = 'third' returning repository_id)
      insert into issue (repository_id, number, is_pull, title, body, is_closed, ref, created_at, updated_at)
      select repository_id, 1, false, 'unseen', '', false, '', now(), now() from numbered`.execute(tx)
    hidden = forge.call('ann', 'PATCH', '/repos/ann/third', { private: true })
    await waitForLock(forge.db)
  })
  assert.equal((await hidden)?.status, 200)
  assert.deepEqual(await titles(null, 'q=unseen'), [])
})

test('a search needs the same few queries, whatever it finds', async () => {
  const cost = (query: string) => forge.countQueries(() => ask('bob', query))
  assert.equal(await cost('q=quench'), await cost('q=zorkmid'))
  assert.equal(await cost('labels=red'), await cost('labels=red,blue'))
  assert.ok((await cost('state=all')) <= 15)
})
