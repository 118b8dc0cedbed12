/** Searching among 100,000 repositories: cost for each kind of caller, and use of indexes. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { actorOf } from '#domains/people/users'
import type { Context } from '#platform/context'
import { assertIndexed, assertQuick, type Forge, insertMany, startForge } from '#testing'
import { findRepositories, prepareSearch } from './search.ts'
import type { RepositorySearch } from './search-filter.ts'

const REPOSITORIES = 100_000
const BITE = 10_000
const ROUNDS = 21
const ANY: RepositorySearch = { keywords: [], within: 'names', publicOnly: false, direction: 'asc' }
const PAGE = { number: 1, limit: 30, offset: 0 }
const CALLERS = ['admin', 'stranger', 'nobody', 'member'] as const
type Caller = (typeof CALLERS)[number]

let forge: Forge
let seenAs: Record<Caller, Context>

before(async () => {
  forge = await startForge()
  const admin = await forge.person('root', { is_admin: true })
  const stranger = await forge.person('stranger')
  const member = await forge.person('member')
  await fill(member.id)
  const as = (account: typeof admin): Context => ({
    ...forge.ctx,
    actor: actorOf(account, { publicOnly: false, via: 'token', tokenId: null }),
  })
  seenAs = { admin: as(admin), stranger: as(stranger), nobody: forge.ctx, member: as(member) }
})
after(() => forge[Symbol.asyncDispose]())

for (const caller of CALLERS)
  test(`the first page of all repositories, for ${caller}`, async (t) => {
    await assertQuick(t, forge.db, ROUNDS, () => forge.call(nameOf(caller), 'GET', '/repos/search'))
  })

for (const caller of CALLERS)
  test(`a selective keyword, for ${caller}`, async (t) => {
    await assertQuick(t, forge.db, ROUNDS, () =>
      forge.call(nameOf(caller), 'GET', '/repos/search?q=bulk4711'),
    )
  })

test('every caller gets the total of the repositories that they may see', async () => {
  const { rows } = await sql<{ audience: string; n: number }>`
    select audience, count(*)::bigint as n from repository group by audience`.execute(forge.db)
  const of = (audience: string) => rows.find((row) => row.audience === audience)?.n ?? 0
  const totals = Object.fromEntries(
    await Promise.all(
      CALLERS.map(async (caller) => [caller, (await findRepositories(seenAs[caller], ANY, PAGE)).total]),
    ),
  )
  const given = await sql<{ n: number }>`select count(distinct id)::bigint as n from repository
    join team_repository on team_repository.repository_id = repository.id
    where audience = 'private'`.execute(forge.db)
  assert.deepEqual(totals, {
    admin: REPOSITORIES,
    stranger: of('public') + of('limited'),
    nobody: of('public'),
    member: of('public') + of('limited') + (given.rows[0]?.n ?? 0),
  })
  assert.ok(totals.member > totals.stranger && totals.stranger > totals.nobody)
})

for (const [what, search] of [
  ['everything by name', ANY],
  ['everything by number', { ...ANY, sort: 'id' }],
  ['everything, the newest first', { ...ANY, sort: 'created', direction: 'desc' }],
  ['everything, the last changed first', { ...ANY, sort: 'updated', direction: 'desc' }],
  ['everything, most stars first', { ...ANY, sort: 'stars', direction: 'desc' }],
  ['everything, most forks first', { ...ANY, sort: 'forks', direction: 'desc' }],
  ['everything by owner and name', { ...ANY, sort: 'alpha' }],
  ['a part of a name', { ...ANY, keywords: ['bulk4711'] }],
  ['a part of a topic', { ...ANY, keywords: ['opic-17'] }],
  ['a whole topic', { ...ANY, keywords: ['topic-17'], within: 'topics' }],
  ['a part of a description', { ...ANY, keywords: ['about-4711'], within: 'descriptions' }],
  ['an owner and a name', { ...ANY, keywords: ['owner12/bulk47'] }],
  ['of a user', { ...ANY, user: { id: 100, tie: 'any' } }],
  ['of a team', { ...ANY, teamId: 7 }],
  ['what somebody starred', { ...ANY, starredBy: 2, sort: 'id' }],
  ['what somebody watches', { ...ANY, watchedBy: 2, sort: 'id' }],
  ['templates', { ...ANY, isTemplate: true }],
  ['archived ones', { ...ANY, isArchived: true }],
  ['mirrors', { ...ANY, isMirror: true }],
  ['forks', { ...ANY, isFork: true }],
] satisfies [string, RepositorySearch][])
  test(`an index is used: ${what}`, async () => {
    for (const caller of CALLERS) {
      await assertIndexed(forge.db, await prepareSearch(seenAs[caller], search, PAGE), 'repository')
    }
  })

test('private repositories are those that were granted, and no other is read for them', async () => {
  const search = { ...ANY, isPrivate: true }
  for (const caller of ['stranger', 'nobody', 'member'] as const) {
    const { rows } = await sql<{ 'QUERY PLAN': unknown }>`explain (format json)
      ${await prepareSearch(seenAs[caller], search, PAGE)}`.execute(forge.db)
    assert.doesNotMatch(JSON.stringify(rows), /"Node Type":"Seq Scan"[^{]*"Relation Name":"repository"/)
  }
  const { rows } = await sql<{ n: number }>`select count(distinct id) as n from repository
    join team_repository on team_repository.repository_id = repository.id where is_private`.execute(forge.db)
  assert.equal((await findRepositories(seenAs.member, search, PAGE)).total, rows[0]?.n)
  assert.equal((await findRepositories(seenAs.nobody, search, PAGE)).total, 0)
  assert.equal((await findRepositories(seenAs.admin, search, PAGE)).total, REPOSITORIES / 5)
})

function nameOf(caller: Caller): string | null {
  return caller === 'nobody' ? null : caller === 'admin' ? 'root' : caller
}

/** Owners of every visibility, a fifth of the repositories private, and a member of 200 teams with 50 each. */
async function fill(memberId: number): Promise<void> {
  const { db } = forge
  await insertMany(
    db,
    sql`insert into account (kind, login, login_key, visibility, created_at, updated_at)
    select case when i % 20 = 0 then 'organization' else 'user' end, 'Owner' || i, 'owner' || i,
      case i % 10 when 3 then 'private' when 4 then 'limited' else 'public' end, now(), now()
    from generate_series(1, 5000) as i`,
  )
  await insertMany(
    db,
    sql`insert into account_count (account_id)
    select id from account where login_key like 'owner%'`,
  )
  // In batches, so that no statement reaches its timeout on a busy machine.
  for (let from = 1; from < REPOSITORIES; from += BITE) await fillRepositories(from, from + BITE - 1)
  await insertMany(
    db,
    sql`insert into team (organization_id, name, name_key, level, visibility, created_at)
    select id, 'T' || id, 't' || id, 'none', 'private', now() from account
    where kind = 'organization' order by id limit 200`,
  )
  await insertMany(db, sql`insert into team_unit (team_id, unit, level) select id, 'code', 'read' from team`)
  await insertMany(
    db,
    sql`insert into team_member (organization_id, team_id, user_id)
    select organization_id, id, ${memberId} from team`,
  )
  await insertMany(
    db,
    sql`insert into membership (organization_id, user_id)
    select organization_id, ${memberId} from team`,
  )
  await insertMany(
    db,
    sql`insert into team_repository (team_id, repository_id, organization_id)
    select team.id, repository.id, team.organization_id from team
    join repository on repository.owner_id = team.organization_id and repository.id <= 10000`,
  )
  await insertMany(
    db,
    sql`insert into star (user_id, repository_id, created_at)
    select owner.id, repository.id, now() from (select id from account order by id limit 50) as owner
    join repository on repository.id % 100 = owner.id % 100`,
  )
  await sql`insert into watch (user_id, repository_id, created_at)
    select user_id, repository_id, created_at from star`.execute(db)
  await sql`vacuum analyze`.execute(db)
}

async function fillRepositories(from: number, to: number): Promise<void> {
  await insertMany(
    forge.db,
    sql`with storage as (insert into git_storage (object_format, head, created_at)
      select 'sha1', 'refs/heads/main', now() from generate_series(${from}::int, ${to}::int) returning id),
    repository as (insert into repository (owner_id, storage_id, name, name_key, description, is_private, topics,
        created_at, updated_at)
      select owner.id, storage.id, 'Bulk' || storage.id, 'bulk' || storage.id, 'About-' || storage.id,
        storage.id % 5 = 0, case when storage.id % 10 = 1 then array['topic-' || storage.id % 1000] else '{}' end,
        now() - storage.id * interval '1 second', now() - (storage.id * 7919 % 100000) * interval '1 second'
      from storage join account as owner on owner.login_key = 'owner' || case
        when storage.id <= 20000 then 20 * (1 + storage.id % 200) else 1 + storage.id % 5000 end
      returning id)
    insert into repository_count (repository_id, stars, forks)
    select id, id * 7919 % 1000, id * 7907 % 100 from repository`,
  )
}
