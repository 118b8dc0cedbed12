/** Branch and tag protections over REST, on a real database. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import type { Collaboration } from '#domains/people/access'
import { transact } from '#platform/context'
import { assertIndexed, insertMany, startForge } from '#testing'
import { selectBranchRules, selectTagRules } from './rules/store.ts'

const forge = await startForge()
after(() => forge[Symbol.asyncDispose]())

const RULES = '/repos/ann/site/branch_protections'
const TAG_RULES = '/repos/ann/site/tag_protections'
const ids = new Map<string, number>()

before(async () => {
  for (const name of ['ann', 'bob', 'cid', 'eve', 'max']) ids.set(name, (await forge.person(name)).id)
  for (const name of ['site', 'other', 'many', 'old'])
    await forge.call('ann', 'POST', '/user/repos', { name })
  await forge.call('ann', 'POST', '/user/repos', { name: 'diary', private: true })
  await collaborate('bob', 'site', 'write')
  await collaborate('cid', 'site', 'read')
  await collaborate('max', 'site', 'admin')
})

async function collaborate(login: string, repo: string, level: Collaboration): Promise<void> {
  const { body } = await forge.call('ann', 'GET', `/repos/ann/${repo}`)
  const row = { repository_id: body.id, user_id: ids.get(login) ?? 0, level, created_at: forge.ctx.now() }
  await transact(forge.ctx, (ctx) => ctx.db.insertInto('collaboration').values(row).execute())
}

const create = (body: object, path = RULES) => forge.call('ann', 'POST', path, body)
const edit = (name: string, body: object, path = RULES) => forge.call('ann', 'PATCH', `${path}/${name}`, body)

test('a branch rule is created, read, listed, edited and deleted', async () => {
  const made = await create({ rule_name: 'made', required_approvals: 2, status_check_contexts: ['ci/*'] })
  assert.equal(made.status, 201)
  assert.deepEqual(
    [
      made.body.branch_name,
      made.body.enable_push,
      made.body.required_approvals,
      made.body.status_check_contexts,
    ],
    ['made', false, 2, ['ci/*']],
  )
  assert.equal((await create({ rule_name: 'made' })).status, 403, 'the name is taken')
  assert.equal((await create({})).status, 400)
  forge.advance(1_000)
  const edited = await edit('made', { required_approvals: 0, dismiss_stale_approvals: true })
  assert.equal(edited.status, 200)
  assert.deepEqual([edited.body.required_approvals, edited.body.dismiss_stale_approvals], [0, true])
  assert.notEqual(edited.body.updated_at, edited.body.created_at)
  assert.deepEqual((await forge.call('ann', 'GET', `${RULES}/made`)).body, edited.body)
  assert.deepEqual((await forge.call('ann', 'GET', RULES)).body, [edited.body])
  assert.equal((await forge.call('ann', 'DELETE', `${RULES}/made`)).status, 204)
  for (const [method, body] of [['GET'], ['DELETE'], ['PATCH', {}]] as const)
    assert.equal((await forge.call('ann', method, `${RULES}/made`, body)).status, 404)
})

test('a rule is addressed by its pattern, with slashes plain or escaped', async () => {
  const made = await create({ rule_name: 'release/**' })
  assert.equal(made.body.branch_name, '')
  assert.equal((await forge.call('ann', 'GET', `${RULES}/release/**`)).body.rule_name, 'release/**')
  assert.equal((await forge.call('ann', 'DELETE', `${RULES}/release%2F**`)).status, 204)
})

test('an allowlist is enabled only together with its switch, and disabled with it', async () => {
  const lists = {
    enable_push_whitelist: true,
    push_whitelist_deploy_keys: true,
    push_whitelist_usernames: ['bob'],
  }
  const force = { enable_force_push: true, enable_force_push_allowlist: true }
  const closed = (await create({ rule_name: 'nested', ...lists, ...force })).body
  const flags = (body: typeof closed) => [
    body.enable_push,
    body.enable_push_whitelist,
    body.push_whitelist_deploy_keys,
    body.enable_force_push,
    body.enable_force_push_allowlist,
  ]
  assert.deepEqual(flags(closed), [false, false, false, false, false])
  assert.deepEqual(closed.push_whitelist_usernames, ['bob'], 'who is listed is kept')
  const opened = (await edit('nested', { enable_push: true, ...lists, ...force })).body
  assert.deepEqual(flags(opened), [true, true, true, true, true])
  const idle = (await edit('nested', { enable_push_whitelist: false })).body
  assert.deepEqual(flags(idle), [true, true, true, true, true], 'not without the switch itself')
  const shut = (await edit('nested', { enable_push: false })).body
  assert.deepEqual(flags(shut), [false, false, false, true, true])
})

test('listed users without the needed access are dropped, and unknown users are refused with 422', async () => {
  const { body } = await create({
    rule_name: 'people',
    push_whitelist_usernames: ['BOB', 'cid', 'eve', 'ann'],
    merge_whitelist_usernames: ['cid', 'max'],
    approvals_whitelist_username: ['cid', 'eve'],
    bypass_allowlist_usernames: ['bob'],
  })
  assert.deepEqual(body.push_whitelist_usernames, ['ann', 'bob'])
  assert.deepEqual(body.merge_whitelist_usernames, ['max'])
  assert.deepEqual(body.approvals_whitelist_username, ['cid'], 'a reader may review')
  assert.deepEqual(body.bypass_allowlist_usernames, [], 'the list is not switched on')
  const bypass = await edit('people', { enable_bypass_allowlist: true, bypass_allowlist_usernames: ['bob'] })
  assert.deepEqual(bypass.body.bypass_allowlist_usernames, ['bob'])
  const refused = await edit('people', { push_whitelist_usernames: ['bob', 'nobody-here'] })
  assert.equal(refused.status, 422)
  assert.match(refused.body.message, /nobody-here/)
  assert.deepEqual((await edit('people', {})).body.push_whitelist_usernames, ['ann', 'bob'])
  assert.deepEqual((await edit('people', { push_whitelist_usernames: [] })).body.push_whitelist_usernames, [])
  await transact(forge.ctx, (ctx) =>
    ctx.db
      .deleteFrom('collaboration')
      .where('user_id', '=', ids.get('max') ?? 0)
      .execute(),
  )
  const { body: later } = await forge.call('ann', 'GET', `${RULES}/people`)
  assert.deepEqual(later.merge_whitelist_usernames, [], 'who has lost the repository is not shown')
})

test('a team is listed only if it has access to the repository', async () => {
  await forge.call('ann', 'POST', '/orgs', { username: 'ironworks' })
  await forge.call('ann', 'POST', '/orgs/ironworks/repos', { name: 'forge' })
  const team = async (name: string, units: Record<string, string>) =>
    (
      await forge.call('ann', 'POST', '/orgs/ironworks/teams', {
        name,
        permission: 'write',
        units_map: units,
      })
    ).body.id
  const smiths = await team('Smiths', { 'repo.code': 'write' })
  const scribes = await team('scribes', { 'repo.wiki': 'write' })
  await team('guests', { 'repo.code': 'read' })
  for (const id of [smiths, scribes]) await forge.call('ann', 'PUT', `/teams/${id}/repos/ironworks/forge`)
  const path = '/repos/ironworks/forge/branch_protections'
  const { body } = await create(
    { rule_name: 'main', push_whitelist_teams: ['smiths', 'scribes', 'guests'] },
    path,
  )
  assert.deepEqual(body.push_whitelist_teams, ['Smiths'], 'scribes have no code, guests not this repository')
  assert.equal((await create({ rule_name: 'x', push_whitelist_teams: ['nobodies'] }, path)).status, 422)
  const personal = await create({ rule_name: 'teamless', push_whitelist_teams: ['nobodies'] })
  assert.deepEqual([personal.status, personal.body.push_whitelist_teams], [201, []])
  const tags = await create(
    { name_pattern: 'v*', whitelist_teams: ['Smiths'] },
    '/repos/ironworks/forge/tag_protections',
  )
  assert.deepEqual(tags.body.whitelist_teams, ['Smiths'])
})

test('a new rule gets the last priority by default, and all priorities can be set at once', async () => {
  const path = '/repos/ann/other/branch_protections'
  const listed = async () =>
    (await forge.call('ann', 'GET', path)).body.map((it: { rule_name: string; priority: number }) => [
      it.rule_name,
      it.priority,
    ])
  for (const body of [{ rule_name: 'a' }, { rule_name: 'b', priority: 7 }, { rule_name: 'c' }])
    assert.equal((await create(body, path)).status, 201)
  assert.deepEqual(await listed(), [
    ['a', 1],
    ['b', 7],
    ['c', 8],
  ])
  const rows = await forge.db.selectFrom('branch_protection').select(['id', 'rule_name']).execute()
  const idOf = (name: string) => rows.find((row) => row.rule_name === name)?.id ?? 0
  const order = { ids: [idOf('c'), idOf('a'), 0, idOf('people')] }
  assert.equal((await forge.call('ann', 'POST', `${path}/priority`, order)).status, 204)
  assert.deepEqual(await listed(), [
    ['c', 1],
    ['a', 2],
    ['b', 7],
  ])
  const { body } = await forge.call('ann', 'GET', `${RULES}/people`)
  assert.notEqual(body.priority, 4, 'a rule of another repository stays as it is')
})

test('a tag rule is created, read, listed, edited and deleted', async () => {
  const made = await create({ name_pattern: ' v* ', whitelist_usernames: ['bob'] }, TAG_RULES)
  assert.deepEqual([made.status, made.body.name_pattern, made.body.whitelist_usernames], [201, 'v*', ['bob']])
  const path = `${TAG_RULES}/${made.body.id}`
  assert.equal((await create({ name_pattern: 'v*', whitelist_usernames: ['ann'] }, TAG_RULES)).status, 403)
  assert.equal((await create({ name_pattern: 'x*' }, TAG_RULES)).status, 400)
  assert.equal((await create({ whitelist_usernames: ['ann'] }, TAG_RULES)).status, 400)
  assert.equal((await create({ name_pattern: '/(/', whitelist_usernames: ['ann'] }, TAG_RULES)).status, 422)
  const other = await create({ name_pattern: '/^w/', whitelist_usernames: ['ann'] }, TAG_RULES)
  const patch = (body: object) => forge.call('ann', 'PATCH', path, body)
  assert.equal((await patch({ name_pattern: '/^w/' })).status, 403, 'the other rule has it')
  assert.equal((await patch({ name_pattern: '/[/' })).status, 422)
  const edited = await patch({ name_pattern: '/^v/', whitelist_usernames: [] })
  assert.deepEqual([edited.body.name_pattern, edited.body.whitelist_usernames], ['/^v/', []])
  assert.deepEqual((await forge.call('ann', 'GET', path)).body, edited.body)
  assert.deepEqual((await forge.call('ann', 'GET', TAG_RULES)).body, [edited.body, other.body])
  const elsewhere = `/repos/ann/other/tag_protections/${made.body.id}`
  assert.equal((await forge.call('ann', 'GET', elsewhere)).status, 404, 'not of this repository')
  assert.equal((await forge.call('ann', 'DELETE', elsewhere)).status, 404)
  assert.equal((await forge.call('ann', 'DELETE', path)).status, 204)
  assert.equal((await forge.call('ann', 'DELETE', path)).status, 404)
})

for (const [as, repo, status] of [
  [null, 'site', 401],
  ['eve', 'site', 403],
  ['cid', 'site', 403],
  ['bob', 'site', 403],
  ['eve', 'diary', 404],
  ['ann', 'missing', 404],
] as const)
  for (const kind of ['branch_protections', 'tag_protections'])
    test(`${as ?? 'anonymous'} cannot read or change the ${kind} of ${repo}: ${status}`, async () => {
      const path = `/repos/ann/${repo}/${kind}`
      assert.equal((await forge.call(as, 'GET', path)).status, status)
      assert.equal((await forge.call(as, 'POST', path, { rule_name: 'x', name_pattern: 'x' })).status, status)
      for (const method of ['GET', 'PATCH', 'DELETE'] as const)
        assert.equal(
          (await forge.call(as, method, `${path}/1`, method === 'PATCH' ? {} : undefined)).status,
          status,
        )
    })

test('the rules of an archived repository can be read but not changed', async () => {
  const path = '/repos/ann/old/branch_protections'
  await create({ rule_name: 'main' }, path)
  const tag = await create(
    { name_pattern: 'v*', whitelist_usernames: ['ann'] },
    '/repos/ann/old/tag_protections',
  )
  await forge.call('ann', 'PATCH', '/repos/ann/old', { archived: true })
  const call = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) =>
    (await forge.call('ann', method, path, body)).status
  assert.deepEqual(
    [
      await call('GET', `${path}/main`),
      await call('POST', path, { rule_name: 'x' }),
      await call('POST', `${path}/priority`, { ids: [] }),
      await call('PATCH', `${path}/main`, {}),
      await call('DELETE', `${path}/main`),
      await call('POST', '/repos/ann/old/tag_protections', {
        name_pattern: 'x',
        whitelist_usernames: ['ann'],
      }),
      await call('DELETE', `/repos/ann/old/tag_protections/${tag.body.id}`),
    ],
    [200, 423, 423, 423, 423, 423, 204],
  )
})

test('listing thirty rules takes as many queries as listing one', async () => {
  const kinds = [
    ['branch_protections', (i: number) => ({ rule_name: `b${i}`, push_whitelist_usernames: ['ann'] })],
    ['tag_protections', (i: number) => ({ name_pattern: `t${i}`, whitelist_usernames: ['ann'] })],
  ] as const
  for (const [kind, ruleOf] of kinds) {
    const path = `/repos/ann/many/${kind}`
    await create(ruleOf(0), path)
    const list = () => forge.call('ann', 'GET', path)
    const cost = await forge.countQueries(list)
    for (let i = 1; i < 30; i++) await create(ruleOf(i), path)
    assert.equal((await list()).body.length, 30)
    assert.equal(await forge.countQueries(list), cost, kind)
  }
})

/** Repositories with a hundred rules each. */
const REPOSITORIES = 1_000

async function makeRepositories(): Promise<void> {
  await insertMany(
    forge.db,
    sql`with storage as (insert into git_storage (object_format, head, created_at)
      select 'sha1', 'refs/heads/main', now() from generate_series(1, ${REPOSITORIES}::int) returning id)
    insert into repository (owner_id, storage_id, name, name_key, created_at, updated_at)
    select account.id, storage.id, 'bulk' || storage.id, 'bulk' || storage.id, now(), now()
    from storage, (select id from account where login = 'ann') account`,
  )
}

/** Copies one existing rule a hundred times into every bulk repository. */
async function multiply(table: 'branch_protection' | 'tag_protection', name: string): Promise<void> {
  const [sample] = await forge.db.selectFrom(table).selectAll().limit(1).execute()
  const columns = Object.keys(sample ?? {}).filter((column) => column !== 'id')
  const values = columns.map((column) =>
    column === name
      ? sql`'rule ' || n`
      : column === 'repository_id'
        ? sql`repository.id`
        : sql.ref(`${table}.${column}`),
  )
  await insertMany(
    forge.db,
    sql`insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
    select ${sql.join(values)} from ${sql.table(table)}, repository, generate_series(1, 100) as n
    where ${sql.table(table)}.id = ${sample?.id} and repository.name like 'bulk%'`,
  )
  await sql`analyze ${sql.table(table)}`.execute(forge.db)
}

test('rules are found by index among 100,000 rows', async () => {
  await makeRepositories()
  await multiply('branch_protection', 'rule_name')
  await multiply('tag_protection', 'name_pattern')
  const { body } = await forge.call('ann', 'GET', '/repos/ann/diary')
  const rules = selectBranchRules(forge.db, body.id)
  await assertIndexed(forge.db, rules, 'branch_protection')
  await assertIndexed(forge.db, rules.where('rule_name', '=', 'main'), 'branch_protection')
  await assertIndexed(forge.db, selectTagRules(forge.db, body.id), 'tag_protection')
  await assertIndexed(forge.db, selectTagRules(forge.db, body.id).where('id', '=', 1), 'tag_protection')
})
