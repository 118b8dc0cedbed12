/** With 100,000 acts and 100,000 feed entries, every read and write uses an index. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Expression, sql } from 'kysely'
import { actorOf, findAccount } from '#domains/people/users'
import type { Context } from '#platform/context'
import { assertIndexed, type Forge, insertMany, startForge } from '#testing'
import { ACTS } from './feeds.ts'
import {
  countEntries,
  doneBy,
  doneIn,
  type FeedFilter,
  receivedBy,
  selectEntries,
  selectHeat,
} from './queries.ts'
import { deleteActs, deleteEntries } from './retention.ts'
import { deleteFeed, insertFeed } from './store.ts'

const MANY = 100_000
const PEOPLE = 1_000
const REPOSITORIES = 2_000
const PAGE = { number: 2, limit: 30, offset: 30 }

let forge: Forge
let first: { account: number; repository: number }

before(async () => {
  forge = await startForge({ config: { 'database.statement_timeout_ms': 300_000 } })
  await forge.person('ann')
  await insertMany(
    forge.db,
    sql`insert into account (kind, login, login_key, created_at, updated_at)
    select 'user', 'p' || n, 'p' || n, now(), now() from generate_series(1, ${sql.lit(PEOPLE)}) n`,
  )
  await insertMany(
    forge.db,
    sql`insert into git_storage (object_format, head, created_at)
    select 'sha1', 'refs/heads/main', now() from generate_series(1, ${sql.lit(REPOSITORIES)})`,
  )
  await insertMany(
    forge.db,
    sql`insert into repository (owner_id, storage_id, name, name_key, created_at, updated_at)
    select (select id from account where login = 'ann'), id, 'r' || id, 'r' || id, now(), now()
    from git_storage`,
  )
  const { rows } = await sql<typeof first>`select (select id from account where login = 'p1') as account,
    (select min(id) from repository) as repository`.execute(forge.db)
  first = rows[0] ?? { account: 0, repository: 0 }
  const someone = sql`${sql.lit(first.account)} + n % ${sql.lit(PEOPLE)}`
  const somewhere = sql`${sql.lit(first.repository)} + n % ${sql.lit(REPOSITORIES)}`
  await insertMany(
    forge.db,
    sql`insert into activity (repository_id, actor_id, op_type, is_private, created_at)
    select ${somewhere}, ${someone}, 'commit_repo', false, now() - n * interval '10 seconds'
    from generate_series(1, ${sql.lit(MANY)}) n`,
  )
  await insertMany(
    forge.db,
    sql`insert into activity_feed
      select ${someone}, now() - n * interval '10 seconds', n, ${somewhere},
        ${sql.lit(first.account)} + n % 7, false
      from generate_series(1, ${sql.lit(MANY)}) n`,
  )
  await sql`vacuum analyze`.execute(forge.db)
})
after(() => forge[Symbol.asyncDispose]())

const filters: FeedFilter[] = [
  { day: null, includesPrivate: false },
  { day: null, includesPrivate: true, teamId: 1 },
  { day: { start: new Date('2026-01-01'), end: new Date('2026-01-02') }, includesPrivate: true },
]

for (const { name, table, candidates } of [
  {
    name: 'somebody',
    table: 'activity_feed',
    candidates: (filter: FeedFilter) => receivedBy(first.account, filter),
  },
  {
    name: 'one’s own acts',
    table: 'activity_feed',
    candidates: (filter: FeedFilter) => doneBy(first.account, filter),
  },
  {
    name: 'a repository',
    table: 'activity',
    candidates: (filter: FeedFilter) => doneIn(first.repository, filter),
  },
])
  test(`the feed of ${name} and its count are ordered index ranges, for every caller`, async () => {
    for (const ctx of await callers())
      for (const filter of filters)
        for (const query of [
          selectEntries(ctx, candidates(filter), filter, PAGE),
          countEntries(ctx, candidates(filter), filter),
        ]) {
          await assertIndexed(forge.db, query, table)
          await assertUnsorted(candidates(filter))
        }
  })

test('the heatmap is an index range', async () => {
  for (const ctx of await callers())
    for (const kind of ['user', 'organization'])
      await assertIndexed(forge.db, selectHeat(ctx, { id: first.account, kind }), 'activity_feed')
})

test('the acts of a page are found by primary key', async () => {
  const ids = Array.from({ length: 50 }, (_, i) => i + 1)
  const repositoryIds = ids.map((id) => first.repository + id)
  await assertIndexed(forge.db, ACTS.build(forge.db, { repositoryIds, ids }), 'activity')
})

test("recording acts and deleting a repository's acts scan no table", async () => {
  const tell = insertFeed(first.repository, [1, 2], [first.account, first.account + 1])
  await assertIndexed(forge.db, tell, 'activity')
  const forget = deleteFeed(first.repository, first.account)
  for (const table of ['activity', 'activity_feed']) await assertIndexed(forge.db, forget, table)
})

test('old acts and entries are found by their age', async () => {
  const range = { from: new Date(0), before: new Date('2026-01-01'), limit: 5_000 }
  await assertIndexed(forge.db, deleteActs(range), 'activity')
  await assertIndexed(forge.db, deleteEntries(range), 'activity_feed')
})

/** An anonymous caller, a user and an administrator. */
async function callers(): Promise<Context[]> {
  const ann = await findAccount(forge.db, 'ann')
  assert(ann !== undefined)
  const credential = { publicOnly: false, via: 'token', tokenId: null } as const
  const people = [ann, { ...ann, is_admin: true }].map((account) => actorOf(account, credential))
  return [forge.ctx, ...people.map((actor) => ({ ...forge.ctx, actor }))]
}

/** No sort: the index returns rows in feed order, so that only the newest are read. */
async function assertUnsorted(query: Expression<unknown>): Promise<void> {
  const { rows } = await sql`explain (format json) ${query}`.execute(forge.db)
  assert.ok(!JSON.stringify(rows).includes('"Sort"'), 'entries are sorted')
}
