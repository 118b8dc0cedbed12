/** Dependencies between issues over HTTP, on a real database. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { assertIndexed, type Forge, insertMany, startForge } from '#testing'
import { REACHED_MAX, selectLinked, selectOpenBlocker, selectReach } from './store.ts'

let forge: Forge
before(async () => {
  forge = await startForge({ nodes: 3 })
  for (const login of ['ann', 'wes', 'rea', 'sam']) await forge.person(login)
  for (const name of ['one', 'two', 'vault', 'big'])
    await forge.call('ann', 'POST', '/user/repos', { name, private: name === 'vault' })
  await forge.call('ann', 'PUT', '/repos/ann/one/collaborators/wes', { permission: 'write' })
  await forge.call('ann', 'PUT', '/repos/ann/one/collaborators/rea', { permission: 'read' })
})
after(() => forge[Symbol.asyncDispose]())

const at = (repo: string, number: number) => `/repos/ann/${repo}/issues/${number}`
const open = async (repo = 'one'): Promise<number> =>
  (await forge.call('ann', 'POST', `/repos/ann/${repo}/issues`, { title: `work in ${repo}` })).body.number
const meta = (index: number, repo = 'one') => ({ index, owner: 'ann', repo })
const block = async (as: string | null, blocker: number, blocked: object, repo = 'one') =>
  (await forge.call(as, 'POST', `${at(repo, blocker)}/blocks`, blocked)).status
const depend = async (as: string | null, blocked: number, blocker: object) =>
  (await forge.call(as, 'POST', `${at('one', blocked)}/dependencies`, blocker)).status
const close = async (number: number, state = 'closed') =>
  (await forge.call('wes', 'PATCH', at('one', number), { state })).status
const list = async (as: string | null, number: number, what: 'blocks' | 'dependencies') =>
  (await forge.call(as, 'GET', `${at('one', number)}/${what}`)).body as { title: string; number: number }[]

test('adding a dependency needs write access to the blocked issue and read access to the blocker', async () => {
  const [blocker, blocked] = [await open(), await open()]
  for (const [as, status] of [
    [null, 401],
    ['sam', 404],
    ['rea', 404],
    ['wes', 201],
    ['ann', 422],
  ] as const)
    assert.equal(await block(as, blocker, meta(blocked)), status)
  const [yard, vault] = [await open('two'), await open('vault')]
  assert.equal(await block('wes', blocker, meta(yard, 'two')), 404)
  assert.equal(await depend('wes', blocker, meta(yard, 'two')), 201)
  assert.equal(await depend('wes', blocker, meta(vault, 'vault')), 404)
  assert.equal(await depend('ann', blocker, meta(vault, 'vault')), 201)
  for (const [as, status] of [
    [null, 401],
    ['rea', 404],
    ['wes', 200],
    ['wes', 404],
  ] as const)
    assert.equal(
      (await forge.call(as, 'DELETE', `${at('one', blocker)}/blocks`, meta(blocked))).status,
      status,
    )
})

test('both issues get a new updated_at, and the response is the issue in the path as changed', async () => {
  const [blocker, blocked] = [await open(), await open()]
  forge.advance(60_000)
  const { body } = await forge.call('wes', 'POST', `${at('one', blocker)}/blocks`, meta(blocked))
  const now = `${forge.ctx.now().toISOString().slice(0, 19)}Z`
  assert.deepEqual([body.number, body.updated_at], [blocker, now])
  assert.equal((await forge.call(null, 'GET', at('one', blocked))).body.updated_at, now)
})

test('issues a reader may not see are omitted or shown as hidden, also in the timeline', async () => {
  const [n, vault] = [await open(), await open('vault')]
  assert.equal(await block('ann', n, meta(vault, 'vault')), 201)
  assert.equal((await list('ann', n, 'blocks')).length, 1)
  for (const as of [null, 'wes']) assert.deepEqual(await list(as, n, 'blocks'), [])
  const other = await open()
  const hidden = await open('vault')
  assert.equal(await depend('ann', other, meta(hidden, 'vault')), 201)
  const titles = async (as: string | null) =>
    (await list(as, other, 'dependencies')).map(({ title }) => title)
  assert.deepEqual(
    [await titles('ann'), await titles('wes'), await titles(null)],
    [['work in vault'], [''], ['HIDDEN']],
  )
  const dependent = async (as: string | null) => {
    const { body } = await forge.call(as, 'GET', `${at('one', other)}/timeline`)
    return body.map((it: { type: string; dependent_issue: { number: number } | null }) => [
      it.type,
      it.dependent_issue?.number,
    ])
  }
  assert.deepEqual(await dependent('ann'), [['add_dependency', hidden]])
  assert.deepEqual(await dependent('wes'), [['add_dependency', undefined]])
})

test('a blocked issue can be closed when its blockers are closed or dependencies are disabled', async () => {
  const [blocked, first, second] = [await open(), await open(), await open()]
  for (const blocker of [first, second]) assert.equal(await depend('wes', blocked, meta(blocker)), 201)
  assert.equal(await close(blocked), 400)
  assert.equal(await close(first), 201)
  assert.equal(await close(blocked), 400)
  assert.equal(await close(second), 201)
  assert.equal(await close(blocked), 201)
  assert.equal(await close(second, 'open'), 201)
  assert.equal(await close(blocked, 'open'), 201)
  const tracker = { enable_time_tracker: true, allow_only_contributors_to_track_time: true }
  const setTo = (enable_issue_dependencies: boolean) =>
    forge.call('ann', 'PATCH', '/repos/ann/one', {
      has_issues: true,
      internal_tracker: { ...tracker, enable_issue_dependencies },
    })
  await setTo(false)
  assert.equal(await depend('wes', blocked, meta(await open())), 404)
  assert.equal((await forge.call(null, 'GET', `${at('one', blocked)}/dependencies`)).status, 404)
  assert.equal(await close(blocked), 201)
  await setTo(true)
  assert.equal(await close(blocked, 'open'), 201)
  await forge.call('ann', 'DELETE', at('one', second))
  assert.equal(await close(blocked), 201)
})

test('in an archived repository dependencies cannot be added or removed', async () => {
  await forge.call('ann', 'POST', '/user/repos', { name: 'old' })
  const [n, other] = [await open('old'), await open('old')]
  await forge.call('ann', 'PATCH', '/repos/ann/old', { archived: true })
  assert.equal(await block('ann', n, meta(other, 'old'), 'old'), 423)
  const asked = await forge.call('ann', 'POST', `${at('old', n)}/dependencies`, meta(other, 'old'))
  assert.equal(asked.status, 423)
  assert.equal(
    await block('ann', n, meta(await open()), 'old'),
    423,
    'nor for an issue of another repository',
  )
})

test('of fifty concurrent requests on three nodes that would close a cycle, one is refused', async () => {
  const numbers: number[] = []
  for (let i = 0; i < 50; i++) numbers.push(await open())
  const answers = await Promise.all(
    numbers.map((number, i) =>
      i % 2 === 0
        ? forge.call('wes', 'POST', `${at('one', number)}/blocks`, meta(numbers[(i + 1) % 50] ?? 0))
        : forge.call('wes', 'POST', `${at('one', numbers[(i + 1) % 50] ?? 0)}/dependencies`, meta(number)),
    ),
  )
  const statuses = answers.map(({ status }) => status).sort()
  assert.deepEqual(statuses, [...Array.from({ length: 49 }, () => 201), 422])
})

test('fifty concurrent additions among eight issues never create a cycle', async () => {
  const numbers: number[] = []
  for (let i = 0; i < 8; i++) numbers.push(await open())
  const pairs = numbers.flatMap((from) =>
    numbers.filter((to) => to !== from).map((to) => [from, to] as const),
  )
  const answers = await Promise.all(
    pairs.slice(0, 50).map(([from, to]) => forge.call('wes', 'POST', `${at('one', from)}/blocks`, meta(to))),
  )
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201, 422]))
  const { rows } = await sql`with recursive walked (start, id, steps) as (
      select blocker_id, blocked_id, 1 from issue_dependency
      union
      select walked.start, issue_dependency.blocked_id, steps + 1 from issue_dependency
      join walked on walked.id = issue_dependency.blocker_id where walked.start <> walked.id and steps < 60
    ) select 1 from walked where start = id`.execute(forge.db)
  assert.deepEqual(rows, [])
})

/** Creates a chain of issues in which each blocks the next; returns the first number. */
async function makeChain(length: number): Promise<number> {
  const { last } = await forge.db
    .updateTable('issue_number')
    .set((eb) => ({ last: eb('last', '+', length) }))
    .where('repository_id', '=', (eb) => eb.selectFrom('repository').select('id').where('name', '=', 'one'))
    .returning('last')
    .executeTakeFirstOrThrow()
  const first = last - length + 1
  await insertMany(
    forge.db,
    sql`with made as (
      insert into issue (repository_id, number, is_pull, title, body, is_closed, ref, created_at, updated_at)
      select (select id from repository where name = 'one'), i, false, 'link', '', false, '', now(), now()
      from generate_series(${first}::bigint, ${last}::bigint) as i returning id, number)
    insert into issue_dependency (blocker_id, blocked_id, created_at)
    select made.id, next.id, now() from made join made as next on next.number = made.number + 1`,
  )
  return first
}

test('a cycle of a thousand issues is found, and a graph too large to search is refused', async () => {
  const first = await makeChain(1_000)
  assert.equal(await block('wes', first + 999, meta(first)), 422)
  assert.equal(await block('wes', first, meta(first + 999)), 201)
  const long = await makeChain(REACHED_MAX + 1)
  assert.equal(await block('wes', await open(), meta(long)), 422)
  assert.equal(await block('wes', await open(), meta(long + 1)), 201)
})

test('lists need the same few queries however long, by index among 100,000', async () => {
  const [few, many] = [await open(), await open()]
  await depend('wes', few, meta(await open()))
  for (let i = 0; i < 5; i++) await depend('wes', many, meta(await open()))
  const cost = (number: number) =>
    forge.countQueries(() => forge.call(null, 'GET', `${at('one', number)}/dependencies`))
  assert.equal(await cost(few), await cost(many))
  await insertMany(
    forge.db,
    sql`insert into issue (repository_id, number, is_pull, title, body, is_closed, ref, created_at, updated_at)
    select (select id from repository where name = 'big'), i, false, '', '', false, '', now(), now()
    from generate_series(1, 100000) as i`,
  )
  await insertMany(
    forge.db,
    sql`insert into issue_dependency (blocker_id, blocked_id, created_at)
    select issue.id, next.id, now() from issue join issue as next on next.repository_id = issue.repository_id
    and next.number = issue.number + 7 where issue.repository_id = (select id from repository where name = 'big')`,
  )
  await sql`analyze issue, issue_dependency`.execute(forge.db)
  const issue = { id: 1, repository_id: 1, is_pull: false, is_hidden: false }
  for (const side of ['blocked', 'blockers'] as const) {
    await assertIndexed(forge.db, selectLinked(forge.db, issue, side), 'issue_dependency')
    await assertIndexed(forge.db, selectLinked(forge.db, issue, side), 'issue')
  }
  await assertIndexed(forge.db, selectOpenBlocker(forge.db, 1), 'issue_dependency')
  await assertIndexed(forge.db, selectReach(1, 2), 'issue_dependency')
})
