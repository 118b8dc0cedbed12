/** Query cost and index use of lists of users. */

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Expression, sql } from 'kysely'
import { countOf } from '#platform/db'
import { assertIndexed, insertMany, startForge } from '#testing'
import { selectByAvatar } from '../avatars/pictures.ts'
import { emailsOfAll } from '../emails/emails.ts'
import { actorOf } from './actors.ts'
import { blockedBy, filterUsers, followedBy, followersOf, SORTS, searchUsers } from './queries.ts'

const PEOPLE = 100_000
const PAGE = 30

// Filling the tables may take long on a slow machine.
const forge = await startForge({ config: { 'database.statement_timeout_ms': 300_000 } })
after(() => forge[Symbol.asyncDispose]())

const root = await forge.person('root', { is_admin: true })
const star = await forge.person('star')

for (const path of [
  '/users/search?q=crowd-',
  '/admin/users?q=crowd-',
  '/admin/users',
  '/admin/emails',
  '/admin/emails/search?q=crowd-',
  '/user/followers',
  '/user/following',
  '/users/root/followers',
  '/users/root/following',
  '/user/blocks',
])
  test(`${path} takes as many queries for twenty users as for one`, async () => {
    const ask = () => forge.countQueries(() => forge.call('root', 'GET', path))
    const row = { visibility: 'private' as const }
    const meet = async (name: string) => {
      const { id } = await forge.person(name, row)
      const created_at = forge.ctx.now()
      await forge.db
        .insertInto('follow')
        .values({ follower_id: id, followed_id: root.id, created_at })
        .execute()
      await forge.db
        .insertInto('follow')
        .values({ follower_id: root.id, followed_id: id, created_at })
        .execute()
      const block = { blocker_id: root.id, blocked_id: id, note: '', created_at }
      await forge.db.insertInto('account_block').values(block).execute()
    }
    await meet('crowd-first')
    const one = await ask()
    for (let i = 0; i < 19; i++) await meet(`crowd-${i}`)
    assert.equal((await forge.call('root', 'GET', path)).status, 200)
    assert.equal(await ask(), one)
    await forge.db.deleteFrom('account').where('login_key', 'like', 'crowd-%').execute()
  })

test('no list scans a large table', async (t) => {
  await fill()
  const viewer = actorOf(star, { publicOnly: false, via: 'process', tokenId: null })
  const admin = actorOf(root, { publicOnly: false, via: 'process', tokenId: null })
  const { db } = forge
  const all = { keyword: '', sort: 'name', order: 'asc' } as const
  const some = { ...all, keyword: 'person-47110' }

  const pages: Record<string, Expression<unknown>> = {
    'a search without a word': searchUsers(db, viewer, { keyword: '' }).rows.limit(PAGE),
    'a search by nobody': searchUsers(db, null, { keyword: 'person-47110' }).rows.limit(PAGE),
    'a search': searchUsers(db, viewer, { keyword: 'person-47110' }).rows.limit(PAGE),
    'the number of what a search finds': countOf(
      searchUsers(db, viewer, { keyword: 'person-47110' }).counted,
    ),
    'somebody by number': searchUsers(db, viewer, { keyword: '', id: star.id }).rows.limit(PAGE),
    'what administrators search': filterUsers(db, admin, some).rows.limit(PAGE),
    'the number of it': countOf(filterUsers(db, admin, some).counted),
    'a name at an external authenticator': filterUsers(db, admin, { ...all, login_name: 'x' }).rows.limit(
      PAGE,
    ),
    'the number of such names': countOf(filterUsers(db, admin, { ...all, login_name: 'x' }).counted),
    'the number of administrators': countOf(filterUsers(db, admin, { ...all, is_admin: true }).counted),
    'the number of the restricted': countOf(filterUsers(db, admin, { ...all, is_restricted: true }).counted),
    'the number of the prohibited': countOf(
      filterUsers(db, admin, { ...all, prohibits_login: true }).counted,
    ),
    'the number of the inactive': countOf(filterUsers(db, admin, { ...all, is_active: false }).counted),
    'those with a second factor': filterUsers(db, admin, { ...all, has_second_factor: true }).rows.limit(
      PAGE,
    ),
    'followers of a star': followersOf(db, viewer, star.id).rows.limit(PAGE),
    'followers of somebody': followersOf(db, viewer, 500).rows.limit(PAGE),
    'their number': countOf(followersOf(db, viewer, 500).counted),
    'whom somebody follows': followedBy(db, viewer, 500).rows.limit(PAGE),
    'the number of those': countOf(followedBy(db, viewer, 500).counted),
    'whom somebody blocks': blockedBy(db, 500).rows.limit(PAGE),
    'whose avatar it is': selectByAvatar(db, '00000000-0000-4000-8000-000000000000'),
  }
  for (const sort of SORTS)
    for (const order of ['asc', 'desc'] as const)
      pages[`all by ${sort}, ${order}`] = filterUsers(db, admin, { ...all, sort, order }).rows.limit(PAGE)
  for (const [name, query] of Object.entries(pages))
    await t.test(name, async () => {
      await assertIndexed(db, query, 'account')
      if (/follow/.test(name)) await assertIndexed(db, query, 'follow')
    })

  const emails = {
    'all addresses': emailsOfAll(db, '').limit(PAGE),
    'addresses by a word': emailsOfAll(db, 'person-47110').limit(PAGE),
    'the number of addresses by a word': countOf(emailsOfAll(db, 'person-47110')),
  }
  for (const [name, query] of Object.entries(emails))
    await t.test(name, async () => {
      await assertIndexed(db, query, 'account_email')
      await assertIndexed(db, query, 'account')
    })
})

/** Every user follows the star and one other; one in fifty is private, one in a thousand restricted. */
async function fill(): Promise<void> {
  const { db } = forge
  await insertMany(
    db,
    sql`insert into account
      (kind, login, login_key, full_name, email, visibility, is_restricted, created_at, updated_at)
    select 'user', 'Person-' || n, 'person-' || n, 'Nr ' || n, 'person-' || n || '@example.test',
      case when n % 50 = 0 then 'private' when n % 20 = 0 then 'limited' else 'public' end, n % 1000 = 0,
      timestamptz '2020-01-01' + n * interval '1 minute', timestamptz '2021-01-01' + n * interval '1 minute'
    from generate_series(1, ${PEOPLE}) n`,
  )
  await insertMany(
    db,
    sql`insert into account_count (account_id) select id from account on conflict do nothing`,
  )
  await insertMany(
    db,
    sql`insert into account_email (account_id, email, email_key, is_primary)
    select id, email, lower(email), true from account on conflict do nothing`,
  )
  await insertMany(
    db,
    sql`insert into follow select id, ${star.id}, created_at from account where id <> ${star.id}`,
  )
  await insertMany(
    db,
    sql`insert into follow select a.id, b.id, a.created_at from account a join account b on b.id = a.id + 7
    on conflict do nothing`,
  )
  await insertMany(
    db,
    sql`insert into account_block select a.id, b.id, '', a.created_at from account a
    join account b on b.id = a.id + 9`,
  )
  await sql`analyze account, account_count, account_email, follow, account_block`.execute(db)
}
