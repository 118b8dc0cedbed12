/** Retention of feeds. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { type Forge, startForge } from '#testing'

const DAY_MS = 86_400_000
const FEEDS = ['/repos/ann/anvil/activities/feeds', '/users/ann/activities/feeds']

let forge: Forge
before(async () => {
  forge = await startForge({ config: { 'activity.keep_days': 100 } })
  await forge.person('ann')
  await forge.call('ann', 'POST', '/user/repos', { name: 'anvil' })
  await forge.runJobs()
})
after(() => forge[Symbol.asyncDispose]())

async function countFeeds(): Promise<number[]> {
  const feeds = await Promise.all(FEEDS.map((path) => forge.call('ann', 'GET', path)))
  return feeds.map(({ body }) => body.length)
}

test('feeds forget what is older than the setting, and keep the rest', async () => {
  forge.advance(60 * DAY_MS)
  await forge.call('ann', 'POST', '/repos/ann/anvil/issues', { title: 'cold' })
  await forge.runJobs()
  await forge.runTask('delete_old_actions')
  assert.deepEqual(await countFeeds(), [2, 2])
  forge.advance(60 * DAY_MS)
  await forge.runTask('delete_old_actions')
  assert.deepEqual(await countFeeds(), [1, 1])
})

test('however many have become too old, all are deleted, some at a time', async () => {
  await sql`insert into activity (repository_id, actor_id, op_type, is_private, created_at)
    select repository.id, owner_id, 'star_repo', false, ${forge.ctx.now()}::timestamptz - n * interval '1 hour'
    from repository cross join generate_series(1, 12000) as n`.execute(forge.db)
  await sql`insert into activity_feed (recipient_id, created_at, activity_id, repository_id, actor_id, is_private)
    select actor_id, created_at, id, repository_id, actor_id, false from activity on conflict do nothing`.execute(
    forge.db,
  )
  await forge.runTask('delete_old_actions')
  const { rows } = await sql<{ acts: number; entries: number }>`select
    (select count(*) from activity where op_type = 'star_repo') as acts,
    (select count(*) from activity_feed) as entries`.execute(forge.db)
  assert.deepEqual(rows, [{ acts: 2_400, entries: 2_401 }])
})
