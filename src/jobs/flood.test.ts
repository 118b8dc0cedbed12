/** Thousands of waiting jobs of one repository do not delay another repository. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { startForge } from '#testing'
import { startWorker } from './worker.ts'

const FLOOD = 20_000
/** Jobs of the flood that may end before the notification: every slot may run them twice. */
const ENDED_MAX = 500
const WAIT_MS_MAX = 60_000

test('a notification does not wait behind the events of a repository that an import has filled', async () => {
  await using forge = await startForge()
  for (const login of ['ann', 'bob', 'eve']) await forge.person(login)
  const { body: busy } = await forge.call('eve', 'POST', '/user/repos', { name: 'imported' })
  await forge.call('ann', 'POST', '/user/repos', { name: 'calm' })
  await forge.call('bob', 'PUT', '/repos/ann/calm/subscription')
  await forge.runJobs()
  await forge.call('eve', 'POST', '/repos/eve/imported/issues', { title: 'one of very many' })
  const group = `repository:${busy.id}`
  await sql`insert into job (kind, group_key, payload, attempts_max)
    select kind, group_key, payload, attempts_max from job cross join generate_series(1, ${FLOOD})
    where kind = 'deliver' and group_key = ${group}`.execute(forge.db)
  const worker = startWorker(forge.ctx, forge.pool, forge.work)
  const unread = async () => (await forge.call('bob', 'GET', '/notifications/new')).body.new
  const countFlood = async () =>
    (await sql<{ count: number }>`select count(*) from job where group_key = ${group}`.execute(forge.db))
      .rows[0]?.count ?? 0
  try {
    for (let waited = 0; (await countFlood()) > FLOOD && waited < WAIT_MS_MAX; waited += 5) await sleep(5)
    const before = await countFlood()
    await forge.call('ann', 'POST', '/repos/ann/calm/issues', { title: 'work' })
    for (let waited = 0; (await unread()) === 0 && waited < WAIT_MS_MAX; waited += 5) await sleep(5)
    assert.equal(await unread(), 1)
    const ended = before - (await countFlood())
    assert.ok(ended < ENDED_MAX, `${ended} of ${FLOOD} jobs of the flood ended first`)
  } finally {
    await worker.stop()
  }
})
